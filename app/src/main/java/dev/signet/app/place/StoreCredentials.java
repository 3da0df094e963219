package dev.signet.app.place;

import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Surroundings;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * As whom a store or a resource is used, as far as that was said beside its URI. It has no text: that would be the place where a password
 * gets out.
 *
 * @param password asked for anew for each connection
 */
public record StoreCredentials(Optional<String> user, Optional<Supplier<String>> password) {

    public static final StoreCredentials NONE = new StoreCredentials(Optional.empty(), Optional.empty());

    /** {@code PREFIX-user}, {@code PREFIX-password-file}, and the variable that goes with them. */
    static Option<StoreCredentials> in(Options options, String prefix, String whom) {
        Surroundings surroundings = options.surroundings();
        String fileOption = prefix + "-password-file";
        // without an option: what is on a command line is seen by whoever lists processes
        String variable = Options.variable(prefix + "-password");
        Option<Optional<String>> user = options.optional(prefix + "-user", "NAME", text -> text, whom);
        Option<Optional<Path>> passwordFile = options.optional(
                fileOption,
                "FILE",
                surroundings::path,
                "The first line of FILE is the password for it. Or give the password itself as the variable " + variable
                        + ".");
        return options.combined(() -> new StoreCredentials(
                user.value(),
                passwordFile
                        .value()
                        .<Supplier<String>>map(path -> new PasswordFile(path, fileOption, surroundings))
                        .or(() -> surroundings.variable(variable).map(password -> () -> password))));
    }

    @Override
    public String toString() {
        return "credentials";
    }
}
