package dev.signet.app.place;

import dev.signet.app.cli.CommandFailedException;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** {@code --protect}: what a role protects. */
public final class ProtectOptions {

    static final String PROTECT = "--protect";
    static final String PASSWORD_FILE = "--resource-password-file";
    static final String PASSWORD = "SIGNET_RESOURCE_PASSWORD";

    private ProtectOptions() {}

    /** For a command that works on one resource. */
    public static Option<ProtectedResource> one(Options options) {
        Option<ProtectedResource> resource = options.required(
                PROTECT,
                "URI#RESOURCE",
                text -> ResourceSchemes.resource(text, options.surroundings()),
                "The resource: " + ResourceSchemes.forms() + ".");
        Option<StoreCredentials> credentials = credentials(options);
        return options.combined(() -> resource.value().with(credentials.value()));
    }

    private static Option<StoreCredentials> credentials(Options options) {
        return StoreCredentials.in(
                options, "--resource", "As whom to use a resource on a server. Also ?user=NAME in its URI.");
    }

    /** For a command that leads: none, one or several. */
    public static Option<List<ProtectedResource>> all(Options options) {
        Option<List<ProtectedResource>> resources = options.repeated(
                PROTECT,
                "URI#RESOURCE",
                text -> ResourceSchemes.resource(text, options.surroundings()),
                "A resource that only the leader may write: " + ResourceSchemes.forms() + ".");
        Option<StoreCredentials> credentials = credentials(options);
        return options.combined(() -> {
            StoreCredentials given = credentials.value();
            return resources.value().stream()
                    .map(resource -> resource.with(given))
                    .toList();
        });
    }

    /**
     * A resource in the store's own file would have writers and elector wait for each other's locks: whoever holds one too
     * long loses the lease by it.
     *
     * @throws CommandFailedException if it lies there
     */
    public static void requireApart(ProtectedResource resource, StorePlace place) {
        Optional<Path> file = resource.localFile();
        Optional<Path> own = place.localFile();
        if (file.isPresent() && own.isPresent() && isSame(file.get(), own.get())) {
            throw new CommandFailedException(
                    ExitCode.CONFIGURATION,
                    resource.shown() + " lies in the file of the store " + place.shown() + "; use two files");
        }
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException e) {
            return one.equals(other);
        }
    }
}
