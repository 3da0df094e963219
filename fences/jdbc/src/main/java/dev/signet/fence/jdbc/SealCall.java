package dev.signet.fence.jdbc;

import dev.signet.Answer;
import dev.signet.FenceException;
import dev.signet.FenceException.Outcome;
import dev.signet.ResourceName;
import dev.signet.Stamp;
import dev.signet.WriteRefusedException;
import dev.signet.fence.FenceView;
import dev.signet.fence.Refusal;
import dev.signet.fence.SealRefusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What whoever leads asks of a fence, on a connection of its own. */
final class SealCall {

    private static final Logger log = LoggerFactory.getLogger(JdbcFence.class);

    private final Place place;
    private final ResourceName resource;
    private final long maxTokenJump;
    private final Rescue rescue;
    private volatile @Nullable Stamp sealed;

    SealCall(Place place, ResourceName resource, long maxTokenJump, Rescue rescue) {
        this.rescue = rescue;
        this.place = place;
        this.resource = resource;
        this.maxTokenJump = maxTokenJump;
    }

    Answer<FenceView, SealRefusal> seal(Stamp stamp, Deadline deadline) throws SQLException {
        try (Borrowed borrowed = place.connect(deadline)) {
            Connection connection = borrowed.connection();
            Dialect dialect = place.dialectOf(connection);
            deadline.retry(() -> dialect.accept(connection), dialect::isTransient, Deadline.EAGER_NANOS);
            Dialect.Raised raised;
            Rescue.Watch watch = rescue.beside(dialect, connection, stamp, deadline);
            try {
                raised = whenItCan(
                        dialect, deadline, () -> dialect.raise(connection, resource, stamp, maxTokenJump, deadline));
            } finally {
                watch.end();
            }
            if (raised.refusal().isPresent() || raised.now().isEmpty()) {
                return Answer.refused(refused(raised.refusal().orElse(Refusal.NOT_INITIALISED), raised.now(), stamp));
            }
            sealed = stamp;
            return Answer.done(
                    withNotes(raised.now().get(), dialect.enforcement().holes()));
        }
    }

    /** Whether this object has sealed the resource for this stamp, and for no other since. */
    boolean hasSealed(Stamp stamp) {
        return stamp.equals(sealed);
    }

    /**
     * Seals for a term that has sealed before, where a failover has lost it.
     *
     * @throws WriteRefusedException if another term was quicker
     * @throws FenceException if it could not be sealed in time
     */
    void again(Stamp stamp, Deadline deadline) {
        try {
            Answer<FenceView, SealRefusal> answer = seal(stamp, deadline);
            answer.handle(
                    done -> log.warn(
                            "sealed again, since the database had lost the seal, as in a failover: resource={} role={} token={}",
                            resource,
                            stamp.role(),
                            stamp.token()),
                    refused -> {
                        throw new WriteRefusedException(resource, stamp, refused.refusal(), refused.highest());
                    },
                    unknown -> {
                        throw new FenceException(resource, unknown.cause(), null, Outcome.RETRY);
                    });
        } catch (SQLException e) {
            throw new FencedTransaction(place, resource, stamp).failed(e);
        }
    }

    Answer<FenceView, SealRefusal> view(Deadline deadline) throws SQLException {
        try (Borrowed borrowed = place.connect(deadline)) {
            Connection connection = borrowed.connection();
            Dialect dialect = place.dialectOf(connection);
            Optional<FenceView> view = whenItCan(dialect, deadline, () -> dialect.look(connection, resource));
            return view.isEmpty()
                    ? Answer.refused(new SealRefusal(Refusal.NOT_INITIALISED, 0, message(notInitialised())))
                    : Answer.done(withNotes(
                            view.get(), whenItCan(dialect, deadline, () -> notes(connection, dialect.enforcement()))));
        }
    }

    /** Even what only reads may be kept out for a moment, and each question may be asked twice. */
    private static <T> T whenItCan(Dialect dialect, Deadline deadline, Deadline.Supply<T> question)
            throws SQLException {
        return deadline.get(question, dialect::isTransient, Deadline.EAGER_NANOS);
    }

    private List<String> notes(Connection connection, Enforcement enforcement) throws SQLException {
        List<String> notes = new ArrayList<>();
        for (ProtectedTable table : enforcement.tables(connection)) {
            if (table.resource().equals(resource)) {
                notes.add("table '" + table.table() + "' is protected"
                        + (table.isIntact() ? ", its triggers intact" : ", BUT: " + String.join("; ", table.faults())));
            }
        }
        if (notes.isEmpty()) {
            notes.add("no table is protected: only writes that go through this fence are checked");
        }
        notes.addAll(enforcement.holes());
        return notes;
    }

    private static FenceView withNotes(FenceView view, List<String> notes) {
        return new FenceView(
                view.resource(), view.role(), view.storeId(), view.highest(), view.termDigest(), List.copyOf(notes));
    }

    private SealRefusal refused(Refusal refusal, Optional<FenceView> now, Stamp stamp) {
        long highest = now.map(FenceView::highest).orElse(0L);
        String why = switch (refusal) {
            case NOT_INITIALISED -> notInitialised();
            case OTHER_ROLE -> "it belongs to role '" + now.orElseThrow().role() + "'";
            case FOREIGN_STORE ->
                "it belongs to store " + now.orElseThrow().storeId()
                        + "; its tokens mean nothing in another, an operator adopts it";
            case STALE -> "a later term has sealed it with token " + highest;
            case SAME_TOKEN_OTHER_TERM -> "another term has sealed it with this token";
            case TOO_FAR_AHEAD ->
                "token " + stamp.token() + " is more than " + maxTokenJump + " above the highest there, " + highest
                        + "; if it is right, raise maxTokenJump";
            case UNSEALED -> throw new IllegalStateException("a seal is never refused as unsealed");
        };
        return new SealRefusal(refusal, highest, message(why));
    }

    private static String notInitialised() {
        return "it has no fence row; run: signet fence init";
    }

    private String message(String why) {
        return "resource '" + resource + "': " + why;
    }
}
