/** The commands that look, set up and rehearse, one class each. What leads and runs a command of the user's is elsewhere. */
@NullMarked
package dev.signet.app.command;

import org.jspecify.annotations.NullMarked;
