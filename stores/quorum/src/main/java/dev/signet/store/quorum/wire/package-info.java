/** What passes between candidates and voters, as messages and as bytes. Nothing here decides anything. */
@NullMarked
package dev.signet.store.quorum.wire;

import org.jspecify.annotations.NullMarked;
