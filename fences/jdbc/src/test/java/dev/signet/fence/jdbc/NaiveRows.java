package dev.signet.fence.jdbc;

import dev.signet.Stamp;
import dev.signet.fence.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What is naive on any database where the row is judged here and raised by {@link FenceTable#RAISE}. */
final class NaiveRows {

    private NaiveRows() {}

    interface Judge {
        Optional<Refusal> judge(Optional<FenceRow> row, Stamp stamp);
    }

    private static Optional<Refusal> forgiving(Refusal forgiven, Optional<FenceRow> row, Stamp stamp) {
        return row.isEmpty()
                ? Optional.of(Refusal.NOT_INITIALISED)
                : row.get().refuses(stamp).filter(refusal -> refusal != forgiven);
    }

    static Map<String, Judge> judges() {
        Map<String, Judge> judges = new LinkedHashMap<>();
        judges.put(
                "token >= max",
                (row, stamp) ->
                        row.isPresent() && stamp.token().value() >= row.get().highest()
                                ? Optional.empty()
                                : forgiving(Refusal.TOO_FAR_AHEAD, row, stamp));
        judges.put(
                "a missing row is token 0",
                (row, stamp) -> row.isEmpty() ? Optional.empty() : row.get().refuses(stamp));
        judges.put("only the token is compared", (row, stamp) -> forgiving(Refusal.SAME_TOKEN_OTHER_TERM, row, stamp));
        judges.put("no store id in the check", (row, stamp) -> forgiving(Refusal.FOREIGN_STORE, row, stamp));
        judges.put("no role in the check", (row, stamp) -> forgiving(Refusal.OTHER_ROLE, row, stamp));
        return judges;
    }

    /** What stands in the condition of the update, and what instead. */
    static Map<String, UnaryOperator<String>> raises() {
        Map<String, UnaryOperator<String>> raises = new LinkedHashMap<>();
        raises.put("seal: no store id", sql -> sql.replace("store_id = ?", "? IS NOT NULL"));
        raises.put("seal: no role", sql -> sql.replace("role = ?", "? IS NOT NULL"));
        raises.put(
                "seal: an equal token of another term passes", sql -> sql.replace("max_token < ?", "max_token <= ?"));
        raises.put("seal: no limit to the jump", sql -> sql.replace("? - max_token <= ?", "? + ? IS NOT NULL"));
        raises.put("seal: lower tokens too", sql -> sql.replace("max_token < ?", "? IS NOT NULL"));
        return raises;
    }
}
