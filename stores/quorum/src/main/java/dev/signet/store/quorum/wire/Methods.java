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

    /** By which folders a voter knows the others: an {@link Introduction}, whatever the request. */
    public static final MethodDescriptor<byte[], byte[]> MEET = method("Meet", MethodDescriptor.MethodType.UNARY);

    /** How a voter stands, for people: a {@link VoterStatus}, whatever the request. */
    public static final MethodDescriptor<byte[], byte[]> STATUS = method("Status", MethodDescriptor.MethodType.UNARY);

    /** {@link Interest} by {@link Interest} which roles are watched; back come {@link News}. */
    public static final MethodDescriptor<byte[], byte[]> WATCH =
            method("Watch", MethodDescriptor.MethodType.BIDI_STREAMING);

    /** What only voters, and whoever has the certificate of one, may ask. */
    public static final String CARE = "signet.QuorumCare";

    /** A {@link Replacement}; answered by why it was not done, and by nothing once it was. */
    public static final MethodDescriptor<byte[], byte[]> REPLACE =
            method(CARE, "Replace", MethodDescriptor.MethodType.UNARY);

    private Methods() {}

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodDescriptor.MethodType type) {
        return method(SERVICE, name, type);
    }

    private static MethodDescriptor<byte[], byte[]> method(
            String service, String name, MethodDescriptor.MethodType type) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
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
