package dev.signet.testkit;

import dev.signet.testkit.FenceStressOutcome.Form;

/**
 * Clause {@link FenceClause#F15} put to the test: writers at full speed against one seal after the other, each for the next
 * term. Half of the writers go by the adapter's helper, half by a bare check, a write and a commit of their own. Each is
 * stubborn, and goes on under its old term until it was refused twenty times. Immutable; blocks while it runs; keeps the
 * machine busy, so that nothing else should be measured meanwhile.
 *
 * <p>The oracle has no clock, and needs nothing of the database but that a read sees what was committed before it began.
 *
 * <ul>
 *   <li>Right after a seal was answered, the rows of lower tokens are counted. If there are more of them at the end, a row of
 *       an old term was committed after the seal.
 *   <li>A writer whose commit succeeded, although a seal above its token had been answered before it sent that commit, got
 *       past that seal. This sees also what lands before the count.
 *   <li>At the end there are as many rows as commits that succeeded. Otherwise one was refused, or to be run again, and landed
 *       nevertheless.
 * </ul>
 *
 * <p>What it cannot see is a row that lands between a seal's answer and the count after it, and whose commit was sent before
 * that answer.
 *
 * @param level of the transactions that the writers open themselves; the helper's run at that of the site's connections
 * @param writers at least two
 * @param seals at least one
 */
public record FenceStress(IsolationLevel level, int writers, int seals) {

    public FenceStress {
        if (writers < 2) {
            throw new IllegalArgumentException("writers " + writers + " is below 2, one of each form");
        }
        if (seals < 1) {
            throw new IllegalArgumentException("seals " + seals + " is below 1");
        }
    }

    /** On a site without a fence row, which the caller closes; every writer needs a connection there, and the seals a few. */
    public FenceStressOutcome run(FenceSite site) throws InterruptedException {
        return run(site, Form.HELPER, Form.BARE);
    }

    /**
     * The control: the same, but the writers check nothing, and give up only because they have heard of the next term twenty
     * times. An oracle that sees no violation here sees none anywhere.
     */
    public FenceStressOutcome runWithoutFence(FenceSite site) throws InterruptedException {
        return run(site, Form.UNCHECKED, Form.UNCHECKED);
    }

    private FenceStressOutcome run(FenceSite site, Form even, Form odd) throws InterruptedException {
        FenceRace race = new FenceRace(site, this);
        for (int i = 0; i < writers; i++) {
            race.enter(new FenceStressWriter(race, i, i % 2 == 0 ? even : odd));
        }
        return race.run();
    }
}
