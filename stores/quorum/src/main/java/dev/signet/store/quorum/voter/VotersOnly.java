package dev.signet.store.quorum.voter;

import dev.signet.store.quorum.wire.Methods;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.apache.ratis.thirdparty.io.grpc.Grpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Keeps Raft's own requests, which share a port with those of candidates, to voters: to whoever has a certificate that says it may be
 * a server. What a candidate is given says that it may be a client, and no more. Where certificates are asked for, that is; elsewhere
 * nobody can be told apart.
 */
final class VotersOnly implements ServerInterceptor {

    private static final String SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (Methods.SERVICE.equals(call.getMethodDescriptor().getServiceName())
                || isVoter(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION))) {
            return next.startCall(call, headers);
        }
        call.close(
                Status.PERMISSION_DENIED.withDescription(
                        "only voters may ask this: whose certificate has the extended key usage serverAuth"),
                new Metadata());
        return new ServerCall.Listener<>() {};
    }

    private static boolean isVoter(@Nullable SSLSession session) {
        try {
            Certificate[] chain = session == null ? new Certificate[0] : session.getPeerCertificates();
            if (chain.length > 0 && chain[0] instanceof X509Certificate certificate) {
                List<String> usages = certificate.getExtendedKeyUsage();
                return usages != null && usages.contains(SERVER_AUTHENTICATION);
            }
            return false;
        } catch (SSLPeerUnverifiedException | CertificateParsingException e) {
            return false;
        }
    }
}
