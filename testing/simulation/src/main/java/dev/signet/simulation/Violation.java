package dev.signet.simulation;

/** A rule was broken; the run ends here. */
final class Violation extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Rule rule;

    Violation(Rule rule, String what) {
        super(what);
        this.rule = rule;
    }

    Rule rule() {
        return rule;
    }
}
