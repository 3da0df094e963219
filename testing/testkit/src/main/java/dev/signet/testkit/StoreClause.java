package dev.signet.testkit;

/**
 * The clauses of the store contract, by the names under which the documentation, the tests and the reports know them. Each
 * test of {@link StoreContract} says with {@link Checks} which it checks.
 */
public enum StoreClause {
    C1("in the order of a role record's versions, terms do not overlap"),
    C2(
            "tokens rise by one per grant, across release, expiry, crash and restart; what forgot them is lifted by a floor"),
    C3("not granted to another before a full recorded lease after the last accepted renewal"),
    C4("grantable again within the stated bound"),
    C5("a renewal after the expiry was recorded, or another was granted, says gone"),
    C6("release and transfer are idempotent by attempt and touch only one's own grant"),
    C7("the same attempt is given the same grant while it stands, and is refused after its release"),
    C8("a waiter is woken within the stated bound, and the versions that it sees never go back"),
    C9(
            "after a transfer only its target is granted the role, until the window has passed or the target's session ended"),
    C10("an acquire with a floor grants above it"),
    C11("every call ends within its time-out; it neither hangs nor guesses"),
    C12("a store says whether its reads are linearizable, and that it is no quorum if it is none"),
    C13("names that differ in a byte never meet"),
    C14("two namespaces never see each other"),
    C15("one session holds thousands of roles, and they are taken over with bounded requests in flight"),
    C16("a request that is delivered late or twice creates no grant that nobody knows"),
    C17("a renewal that meets the decision to expire is never answered OK"),
    C18("a store that stood still neither ends live sessions in a burst nor renews those that are over"),
    C19("each grant names its store and its term");

    private final String promise;

    StoreClause(String promise) {
        this.promise = promise;
    }

    /** The clause in one sentence. */
    public String promise() {
        return promise;
    }
}
