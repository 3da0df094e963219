/** The store of the guide "write your own store", which quotes it: from outside the kit's package, as its readers are. */
package dev.signet.testkit.guide;
