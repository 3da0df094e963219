package dev.signet;

/** A role was not handed over; whoever led it leads it still. */
public final class TransferRefusedException extends SignetException {

    private static final long serialVersionUID = 1L;

    public TransferRefusedException(Role role, CandidateId successor, String why) {
        super("role '" + role + "' was not transferred to '" + successor + "': " + why, null);
    }
}
