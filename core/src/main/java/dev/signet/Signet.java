package dev.signet;

/** Where an application begins. */
public final class Signet {
    private Signet() {}
}
