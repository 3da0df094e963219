package dev.signet.app.command;

import dev.signet.app.cli.Command;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Output;
import dev.signet.app.cli.Surroundings;
import dev.signet.app.place.ProtectOptions;
import dev.signet.app.place.ProtectedResource;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code signet fence protect} and {@code signet fence unprotect}. */
public final class FenceTableCommand implements Command {

    private final boolean protect;
    private final Option<ProtectedResource> resource;
    private final Option<String> table;
    private final Output output;

    private FenceTableCommand(Options options, boolean protect) {
        this.protect = protect;
        resource = ProtectOptions.one(options);
        table = options.required("--table", "T", FenceTableCommand::tableName, "The table, as the database names it.");
        output = Output.in(options);
    }

    public static FenceTableCommand protecting(Options options) {
        options.describe(
                "From then on the database itself refuses each write that does not carry the stamp of the term which sealed the"
                        + " resource, whoever sends it. In PostgreSQL the transaction carries it, by SELECT signet_check(RESOURCE,"
                        + " SIGNET_TOKEN, SIGNET_TERM_ID) or by the session's settings signet.token and signet.term_id. In SQLite"
                        + " each row does: the table needs the columns signet_token and signet_term, and INSERT and UPDATE name"
                        + " them. Repeat it after a change of the table's layout, or of its partitions.");
        return new FenceTableCommand(options, true);
    }

    public static FenceTableCommand unprotecting(Options options) {
        options.describe("The table is written freely again; the fence stays for those who ask it.");
        return new FenceTableCommand(options, false);
    }

    private static String tableName(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("'" + text + "' names no table");
        }
        return text;
    }

    @Override
    public int run(Surroundings surroundings) {
        ProtectedResource protectedResource = resource.value();
        protectedResource.requirePresent();
        if (protect) {
            protectedResource.protect(table.value());
        } else {
            protectedResource.unprotect(table.value());
        }
        output.print(
                () -> fields(protectedResource),
                out -> out.println("table " + table.value() + (protect ? " is protected" : " is no longer protected")
                        + " by the fence of " + protectedResource.shown()));
        return ExitCode.OK.number();
    }

    private Map<String, Object> fields(ProtectedResource protectedResource) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("uri", protectedResource.shown());
        fields.put("resource", protectedResource.name());
        fields.put("table", table.value());
        fields.put("protected", protect);
        return fields;
    }
}
