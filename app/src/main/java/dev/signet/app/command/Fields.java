package dev.signet.app.command;

import dev.signet.Hint;
import dev.signet.fence.FenceView;
import dev.signet.store.Holder;
import dev.signet.store.RoleView;
import dev.signet.store.StoreTraits;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The fields of JSON output. Names are an interface: they are added, never changed. */
final class Fields {

    private Fields() {}

    static Map<String, Object> of(StoreTraits traits) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("store", traits.name());
        fields.put("kind", traits.kind().name());
        fields.put("warning", traits.warning());
        return fields;
    }

    static Map<String, Object> of(RoleView view) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("role", view.role());
        fields.put("version", view.version());
        fields.put("lastToken", view.lastToken());
        fields.put("leader", view.holder().map(Fields::of));
        fields.put("claimable", view.claimable());
        fields.put("claimableInMillis", view.claimableIn().map(Duration::toMillis));
        fields.put("reservation", view.reservation().map(Fields::of));
        return fields;
    }

    private static Map<String, Object> of(Holder holder) {
        Hint hint = holder.hint();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("candidate", holder.candidate());
        fields.put("name", holder.candidate().name());
        fields.put("token", holder.token().value());
        fields.put("termDigest", holder.termDigest());
        fields.put("publicUri", hint.publicUri());
        fields.put("internalUri", hint.internalUri());
        return fields;
    }

    private static Map<String, Object> of(RoleView.Reservation reservation) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("candidate", reservation.target());
        fields.put("remainingMillis", reservation.remaining().toMillis());
        return fields;
    }

    static Map<String, Object> of(FenceView view) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("resource", view.resource());
        fields.put("role", view.role());
        fields.put("storeId", view.storeId());
        fields.put("highest", view.highest());
        fields.put("termDigest", view.termDigest());
        return fields;
    }
}
