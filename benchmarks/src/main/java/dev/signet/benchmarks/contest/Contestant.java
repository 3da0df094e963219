package dev.signet.benchmarks.contest;

import static java.nio.charset.StandardCharsets.UTF_8;

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
 * The process of one contender. Takes commands from standard input, a line each, and writes {@code elected ROLE MICROS} and {@code
 * resigning ROLE MICROS} of the wall clock, which all processes and the server share. Ends without good-bye when there is no more
 * input, so also with whoever started it.
 */
public final class Contestant {

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
            case "again" -> one().campaign(List.of(words[1]));
            case "apart" -> roles(Integer.parseInt(words[1])).forEach(this::campaignApart);
            case "take" -> one().take(roles(Integer.parseInt(words[1])));
            case "resign" -> {
                say("resigning " + words[1] + " " + micros());
                one().resign(words[1]);
            }
            case "close" -> contenders.forEach(Contender::close);
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    /** With a session of its own, which begins at some moment of the period. */
    private void campaignApart(String role) {
        Contender own = open();
        own.campaign(List.of(role));
        try {
            Thread.sleep(timing.period().toMillis() / 7);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Contender one() {
        return contenders.isEmpty() ? open() : contenders.get(0);
    }

    private Contender open() {
        Contender contender = opening.open(timing, role -> say("elected " + role + " " + micros()));
        contenders.add(contender);
        return contender;
    }

    private static long micros() {
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
