/**
 * Real servers for tests, as child processes of the JVM that runs the tests: started, frozen, killed and started again by one test,
 * or shared by many. They outlive neither their JVM nor its crash. Only servers and the network before them are here: what is tested
 * against them is elsewhere. Needs Linux, and the servers' programs; one that is missing fails the test and names its package.
 */
@NullMarked
package dev.signet.servers;

import org.jspecify.annotations.NullMarked;
