package dev.signet.election.role;

import dev.signet.observe.Event;

/** The course of a term: sealing, preparing, leading, as its facts allow. */
final class Course {

    private Course() {}

    static Phase follow(Tenure tenure, Turn turn) {
        if (!tenure.hasAllRequired(turn.plan().resources())) {
            return new Sealing(tenure);
        }
        if (!tenure.prepareCalled()) {
            turn.add(new RoleEffect.CallPrepare(tenure.grant()));
            return new Preparing(tenure.withPrepareCalled());
        }
        if (!tenure.prepared()) {
            return new Preparing(tenure);
        }
        if (!tenure.electedCalled()) {
            turn.emit(new Event.Elected(turn.plan().role(), tenure.token()));
            turn.add(new RoleEffect.CallElected(tenure.token()));
            return new Leading(tenure.withElectedCalled());
        }
        return new Leading(tenure);
    }
}
