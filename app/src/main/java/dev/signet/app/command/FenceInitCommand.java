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

/** {@code signet fence init}. */
public final class FenceInitCommand implements Command {

    private final Option<ProtectedResource> resource;
    private final Option<Role> role;
    private final Option<StorePlace> place;
    private final Output output;

    public FenceInitCommand(Options options) {
        resource = ProtectOptions.one(options);
        role = options.required("--role", "R", Role::of, "The role whose leader alone may write it.");
        place = StoreOptions.store(options);
        output = Output.in(options);
        options.describe(
                "Binds the resource to the role, and to the store by its id: tokens of another store are refused there."
                        + " Idempotent for the same role and store; nothing changes where they differ.");
    }

    @Override
    public int run(Surroundings surroundings) {
        ProtectedResource protectedResource = resource.value();
        ProtectOptions.requireApart(protectedResource, place.value());
        protectedResource.requirePresent();
        StoreId storeId = StoreOptions.idOrMake(place.value(), surroundings);
        protectedResource.init(role.value(), storeId);
        output.print(
                () -> fields(protectedResource, storeId),
                out -> out.println("the fence of " + protectedResource.shown() + " is ready for role " + role.value()
                        + " of store " + storeId));
        return ExitCode.OK.number();
    }

    private Map<String, Object> fields(ProtectedResource protectedResource, StoreId storeId) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("uri", protectedResource.shown());
        fields.put("resource", protectedResource.name());
        fields.put("role", role.value());
        fields.put("storeId", storeId);
        return fields;
    }
}
