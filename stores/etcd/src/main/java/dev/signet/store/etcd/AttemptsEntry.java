package dev.signet.store.etcd;

import com.google.protobuf.ByteString;

/**
 * What a session may not do again: its attempts at a role up to these numbers. Immutable.
 *
 * @param refusedUpTo answered once, while a holder lived whose end no version of the record tells
 * @param releasedUpTo given back
 */
record AttemptsEntry(long refusedUpTo, long releasedUpTo) {

    static final AttemptsEntry NONE = new AttemptsEntry(0, 0);

    static AttemptsEntry parse(ByteString value) {
        Fields fields = Fields.parse(value);
        return new AttemptsEntry(fields.number("refused"), fields.number("released"));
    }

    ByteString bytes() {
        return new Fields()
                .with("refused", refusedUpTo)
                .with("released", releasedUpTo)
                .bytes();
    }

    AttemptsEntry refused(long attempt) {
        return new AttemptsEntry(Math.max(refusedUpTo, attempt), releasedUpTo);
    }

    AttemptsEntry released(long attempt) {
        return new AttemptsEntry(refusedUpTo, Math.max(releasedUpTo, attempt));
    }
}
