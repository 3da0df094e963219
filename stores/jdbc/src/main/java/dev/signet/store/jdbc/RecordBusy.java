package dev.signet.store.jdbc;

/** Another has a record locked: this request is to be carried out again, from its beginning; it has written nothing. */
final class RecordBusy extends Exception {

    private static final long serialVersionUID = 1;

    RecordBusy(String what) {
        super(what, null, false, false);
    }
}
