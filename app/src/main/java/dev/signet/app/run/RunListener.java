package dev.signet.app.run;

import dev.signet.Election;
import dev.signet.LeadershipListener;
import dev.signet.Term;
import dev.signet.TermEnd;
import dev.signet.app.child.ChildCommand;
import dev.signet.app.child.ChildEnd;
import dev.signet.app.child.GuardedChild;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What {@code signet run} does with a term: {@code --on-elected}, the command, {@code --on-deposed}, one after the other.
 *
 * <p>The calls come one at a time and stay until what they started is gone; the elector releases a role only after them, and so never one
 * whose command lives.
 */
final class RunListener implements LeadershipListener {
    private final RunPlan plan;
    private final TermCommands commands;
    private final Consumer<String> say;
    private final CompletableFuture<Election> election = new CompletableFuture<>();
    private final CompletableFuture<RunEnd> outcome = new CompletableFuture<>();

    /** Why the command of this term was given up although the term went on; the calls, which come one at a time, share it. */
    private @Nullable String givenUp;

    private volatile boolean busy;

    RunListener(RunPlan plan, TermCommands commands, Consumer<String> say) {
        this.plan = plan;
        this.commands = commands;
        this.say = say;
    }

    /** To be called once, with the campaign that calls this listener. */
    void hears(Election campaign) {
        election.complete(campaign);
    }

    /** Completes when there is nothing more to run. */
    CompletableFuture<RunEnd> outcome() {
        return outcome;
    }

    /** Whether a command of a term may be alive. */
    boolean isBusy() {
        return busy;
    }

    @Override
    public void prepare(Term term) throws IOException {
        givenUp = null;
        if (plan.onElected().isPresent()) {
            prepare(term, plan.onElected().get());
        }
    }

    private void prepare(Term term, ChildCommand hook) throws IOException {
        busy = true;
        Optional<ChildEnd> ended = commands.inTerm(term, hook, Optional.of(plan.hookTimeout()), child -> {});
        ended.ifPresent(this::requireGone);
        busy = false;
        if (ended.isPresent()
                && !(ended.get().by() == ChildEnd.By.ITSELF && ended.get().exitCode() == 0)) {
            throw new IOException("--on-elected " + how(ended.get(), plan.hookTimeout())
                    + "; the role is given to others for a while");
        }
    }

    @Override
    public void onElected(Term term) throws IOException {
        busy = true;
        Optional<ChildEnd> ended =
                commands.inTerm(term, plan.command(), Optional.empty(), child -> announce(term, child));
        ended.ifPresent(this::requireGone);
        busy = false;
        if (ended.isPresent()) {
            conclude(ended.get());
        }
    }

    private void conclude(ChildEnd end) throws IOException {
        switch (end.by()) {
            case ITSELF -> outcome.complete(new RunEnd.Exited(end.exitCode()));
            case SIGNET -> {}
            case GUARD ->
                giveUp("signet could not run for longer than a lease forgives, and the guard ended the command");
            case LOST_GUARD -> giveUp("the guard process was lost, so the command was ended");
        }
    }

    /** Throwing has the role released, and not campaigned for at once. */
    private void giveUp(String why) throws IOException {
        givenUp = why;
        throw new IOException(why);
    }

    private void announce(Term term, GuardedChild child) {
        child.lacking().ifPresent(say);
        say.accept("leading role=" + term.role() + " token=" + term.token() + " pid=" + child.pid());
    }

    @Override
    public void onDeposed(Term term, TermEnd end) {
        plan.onDeposed().ifPresent(hook -> tidyUp(term, hook));
        boolean asked = end.reason() == TermEnd.Reason.CLOSED || end.reason() == TermEnd.Reason.RESIGNED;
        if (asked) {
            outcome.complete(new RunEnd.Drained());
            return;
        }
        if (end.reason() == TermEnd.Reason.TRANSFERRED) {
            // nothing was lost: it was asked for, so this goes on whatever --on-lost says, and the role can be handed
            // back
            say.accept("hands over role=" + term.role() + " token=" + term.token() + "; campaigning on");
            return;
        }
        String why = givenUp == null ? end.toString() : givenUp;
        say.accept("deposed role=" + term.role() + " token=" + term.token() + " reason=" + why);
        if (plan.onLost() == OnLost.STOP) {
            // before this call returns, and so before the elector could campaign again
            var unused = election.thenAccept(Election::resign);
            outcome.complete(new RunEnd.Lost(why));
        }
    }

    /** What it does is its own affair by now: its failure is told, and changes nothing. */
    private void tidyUp(Term term, ChildCommand hook) {
        busy = true;
        try {
            ChildEnd end = commands.afterTerm(term.stamp(), hook, plan.hookTimeout());
            if (end.by() != ChildEnd.By.ITSELF || end.exitCode() != 0) {
                say.accept("--on-deposed " + how(end, plan.hookTimeout()));
            }
        } catch (IOException e) {
            say.accept("--on-deposed could not be started: " + e.getMessage());
        }
        busy = false;
    }

    private static String how(ChildEnd end, Duration bound) {
        return switch (end.by()) {
            case ITSELF -> "ended with exit code " + end.exitCode();
            case SIGNET, GUARD ->
                "was ended, because its term was over or it took longer than " + bound.toSeconds() + " s";
            case LOST_GUARD -> "was ended, because its guard process was lost";
        };
    }

    /** Does not return if something of the command lives: the calls do not end, and so the role is not released. */
    private void requireGone(ChildEnd end) {
        if (!end.survivors().isEmpty()) {
            outcome.complete(new RunEnd.Stuck(end.survivors().toString()));
            new CompletableFuture<Void>().join();
        }
    }
}
