package dev.signet;

/**
 * It is not known what came of a transfer: the role may be reserved for the successor, or passing on to it, or neither.
 * Whoever asked looks at the store. A fault of the store while it was asked to reserve the role, or the end of the term or
 * of its session meanwhile.
 */
public final class TransferUnknownException extends SignetException {

    private static final long serialVersionUID = 1L;

    public TransferUnknownException(Role role, CandidateId successor, String cause) {
        super("it is not known whether role '" + role + "' was transferred to '" + successor + "': " + cause, null);
    }
}
