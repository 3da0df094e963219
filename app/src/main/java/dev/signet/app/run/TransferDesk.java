package dev.signet.app.run;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Election;
import dev.signet.TransferRefusedException;
import dev.signet.Verdict;
import dev.signet.app.cli.Surroundings;
import dev.signet.app.control.ControlPlace;
import dev.signet.app.control.ControlServer;
import dev.signet.app.control.TransferRequest;
import dev.signet.store.Concluded;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where {@code signet transfer} asks a run to hand its role over. */
final class TransferDesk implements AutoCloseable {
    private final Consumer<String> say;
    private @Nullable ControlServer server;
    private boolean closed;

    TransferDesk(Consumer<String> say) {
        this.say = say;
    }

    /** Whoever cannot be asked can still lead: that it is so is told, and no more. */
    synchronized void open(Surroundings surroundings, CandidateId candidate, Election election) {
        if (closed) {
            return;
        }
        try {
            ControlPlace place = ControlPlace.toListen(surroundings);
            server = ControlServer.open(place, candidate, request -> transfer(election, request), say);
        } catch (IOException e) {
            say.accept("cannot be asked for a transfer: " + e.getMessage());
        }
    }

    private CompletionStage<Answer<Concluded, String>> transfer(Election election, TransferRequest request) {
        String refusal = refusal(election, request);
        if (!refusal.isEmpty()) {
            return CompletableFuture.completedStage(Answer.refused(refusal));
        }
        say.accept("asked to hand over role=" + request.role() + " token=" + request.token() + " to="
                + request.successor());
        return election.transfer(request.successor(), request.window())
                .handle((done, fault) -> fault == null ? Answer.done(Concluded.CONCLUDED) : failed(fault));
    }

    /** Why not; empty if nothing speaks against it. */
    private static String refusal(Election election, TransferRequest request) {
        if (!election.role().equals(request.role())) {
            return "it does not campaign for role '" + request.role() + "'";
        }
        Verdict verdict = election.guard();
        if (verdict instanceof Verdict.Proceed proceed) {
            return proceed.term().token().equals(request.token())
                    ? ""
                    : "it leads with token " + proceed.term().token() + " by now";
        }
        return switch (((Verdict.Refuse) verdict).why()) {
            case NOT_LEADING -> "it does not lead";
            case NOT_READY -> "it was granted the role and does not lead yet; try again";
            case SUSPENDED -> "it was paused and does not know whether it leads; try again";
            case DRAINING -> "it is giving the role up already";
        };
    }

    private static Answer<Concluded, String> failed(Throwable fault) {
        Throwable cause = fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
        return cause instanceof TransferRefusedException refused
                ? Answer.refused(String.valueOf(refused.getMessage()))
                : Answer.unknown(String.valueOf(cause.getMessage()));
    }

    /** Also if it was never opened, and for good. Any thread. */
    @Override
    public synchronized void close() {
        closed = true;
        if (server != null) {
            server.close();
        }
    }
}
