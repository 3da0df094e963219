package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.signet.Advertised;
import dev.signet.Answer;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreException;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.OpenSession;
import dev.signet.store.Opened;
import dev.signet.store.RoleView;
import dev.signet.store.StoreRefusal;
import dev.signet.store.StoreRefusal.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** What a store says of a place where it cannot work, to each kind of request. */
record Verdicts(Answer<Opened, StoreRefusal> open, Answer<RoleView, StoreRefusal> read, List<Answer<?, ?>> others) {

    static final JdbcStoreOptions OPTIONS = JdbcStoreOptions.defaults()
            .withName("the test's store")
            .withAttempt(Duration.ofSeconds(2))
            .withPollInterval(Duration.ofMillis(200));

    private static final Role ROLE = Role.of("ledger");

    static Verdicts of(DataSource connections) {
        return of(connections, Duration.ofSeconds(20));
    }

    static Verdicts of(DataSource connections, Duration timeout) {
        try (JdbcStore store = JdbcStore.open(connections, Namespace.DEFAULT, OPTIONS)) {
            Ask ask = new Ask(store);
            CompletionStage<Answer<Opened, StoreRefusal>> open = store.open(
                    new OpenSession(ask.session, ask.id, Advertised.NOTHING, Duration.ofSeconds(5)), timeout);
            CompletionStage<Answer<RoleView, StoreRefusal>> read = store.read(ROLE, timeout);
            List<CompletionStage<? extends Answer<?, ?>>> others = List.of(
                    store.renew(ask.session, timeout),
                    store.acquire(new Acquire(ask.session, ROLE, 1, TermId.random(), 0, 0), timeout));
            return new Verdicts(
                    Ask.now(open),
                    Ask.now(read),
                    others.stream().<Answer<?, ?>>map(Verdicts::now).toList());
        }
    }

    private static Answer<?, ?> now(CompletionStage<? extends Answer<?, ?>> stage) {
        return stage.toCompletableFuture().join();
    }

    /** Refused where there is a refusal; <em>unknown</em>, with the same words, where there is none. */
    void areRefusals(Kind kind, String... words) {
        isRefused(open, kind, words);
        isRefused(read, kind, words);
        areUnknown(others, words);
    }

    /** By the address itself, before it is known by a name. */
    void areRefusedAddresses(String address) {
        for (Answer<?, StoreRefusal> answer : List.<Answer<?, StoreRefusal>>of(open, read)) {
            StoreRefusal why = answer.fold(done -> null, refusal -> refusal, unknown -> null);
            assertThat(why).as("a refusal").isNotNull();
            assertThat(why.kind()).isEqualTo(Kind.UNSUITABLE_PLACE);
            assertThat(why.message()).contains(address);
        }
        areUnknown(others, address);
    }

    void opensNothing(Kind kind, String... words) {
        isRefused(open, kind, words);
        areUnknown(others, words);
    }

    void areUnknown(String... words) {
        areUnknown(List.of(open, read), words);
        areUnknown(others, words);
    }

    private static void areUnknown(List<Answer<?, ?>> answers, String... words) {
        for (Answer<?, ?> answer : answers) {
            assertThat(answer).isInstanceOf(Answer.Unknown.class);
            assertThat(((Answer.Unknown<?, ?>) answer).cause()).contains(words);
        }
    }

    private static void isRefused(Answer<?, StoreRefusal> answer, Kind kind, String... words) {
        StoreRefusal why = answer.fold(done -> null, refusal -> refusal, unknown -> {
            throw new AssertionError("no refusal: " + unknown.cause());
        });
        assertThat(why).as("a refusal").isNotNull();
        assertThat(why.message()).contains(words).contains(OPTIONS.name());
        assertThat(why.kind()).as(why.message()).isEqualTo(kind);
    }

    /** Of what blocks: looking the id up, and setting up. */
    static StoreException refused(Kind kind, Supplier<?> work, String... words) {
        StoreException fault = catchThrowableOfType(StoreException.class, work::get);
        assertThat(fault).as("a refusal").isNotNull();
        assertThat(fault.getMessage()).contains(words);
        assertThat(fault.kind()).as(fault.getMessage()).isEqualTo(kind);
        return fault;
    }
}
