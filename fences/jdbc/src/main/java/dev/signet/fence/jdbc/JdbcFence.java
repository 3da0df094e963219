package dev.signet.fence.jdbc;

import dev.signet.Answer;
import dev.signet.FenceException;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.Term;
import dev.signet.TermEndedException;
import dev.signet.WriteRefusedException;
import dev.signet.fence.Fence;
import dev.signet.fence.FenceView;
import dev.signet.fence.Refusal;
import dev.signet.fence.SealRefusal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteOpenMode;

/**
 * The fence of one resource inside the database that holds it. A write is checked in its own transaction, under a lock
 * that a seal waits for: when {@link #seal} has answered done, no transaction that passed the check of an older term can
 * still commit, and none passes any more.
 *
 * <p>It does not promise that a seal comes through. On SQLite whoever has the write lock keeps everybody out, so that a
 * process which is stopped inside a transaction blocks its own successor until it goes on or is killed; the seal is then
 * answered unknown after its time-out. Nor does it protect a table that is written around it: see {@link #protect} for
 * that, and its limits. Never keep the database on a network file system, or in the file of the store that elects.
 *
 * <p>Thread-safe. The blocking calls wait at most {@link JdbcFenceOptions#writeTimeout} for others, and are for the
 * application's threads; {@link #seal} and {@link #view} do not block. {@link #close} ends these two.
 */
public final class JdbcFence implements Fence, AutoCloseable {

    private final Place place;
    private final ResourceName resource;
    private final JdbcFenceOptions options;
    private final Refusals refusals;
    private final HeldUps heldUps = new HeldUps();
    private final Rescue rescue;
    private final SealCall sealing;
    private final FenceCalls calls;
    private final Administration administration;

    /** @param dialect null if the first connection is to tell */
    JdbcFence(DataSource source, ResourceName resource, JdbcFenceOptions options, @Nullable Dialect dialect) {
        this.place = new Place(source, options, dialect);
        this.resource = resource;
        this.options = options;
        this.refusals = new Refusals(resource);
        this.rescue = new Rescue(place, resource, options, heldUps);
        this.sealing = new SealCall(place, resource, options.maxTokenJump(), rescue);
        this.administration = new Administration(place, resource, options.writeTimeout());
        this.calls = new FenceCalls(fault -> place.ask(known -> known.isTransient(fault), false));
    }

    /**
     * A fence in an SQLite file, which is opened anew for each call; an application that writes often brings a pooled
     * {@link DataSource}. Nothing is opened yet. The file is never created: a mistyped path must not be an empty ledger.
     */
    public static JdbcFence sqlite(Path database, ResourceName resource) {
        SQLiteConfig config = new SQLiteConfig();
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        config.setBusyTimeout(0);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + database.toAbsolutePath());
        return open(source, resource, JdbcFenceOptions.DEFAULTS);
    }

    /** A fence in the database that the source leads to. Nothing is opened yet: the first connection tells which it is. */
    public static JdbcFence open(DataSource source, ResourceName resource) {
        return open(source, resource, JdbcFenceOptions.DEFAULTS);
    }

    public static JdbcFence open(DataSource source, ResourceName resource, JdbcFenceOptions options) {
        return new JdbcFence(source, resource, options, null);
    }

    @Override
    public ResourceName resource() {
        return resource;
    }

    /**
     * Makes the row of this resource, and the tables if they are not there. Idempotent for the same role and store;
     * otherwise nothing changes. Until it was called, seals and writes are refused as {@link Refusal#NOT_INITIALISED}.
     * Blocks.
     *
     * @throws FenceException if the row belongs to another role or store, or the database cannot be written
     */
    public void init(Role role, StoreId storeId) {
        administration.init(role, storeId);
    }

    @Override
    public CompletionStage<Answer<FenceView, SealRefusal>> seal(Stamp stamp, Duration timeout) {
        return calls.answer(timeout, deadline -> sealing.seal(stamp, deadline));
    }

    /** The row, with what is protected, what is wrong with that, and what remains open, as notes. */
    @Override
    public CompletionStage<Answer<FenceView, SealRefusal>> view(Duration timeout) {
        return calls.answer(timeout, sealing::view);
    }

    /**
     * Checks a stamp inside the application's own open transaction, which no seal can pass from here until it ends.
     *
     * <p>Who swallows its refusal and goes on without a rollback, writes in a new transaction, which nobody has checked. PostgreSQL
     * and MariaDB refuse that (MariaDB lets DDL through, and what comes after it), SQLite refuses its COMMIT where the connection
     * enforces foreign keys ({@code PRAGMA foreign_keys}). On SQLite without them, and on H2, it is committed.
     *
     * <p>Call it before the first write, and roll back after <em>any</em> error: SQLite may have ended the transaction by itself,
     * and the driver does not say so. Waits as long as the connection's own busy time-out on SQLite, and elsewhere behind a
     * seal that waits itself. What a savepoint before it does to it, the page on each database says.
     * For the connection that {@link #inTransaction} hands out there is no need to call it.
     *
     * @throws WriteRefusedException if the stamp is not the one that this resource was sealed with; the transaction was
     *     rolled back, or on PostgreSQL takes nothing more before the rollback
     * @throws IllegalStateException if the connection is closed or in autocommit mode, or SQLite had ended the transaction
     * @throws FenceException if the check could not be made; its outcome is {@code RETRY} if the database was busy, or
     *     changed since this transaction first read
     */
    public void check(Connection connection, Stamp stamp) {
        try {
            if (connection.isClosed()) {
                throw new IllegalStateException("the connection is closed");
            }
            Dialect dialect = place.dialectOf(connection);
            boolean inOurOwn = connection.isWrapperFor(FencedConnection.class);
            if (!inOurOwn) {
                dialect.requireTransaction(connection);
            }
            Dialect.Verdict verdict =
                    inOurOwn ? dialect.admit(connection, resource, stamp) : dialect.check(connection, resource, stamp);
            if (verdict.refusal().isPresent()) {
                if (!inOurOwn && !connection.getAutoCommit()) { // else whoever distributes it rolls back
                    dialect.undo(connection);
                }
                throw reported(new WriteRefusedException(
                        resource, stamp, verdict.refusal().get(), verdict.highest()));
            }
        } catch (SQLException e) {
            throw transaction(stamp).failed(e);
        }
    }

    /**
     * Runs the work in a fenced transaction and commits it: all of it is written under this term, or nothing. The work
     * begins with the write lock in hand, so keep it short: every other writer waits, and the seal of a successor too. With
     * {@link Admission#AT_COMMIT} it does not; what that takes is told there.
     *
     * <p>A database server that failed over may have lost the seal, and refuses all until the resource is sealed there. If this
     * object has sealed it for this very term, it then does so once more and goes on; or says to retry, if the work has run already.
     *
     * @throws TermEndedException if the term was not valid at the call, right before the work, which then did not run, or right
     *     before a commit that is to admit it; rolled back
     * @throws WriteRefusedException if the resource refused; rolled back
     * @throws FenceException if the transaction failed for another reason; see its outcome
     * @throws E what the work throws; rolled back
     */
    public <T, E extends Exception> T inTransaction(Term term, FencedWork<T, E> work) throws E {
        requireValid(term);
        Stamp stamp = term.stamp();
        Runnable stillValid = () -> requireValid(term);
        FencedTransaction transaction = transaction(stamp);
        try {
            return transaction.run(Deadline.in(options.writeTimeout()), stillValid, work);
        } catch (WriteRefusedException e) {
            boolean lost = transaction.wasNotAdmitted(e) && e.refusal() == Refusal.UNSEALED && sealing.hasSealed(stamp);
            if (!lost) {
                throw transaction.wasRefusedBy(e) ? reported(e) : e;
            }
        }
        stillValid.run();
        sealAgain(stamp);
        transaction.requireNotWorked();
        return inTransaction(stamp, stillValid, work);
    }

    private void sealAgain(Stamp stamp) {
        try {
            sealing.again(stamp, Deadline.in(options.writeTimeout()));
        } catch (WriteRefusedException e) {
            throw reported(e);
        }
    }

    /** The same for a write whose term lives in another process, as its stamp came with the request. */
    public <T, E extends Exception> T inTransaction(Stamp stamp, FencedWork<T, E> work) throws E {
        return inTransaction(stamp, () -> {}, work);
    }

    private <T, E extends Exception> T inTransaction(Stamp stamp, Runnable stillValid, FencedWork<T, E> work) throws E {
        FencedTransaction transaction = transaction(stamp);
        try {
            return transaction.run(Deadline.in(options.writeTimeout()), stillValid, work);
        } catch (WriteRefusedException e) {
            throw transaction.wasRefusedBy(e) ? reported(e) : e;
        }
    }

    private FencedTransaction transaction(Stamp stamp) {
        return new FencedTransaction(place, resource, stamp);
    }

    private static void requireValid(Term term) {
        if (!term.isValid()) {
            boolean over = term.ended().toCompletableFuture().isDone();
            throw new TermEndedException(term.stamp(), !over);
        }
    }

    private WriteRefusedException reported(WriteRefusedException refused) {
        refusals.report(refused);
        return refused;
    }

    /**
     * Has the database itself refuse each write to a table that does not carry the stamp of the term which sealed this
     * resource, whoever sends it. Idempotent; repairs triggers that were changed. Blocks.
     *
     * <p>On PostgreSQL the transaction carries it, by {@link #check}, {@link #inTransaction}, {@code signet_check} in SQL or
     * the settings {@code signet.token} and {@code signet.term_id} of its session; it is looked at in COMMIT. On SQLite each
     * row does: {@code INSERT} and {@code UPDATE} name {@code signet_token} and {@code signet_term}, and a row is deleted by
     * the {@code UPDATE} that sets {@code signet_term} to {@code 'delete:'} and the term id.
     *
     * <p>It keeps out stale leaders and slips of the hand, not whoever owns the table and means harm. {@link #view} lists
     * what remains open.
     *
     * @param table with its schema where the connection's search path does not lead there
     * @throws FenceException if the table cannot be protected; the message says what to change
     */
    public void protect(String table) {
        administration.protect(table);
    }

    /** Takes the protection away again. Blocks. */
    public void unprotect(String table) {
        administration.unprotect(table);
    }

    /** All protected tables of the database, those of other resources too, as they are found now. Blocks. */
    public List<ProtectedTable> protectedTables() {
        return administration.tables();
    }

    /** From now on the listener hears of each refused write; {@code fence.onRefusal(election::refused)}. */
    public void onRefusal(RefusalListener listener) {
        refusals.tell(listener);
    }

    /** How many writes this object refused, by kind. What triggers refused to other programs is not counted. */
    public Map<Refusal, Long> refusals() {
        return refusals.counts();
    }

    /**
     * From now on the listener hears of each transaction that held up a seal of this object for half of its time, or for
     * {@link JdbcFenceOptions#longestIdle}; called on a thread of the fence's own, which looks after one seal at a time. What it
     * throws is logged and ignored. Never called where the database is a file.
     */
    public void onHeldUp(Consumer<HeldUp> listener) {
        heldUps.tell(listener);
    }

    /**
     * For an operator in need: binds the row to this role and store as if no term had sealed it yet. Until the next seal
     * every write is refused. It waits for who has been admitted, as a seal does. Only after the store that this fence belongs to is gone for good: while it lives, one of
     * its former leaders may seal the resource again. Blocks.
     *
     * @param reason kept in the database's {@code signet_fence_log}, with who it was and what the row was before
     * @throws FenceException if there is no row, this user may not, or the database keeps no such record
     */
    public void reset(Role role, StoreId storeId, String reason) {
        if (reason.isBlank()) {
            throw new IllegalArgumentException("reason '" + reason + "' gives none");
        }
        administration.reset(role, storeId, reason);
    }

    /** Ends {@link #seal} and {@link #view}, which from now on answer unknown. Idempotent; does not wait. */
    @Override
    public void close() {
        calls.close();
        rescue.close();
    }
}
