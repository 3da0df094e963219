package dev.signet.store.quorum;

import java.io.IOException;

/** No voter gave an answer in time; the question may have taken effect. */
final class Silence extends IOException {

    private static final long serialVersionUID = 1;

    Silence(String message) {
        super(message);
    }
}
