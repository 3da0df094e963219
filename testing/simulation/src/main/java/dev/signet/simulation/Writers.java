package dev.signet.simulation;

import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.election.role.RoleEvent;
import dev.signet.fence.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What writes in the name of a term. A write is decided while the guard says proceed, and carries the stamp of that term
 * for ever: some are held up for a minute on their way and arrive as zombies. An unknown answer is asked for again under
 * the same id.
 */
final class Writers {

    private static final int TRIES = 6;

    private final World world;
    private final Seat seat;
    private @Nullable RunTerm writingFor;

    Writers(World world, Seat seat) {
        this.world = world;
        this.seat = seat;
    }

    /** Begins to write for a term that has come to lead. */
    void wake() {
        RunTerm term = seat.term();
        if (term != null && term != writingFor && seat.proceeds() && world.writes()) {
            writingFor = term;
            next(term);
        }
    }

    private void next(RunTerm term) {
        seat.process()
                .node()
                .schedule(
                        Node.Lane.APPLICATION,
                        seat.process(),
                        world.dice().between(100 * Agenda.MILLI, 2 * Agenda.SECOND),
                        () -> {
                            if (!term.isOver() && seat.process().isRunning()) {
                                if (seat.proceeds()) {
                                    decide(term);
                                }
                                next(term);
                            }
                        });
    }

    void decide(RunTerm term) {
        List<ResourceName> open =
                seat.plan().resources().keySet().stream().filter(term::isSealed).toList();
        if (open.isEmpty()) {
            return;
        }
        ResourceName resource = world.dice().pick(open);
        world.require(
                seat.ledger().isSealed(term.stamp().termId(), resource),
                Rule.SEALED_FIRST,
                () -> "a write was decided for " + resource + ", which was not sealed for term " + term.token());
        if (!seat.requires(resource)) {
            world.sometimes(Sometimes.WRITE_TO_RESOURCE_SEALED_LATER);
        }
        decide(term.stamp(), resource, world.holdsUp());
    }

    void decide(Stamp decidedUnder, ResourceName resource, long heldUpNanos) {
        long id = world.nextWrite();
        seat.process().node().schedule(Node.Lane.APPLICATION, seat.process(), heldUpNanos, () -> {
            RunTerm newest = seat.term();
            Stamp stamp = world.twist().stamps(decidedUnder, newest == null ? decidedUnder : newest.stamp());
            send(new Write(id, decidedUnder, stamp), resource, 1);
        });
    }

    private void send(Write write, ResourceName resource, int number) {
        FenceHost fence = world.fence(resource);
        seat.process()
                .ask(
                        Node.Lane.APPLICATION,
                        Network.Kind.WRITE,
                        fence::isUp,
                        () -> fence.write(write),
                        answer -> answer.handle(
                                done -> world.acknowledged(resource, write),
                                why -> refused(write, resource, why),
                                unknown -> again(write, resource, number)));
    }

    private void again(Write write, ResourceName resource, int number) {
        if (number < TRIES) {
            world.sometimes(Sometimes.WRITE_REPEATED_AFTER_UNKNOWN);
            seat.process()
                    .node()
                    .schedule(
                            Node.Lane.APPLICATION,
                            seat.process(),
                            world.dice().between(100 * Agenda.MILLI, Agenda.SECOND),
                            () -> send(write, resource, number + 1));
        }
    }

    private void refused(Write write, ResourceName resource, Refusal why) {
        world.sometimes(Sometimes.WRITE_REFUSED);
        RunTerm term = seat.term();
        if (term == null || !term.stamp().equals(write.decidedUnder()) || term.isOver()) {
            world.sometimes(Sometimes.ZOMBIE_WRITE_REFUSED);
        }
        seat.process()
                .node()
                .run(
                        Node.Lane.LOOP,
                        seat.process(),
                        () -> seat.tell(
                                new RoleEvent.FenceRefused(write.decidedUnder().termId(), resource, why)));
    }
}
