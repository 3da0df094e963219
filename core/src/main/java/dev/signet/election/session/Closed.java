package dev.signet.election.session;

/** Nothing more will come. */
record Closed() implements WithoutSession {

    static SessionState finish(SessionTurn turn) {
        turn.add(new SessionEffect.Finished());
        return new Closed();
    }

    @Override
    public SessionState onClose(SessionTurn turn) {
        return this;
    }
}
