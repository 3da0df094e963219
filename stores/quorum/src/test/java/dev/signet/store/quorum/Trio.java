package dev.signet.store.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.store.quorum.state.Command;
import dev.signet.store.quorum.state.Reply;
import dev.signet.store.quorum.wire.Question;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Voters, three of them unless said otherwise, each with a line of its own to it. */
final class Trio implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Voters voters;
    private final List<Direct> lines = new ArrayList<>();

    private Trio(Voters voters) {
        this.voters = voters;
        voters.all().forEach(voter -> lines.add(new Direct(voter.address())));
    }

    /** That has a leader and a store. */
    static Trio start(String... options) {
        return of(Voters.prepare(3), place -> options);
    }

    /** The same, of these voters. */
    static Trio of(Voters voters) {
        return of(voters, place -> new String[0]);
    }

    /** The same, each with options of its own. */
    static Trio of(Voters voters, IntFunction<String[]> options) {
        IntStream.range(0, voters.all().size())
                .forEach(place -> voters.get(place).begin(options.apply(place)));
        voters.all().forEach(voter -> voter.child().expect("started"));
        Trio trio = new Trio(voters);
        trio.leader();
        return trio;
    }

    Voters voters() {
        return voters;
    }

    VoterProcess voter(int index) {
        return voters.get(index);
    }

    Direct line(int index) {
        return lines.get(index);
    }

    /** Who answers as a leader, of those at these places, or of all. */
    int leader(int... among) {
        int[] asked = among.length == 0 ? IntStream.range(0, lines.size()).toArray() : among;
        return eventually(() -> IntStream.of(asked)
                .boxed()
                .filter(index ->
                        line(index).told(new Question.Roles(Direct.HERE)).isPresent())
                .findFirst());
    }

    int[] others(int index) {
        return IntStream.range(0, lines.size()).filter(other -> other != index).toArray();
    }

    /** By whoever leads of these. */
    Reply tell(Command command, int... among) {
        return ask(new Question.Change(command), among);
    }

    Reply ask(Question question, int... among) {
        return eventually(() -> line(leader(among)).told(question));
    }

    /** What this voter has applied, once that is what another leads with; empty if not yet. */
    Optional<Long> caughtUp(int index) {
        try {
            long applied = line(index).status().appliedIndex();
            return Optional.of(applied)
                    .filter(at -> at >= line(leader(others(index))).status().committedIndex());
        } catch (CompletionException e) {
            return Optional.empty();
        }
    }

    static <T> T eventually(Supplier<Optional<T>> attempt) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - until < 0) {
            Optional<T> result = attempt.get();
            if (result.isPresent()) {
                return result.get();
            }
            pass(Duration.ofMillis(20));
        }
        throw new AssertionError("not within " + PATIENCE);
    }

    static void pass(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void open(String candidate, Duration lease, int... among) {
        assertThat(tell(Direct.open(candidate, lease), among)).isInstanceOf(Reply.Opened.class);
    }

    @Override
    public void close() {
        lines.forEach(Direct::close);
        voters.close();
    }
}
