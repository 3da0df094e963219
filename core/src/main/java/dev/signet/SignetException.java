package dev.signet;

import org.jspecify.annotations.Nullable;

/** The root of what goes wrong otherwise than by wrong use. What a caller can act on is in fields of the subtypes. */
public abstract sealed class SignetException extends RuntimeException
        permits WriteRefusedException,
                TermEndedException,
                StoreException,
                FenceException,
                TransferRefusedException,
                TransferUnknownException {

    private static final long serialVersionUID = 1L;

    SignetException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
