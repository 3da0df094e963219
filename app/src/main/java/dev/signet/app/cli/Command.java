package dev.signet.app.cli;

/**
 * One command, with its options read. Its constructor declares them on {@link Options}, which is also all that happens for
 * help and completion; {@link #run} comes when every value was read and found good.
 */
public interface Command {

    /**
     * @return the exit code; mostly {@code ExitCode.OK.number()}
     * @throws Exception what {@link Complaint} turns into a line and an exit code
     */
    int run(Surroundings surroundings) throws Exception;
}
