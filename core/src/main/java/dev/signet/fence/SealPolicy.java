package dev.signet.fence;

/** When a term must have sealed a resource. */
public enum SealPolicy {
    /** Before it leads. */
    REQUIRED,
    /** Before it writes there: the resource may be away when the term begins. */
    ON_CONTACT
}
