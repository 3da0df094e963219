package dev.signet.servers;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** What the network between a client and a server does at the moment. Shared by all connections of one {@link Proxy}. */
final class Weather {

    enum Way {
        TO_SERVER,
        TO_CLIENT
    }

    private Duration delay = Duration.ZERO;
    private final Set<Way> blocked = EnumSet.noneOf(Way.class);

    /** @param nowBlocked the ways on which nothing passes, until the weather changes */
    synchronized void change(Duration nowDelay, Set<Way> nowBlocked) {
        delay = nowDelay;
        blocked.clear();
        blocked.addAll(nowBlocked);
        notifyAll();
    }

    /** Returns when what set out then may arrive on this way. */
    synchronized void awaitPassage(Way way, long setOutNanos) throws InterruptedException {
        while (true) {
            long early = delay.toNanos() - (System.nanoTime() - setOutNanos);
            if (blocked.contains(way)) {
                wait();
            } else if (early > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, early);
            } else {
                return;
            }
        }
    }
}
