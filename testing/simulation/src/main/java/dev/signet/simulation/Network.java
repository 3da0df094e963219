package dev.signet.simulation;

import java.util.Optional;

/**
 * What lies between nodes and the places that they ask. Messages are delayed, each by itself, so that they overtake each
 * other; they are lost; requests are delivered twice.
 */
final class Network {

    /** Where requests go. */
    enum Place {
        STORE,
        FENCES
    }

    /** What a message is about. */
    enum Kind {
        OPEN(Place.STORE),
        RENEW(Place.STORE),
        CLOSE(Place.STORE),
        ENLIST(Place.STORE),
        WITHDRAW(Place.STORE),
        ACQUIRE(Place.STORE),
        RELEASE(Place.STORE),
        RESERVE(Place.STORE),
        HELD(Place.STORE),
        WATCH(Place.STORE),
        SEAL(Place.FENCES),
        WRITE(Place.FENCES);

        private final Place place;

        Kind(Place place) {
            this.place = place;
        }

        Place place() {
            return place;
        }
    }

    /** Which way a message goes. */
    enum Way {
        REQUEST,
        ANSWER
    }

    /** What becomes of a message; a script may decide it, else chance does. */
    record Fate(boolean lost, long delayNanos, boolean twice) {

        static final Fate LOST = new Fate(true, 0, false);

        static Fate after(long delayNanos) {
            return new Fate(false, delayNanos, false);
        }
    }

    /** Decides what becomes of some messages. */
    interface Script {
        Optional<Fate> fate(Node node, Kind kind, Way way);
    }

    private static final long FASTEST = Agenda.MILLI;

    private final World world;
    private Script script = (node, kind, way) -> Optional.empty();
    private boolean calm;

    Network(World world) {
        this.world = world;
    }

    void script(Script next) {
        script = next;
    }

    /** From now on messages are fast, and none is lost or delivered twice. */
    void calm() {
        calm = true;
    }

    void send(Node node, Kind kind, Way way, Runnable arrival) {
        Fate fate = decide(node, kind, way);
        if (fate.lost()) {
            return;
        }
        world.after(fate.delayNanos(), arrival);
        if (fate.twice()) {
            world.sometimes(Sometimes.REQUEST_DELIVERED_TWICE);
            world.after(fate.delayNanos() + delay(), arrival);
        }
    }

    /** What becomes of a message that is sent now. */
    Fate decide(Node node, Kind kind, Way way) {
        Fate fate = script.fate(node, kind, way).orElseGet(() -> chance(node, kind, way));
        if (fate.lost()) {
            world.sometimes(Sometimes.MESSAGE_LOST);
        }
        return fate;
    }

    private Fate chance(Node node, Kind kind, Way way) {
        if (node.isCutFrom(kind.place())) {
            return Fate.LOST;
        }
        if (calm) {
            return Fate.after(world.dice().between(FASTEST, 20 * Agenda.MILLI));
        }
        Climate climate = world.climate();
        if (world.dice().chance(climate.loss())) {
            return Fate.LOST;
        }
        return new Fate(false, delay(), way == Way.REQUEST && world.dice().chance(climate.duplication()));
    }

    long delay() {
        Dice dice = world.dice();
        if (!calm && dice.chance(world.climate().slowness())) {
            return dice.chance(0.8)
                    ? dice.between(20 * Agenda.MILLI, 800 * Agenda.MILLI)
                    : dice.between(800 * Agenda.MILLI, 20 * Agenda.SECOND);
        }
        return dice.between(FASTEST, 20 * Agenda.MILLI);
    }
}
