package dev.signet.testkit;

final class MemoryStoreContractTest extends MemoryContract {

    MemoryStoreContractTest() {
        super(StoreModel::new);
    }
}
