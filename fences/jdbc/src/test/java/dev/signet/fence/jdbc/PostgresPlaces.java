package dev.signet.fence.jdbc;

import static dev.signet.testkit.FenceStamps.LEDGER;
import static dev.signet.testkit.FenceStamps.NEW;
import static dev.signet.testkit.FenceStamps.OLD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.signet.Stamp;
import dev.signet.WriteRefusedException;
import dev.signet.fence.Refusal;
import java.util.List;

/** Stories of a fence row on PostgreSQL that is no longer as a seal has left it, or still is. */
final class PostgresPlaces {

    private static final String VERSION = "current_setting('server_version_num')::integer / 10000 || '/' || ";
    private static final String TIMELINE = VERSION + "substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)";

    private PostgresPlaces() {}

    /** As a failover or an upgrade leaves it, or another server that counts its transactions alike. */
    static void elsewhere(JdbcSite site, JdbcFenceContract database) {
        site.sealed();
        place(site, TIMELINE + " || '/' || tableoid || '/' || xmin");
        writes(site, OLD, "as sealed");
        for (String elsewhere : List.of(
                "'11/' || " + TIMELINE.substring(VERSION.length()) + " || '/' || tableoid || '/' || xmin",
                VERSION + "'000000FF/' || tableoid || '/' || xmin",
                TIMELINE + " || '/1/' || xmin",
                TIMELINE + " || '/' || tableoid || '/1'",
                "''")) {
            place(site, elsewhere);
            isToBeSealedAgain(site, elsewhere);
        }
    }

    /** Both changes by one transaction, whose number the row then has. */
    private static void place(JdbcSite site, String place) {
        site.execute("UPDATE signet_fence SET place = ''; UPDATE signet_fence SET place = " + place);
    }

    static void copied(JdbcSite site, JdbcFenceContract database) {
        site.sealed();
        for (String copy : List.of(
                "UPDATE signet_fence SET max_token = max_token",
                "CREATE TABLE kept AS TABLE signet_fence; DELETE FROM signet_fence; INSERT INTO signet_fence TABLE kept",
                "ALTER TABLE signet_fence ALTER role TYPE text USING role || ''",
                "ALTER TABLE signet_fence SET UNLOGGED",
                "ALTER TABLE signet_fence SET LOGGED")) {
            site.execute(copy);
            isToBeSealedAgain(site, copy);
        }
    }

    /** Though its transaction's number is frozen, and the table a new file. */
    static void tidiedUp(JdbcSite site, JdbcFenceContract database) {
        site.sealed();
        for (String tidiedUp : List.of(
                "VACUUM signet_fence",
                "VACUUM (FREEZE, DISABLE_PAGE_SKIPPING) signet_fence",
                "VACUUM (FULL, FREEZE) signet_fence",
                "CLUSTER signet_fence USING signet_fence_pkey",
                "REINDEX TABLE signet_fence",
                "ALTER TABLE signet_fence SET (fillfactor = 50)",
                "ALTER TABLE signet_fence ADD note text DEFAULT 'none'")) {
            site.execute(tidiedUp);
            writes(site, OLD, tidiedUp);
        }
        site.seal(NEW);
        writes(site, NEW, "new");
    }

    /** Which has a transaction number of its own. */
    static void inSavepoint(JdbcSite site, JdbcFenceContract database) {
        site.sealed();
        String seal =
                "signet_seal('ledger', '" + NEW.role() + "', '" + NEW.storeId().value() + "', " + NEW.token() + ", '"
                        + NEW.termId().secret() + "')";
        for (String inside : List.of(
                "SAVEPOINT a; SELECT " + seal + "; RELEASE a",
                "DO $$ BEGIN PERFORM " + seal + "; EXCEPTION WHEN OTHERS THEN RAISE; END $$")) {
            site.execute("BEGIN; " + inside + "; COMMIT");
            writes(site, NEW, inside);
        }
    }

    private static void writes(JdbcSite site, Stamp stamp, String what) {
        site.inTransaction(stamp, writer -> writer.write(what, stamp));
        assertThat(site.rows()).contains(what);
    }

    /** Whoever holds the stamp of the last seal is refused, and nobody is who seals. */
    private static void isToBeSealedAgain(JdbcSite site, String why) {
        WriteRefusedException refused =
                catchThrowableOfType(WriteRefusedException.class, () -> writes(site, OLD, "lost"));
        assertThat(refused).as(why).isNotNull();
        assertThat(refused.refusal()).as(why).isEqualTo(Refusal.UNSEALED);
        assertThat(refused.highest()).as(why).isEqualTo(7);
        assertThat(refused.resource()).isEqualTo(LEDGER);
        site.seal(OLD);
        writes(site, OLD, "sealed again after: " + why);
        assertThat(site.rows()).doesNotContain("lost");
    }
}
