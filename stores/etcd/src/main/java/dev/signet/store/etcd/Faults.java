package dev.signet.store.etcd;

import dev.signet.store.StoreRefusal;
import dev.signet.store.StoreRefusal.Kind;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.CompletionException;

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

    /** Why this store cannot be used; empty where it is not known what happened. */
    static Optional<StoreRefusal> refusal(Throwable fault) {
        if (cause(fault) instanceof Unusable unusable) {
            return Optional.of(unusable.why());
        }
        Status status = status(fault);
        return switch (status.getCode()) {
            case PERMISSION_DENIED, UNAUTHENTICATED -> Optional.of(refusal(Kind.NOT_PERMITTED, status));
            case INVALID_ARGUMENT ->
                says(fault, "user name is empty") ? Optional.of(refusal(Kind.NOT_PERMITTED, status)) : Optional.empty();
            case RESOURCE_EXHAUSTED ->
                says(fault, "database space exceeded") ? Optional.of(refusal(Kind.NO_SPACE, status)) : Optional.empty();
            default ->
                cause(fault) instanceof IllegalArgumentException
                        ? Optional.of(new StoreRefusal(
                                Kind.FOREIGN_OR_CORRUPT, "what lies in etcd is not of Signet: " + message(fault)))
                        : Optional.empty();
        };
    }

    private static StoreRefusal refusal(Kind kind, Status status) {
        return new StoreRefusal(kind, "etcd refuses: " + status.getDescription());
    }

    /** With what lies at the bottom of it: of a connection that fails, gRPC itself says no more than "io exception". */
    static String message(Throwable fault) {
        Throwable top = cause(fault);
        Throwable bottom = top;
        while (bottom.getCause() != null) {
            bottom = bottom.getCause();
        }
        String message = own(top);
        return bottom == top || message.contains(own(bottom)) ? message : message + ": " + own(bottom);
    }

    private static String own(Throwable fault) {
        String message = fault.getMessage();
        return message == null ? fault.getClass().getSimpleName() : message;
    }
}
