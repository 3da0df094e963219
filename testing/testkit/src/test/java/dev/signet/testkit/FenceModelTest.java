package dev.signet.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.signet.Answer;
import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.Role;
import dev.signet.Stamp;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.WriteRefusedException;
import dev.signet.fence.FenceView;
import dev.signet.fence.Refusal;
import dev.signet.fence.SealRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class FenceModelTest {

    private static final Role ROLE = Role.of("ledger-writer");
    private static final StoreId STORE = new StoreId("first");
    private static final ResourceName LEDGER = ResourceName.of("ledger");
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final FenceModel fence = new FenceModel(LEDGER);

    @Test
    void aFenceWithoutARowRefusesEverything() {
        assertThat(refusal(fence.seal(stamp(1, 1)))).contains(Refusal.NOT_INITIALISED);
        assertThat(refusal(fence.view())).contains(Refusal.NOT_INITIALISED);
        assertThat(fence.write(stamp(1, 1), "x")).contains(Refusal.NOT_INITIALISED);
    }

    @Test
    void initialisingAgainChangesNothing() {
        fence.initialise(ROLE, STORE);
        seal(stamp(4, 1));

        fence.initialise(Role.of("other"), new StoreId("other"));

        assertThat(fence.write(stamp(4, 1), "x")).isEmpty();
    }

    @Test
    void nobodyWritesBeforeTheFirstSeal() {
        fence.initialise(ROLE, STORE);

        assertThat(fence.write(stamp(1, 1), "x")).contains(Refusal.UNSEALED);
        assertThat(fence.journal()).isEmpty();
    }

    @Test
    void aSealShutsTheFormerTermOut() {
        fence.initialise(ROLE, STORE);
        seal(stamp(1, 1));
        assertThat(fence.write(stamp(1, 1), "first")).isEmpty();
        seal(stamp(2, 2));

        assertThat(fence.write(stamp(1, 1), "zombie")).contains(Refusal.STALE);
        assertThat(refusal(fence.seal(stamp(1, 1)))).contains(Refusal.STALE);
        assertThat(fence.write(stamp(2, 2), "second")).isEmpty();
        assertThat(fence.journal())
                .containsExactly(new FencedWrite(stamp(1, 1), "first"), new FencedWrite(stamp(2, 2), "second"));
    }

    @Test
    void aWriteNeverRaisesTheFence() {
        fence.initialise(ROLE, STORE);
        seal(stamp(1, 1));

        assertThat(fence.write(stamp(2, 2), "ahead")).contains(Refusal.UNSEALED);
        assertThat(fence.write(stamp(1, 1), "still mine")).isEmpty();
    }

    @Test
    void theSameTokenOfAnotherTermIsRefused() {
        fence.initialise(ROLE, STORE);
        seal(stamp(1, 1));

        assertThat(fence.write(stamp(1, 2), "twin")).contains(Refusal.SAME_TOKEN_OTHER_TERM);
        assertThat(refusal(fence.seal(stamp(1, 2)))).contains(Refusal.SAME_TOKEN_OTHER_TERM);
    }

    @Test
    void anotherStoreAndAnotherRoleAreRefusedHoweverHighTheirToken() {
        fence.initialise(ROLE, STORE);
        Stamp foreign = new Stamp(ROLE, FencingToken.of(99), new TermId(9, 9), new StoreId("second"));
        Stamp other = new Stamp(Role.of("other"), FencingToken.of(99), new TermId(9, 9), STORE);

        assertThat(refusal(fence.seal(foreign))).contains(Refusal.FOREIGN_STORE);
        assertThat(refusal(fence.seal(other))).contains(Refusal.OTHER_ROLE);
        assertThat(fence.write(foreign, "x")).contains(Refusal.FOREIGN_STORE);
        assertThat(fence.write(other, "x")).contains(Refusal.OTHER_ROLE);
    }

    @Test
    void sealingAgainIsTheSame() {
        fence.initialise(ROLE, STORE);
        FenceView first = seal(stamp(3, 3));

        assertThat(seal(stamp(3, 3))).isEqualTo(first);
        assertThat(first.highest()).isEqualTo(3);
        assertThat(first.termDigest()).contains(new TermId(3, 0).digest());
    }

    @Test
    void noWriteOfAnotherTermFollowsASeal() {
        for (int seed = 0; seed < 500; seed++) {
            assertThat(trespasser(new FenceModel(LEDGER), seed)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachMutantIsFound(Mutant mutant) {
        int seed = 0;
        while (seed < 500 && trespasser(mutant.model(), seed).isEmpty()) {
            seed++;
        }
        assertThat(seed).as("seeds to detection").isLessThan(500);
    }

    @Test
    void anAnswerToASealMayBeLostAndTheFenceIsRaised() {
        ManualTime time = new ManualTime();
        MemoryFence memory = new MemoryFence("ledger", ROLE, STORE, time);
        memory.inject(Fault.answerLost().of(Call.SEAL).once());

        CompletableFuture<Answer<FenceView, SealRefusal>> answer =
                memory.seal(stamp(2, 2), TIMEOUT).toCompletableFuture();
        time.advance(TIMEOUT);

        assertThat(answer).isCompletedWithValue(Answer.unknown("no answer within 2000 ms"));
        memory.write(stamp(2, 2), "mine");
        assertThatThrownBy(() -> memory.write(stamp(1, 1), "zombie"))
                .isInstanceOfSatisfying(WriteRefusedException.class, refused -> {
                    assertThat(refused.refusal()).isEqualTo(Refusal.STALE);
                    assertThat(refused.highest()).isEqualTo(2);
                });
        assertThat(memory.journal()).hasSize(1);
    }

    @Test
    void aResourceThatIsAwayIsSealedOnceItIsBack() {
        ManualTime time = new ManualTime();
        MemoryFence memory = new MemoryFence("ledger", ROLE, STORE, time);
        Fault.Injected away = memory.inject(Fault.refusedConnection());
        assertThat(memory.seal(stamp(1, 1), TIMEOUT).toCompletableFuture())
                .isCompletedWithValue(Answer.unknown("connection refused"));

        away.mend();

        assertThat(memory.seal(stamp(1, 1), TIMEOUT).toCompletableFuture().join())
                .isInstanceOf(Answer.Done.class);
    }

    /** R2, checked from outside: seals and writes at random, and the first write that should not have passed. */
    private static Optional<String> trespasser(FenceModel fence, int seed) {
        Random random = new Random(seed);
        fence.initialise(ROLE, STORE);
        List<Stamp> seals = new ArrayList<>();
        for (int step = 0; step < 60; step++) {
            Stamp stamp = new Stamp(
                    random.nextInt(9) == 0 ? Role.of("other") : ROLE,
                    FencingToken.of(1 + random.nextInt(5)),
                    new TermId(random.nextInt(2), 0),
                    random.nextInt(9) == 0 ? new StoreId("other") : STORE);
            if (random.nextInt(3) == 0) {
                if (refusal(fence.seal(stamp)).isEmpty()) {
                    seals.add(stamp);
                }
            } else if (fence.write(stamp, "write " + step).isEmpty() && isTrespass(stamp, seals)) {
                return Optional.of("seed " + seed + ": " + stamp + " after " + seals);
            }
        }
        return Optional.empty();
    }

    private static boolean isTrespass(Stamp write, List<Stamp> seals) {
        boolean sealed = seals.contains(write);
        boolean superseded = seals.stream()
                .anyMatch(seal -> !seal.equals(write) && seal.token().compareTo(write.token()) >= 0);
        boolean foreign = !write.role().equals(ROLE) || !write.storeId().equals(STORE);
        return !sealed || superseded || foreign;
    }

    /** Fences that break one rule each. */
    enum Mutant {
        SEALS_BACKWARDS {
            @Override
            FenceModel model() {
                return sealing(Refusal.STALE);
            }
        },
        SEALS_FOR_A_TWIN {
            @Override
            FenceModel model() {
                return sealing(Refusal.SAME_TOKEN_OTHER_TERM);
            }
        },
        SEALS_FOR_ANOTHER_STORE {
            @Override
            FenceModel model() {
                return writing(sealing(Refusal.FOREIGN_STORE), Refusal.FOREIGN_STORE);
            }
        },
        LETS_A_STALE_WRITE_PASS {
            @Override
            FenceModel model() {
                return writing(new FenceModel(LEDGER), Refusal.STALE);
            }
        },
        LETS_A_HIGHER_WRITE_PASS {
            @Override
            FenceModel model() {
                return writing(new FenceModel(LEDGER), Refusal.UNSEALED);
            }
        },
        LETS_A_TWIN_WRITE {
            @Override
            FenceModel model() {
                return writing(new FenceModel(LEDGER), Refusal.SAME_TOKEN_OTHER_TERM);
            }
        },
        LETS_ANOTHER_ROLE_WRITE {
            @Override
            FenceModel model() {
                return writing(new FenceModel(LEDGER), Refusal.OTHER_ROLE);
            }
        };

        abstract FenceModel model();

        private static FenceModel sealing(Refusal ignored) {
            return new FenceModel(LEDGER) {
                @Override
                Optional<Refusal> refusesSeal(Row now, Stamp stamp) {
                    return super.refusesSeal(now, stamp).filter(refusal -> refusal != ignored);
                }
            };
        }

        private static FenceModel writing(FenceModel fence, Refusal ignored) {
            return new FenceModel(LEDGER) {
                @Override
                Optional<Refusal> refusesSeal(Row now, Stamp stamp) {
                    return fence.refusesSeal(now, stamp);
                }

                @Override
                Optional<Refusal> refusesWrite(Row now, Stamp stamp) {
                    return super.refusesWrite(now, stamp).filter(refusal -> refusal != ignored);
                }
            };
        }
    }

    private FenceView seal(Stamp stamp) {
        return fence.seal(stamp)
                .fold(
                        done -> done,
                        refused -> {
                            throw new AssertionError(refused);
                        },
                        unknown -> {
                            throw new AssertionError(unknown);
                        });
    }

    private static Optional<Refusal> refusal(Answer<FenceView, SealRefusal> answer) {
        return answer.fold(done -> Optional.empty(), why -> Optional.of(why.refusal()), unknown -> Optional.empty());
    }

    private static Stamp stamp(long token, long term) {
        return new Stamp(ROLE, FencingToken.of(token), new TermId(term, 0), STORE);
    }
}
