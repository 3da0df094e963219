package dev.signet.fence;

/** Why a fence refuses a stamp. The names are stable: logs, metrics and problem types carry them. */
public enum Refusal {
    /** The resource was sealed with a higher token: the term is over, stop. */
    STALE,
    /** The resource was sealed with this very token by another term. */
    SAME_TOKEN_OTHER_TERM,
    /** The resource belongs to another store; an operator adopts it, nothing heals it. */
    FOREIGN_STORE,
    /** The resource belongs to another role. */
    OTHER_ROLE,
    /** The fence has no row for this resource: {@code signet fence init} makes it. */
    NOT_INITIALISED,
    /** The resource was not sealed for this term yet: seal, then write. */
    UNSEALED,
    /**
     * Answered to a seal only: its token is further above the highest there than the fence believes. A fence that
     * believed a token gone wrong could never be sealed by anybody again; an operator looks, nothing heals it.
     */
    TOO_FAR_AHEAD;

    /** Whether it says that the term itself is over at this resource. */
    public boolean supersedes() {
        return this == STALE || this == SAME_TOKEN_OTHER_TERM || this == FOREIGN_STORE;
    }
}
