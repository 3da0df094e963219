package dev.signet.testkit;

/**
 * Implemented by an adapter's {@link StoreContract} whose store serves several processes, on the host's own clock (C1). The kit
 * starts some that contend, and kills one.
 */
public interface Shared {

    Class<? extends StoreFactory> factory();

    /** What the factory needs to find the store that this test uses, such as a file or a URL; shown on a command line. */
    String place();
}
