package dev.signet.app.quorum;

import dev.signet.app.cli.Command;
import dev.signet.app.cli.CommandFailedException;
import dev.signet.app.cli.ExitCode;
import dev.signet.app.cli.Logging;
import dev.signet.app.cli.Option;
import dev.signet.app.cli.Options;
import dev.signet.app.cli.Readers;
import dev.signet.app.cli.Signals;
import dev.signet.app.cli.Surroundings;
import dev.signet.store.quorum.voter.Voter;
import dev.signet.store.quorum.voter.VoterException;
import dev.signet.store.quorum.voter.VoterOptions;
import dev.signet.store.quorum.wire.Address;
import dev.signet.store.quorum.wire.Tls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** {@code signet server}. */
public final class ServerCommand implements Command {

    /** A voter hands over, and closes what it has open; the system does the latter anyhow. */
    private static final Duration LONGEST_END = Duration.ofSeconds(15);

    private final Option<String> id;
    private final Option<SortedMap<String, Address>> voters;
    private final Option<Path> data;
    private final Option<Boolean> join;
    private final Option<Boolean> witness;
    private final Option<Duration> election;
    private final Option<Optional<Tls>> tls;
    private final Option<VoterOptions> voter;

    public ServerCommand(Options options) {
        Surroundings surroundings = options.surroundings();
        id = options.required("--id", "ID", Voters::id, "Which of the voters this is.");
        voters = options.required(
                "--voters",
                "LIST",
                Voters::parse,
                "All voters, 3 or 5, and where each listens, for candidates and for each other: " + Voters.FORM
                        + ". The same for each.");
        data = options.required(
                "--data",
                "DIR",
                surroundings::path,
                "The folder of this voter, and of no other. Made if there is none.");
        join = options.flag(
                "--join",
                "This voter is to take another's place, whose data may be lost: it has a new id, begins with nothing, and votes"
                        + " once signet quorum replace was asked for.");
        witness = options.flag(
                "--witness",
                "No candidate runs beside this voter: it leads the quorum only while no other can. It keeps all that the others"
                        + " keep, and is asked as they are.");
        election = options.withDefault(
                "--election-timeout",
                "D",
                Readers::duration,
                "1s",
                "A voter that hears nothing of its leader for D to twice D wants to lead. The same for each.");
        tls = TlsOptions.in(options);
        voter = options.combined(this::options);
        options.describe(
                "One voter of the quorum that --store quorum://… names. It says when it takes part, and who leads. TERM ends"
                        + " it with exit code 0; if it leads, it hands the leadership of the quorum over first.",
                "Without TLS whoever reaches the port may read and change everything.",
                "Exit codes: 0 after TERM; 1 it takes part no more, and says why; 64 usage, such as an even number of voters;"
                        + " 78 the port, the folder or the list of voters cannot be used.");
    }

    @Override
    public int run(Surroundings surroundings) throws InterruptedException {
        Logging.tell("dev.signet.store.quorum");
        Logging.quieten("org.apache.ratis");
        Logging.silence("org.apache.ratis.util.LifeCycle");
        // while a voter ends, what the next leader still sends it
        Logging.silence("org.apache.ratis.server.RaftServer$Division");
        CompletableFuture<Void> told = new CompletableFuture<>();
        Signals.onTerm(() -> told.complete(null));
        Voter running = start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(running), "signet-voter-end"));
        if (hasBegun(running, told)) {
            surroundings.say(begun(voter.value()));
        }
        CompletableFuture.anyOf(told, running.ended()).join();
        Optional<String> why = Optional.ofNullable(running.ended().getNow(null));
        why.ifPresent(reason -> surroundings.say("voter " + id.value() + " takes part no more: " + reason));
        end(running);
        return why.isPresent() ? ExitCode.FAILED.number() : ExitCode.OK.number();
    }

    private VoterOptions options() {
        VoterOptions plain = VoterOptions.of(id.value(), voters.value(), data.value())
                .joining(join.value())
                .witnessing(witness.value())
                .electing(election.value(), election.value().multipliedBy(2));
        return tls.value().map(plain::withTls).orElse(plain);
    }

    private Voter start() {
        try {
            return Voter.start(voter.value());
        } catch (VoterException e) {
            throw cannotStart(e);
        }
    }

    /** Blocks until it is told to end, at most. */
    private static boolean hasBegun(Voter running, CompletableFuture<Void> told) throws InterruptedException {
        try {
            CompletableFuture.anyOf(told, running.ended(), running.begun()).get();
            return running.begun().isDone();
        } catch (ExecutionException e) {
            end(running);
            throw cannotStart(Objects.requireNonNullElse(e.getCause(), e));
        }
    }

    private static CommandFailedException cannotStart(Throwable why) {
        return new CommandFailedException(ExitCode.CONFIGURATION, String.valueOf(why.getMessage()), why);
    }

    private static String begun(VoterOptions options) {
        int many = options.voters().size();
        return "voter " + options.id() + " of " + many + " takes part at "
                + options.voters().get(options.id()) + ", with its data in " + options.data()
                + (many == 1
                        ? ": one voter is no quorum, and its loss is that of the store; for development only"
                        : "");
    }

    /** Also what INT and HUP lead to. */
    private static void end(Voter voter) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    voter.close();
                    ended.complete(null);
                },
                "signet-voter-close");
        thread.setDaemon(true);
        thread.start();
        ended.completeOnTimeout(null, LONGEST_END.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }
}
