package dev.signet.simulation;

import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.store.Grant;
import java.util.Set;

/** A term as the application has it in its hands: the real runtime's, without its threads. */
final class RunTerm {

    private final World world;
    private final Seat seat;
    private final Grant grant;
    private final long epoch;
    private Set<ResourceName> sealed = Set.of();
    private boolean draining;
    private boolean over;

    RunTerm(World world, Seat seat, Grant grant, long epoch) {
        this.world = world;
        this.seat = seat;
        this.grant = grant;
        this.epoch = epoch;
    }

    Stamp stamp() {
        return grant.stamp();
    }

    FencingToken token() {
        return grant.token();
    }

    boolean isOf(FencingToken token) {
        return grant.token().equals(token);
    }

    long epoch() {
        return epoch;
    }

    boolean isValid() {
        return world.twist().isValid(seat.process().holds(epoch), over);
    }

    boolean isSealed(ResourceName resource) {
        return world.twist().isSealed(sealed.contains(resource));
    }

    boolean isDraining() {
        return draining;
    }

    boolean isOver() {
        return over;
    }

    void sealed(Set<ResourceName> resources) {
        sealed = resources;
    }

    void drain() {
        draining = true;
    }

    void end() {
        over = true;
    }
}
