package dev.signet.store.quorum.state;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.FencingToken;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.Holder;
import dev.signet.store.NotGranted;
import dev.signet.store.NotReserved;
import dev.signet.store.OpenSession;
import dev.signet.store.Release;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** At least one command and one reply of each kind. */
final class Samples {

    static final Namespace NAMESPACE = Namespace.DEFAULT;
    static final StoreId STORE = new StoreId("store");
    static final SessionId SESSION = new SessionId("0123");
    static final Role ROLE = Role.of("r\u00f4le \uD83D\uDC51");
    static final TermId TERM = new TermId(0x0123456789abcdefL, -2);
    static final CandidateId ADA = new CandidateId("ada", "1");
    static final CandidateId BOB = new CandidateId("bob", "2f");
    static final Advertised ADDRESSES =
            new Advertised(Optional.of(URI.create("https://ada.example/x?y#z")), Optional.empty());
    static final OpenSession OPENING = new OpenSession(SESSION, ADA, ADDRESSES, Duration.ofMillis(15_250));

    private static final Grant GRANT = new Grant(ROLE, FencingToken.of(FencingToken.MAX_VALUE), TERM, STORE, 4, 9);
    private static final RoleView VIEW = new RoleView(
            ROLE,
            12,
            7,
            Optional.of(new Holder(ADA, ADDRESSES, FencingToken.of(7), TERM.digest())),
            false,
            Optional.of(Duration.ofNanos(1_500_000_001)),
            Optional.of(new RoleView.Reservation(BOB, Duration.ofSeconds(-3, 5))));

    static final List<Command> COMMANDS = List.of(
            new Command.Found(STORE),
            new Command.Open(NAMESPACE, OPENING),
            new Command.Close(NAMESPACE, SESSION),
            new Command.Enlist(NAMESPACE, SESSION, ROLE),
            new Command.Withdraw(NAMESPACE, SESSION, ROLE),
            new Command.Take(NAMESPACE, new Acquire(SESSION, ROLE, 3, TERM, -1, Long.MAX_VALUE)),
            new Command.Free(NAMESPACE, new Release(SESSION, ROLE, 3, 8)),
            new Command.Keep(NAMESPACE, new Reserve(SESSION, ROLE, 3, BOB, Duration.ofSeconds(30))),
            new Command.Expire(NAMESPACE, SESSION, 2, 5),
            new Command.Lapse(NAMESPACE, ROLE, 11, 5),
            new Command.Batch(List.of(new Command.Close(NAMESPACE, SESSION), new Command.Found(STORE))));

    static final List<Reply> REPLIES = Stream.of(
                    Stream.of(
                            new Reply.Founded(STORE),
                            new Reply.Opened(STORE),
                            new Reply.Done(),
                            new Reply.Gone(),
                            new Reply.Viewed(VIEW),
                            new Reply.Viewed(RoleView.absent(ROLE)),
                            new Reply.Granted(GRANT),
                            new Reply.Renewed(-5),
                            new Reply.Holds(List.of(GRANT, GRANT)),
                            new Reply.Roles(List.of(VIEW, RoleView.absent(ROLE))),
                            new Reply.Candidates(List.of(ADA, BOB)),
                            new Reply.Unsupported("why \uFFFD"),
                            new Reply.Ignored(),
                            new Reply.Batched(List.of(new Reply.Done(), new Reply.Gone()))),
                    Stream.of(StoreRefusal.Kind.values())
                            .map(kind -> new Reply.Refused(new StoreRefusal(kind, "because"))),
                    Stream.of(NotGranted.Reason.values()).map(reason -> new Reply.Denied(new NotGranted(reason, VIEW))),
                    Stream.of(NotReserved.values()).map(Reply.Unreserved::new))
            .<Reply>flatMap(some -> some)
            .toList();

    private Samples() {}

    static OpenSession opening(SessionId session, CandidateId candidate) {
        return new OpenSession(session, candidate, Advertised.NOTHING, Duration.ofSeconds(15));
    }

    /** The first of its session, for a role that has no record yet. */
    static Acquire acquire(SessionId session, Role role) {
        return new Acquire(session, role, 1, TERM, 0, 0);
    }

    /** Of the first attempt. */
    static Reserve reserve(SessionId session, Role role, CandidateId target) {
        return new Reserve(session, role, 1, target, Duration.ofSeconds(30));
    }
}
