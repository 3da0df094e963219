package dev.signet.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.FencingToken;
import dev.signet.Role;
import dev.signet.election.role.Phase;
import dev.signet.election.role.RoleEffect;
import dev.signet.election.role.RoleEvent;
import dev.signet.election.role.RoleMachine;
import dev.signet.election.role.RoleState;
import dev.signet.election.session.SessionEffect;
import dev.signet.election.session.SessionEvent;
import dev.signet.election.session.SessionMachine;
import dev.signet.election.session.SessionState;
import dev.signet.observe.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A world in which a test decides what happens: two nodes, one role with two required resources, fifteen seconds' lease. */
final class Stage {

    /** Something that a process did or heard. */
    record Moment(long nanos, String node, Object what) {}

    final List<Moment> moments = new ArrayList<>();
    final World world;
    final Nemesis nemesis;
    final Node one;
    final Node two;
    private final List<Mail> mails = new ArrayList<>();

    private static final class Mail {
        private final Node node;
        private final Network.Kind kind;
        private final Network.Way way;
        private final Network.Fate fate;
        private int left;

        Mail(Node node, Network.Kind kind, Network.Way way, Network.Fate fate, int left) {
            this.node = node;
            this.kind = kind;
            this.way = way;
            this.fate = fate;
            this.left = left;
        }
    }

    Stage() {
        world = new World(0, Climate.CALM, new Dice(0), new Twist(), new Recorder());
        world.writesByItself(false);
        world.listeners((seat, callback, token) -> Optional.of(Listener.Manner.QUICK));
        world.network().script(this::fate);
        nemesis = new Nemesis(world);
        one = world.nodes().get(0);
        two = world.nodes().get(1);
    }

    private Optional<Network.Fate> fate(Node node, Network.Kind kind, Network.Way way) {
        for (Mail mail : mails) {
            if (mail.left > 0 && mail.node == node && mail.kind == kind && mail.way == way) {
                mail.left--;
                return Optional.of(mail.fate);
            }
        }
        return Optional.empty();
    }

    // What the test decides

    Stage lose(Node node, Network.Kind kind, Network.Way way, int times) {
        mails.add(new Mail(node, kind, way, Network.Fate.LOST, times));
        return this;
    }

    Stage delay(Node node, Network.Kind kind, Network.Way way, long millis, int times) {
        mails.add(new Mail(node, kind, way, Network.Fate.after(millis * Agenda.MILLI), times));
        return this;
    }

    void deliverAllFromNowOn() {
        mails.clear();
    }

    Seat start(Node node) {
        world.start(node);
        return seat(node);
    }

    Seat lead(Node node) {
        Seat seat = start(node);
        until(seat::proceeds, 30);
        return seat;
    }

    void tell(Node node, RoleEvent event) {
        seat(node).tell(event);
    }

    void run(double seconds) {
        long end = world.now() + (long) (seconds * Agenda.SECOND);
        while (world.agenda().step(end)) {
            // each step checks itself
        }
    }

    void until(BooleanSupplier done, double seconds) {
        long end = world.now() + (long) (seconds * Agenda.SECOND);
        while (!done.getAsBoolean()) {
            assertThat(world.agenda().step(end))
                    .as(story("did not happen in time"))
                    .isTrue();
        }
    }

    /** Runs until the node has sent its next renewal, which is then on its way. */
    void untilRenewalIsSent(Node node) {
        int before = effects(node, SessionEffect.SendRenew.class).size();
        until(() -> effects(node, SessionEffect.SendRenew.class).size() > before, 5);
    }

    /** Runs until the node's next renewal has been answered. */
    void untilRenewed(Node node) {
        long before = heard(node, SessionEvent.Renewed.class).size();
        until(() -> heard(node, SessionEvent.Renewed.class).size() > before, 5);
    }

    // What the test sees

    Role role() {
        return world.roles().get(0);
    }

    Seat seat(Node node) {
        Incarnation process = node.process();
        assertThat(process).as(story(node.name() + " runs")).isNotNull();
        return process.seat(role());
    }

    Phase.Kind phase(Node node) {
        return seat(node).phase();
    }

    long token(Node node) {
        return seat(node).state().tenure().orElseThrow().grant().token().value();
    }

    FenceHost fence(String name) {
        return world.fences().stream()
                .filter(fence -> fence.resource().name().endsWith(name))
                .findFirst()
                .orElseThrow();
    }

    <E> List<E> effects(Node node, Class<E> kind) {
        return moments.stream()
                .filter(moment -> moment.node().equals(node.name()) && kind.isInstance(moment.what()))
                .map(moment -> kind.cast(moment.what()))
                .toList();
    }

    <E> List<E> heard(Node node, Class<E> kind) {
        return effects(node, kind);
    }

    <E> E last(Node node, Class<E> kind) {
        List<E> all = effects(node, kind);
        assertThat(all).as(story(kind.getSimpleName() + " of " + node.name())).isNotEmpty();
        return all.get(all.size() - 1);
    }

    /** When, in seconds, the nth of its kind happened. */
    double when(Node node, Class<?> kind, int index) {
        return moments.stream()
                        .filter(moment -> moment.node().equals(node.name()) && kind.isInstance(moment.what()))
                        .skip(index)
                        .findFirst()
                        .orElseThrow()
                        .nanos()
                / (double) Agenda.SECOND;
    }

    RoleEffect.EndTerm end(Node node, long token) {
        List<RoleEffect.EndTerm> ends = effects(node, RoleEffect.EndTerm.class).stream()
                .filter(end -> end.token().equals(FencingToken.of(token)))
                .toList();
        assertThat(ends).as(story("end of term " + token)).hasSize(1);
        return ends.get(0);
    }

    Supplier<String> story(String about) {
        return () -> {
            StringBuilder text = new StringBuilder(about);
            moments.forEach(moment ->
                    text.append(String.format("%n%9.3f %s %s", moment.nanos() / 1e9, moment.node(), moment.what())));
            return text.toString();
        };
    }

    private final class Recorder extends Trace {

        @Override
        void session(Incarnation process, SessionEvent event, SessionState before, SessionMachine.Step step) {
            record(process, event);
            step.effects().forEach(effect -> record(process, effect));
        }

        @Override
        void role(Seat seat, RoleEvent event, RoleState before, RoleMachine.Step step) {
            record(seat.process(), event);
            step.effects().forEach(effect -> record(seat.process(), effect));
        }

        @Override
        void event(Incarnation process, Event event) {
            record(process, event);
        }

        private void record(Incarnation process, Object what) {
            moments.add(new Moment(world.now(), process.node().name(), what));
        }
    }
}
