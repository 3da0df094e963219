package dev.signet.fence.jdbc;

import dev.signet.Stamp;
import dev.signet.fence.Refusal;
import dev.signet.testkit.FenceClause;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What is naive on any database where the row is judged here and raised by {@link FenceTable#RAISE}. */
final class NaiveRows {

    /** Each to be found by {@link FenceClause#F2}. */
    static final Map<String, Judge> JUDGES = new LinkedHashMap<>();

    /** What stands in the condition of the update, and what instead. */
    static final List<Raise> RAISES = List.of(
            new Raise(FenceClause.F3, "seal: no store id", sql -> sql.replace("store_id = ?", "? IS NOT NULL")),
            new Raise(FenceClause.F3, "seal: no role", sql -> sql.replace("role = ?", "? IS NOT NULL")),
            new Raise(
                    FenceClause.F3,
                    "seal: an equal token of another term passes",
                    sql -> sql.replace("max_token < ?", "max_token <= ?")),
            new Raise(
                    FenceClause.F10,
                    "seal: no limit to the jump",
                    sql -> sql.replace("? - max_token <= ?", "? + ? IS NOT NULL")),
            new Raise(FenceClause.F3, "seal: lower tokens too", sql -> sql.replace("max_token < ?", "? IS NOT NULL")));

    static {
        JUDGES.put(
                "token >= max",
                (row, stamp) ->
                        row.isPresent() && stamp.token().value() >= row.get().highest()
                                ? Optional.empty()
                                : forgiving(Refusal.TOO_FAR_AHEAD, row, stamp));
        JUDGES.put(
                "a missing row is token 0",
                (row, stamp) -> row.isEmpty() ? Optional.empty() : row.get().refuses(stamp));
        JUDGES.put("only the token is compared", (row, stamp) -> forgiving(Refusal.SAME_TOKEN_OTHER_TERM, row, stamp));
        JUDGES.put("no store id in the check", (row, stamp) -> forgiving(Refusal.FOREIGN_STORE, row, stamp));
        JUDGES.put("no role in the check", (row, stamp) -> forgiving(Refusal.OTHER_ROLE, row, stamp));
    }

    private NaiveRows() {}

    interface Judge {
        Optional<Refusal> judge(Optional<FenceRow> row, Stamp stamp);
    }

    record Raise(FenceClause clause, String name, UnaryOperator<String> change) {}

    private static Optional<Refusal> forgiving(Refusal forgiven, Optional<FenceRow> row, Stamp stamp) {
        return row.isEmpty()
                ? Optional.of(Refusal.NOT_INITIALISED)
                : row.get().refuses(stamp).filter(refusal -> refusal != forgiven);
    }
}
