/**
 * {@code signet run}: one command that runs for as long as this candidate leads.
 *
 * <p>Here meet the elector, which knows terms and nothing of processes, and {@link dev.signet.app.child}, which knows processes and nothing
 * of terms. What belongs here is what happens between the two: which command runs in which phase of a term, how the guard learns of each
 * renewal, and which exit code comes of it.
 */
@NullMarked
package dev.signet.app.run;

import org.jspecify.annotations.NullMarked;
