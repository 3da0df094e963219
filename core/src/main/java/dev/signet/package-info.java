/**
 * The front door: what an application names to take part in an election and to hold a term. What an adapter implements is
 * in the packages below it, and so is everything that runs behind the scenes.
 */
@NullMarked
package dev.signet;

import org.jspecify.annotations.NullMarked;
