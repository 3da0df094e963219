package dev.signet.election.role;

/** Nothing more will come. */
record Closed() implements WithoutTerm {

    @Override
    public Kind kind() {
        return Kind.CLOSED;
    }

    @Override
    public Phase onCampaign(Turn turn) {
        return this;
    }

    @Override
    public Phase onResign(Turn turn) {
        return this;
    }

    @Override
    public Phase onClose(Turn turn) {
        return this;
    }

    @Override
    public Phase onSessionLive(Turn turn) {
        return this;
    }
}
