package dev.signet.app.child;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A command that was found and may be executed, at the time of looking. Immutable.
 *
 * <p>What a look cannot tell (a script whose interpreter is missing, a binary of another machine) shows when it starts: then 126 or 127 is
 * the exit code of the child itself, said by the shell that stands in its place.
 *
 * @param executable the file; for a name without a slash the first hit in {@code PATH}. The command sees it as its {@code argv[0]}
 * @param arguments what follows the command's name
 */
public record ChildCommand(Path executable, List<String> arguments) {
    private static final int NOT_EXECUTABLE = 126;
    private static final int NOT_FOUND = 127;
    private static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

    public ChildCommand {
        arguments = List.copyOf(arguments);
    }

    /**
     * Looks the command up as a shell does, in this process' {@code PATH} and working directory.
     *
     * @param words the command's name and its arguments
     * @throws CommandNotRunnableException if it is not there (127) or cannot be executed (126)
     * @throws IllegalArgumentException if there is no word
     */
    public static ChildCommand find(List<String> words) {
        String path = System.getenv("PATH");
        return find(words, path == null ? DEFAULT_PATH : path);
    }

    static ChildCommand find(List<String> words, String path) {
        if (words.isEmpty()) {
            throw new IllegalArgumentException("words is empty: a command is needed");
        }
        String name = words.get(0);
        Path executable = name.indexOf('/') >= 0 ? atPath(name) : inPath(name, path);
        return new ChildCommand(executable, words.subList(1, words.size()));
    }

    private static Path atPath(String name) {
        Path file = Path.of(name);
        if (!Files.exists(file)) {
            throw new CommandNotRunnableException(NOT_FOUND, "command not found: " + name);
        }
        return executable(file, name);
    }

    private static Path inPath(String name, String path) {
        Path found = null;
        for (String folder : name.isEmpty() ? new String[0] : path.split(":", -1)) {
            // an empty entry is the working directory
            Path candidate = Path.of(folder.isEmpty() ? "." : folder, name);
            if (Files.isRegularFile(candidate)) {
                if (Files.isExecutable(candidate)) {
                    return candidate;
                }
                found = candidate;
            }
        }
        if (found == null) {
            throw new CommandNotRunnableException(
                    NOT_FOUND, "command not found: '" + name + "' is in no folder of PATH");
        }
        return executable(found, name);
    }

    private static Path executable(Path file, String name) {
        if (Files.isDirectory(file)) {
            throw new CommandNotRunnableException(NOT_EXECUTABLE, "cannot execute " + name + ": it is a folder");
        }
        if (!Files.isExecutable(file)) {
            throw new CommandNotRunnableException(
                    NOT_EXECUTABLE, "cannot execute " + name + ": permission denied (" + file + ")");
        }
        return file;
    }

    /** The executable, in a form that no shell takes for an option, and its arguments. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        String file = executable.toString();
        words.add(file.startsWith("-") ? "./" + file : file);
        words.addAll(arguments);
        return words;
    }
}
