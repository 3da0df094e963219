package dev.signet.store.quorum.wire;

import dev.signet.store.quorum.state.Reply;
import java.util.Optional;

/** What a voter says to a question. Immutable. */
public sealed interface Answered {

    record Told(Reply reply) implements Answered {}

    /**
     * This voter cannot say: it does not lead, or does not know whether it still does. The question may have taken effect.
     *
     * @param leader whom to ask instead, as far as this voter knows
     * @param why for people
     */
    record Elsewhere(Optional<Address> leader, String why) implements Answered {}
}
