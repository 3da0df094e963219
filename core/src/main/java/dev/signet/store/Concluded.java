package dev.signet.store;

/** It is so now, whether or not it was before. */
public enum Concluded {
    CONCLUDED
}
