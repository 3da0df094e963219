package dev.signet.election.role;

import dev.signet.TermId;
import dev.signet.time.Reading;
import java.util.List;

/** The role machine: one per election. A pure function: no I/O, clock, random, thread or log. */
public final class RoleMachine {

    private RoleMachine() {}

    /** A machine that does not campaign yet. */
    public static RoleState initial(RolePlan plan) {
        return new RoleState(Standing.of(plan), new Idle());
    }

    /**
     * @param now both clocks at this step
     * @param fresh a random term id that was never handed to a step before; used if the step acquires
     */
    public static Step step(RoleState state, RoleEvent event, Reading now, TermId fresh) {
        Turn turn = new Turn(state.standing(), now, fresh);
        Phase next = event.applyTo(state.phase(), turn);
        return new Step(new RoleState(turn.standing(), next), turn.effects());
    }

    /** @param effects in the order in which they are to be carried out */
    public record Step(RoleState state, List<RoleEffect> effects) {}
}
