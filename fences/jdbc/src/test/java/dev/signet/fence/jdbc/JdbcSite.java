package dev.signet.fence.jdbc;

import dev.signet.Answer;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.fence.FenceView;
import dev.signet.fence.Refusal;
import dev.signet.fence.SealRefusal;
import dev.signet.testkit.FenceSite;
import dev.signet.testkit.FenceStamps;
import dev.signet.testkit.FenceWriter;
import dev.signet.testkit.IsolationLevel;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A ledger in a new database, however that was made. */
class JdbcSite implements FenceSite {

    /** For an answer that is to come, on a machine that is busy with much else. */
    static final Duration LATER = Duration.ofSeconds(20);

    final DataSource source;
    final JdbcFence fence;
    private final Dialect dialect;
    private final JdbcFenceOptions options;
    private final Duration longestHeldUp;
    private final Runnable remove;
    private final Deque<AutoCloseable> open = new ConcurrentLinkedDeque<>();

    /**
     * @param ledger the statement that makes the table {@code ledger (what, amount, signet_token, signet_term)}
     * @param longestHeldUp by a transaction that stands still; negative: until it ends
     * @param remove what the site leaves behind
     */
    JdbcSite(
            DataSource source,
            @Nullable Dialect dialect,
            JdbcFenceOptions options,
            String ledger,
            Duration longestHeldUp,
            Runnable remove) {
        this(source, dialect, options, longestHeldUp, remove);
        execute(ledger);
    }

    private JdbcSite(
            DataSource source,
            @Nullable Dialect dialect,
            JdbcFenceOptions options,
            Duration longestHeldUp,
            Runnable remove) {
        this.source = source;
        this.dialect = dialect;
        this.options = options;
        this.longestHeldUp = longestHeldUp;
        this.remove = remove;
        this.fence = fence(FenceStamps.LEDGER);
    }

    /**
     * The same place as an application with a pool sees it, whose connections are at that level, and with the fence's own
     * time-outs: to be closed instead of this one. The connections are open already.
     */
    JdbcSite pooled(IsolationLevel level, int connections) {
        OpenPool pool = asking(() -> new OpenPool(source, level, connections));
        return new JdbcSite(pool, dialect, JdbcFenceOptions.DEFAULTS, longestHeldUp, () -> {
            asking(() -> {
                pool.close();
                return pool;
            });
            close();
        });
    }

    private JdbcFence fence(ResourceName resource) {
        return fence(source, resource);
    }

    /** By another way to this place. */
    JdbcFence fence(DataSource by, ResourceName resource) {
        JdbcFence made = new JdbcFence(by, resource, options, dialect);
        open.push(made);
        return made;
    }

    /** Its fence belongs to {@link FenceStamps#ROLE} and was sealed for the old term. */
    JdbcSite sealed() {
        init(FenceStamps.LEDGER, FenceStamps.ROLE, FenceStamps.STORE);
        seal(FenceStamps.OLD);
        return this;
    }

    void seal(Stamp stamp) {
        Answer<FenceView, SealRefusal> answer =
                fence.seal(stamp, LATER).toCompletableFuture().join();
        if (!(answer instanceof Answer.Done)) {
            throw new AssertionError("not sealed: " + answer);
        }
    }

    void execute(String sql) {
        asking(() -> {
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement()) {
                return statement.execute(sql);
            }
        });
    }

    /** {@link SQLException} is not for who tells a story. */
    static <T> T asking(Question<T> question) {
        try {
            return question.ask();
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    interface Question<T> {
        T ask() throws SQLException;
    }

    /** The database's name for itself. */
    String product() {
        return asking(() -> {
            try (Connection connection = source.getConnection()) {
                return connection.getMetaData().getDatabaseProductName();
            }
        });
    }

    @Override
    public JdbcFence fence() {
        return fence;
    }

    @Override
    public void init(ResourceName resource, Role role, StoreId storeId) {
        fence(resource).init(role, storeId);
    }

    @Override
    public FenceWriter begin(IsolationLevel level) {
        return asking(() -> {
            Connection connection = source.getConnection();
            JdbcWriter writer = writer(fence, connection);
            open.push(writer);
            if (connection.getTransactionIsolation() != level.jdbc()) {
                connection.setTransactionIsolation(level.jdbc());
            }
            connection.setAutoCommit(false);
            return writer;
        });
    }

    JdbcWriter writer(JdbcFence of, Connection connection) {
        return new JdbcWriter(of, connection);
    }

    @Override
    public FenceWriter withoutTransaction() {
        return asking(() -> {
            JdbcWriter writer = writer(fence, source.getConnection());
            open.push(writer);
            return writer;
        });
    }

    @Override
    public void inTransaction(Stamp stamp, Consumer<FenceWriter> work) {
        fence.inTransaction(stamp, connection -> {
            work.accept(writer(fence, connection));
            return "";
        });
    }

    @Override
    public List<String> rows() {
        return asking(() -> {
            List<String> rows = new ArrayList<>();
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet found = statement.executeQuery("SELECT what FROM ledger")) {
                while (found.next()) {
                    rows.add(found.getString(1));
                }
            }
            return rows;
        });
    }

    @Override
    public long rowsBelow(long token) {
        return asking(() -> {
            try (Connection connection = source.getConnection();
                    PreparedStatement count =
                            connection.prepareStatement("SELECT count(*) FROM ledger WHERE signet_token < ?")) {
                count.setLong(1, token);
                try (ResultSet row = count.executeQuery()) {
                    row.next();
                    return row.getLong(1);
                }
            }
        });
    }

    @Override
    public boolean isTransient(RuntimeException thrown) {
        return thrown.getCause() instanceof SQLException failure && dialect.isTransient(failure);
    }

    @Override
    public Map<Refusal, Long> refusals() {
        return fence.refusals();
    }

    @Override
    public void onRefusal(Consumer<Refusal> listener) {
        fence.onRefusal((stamp, resource, refusal) -> listener.accept(refusal));
    }

    @Override
    public Duration longestHeldUp() {
        return longestHeldUp;
    }

    @Override
    public void close() {
        for (AutoCloseable each : open) {
            try {
                each.close();
            } catch (Exception e) {
                // what a story broke closes as it can
                continue;
            }
        }
        remove.run();
    }
}
