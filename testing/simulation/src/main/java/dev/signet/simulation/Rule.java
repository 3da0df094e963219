package dev.signet.simulation;

/** What is checked. The names of {@code R…} and {@code C…} are those of the design. */
public enum Rule {
    TOKEN_PLUS_ONE("R1: +1 per grant, never reused; a floor alone skips, and is an event"),
    FENCE("R2: after a seal no write of another term with a token as low or lower commits"),
    SEALED_FIRST(
            "R3: nobody is told of a term before every required resource is sealed, nor writes to one that is not"),
    DEADLINE("R4: valid until renewDeadline after the sending of the last success, by the clock that advanced more"),
    PAUSE("R5: a pause suspends; a renewal begun after waking decides; being late while awake deposes"),
    FINAL("R5: what is lost stays lost, what has ended stays ended"),
    ONE_GRANT("R6: an attempt has one grant, and a grant nobody knows of is given back"),
    OWN_ONLY("R7: no release, expiry or transfer touches another's grant"),
    ONE_LISTENER("R8: no second term of a role is shown to a listener before the first has returned or overrun"),
    OWN_STAMP("R9: a write carries the stamp of the term in which it was decided"),
    HEALING("R12: healing only while sealing, once per term, at its own store, by a confirming write, within its cap"),
    END_ONCE("a term ends once, before anything that follows from its end"),
    DRAIN("a term that is asked to end ends after its work, or after the bound for draining"),
    CONTRADICTED("what the store or a fence contradicts ends at once, and nothing ends as contradicted that is not"),
    LISTENER("a term whose listener threw, or was not taken, ends, and a back-off follows"),
    CLOSED("after closing no request is made but release and close"),
    CONCLUDED("every acquire is followed in the end by a term that ends, by a release, or by the loss of its session"),
    VALID_PHASE("a term is valid in PREPARING, LEADING and RESIGNING only"),
    LEASE("C3: not granted to another before a full lease after the last accepted renewal, unless released"),
    GONE("C5, C17: a session that was gone is never answered done"),
    RESERVED("C9: after a transfer only its target is granted the role"),
    ONE_BELIEVER("the lease bound: within the bounds of the clocks two processes do not believe at once"),
    DURABLE("an acknowledged write is there, once"),
    LIVENESS("once faults end, each role is led and written for within a bound"),
    NOTHING_LEAKS("once closed, every term has ended and nothing is held or waited for"),
    VACUOUS("something must have succeeded"),
    CRASH("nothing throws");

    private final String text;

    Rule(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
