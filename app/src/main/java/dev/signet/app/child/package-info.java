/**
 * The process side of {@code signet run}: one command as a child in a session of its own, and beside it a guard process that ends
 * the command's processes when signet itself is stopped, killed, or asleep together with its host.
 *
 * <p>{@link dev.signet.app.child.GuardedChild} is the way in. This package knows processes, signals and the boot clock; it knows
 * nothing of stores, terms or fences, so nothing of the rest of Signet may be used here. Who leads is the caller's affair.
 */
@NullMarked
package dev.signet.app.child;

import org.jspecify.annotations.NullMarked;
