package dev.signet.store.quorum.wire;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;

/** What a voter answers, beside Raft's own requests and on the same port. */
public final class Methods {

    public static final String SERVICE = "signet.Quorum";

    /** A {@link Question}, answered by an {@link Answered}. */
    public static final MethodDescriptor<byte[], byte[]> ASK = method("Ask", MethodDescriptor.MethodType.UNARY);

    /** Which Raft term a voter is in: a {@link Peek}, whatever the request. */
    public static final MethodDescriptor<byte[], byte[]> PEEK = method("Peek", MethodDescriptor.MethodType.UNARY);

    /** How a voter stands, for people: a {@link VoterStatus}, whatever the request. */
    public static final MethodDescriptor<byte[], byte[]> STATUS = method("Status", MethodDescriptor.MethodType.UNARY);

    /** {@link Interest} by {@link Interest} which roles are watched; back come {@link News}. */
    public static final MethodDescriptor<byte[], byte[]> WATCH =
            method("Watch", MethodDescriptor.MethodType.BIDI_STREAMING);

    private Methods() {}

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodDescriptor.MethodType type) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .setRequestMarshaller(Bytes.INSTANCE)
                .setResponseMarshaller(Bytes.INSTANCE)
                .build();
    }

    /** What a message says is the codecs' affair. */
    private enum Bytes implements MethodDescriptor.Marshaller<byte[]> {
        INSTANCE;

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
