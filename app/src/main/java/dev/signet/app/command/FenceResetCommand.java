package dev.signet.app.command;

import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.app.cli.Command;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Output;
import dev.signet.app.cli.Surroundings;
import dev.signet.app.place.ProtectOptions;
import dev.signet.app.place.ProtectedResource;
import dev.signet.app.place.StoreOptions;
import dev.signet.app.place.StorePlace;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code signet fence reset}. */
public final class FenceResetCommand implements Command {

    private final Option<ProtectedResource> resource;
    private final Option<Role> role;
    private final Option<String> reason;
    private final Option<StorePlace> place;
    private final Output output;

    public FenceResetCommand(Options options) {
        resource = ProtectOptions.one(options);
        role = options.required("--role", "R", Role::of, "The role whose leader alone may write it from now on.");
        reason =
                options.required("--reason", "TEXT", FenceResetCommand::some, "Kept in the database, with who it was.");
        place = StoreOptions.store(options);
        output = Output.in(options);
        options.describe(
                "For an operator in need, when the store that the fence belongs to is gone for good: binds the resource to the"
                        + " role and to the store, and forgets which token it was sealed with. Every write is refused until a"
                        + " leader seals it again. While the former store lives, a leader of there could seal it, too.");
    }

    private static String some(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("'" + text + "' gives no reason");
        }
        return text;
    }

    @Override
    public int run(Surroundings surroundings) {
        ProtectedResource protectedResource = resource.value();
        ProtectOptions.requireApart(protectedResource, place.value());
        protectedResource.requirePresent();
        StoreId storeId = place.value().id();
        protectedResource.reset(role.value(), storeId, reason.value());
        output.print(
                () -> fields(protectedResource, storeId),
                out -> out.println("the fence of " + protectedResource.shown() + " was reset, and is ready for role "
                        + role.value() + " of store " + storeId + "; every write is refused until it is sealed"));
        return ExitCode.OK.number();
    }

    private Map<String, Object> fields(ProtectedResource protectedResource, StoreId storeId) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("uri", protectedResource.shown());
        fields.put("resource", protectedResource.name());
        fields.put("role", role.value());
        fields.put("storeId", storeId);
        fields.put("reason", reason.value());
        return fields;
    }
}
