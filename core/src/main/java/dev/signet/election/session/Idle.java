package dev.signet.election.session;

/** Nothing was asked for yet. */
record Idle() implements WithoutSession {

    @Override
    public SessionState onOpen(SessionTurn turn) {
        return Opening.begin(1, 0, turn);
    }
}
