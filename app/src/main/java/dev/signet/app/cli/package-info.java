/**
 * What the commands of the command line are made of: options and where their values come from, exit codes, the surroundings of
 * the process, and how a fault becomes one line. No single command lives here.
 */
@NullMarked
package dev.signet.app.cli;

import org.jspecify.annotations.NullMarked;
