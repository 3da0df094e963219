package dev.signet.fence.jdbc;

import dev.signet.ResourceName;

/**
 * A seal waited for a transaction of an older term that did not end. Immutable.
 *
 * @param blocker who that was, as the database server describes it, or that this cannot be seen
 * @param ended whether it was ended so that the seal could go on; what its transaction had written is rolled back
 * @param why what was done, or why nothing was and what to do
 */
public record HeldUp(ResourceName resource, String blocker, boolean ended, String why) {}
