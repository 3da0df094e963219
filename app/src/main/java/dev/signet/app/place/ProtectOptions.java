package dev.signet.app.place;

import dev.signet.app.cli.CommandFailedException;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import java.util.List;

/** {@code --protect}: what a role protects. */
public final class ProtectOptions {

    private ProtectOptions() {}

    /** For a command that works on one resource. */
    public static Option<ProtectedResource> one(Options options) {
        return options.required(
                "--protect",
                "URI#RESOURCE",
                text -> ResourceSchemes.resource(text, options.surroundings()),
                "The resource: " + ResourceSchemes.forms() + ".");
    }

    /** For a command that leads: none, one or several. */
    public static Option<List<ProtectedResource>> all(Options options) {
        return options.repeated(
                "--protect",
                "URI#RESOURCE",
                text -> ResourceSchemes.resource(text, options.surroundings()),
                "A resource that only the leader may write: " + ResourceSchemes.forms() + ".");
    }

    /**
     * A resource in the store's own file would have writers and elector wait for each other's locks: whoever holds one too
     * long loses the lease by it.
     *
     * @throws CommandFailedException if it lies there
     */
    public static void requireApart(ProtectedResource resource, StorePlace place) {
        if (resource.localFile().isPresent() && resource.localFile().equals(place.localFile())) {
            throw new CommandFailedException(
                    ExitCode.USAGE,
                    resource.shown() + " lies in the file of the store " + place.shown() + "; use two files");
        }
    }
}
