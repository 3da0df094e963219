package dev.signet.benchmarks.contest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.signet.benchmarks.resource.ResourceClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The process of one contender. Takes commands from standard input, a line each, and writes {@code elected ROLE MICROS}, {@code
 * resigning ROLE MICROS} and {@code renewed LABEL MICROS TOOK_MICROS} of the wall clock, which all processes and the server share. Ends without good-bye when there is no more
 * input, so also with whoever started it.
 */
public final class Contestant {

    /** Of many sessions, one in so many. */
    private static final int TOLD = 10;

    private final Opening opening;
    private final Timing timing;
    private final List<Contender> contenders = new ArrayList<>();

    /** How the contender is made. */
    @FunctionalInterface
    public interface Opening {
        Contender open(Timing timing, Contender.Elected elected);
    }

    private Contestant(Opening opening, Timing timing) {
        this.opening = opening;
        this.timing = timing;
    }

    public static String role(int number) {
        return "role-" + number;
    }

    public static List<String> roles(int count) {
        return IntStream.range(0, count).mapToObj(Contestant::role).toList();
    }

    /**
     * Until there is no more input; never returns.
     *
     * @param args LEASE_MILLIS PERIOD_MILLIS, as {@link ContestantProcess} puts them at the end
     */
    public static void run(Opening opening, List<String> args) throws IOException {
        Timing timing = new Timing(
                Duration.ofMillis(Long.parseLong(args.get(0))), Duration.ofMillis(Long.parseLong(args.get(1))));
        Contestant contestant = new Contestant(opening, timing);
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            say("ready");
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                contestant.obey(line.split(" ", -1));
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private void obey(String[] words) {
        switch (words[0]) {
            case "campaign" -> one().campaign(roles(Integer.parseInt(words[1])));
            case "lead" -> one().lead(words[1], new ResourceClient(Integer.parseInt(words[2])));
            case "again" -> one().campaign(List.of(words[1]));
            case "apart" -> roles(Integer.parseInt(words[1])).forEach(this::campaignApart);
            case "sessions" -> openMany(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
            case "take" -> one().take(roles(Integer.parseInt(words[1])));
            case "resign" -> {
                say("resigning " + words[1] + " " + micros());
                one().resign(words[1]);
            }
            case "transfer" -> one().transfer(words[1], words[2]);
            case "close" -> {
                contenders.forEach(Contender::close);
                contenders.clear();
            }
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    /** With a session of its own, which begins at some moment of the period. */
    private void campaignApart(String role) {
        Contender own = open(role);
        own.campaign(List.of(role));
        try {
            Thread.sleep(timing.period().toMillis() / 7);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As fast as it can be done, each with a role of its own; the renewals of some are told. */
    private void openMany(int first, int count) {
        for (int number = first; number < first + count; number++) {
            String role = role(number);
            open(number % TOLD == 0 ? role : "").campaign(List.of(role));
        }
    }

    private Contender one() {
        if (contenders.isEmpty()) {
            say("named " + open("one").name());
        }
        return contenders.get(0);
    }

    /** @param label for its renewals; empty for one of which they are not told */
    private Contender open(String label) {
        Contender contender = opening.open(timing, new Contender.Elected() {
            @Override
            public void leads(String role) {
                say("elected " + role + " " + micros());
            }

            @Override
            public void renewed(long sinceMicros, long tookMicros) {
                if (!label.isEmpty()) {
                    say("renewed " + label + " " + sinceMicros + " " + tookMicros);
                }
            }
        });
        contenders.add(contender);
        return contender;
    }

    public static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    private static void say(String line) {
        PrintStream out = System.out;
        synchronized (Contestant.class) {
            out.println(line);
            out.flush();
        }
    }
}
