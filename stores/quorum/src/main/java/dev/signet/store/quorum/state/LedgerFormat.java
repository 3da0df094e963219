package dev.signet.store.quorum.state;

import dev.signet.Namespace;
import dev.signet.StoreId;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * All that a ledger knows, as bytes: everything in the order of its name, but for sessions, of which the order is part of what
 * is known. Equal ledgers give equal bytes.
 */
record LedgerFormat(Optional<StoreId> storeId, NavigableMap<Namespace, Realm> realms) {

    void write(Output out) {
        out.optional(storeId, Words::write);
        List<Map.Entry<Namespace, Realm>> known = realms.entrySet().stream()
                .filter(realm -> !realm.getValue().isEmpty())
                .toList();
        out.list(known, (same, realm) -> {
            Words.write(out, realm.getKey());
            RealmFormat.write(out, realm.getValue());
        });
    }

    static Ledger read(Input in) throws Unreadable {
        Ledger ledger = new Ledger();
        Optional<StoreId> storeId = in.optional(Words::storeId);
        storeId.ifPresent(ledger::restoreStoreId);
        Ascending<String> namespaces = new Ascending<>();
        in.list(one -> {
            Namespace namespace = Words.namespace(one);
            namespaces.next(namespace.name());
            RealmFormat.read(one, storeId, ledger.restoreRealm(namespace));
            return namespace;
        });
        return ledger;
    }
}
