package dev.signet.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "COMMIT",
                " ;; end work",
                "SELECT 1; commit",
                "SELECT 1;COMMIT;BEGIN",
                "SELECT 1; ROLLBACK TO SAVEPOINT a",
                "SELECT 1; start transaction",
                "SELECT 1; abort",
                "SELECT 1; /* a /* nested */ one */ -- and\n COMMIT",
                "SELECT 1; prepare/**/transaction 'x'",
                "SELECT 'a'; COMMIT; SELECT 'b'",
                "SELECT 'it''s'; COMMIT",
                "SELECT \"a;\"; COMMIT",
                "SELECT '--'; COMMIT",
                "SELECT '/*'; COMMIT; SELECT '*/'",
                "SELECT '$$'; COMMIT; SELECT '$$'",
                "SELECT $a$ $$ $a$; COMMIT; SELECT $a$ $a$",
                "SELECT $$ it's $$; COMMIT --'",
                "-- it's\nSELECT 1; COMMIT",
                "-- it's\rSELECT 1; COMMIT --'",
                "/* \" */ SELECT 1; COMMIT; SELECT \"a\"",
                // by one setting of the server or by the other
                "SELECT '\\'; COMMIT; SELECT '",
                "SELECT '\\''; COMMIT; SELECT ''",
                "SELECT E'\\''; COMMIT --'",
                "SELECT a$$; COMMIT; SELECT b$$",
                // beyond 16 bits
                "SELECT $\uD83D\uDE00$ ' $\uD83D\uDE00$; COMMIT; SELECT $\uD83D\uDE00$ ' $\uD83D\uDE00$",
                "SELECT \uD83D\uDE00$$; COMMIT; SELECT $$",
                "{oj COMMIT}",
                "SELECT 1 {fn y;}COMMIT",
                "SELECT '; COMMIT",
                "SELECT '\\' || prepare /**/ transaction"
            })
    void textThatEndsItsTransactionIsSeen(String sql) {
        assertThat(PostgresText.endsTransaction(sql)).as(sql).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SELECT 1",
                "INSERT INTO ledger VALUES ('; COMMIT')",
                "INSERT INTO ledger VALUES ('it''s; COMMIT')",
                "SELECT CASE WHEN a THEN b END; SELECT 1 AS \"; end\"",
                "SELECT 1 -- ; COMMIT",
                "/* ; COMMIT */ SELECT 1; /* /* ; */ COMMIT */ SELECT 2",
                "DO $$ BEGIN PERFORM 1; END $$",
                "DO $body$ BEGIN PERFORM $$ ; COMMIT $$; END $body$; SELECT 1",
                "PREPARE a AS SELECT 1; SELECT commit_time, 1 AS end_",
                "SELECT 1; SELECT begin FROM starts; UPDATE ends SET a = $1",
                "INSERT INTO ledger VALUES ('C:\\temp'), (E'it\\'s')",
                "{call f()}",
                "SELECT {fn now()}, {ts '2026-11-30 00:00:00'}",
                "INSERT INTO ledger VALUES ('{commit}')",
                "SAVEPOINT a"
            })
    void textThatDoesNotIsNot(String sql) {
        assertThat(PostgresText.endsTransaction(sql)).as(sql).isEmpty();
    }
}
