package dev.signet.fence.jdbc;

import java.sql.SQLException;

/** The transaction that the fence began is over, though the fence did not end it. */
final class EndedEarlyException extends SQLException {

    private static final long serialVersionUID = 1L;

    EndedEarlyException() {
        super(
                "the transaction was ended inside the work, by its SQL or by the database after an error; what it had written"
                        + " before may be rolled back or committed");
    }
}
