package dev.signet.app.place;

import dev.signet.FenceException;
import dev.signet.ResourceName;
import dev.signet.app.cli.CommandFailedException;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Surroundings;
import dev.signet.fence.jdbc.JdbcFence;
import dev.signet.store.jdbc.DriverDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;

/** A resource in a database on a server. */
final class JdbcResourceScheme implements ResourceScheme {

    @Override
    public String name() {
        return "jdbc";
    }

    @Override
    public String form() {
        return JdbcUrl.forms().replace("DATABASE", "DATABASE#RESOURCE");
    }

    @Override
    public ProtectedResource resource(String rest, ResourceName name, Surroundings surroundings) {
        JdbcUrl url = JdbcUrl.of(rest, JdbcUrl.Use.RESOURCE);
        boolean typed = !surroundings
                .variable(Options.variable(ProtectOptions.PROTECT))
                .orElse("")
                .contains(name() + ":" + rest);
        if (typed && !url.secrets().isEmpty()) {
            surroundings.say("warning: whoever lists processes sees the password in " + ProtectOptions.PROTECT
                    + "; give it by " + ProtectOptions.PASSWORD_FILE + " or " + ProtectOptions.PASSWORD);
        }
        return new JdbcResource(url, StoreCredentials.NONE, name);
    }

    private record JdbcResource(JdbcUrl url, StoreCredentials credentials, ResourceName name) implements FencedByJdbc {

        @Override
        public String shown() {
            return url.shown() + "#" + name;
        }

        @Override
        public ProtectedResource with(StoreCredentials given) {
            return new JdbcResource(given.user().isPresent() ? url.withoutUser() : url, given, name);
        }

        @Override
        public Optional<Path> localFile() {
            return Optional.empty();
        }

        /** What another try will not mend is said at once; what is merely away is asked again by whoever needs it. */
        @Override
        public void requirePresent() {
            try (Connection connection = connections().getConnection()) {
                Objects.requireNonNull(connection);
            } catch (SQLException e) {
                RuntimeException fault = explained(e);
                if (fault instanceof CommandFailedException failed && failed.exitCode() == ExitCode.CONFIGURATION) {
                    throw fault;
                }
            }
        }

        private DriverDataSource connections() {
            // longer than a seal may take, which the server itself ends
            return url.connections(credentials).with("socketTimeout", url.isPostgres() ? "30" : "30000");
        }

        @Override
        public JdbcFence open() {
            return JdbcFence.open(connections(), name);
        }

        @Override
        public RuntimeException explained(FenceException fault) {
            return fault.getCause() instanceof SQLException cause && isOfConnection(cause) ? explained(cause) : fault;
        }

        /** Whether it was the connection that failed, and not what was asked over it. */
        private static boolean isOfConnection(SQLException fault) {
            String state = Objects.requireNonNullElse(fault.getSQLState(), "");
            return state.startsWith("08") || state.startsWith("28") || state.equals("3D000") || state.startsWith("57");
        }

        private RuntimeException explained(SQLException fault) {
            String state = Objects.requireNonNullElse(fault.getSQLState(), "");
            if (state.startsWith("28")) {
                return failed(
                        ExitCode.CONFIGURATION,
                        "does not let us in (" + fault.getMessage()
                                + "); check user, password and what the server allows",
                        fault);
            }
            if (state.equals("3D000") || state.equals("42000")) {
                return failed(ExitCode.CONFIGURATION, "cannot be used (" + fault.getMessage() + ")", fault);
            }
            return failed(ExitCode.UNAVAILABLE, "did not answer (" + fault.getMessage() + "); try again later", fault);
        }

        private CommandFailedException failed(ExitCode code, String what, SQLException fault) {
            return new CommandFailedException(code, "resource " + shown() + " " + what, fault);
        }

        /** No secret gets out by a record's text. */
        @Override
        public String toString() {
            return shown();
        }
    }
}
