/**
 * A store in a quorum of Signet's own voters, as candidates use it. The voters are in {@code .voter}, what they agree on in {@code
 * .state}.
 */
@NullMarked
package dev.signet.store.quorum;

import org.jspecify.annotations.NullMarked;
