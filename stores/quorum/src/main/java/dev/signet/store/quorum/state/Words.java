package dev.signet.store.quorum.state;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.store.Grant;
import dev.signet.store.Holder;
import dev.signet.store.NotGranted;
import dev.signet.store.NotReserved;
import dev.signet.store.OpenSession;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;

/** The words of the domain as bytes: for each what writes it, and beside it what reads it. */
final class Words {

    private static final Numbered<NotGranted.Reason> REASONS = new Numbered<>(NotGranted.Reason.class)
            .with(1, NotGranted.Reason.HELD)
            .with(2, NotGranted.Reason.MOVED)
            .with(3, NotGranted.Reason.SESSION_GONE)
            .with(4, NotGranted.Reason.RELEASED)
            .with(5, NotGranted.Reason.TOKENS_EXHAUSTED);

    private static final Numbered<NotReserved> NOT_RESERVED = new Numbered<>(NotReserved.class)
            .with(1, NotReserved.NOT_HOLDER)
            .with(2, NotReserved.TARGET_NOT_CAMPAIGNING);

    private static final Numbered<StoreRefusal.Kind> REFUSALS = new Numbered<>(StoreRefusal.Kind.class)
            .with(1, StoreRefusal.Kind.NOT_INITIALISED)
            .with(2, StoreRefusal.Kind.OTHER_VERSION)
            .with(3, StoreRefusal.Kind.FOREIGN_OR_CORRUPT)
            .with(4, StoreRefusal.Kind.NOT_PERMITTED)
            .with(5, StoreRefusal.Kind.READ_ONLY)
            .with(6, StoreRefusal.Kind.UNSUITABLE_PLACE)
            .with(7, StoreRefusal.Kind.NO_SPACE)
            .with(8, StoreRefusal.Kind.UNREACHABLE)
            .with(9, StoreRefusal.Kind.LEASE_OUT_OF_RANGE)
            .with(10, StoreRefusal.Kind.SESSION_ENDED);

    private Words() {}

    static void write(Output out, Namespace namespace) {
        out.text(namespace.name());
    }

    static Namespace namespace(Input in) throws Unreadable {
        return new Namespace(in.text());
    }

    static void write(Output out, Role role) {
        out.text(role.name());
    }

    static Role role(Input in) throws Unreadable {
        return new Role(in.text());
    }

    static void write(Output out, StoreId storeId) {
        out.text(storeId.value());
    }

    static StoreId storeId(Input in) throws Unreadable {
        return new StoreId(in.text());
    }

    static void write(Output out, SessionId session) {
        out.text(session.value());
    }

    static SessionId session(Input in) throws Unreadable {
        SessionId session = new SessionId(in.text());
        Limits.require(session);
        return session;
    }

    static void write(Output out, CandidateId candidate) {
        out.text(candidate.name()).text(candidate.incarnation());
    }

    static CandidateId candidate(Input in) throws Unreadable {
        return new CandidateId(in.text(), in.text());
    }

    static void write(Output out, TermId termId) {
        out.i64(termId.high()).i64(termId.low());
    }

    static TermId termId(Input in) throws Unreadable {
        return new TermId(in.i64(), in.i64());
    }

    static void write(Output out, Duration duration) {
        out.i64(duration.getSeconds()).i32(duration.getNano());
    }

    static Duration duration(Input in) throws Unreadable {
        long seconds = in.i64();
        int nanos = in.i32();
        if (nanos < 0 || nanos > 999_999_999) {
            throw new Unreadable("a duration has " + nanos + " ns beside its seconds");
        }
        return Duration.ofSeconds(seconds, nanos);
    }

    static void write(Output out, Advertised advertised) {
        out.optional(advertised.publicUri(), Words::write).optional(advertised.internalUri(), Words::write);
    }

    static Advertised advertised(Input in) throws Unreadable {
        Advertised advertised = new Advertised(in.optional(Words::uri), in.optional(Words::uri));
        Limits.require(advertised);
        return advertised;
    }

    private static void write(Output out, URI uri) {
        out.text(uri.toString());
    }

    private static URI uri(Input in) throws Unreadable {
        try {
            return new URI(in.text());
        } catch (URISyntaxException e) {
            throw new Unreadable("an address is no URI", e);
        }
    }

    static void write(Output out, OpenSession request) {
        write(out, request.session());
        write(out, request.candidate());
        write(out, request.advertised());
        write(out, request.leaseDuration());
    }

    static OpenSession openSession(Input in) throws Unreadable {
        return new OpenSession(session(in), candidate(in), advertised(in), duration(in));
    }

    static void write(Output out, Grant grant) {
        write(out, grant.role());
        out.i64(grant.token().value());
        write(out, grant.termId());
        write(out, grant.storeId());
        out.i64(grant.attempt()).i64(grant.version());
    }

    static Grant grant(Input in) throws Unreadable {
        return new Grant(role(in), FencingToken.of(in.i64()), termId(in), storeId(in), in.i64(), in.i64());
    }

    private static void write(Output out, Holder holder) {
        write(out, holder.candidate());
        write(out, holder.advertised());
        out.i64(holder.token().value()).text(holder.termDigest());
    }

    private static Holder holder(Input in) throws Unreadable {
        return new Holder(candidate(in), advertised(in), FencingToken.of(in.i64()), in.text());
    }

    static void write(Output out, RoleView view) {
        write(out, view.role());
        out.i64(view.version())
                .i64(view.lastToken())
                .optional(view.holder(), Words::write)
                .flag(view.claimable())
                .optional(view.claimableIn(), Words::write)
                .optional(view.reservation(), Words::write);
    }

    static RoleView roleView(Input in) throws Unreadable {
        return new RoleView(
                role(in),
                in.i64(),
                in.i64(),
                in.optional(Words::holder),
                in.flag(),
                in.optional(Words::duration),
                in.optional(Words::reservation));
    }

    private static void write(Output out, RoleView.Reservation reservation) {
        write(out, reservation.target());
        write(out, reservation.remaining());
    }

    private static RoleView.Reservation reservation(Input in) throws Unreadable {
        return new RoleView.Reservation(candidate(in), duration(in));
    }

    static void write(Output out, NotGranted why) {
        REASONS.write(out, why.reason());
        write(out, why.view());
    }

    static NotGranted notGranted(Input in) throws Unreadable {
        return new NotGranted(REASONS.read(in), roleView(in));
    }

    static void write(Output out, NotReserved why) {
        NOT_RESERVED.write(out, why);
    }

    static NotReserved notReserved(Input in) throws Unreadable {
        return NOT_RESERVED.read(in);
    }

    static void write(Output out, StoreRefusal refusal) {
        REFUSALS.write(out, refusal.kind());
        out.text(refusal.message());
    }

    static StoreRefusal refusal(Input in) throws Unreadable {
        return new StoreRefusal(REFUSALS.read(in), in.text());
    }
}
