package dev.signet.testkit;

/**
 * The clauses of the fence contract, by the names under which the documentation, the tests and the reports know them. F0 to
 * F12 are one promise, taken apart: after a resource was sealed with a token and a term id, no write of another term with a
 * lower or equal token commits there.
 */
public enum FenceClause {
    F1("the term that sealed it last writes, in every form"),
    F2("each wrong stamp is refused by its name, and nothing is written; a missing row refuses, and is not token 0"),
    F3("a seal is idempotent, only rises, and is refused by name; initialising never overwrites"),
    F4("no seal passes between a check and the end of its transaction, at any isolation level"),
    F5("what read before a seal does not pass a check after it, at any isolation level"),
    F6("a check in a savepoint that is rolled back lets no stale write through"),
    F7("a writer that stands still in its transaction holds a seal up for no longer than is stated, if at all"),
    F8("a transaction that outlives its session, being prepared, lets no stale write through"),
    F9("the next borrower of a pooled connection finds nothing of the fence"),
    F10("a token gone wrong does not keep every later term out"),
    F11("refusals are counted where they happen, also when their transaction is rolled back"),
    F12("writers never move a fence"),
    F13("without a transaction that lasts until the write there is no check"),
    F14("all of a fenced transaction is written, or nothing, and nobody but the fence ends it"),
    F15("busy writers of an old term neither starve a seal nor get past it");

    private final String promise;

    FenceClause(String promise) {
        this.promise = promise;
    }

    /** The clause in one sentence. */
    public String promise() {
        return promise;
    }
}
