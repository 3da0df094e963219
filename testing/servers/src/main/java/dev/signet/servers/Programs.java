package dev.signet.servers;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Where the programs are that a server needs. */
final class Programs {

    /** Debian keeps one folder per version there, and none of them on the PATH. */
    private static final Path POSTGRES_VERSIONS = Path.of("/usr/lib/postgresql");

    /** Where daemons are, and what the PATH of a user may lack. */
    private static final Path DAEMONS = Path.of("/usr/sbin");

    private static final Path ETCD_BESIDE = Path.of("/usr/local/lib/signet-tests/etcd/usr/bin");

    private Programs() {}

    /** From the newest version that is installed, so that the programs of one server match. */
    static String postgres(String program) {
        return find(program, "postgresql", newestFirst(POSTGRES_VERSIONS));
    }

    static String mariaDb(String program) {
        return find(program, "mariadb-server", List.of());
    }

    /** One that is unpacked beside the system goes first: the distribution's may be too old. */
    static String etcd() {
        return find("etcd", "etcd-server", List.of(ETCD_BESIDE));
    }

    /**
     * Full path of a program.
     *
     * @param debianPackage where Debian has it
     * @param first where to look before the PATH
     * @throws ServerException if it is nowhere
     */
    static String find(String program, String debianPackage, List<Path> first) {
        List<Path> folders = new ArrayList<>(first);
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            folders.add(Path.of(folder));
        }
        folders.add(DAEMONS);
        for (Path folder : folders) {
            Path candidate = folder.resolve(program);
            if (Files.isExecutable(candidate) && !Files.isDirectory(candidate)) {
                return candidate.toAbsolutePath().toString();
            }
        }
        throw new ServerException("the program '" + program + "' is missing: on Debian and its kin, apt-get install "
                + debianPackage + "; looked in " + folders);
    }

    /** The folders VERSION/bin, highest version first. */
    private static List<Path> newestFirst(Path versions) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(versions, "[0-9]*")) {
            folders.forEach(folder -> found.add(folder.resolve("bin")));
        } catch (IOException e) {
            return List.of();
        }
        found.sort(Comparator.comparingDouble(Programs::version).reversed());
        return found;
    }

    private static double version(Path bin) {
        String name = String.valueOf(bin.getName(bin.getNameCount() - 2));
        return name.matches("\\d+(\\.\\d+)?") ? Double.parseDouble(name) : 0;
    }
}
