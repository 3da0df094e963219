package dev.signet.observe;

/** Hears events, on a thread of its own behind a bounded queue: a slow observer loses events, which are counted. */
@FunctionalInterface
public interface Observer {

    void on(Event event);
}
