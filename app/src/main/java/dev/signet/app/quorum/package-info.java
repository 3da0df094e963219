/**
 * The voters of the embedded quorum on the command line: one as a process, and how all of them stand. What uses a quorum to lead does
 * so by {@code --store}, as with any other store.
 */
@NullMarked
package dev.signet.app.quorum;

import org.jspecify.annotations.NullMarked;
