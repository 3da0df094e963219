/**
 * How a command asks a process of the same user that campaigns, on this host: a socket per candidate, in a folder that nobody else may enter.
 * What belongs here is the way there and the words on it; what comes of a request is decided by whoever is asked.
 */
@NullMarked
package dev.signet.app.control;

import org.jspecify.annotations.NullMarked;
