package dev.signet.store;

import dev.signet.StoreId;

/** A session is open. */
public record Opened(StoreId storeId) {}
