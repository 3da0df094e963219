/**
 * The command line: it reads options, assembles the parts and turns outcomes into lines and exit codes. A decision about
 * leadership does not belong here.
 */
@NullMarked
package dev.signet.app;

import org.jspecify.annotations.NullMarked;
