package dev.signet.benchmarks.fence;

import dev.signet.Stamp;
import dev.signet.fence.jdbc.Admission;
import dev.signet.fence.jdbc.JdbcFenceOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** In which a transaction is fenced. */
enum Form {
    NONE("without a fence") {
        @Override
        void pay(Ledger ledger, Stamp stamp) throws SQLException {
            try (Connection connection = ledger.pool.getConnection()) {
                connection.setAutoCommit(false);
                Ledger.pay(connection);
                connection.commit();
            }
        }
    },

    HELPER("fence.inTransaction") {
        @Override
        void pay(Ledger ledger, Stamp stamp) throws SQLException {
            ledger.fence.inTransaction(stamp, connection -> {
                Ledger.pay(connection);
                return "";
            });
        }
    },

    AT_COMMIT("fence.inTransaction, AT_COMMIT") {
        @Override
        JdbcFenceOptions options() {
            return JdbcFenceOptions.DEFAULTS.withAdmission(Admission.AT_COMMIT);
        }

        @Override
        void pay(Ledger ledger, Stamp stamp) throws SQLException {
            HELPER.pay(ledger, stamp);
        }
    },

    FUNCTION("SELECT signet_check(...)") {
        @Override
        void pay(Ledger ledger, Stamp stamp) throws SQLException {
            try (Connection connection = ledger.pool.getConnection()) {
                connection.setAutoCommit(false);
                ledger.fence.check(connection, stamp);
                Ledger.pay(connection);
                connection.commit();
            }
        }
    },

    TRIGGER("triggers on both tables") {
        @Override
        void prepare(Ledger ledger) {
            ledger.fence.protect("account");
            ledger.fence.protect("entry");
        }

        @Override
        String session(Stamp stamp) {
            return "SET signet.token = '" + stamp.token() + "'; SET signet.term_id = '"
                    + stamp.termId().secret() + "'";
        }

        @Override
        void pay(Ledger ledger, Stamp stamp) throws SQLException {
            NONE.pay(ledger, stamp);
        }
    };

    private final String label;

    Form(String label) {
        this.label = label;
    }

    /** All but what there is none of. */
    static List<Form> fenced() {
        return List.of(HELPER, AT_COMMIT, FUNCTION, TRIGGER);
    }

    void prepare(Ledger ledger) {}

    JdbcFenceOptions options() {
        return JdbcFenceOptions.DEFAULTS;
    }

    /** What a connection is told once, by a process whose life is one term. */
    String session(Stamp stamp) {
        return "SELECT 1";
    }

    abstract void pay(Ledger ledger, Stamp stamp) throws SQLException;

    @Override
    public String toString() {
        return label;
    }
}
