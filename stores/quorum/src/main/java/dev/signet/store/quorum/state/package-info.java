/**
 * What the voters of a quorum agree on, as a pure function: commands in, replies and a new state out. No clock, chance, thread
 * or log belongs here, nor anything of Raft but the number of a term.
 *
 * <p>From top to bottom: {@code Ledger} is the state, {@code Realm} the rules of one namespace in it, {@code Codec} its commands
 * and replies as bytes.
 */
@NullMarked
package dev.signet.store.quorum.state;

import org.jspecify.annotations.NullMarked;
