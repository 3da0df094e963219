package dev.signet.store.etcd;

import dev.signet.StoreException;
import dev.signet.store.StoreRefusal;
import dev.signet.store.StoreRefusal.Kind;
import io.grpc.Status;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;

/** What an exception of a request says. etcd tells most of them apart by their words only. */
final class Faults {

    private Faults() {}

    static Throwable cause(Throwable fault) {
        Throwable cause = fault.getCause();
        return fault instanceof CompletionException && cause != null ? cause(cause) : fault;
    }

    static CompletionException rethrown(Throwable fault) {
        return new CompletionException(cause(fault));
    }

    private static Status status(Throwable fault) {
        return Status.fromThrowable(cause(fault));
    }

    private static boolean says(Throwable fault, String words) {
        String description = status(fault).getDescription();
        return description != null && description.contains(words);
    }

    static boolean isUnavailable(Throwable fault) {
        return status(fault).getCode() == Status.Code.UNAVAILABLE;
    }

    static boolean isSilence(Throwable fault) {
        return status(fault).getCode() == Status.Code.DEADLINE_EXCEEDED;
    }

    static boolean isNoSuchLease(Throwable fault) {
        return says(fault, "requested lease not found");
    }

    /** Another member may know, or the same one a little later. */
    static boolean isWorthAnotherTry(Throwable fault) {
        return isUnavailable(fault) || says(fault, "too many requests");
    }

    /** What was read a part of is not there any more, as it was then. */
    static boolean isCompacted(Throwable fault) {
        return says(fault, "revision has been compacted");
    }

    /** Half of it might be taken. */
    static boolean isTooMuchAtOnce(Throwable fault) {
        return says(fault, "too many operations in txn request")
                || says(fault, "request is too large")
                || says(fault, "larger than max");
    }

    /** Another token is to be asked for, or one at all: it was asked for before etcd had users. */
    static boolean isStaleToken(Throwable fault) {
        return says(fault, "invalid auth token")
                || says(fault, "revision of auth store is old")
                || says(fault, "user name is empty");
    }

    /** etcd asks nobody who he is. */
    static boolean isWithoutUsers(Throwable fault) {
        return says(fault, "authentication is not enabled");
    }

    /**
     * One of the two does not accept whom the other says to be. A connection that ends while they are at it says nothing: any that
     * is cut then looks so.
     */
    static boolean isDistrust(Throwable fault) {
        return isUnavailable(fault)
                && bottom(cause(fault)) instanceof Exception bottom
                && (bottom instanceof GeneralSecurityException || bottom instanceof SSLException)
                && !own(bottom).contains("Connection closed while SSL/TLS handshake was in progress");
    }

    /** Why this store cannot be used; empty where it is not known what happened. */
    static Optional<StoreRefusal> refusal(Throwable fault) {
        Throwable cause = cause(fault);
        if (cause instanceof Unusable unusable) {
            return Optional.of(unusable.why());
        }
        if (cause instanceof StoreException store) {
            return Optional.of(new StoreRefusal(store.kind(), message(store)));
        }
        if (cause instanceof IllegalArgumentException) {
            return Optional.of(
                    new StoreRefusal(Kind.FOREIGN_OR_CORRUPT, "what lies in etcd is not of Signet: " + message(fault)));
        }
        return why(fault);
    }

    private static Optional<StoreRefusal> why(Throwable fault) {
        String said = String.valueOf(status(fault).getDescription());
        if (isDistrust(fault)) {
            return Optional.of(new StoreRefusal(
                    Kind.NOT_PERMITTED,
                    "etcd and this program do not trust each other (" + message(fault)
                            + "); check the certificates on both sides, and the name by which it is called"));
        }
        if (status(fault).getCode() == Status.Code.PERMISSION_DENIED) {
            return Optional.of(new StoreRefusal(
                    Kind.NOT_PERMITTED,
                    "etcd denies this (" + said + "); grant the user's role readwrite on all keys of the prefix"));
        }
        if (says(fault, "user name is empty")) {
            return Optional.of(new StoreRefusal(
                    Kind.NOT_PERMITTED, "etcd does not let us in (" + said + "): it asks for a user and a password"));
        }
        if (says(fault, "authentication failed") || status(fault).getCode() == Status.Code.UNAUTHENTICATED) {
            return Optional.of(new StoreRefusal(
                    Kind.NOT_PERMITTED, "etcd does not let us in (" + said + "); check user, password"));
        }
        return says(fault, "database space exceeded")
                ? Optional.of(new StoreRefusal(Kind.NO_SPACE, "etcd refuses: " + said))
                : Optional.empty();
    }

    /** With what lies at the bottom of it: of a connection that fails, gRPC itself says no more than "io exception". */
    static String message(Throwable fault) {
        Throwable top = cause(fault);
        Throwable bottom = bottom(top);
        String message = own(top);
        return bottom == top || message.contains(own(bottom)) ? message : message + ": " + own(bottom);
    }

    private static Throwable bottom(Throwable fault) {
        Throwable deeper = fault.getCause();
        return deeper == null ? fault : bottom(deeper);
    }

    /** One line: gRPC goes on with what its pipeline was made of. */
    private static String own(Throwable fault) {
        String message = fault.getMessage();
        return message == null
                ? fault.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }
}
