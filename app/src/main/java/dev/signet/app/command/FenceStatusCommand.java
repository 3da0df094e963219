package dev.signet.app.command;

import dev.signet.app.cli.Command;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Output;
import dev.signet.app.cli.Surroundings;
import dev.signet.app.place.Contact;
import dev.signet.app.place.ProtectOptions;
import dev.signet.app.place.ProtectedResource;
import dev.signet.app.place.ProtectedResource.TableState;
import dev.signet.fence.FenceView;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code signet fence status}. */
public final class FenceStatusCommand implements Command {

    private final Option<ProtectedResource> resource;
    private final Output output;

    public FenceStatusCommand(Options options) {
        resource = ProtectOptions.one(options);
        output = Output.in(options);
        options.describe(
                "Also says where the protection of a table was damaged, and which holes no fence of this kind closes.");
    }

    @Override
    public int run(Surroundings surroundings) throws InterruptedException {
        ProtectedResource protectedResource = resource.value();
        protectedResource.requirePresent();
        // first, since it refuses at once what cannot be read at all; a view would be asked again and again
        List<TableState> tables = protectedResource.tables();
        FenceView view = Contact.withinLimit().fence(protectedResource);
        output.print(() -> fields(protectedResource, view, tables), out -> print(out, protectedResource, view));
        return ExitCode.OK.number();
    }

    private static Map<String, Object> fields(ProtectedResource resource, FenceView view, List<TableState> tables) {
        Map<String, Object> fields = Fields.of(view);
        fields.put("uri", resource.shown());
        fields.put("tables", tables.stream().map(FenceStatusCommand::fields).toList());
        fields.put("notes", view.notes());
        return fields;
    }

    private static Map<String, Object> fields(TableState table) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("table", table.table());
        fields.put("intact", table.faults().isEmpty());
        fields.put("faults", table.faults());
        return fields;
    }

    private static void print(PrintStream out, ProtectedResource resource, FenceView view) {
        out.println("resource " + resource.shown());
        out.println("role " + view.role() + " of store " + view.storeId());
        out.println(
                view.highest() == 0
                        ? "never sealed: every write is refused until a leader seals it"
                        : "sealed with token " + view.highest() + ", term "
                                + view.termDigest().orElse("(unknown)"));
        // the tables are among the notes
        view.notes().forEach(note -> out.println("note: " + note));
    }
}
