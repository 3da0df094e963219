package dev.signet.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.ArrayList;
import java.util.List;

/**
 * As whom a server runs: as the user who runs the tests, but root becomes the user that the server's package brought, because
 * database servers refuse to run as root.
 */
record Account(String user, String debianPackage) {

    /** For servers that do not mind to run as root. */
    static final Account OF_THE_CALLER = new Account("root", "");

    /** The program and its arguments, as this account. It replaces itself, so that the process keeps its number. */
    List<String> command(List<String> command) {
        if (!isRoot()) {
            return command;
        }
        List<String> switched = new ArrayList<>(List.of(
                Programs.find("setpriv", "util-linux", List.of()),
                "--reuid",
                user,
                "--regid",
                user,
                "--init-groups",
                "--"));
        switched.addAll(command);
        return List.copyOf(switched);
    }

    /** Hands a file or folder over to this account. */
    void own(Path path) {
        if (!isRoot()) {
            return;
        }
        try {
            UserPrincipal owner =
                    path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user);
            Files.setOwner(path, owner);
        } catch (UserPrincipalNotFoundException e) {
            throw new ServerException(
                    "there is no user '" + user + "': on Debian and its kin, apt-get install " + debianPackage, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException e) {
            throw new UncheckedIOException("servers for tests need Linux and its /proc", e);
        }
    }
}
