package dev.signet.testkit;

import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.TermId;

/** The terms that appear in the stories of {@link FenceContract}. */
public final class FenceStamps {

    public static final ResourceName LEDGER = ResourceName.of("ledger");
    public static final Role ROLE = Role.of("nightly");
    public static final StoreId STORE = new StoreId("store-1");

    /** The term that leads when a story begins. */
    public static final Stamp OLD = stamp(7);

    /** Its successor. */
    public static final Stamp NEW = stamp(8);

    private FenceStamps() {}

    /** Of the one term with this token that was granted here. */
    public static Stamp stamp(long token) {
        return new Stamp(ROLE, FencingToken.of(token), new TermId(0xABCDEF, token), STORE);
    }

    static Stamp ofOtherTerm(Stamp stamp) {
        return new Stamp(stamp.role(), stamp.token(), new TermId(1, 1), stamp.storeId());
    }

    static Stamp ofOtherStore(Stamp stamp) {
        return new Stamp(stamp.role(), stamp.token(), stamp.termId(), new StoreId("store-2"));
    }

    static Stamp ofOtherRole(Stamp stamp) {
        return new Stamp(Role.of("Nightly"), stamp.token(), stamp.termId(), stamp.storeId());
    }
}
