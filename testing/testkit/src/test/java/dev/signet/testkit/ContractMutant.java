package dev.signet.testkit;

import static dev.signet.testkit.StoreClause.C1;
import static dev.signet.testkit.StoreClause.C11;
import static dev.signet.testkit.StoreClause.C12;
import static dev.signet.testkit.StoreClause.C13;
import static dev.signet.testkit.StoreClause.C14;
import static dev.signet.testkit.StoreClause.C15;
import static dev.signet.testkit.StoreClause.C18;
import static dev.signet.testkit.StoreClause.C19;
import static dev.signet.testkit.StoreClause.C2;
import static dev.signet.testkit.StoreClause.C4;
import static dev.signet.testkit.StoreClause.C6;
import static dev.signet.testkit.StoreClause.C8;
import static dev.signet.testkit.StoreClause.C9;

import dev.signet.Answer;
import dev.signet.CandidateId;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.TermId;
import dev.signet.store.Acquire;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.Release;
import dev.signet.store.Renewed;
import dev.signet.store.RoleView;
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import dev.signet.store.Store;
import dev.signet.store.StoreRefusal;
import dev.signet.store.StoreTraits;
import dev.signet.store.Watch;
import dev.signet.store.WatchObserver;
import java.text.Normalizer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Stores that break what is not a rule of {@link StoreModel}: their clients, their watches, their restarts, their bounds. */
enum ContractMutant {
    NAMES_NO_CANDIDATES(C9, rules(id -> new StoreModel(id) {
        @Override
        public Answer<List<CandidateId>, StoreRefusal> candidates(Role role, long nowNanos) {
            return Answer.done(List.of());
        }
    })),
    NOW_AND_THEN_ENDS_A_LIVE_SESSION(C1, rules(id -> new StoreModel(id) {
        private int calls;

        @Override
        boolean isOver(long deadlineNanos, long nowNanos) {
            return ++calls % 50 == 0 || super.isOver(deadlineNanos, nowNanos);
        }
    })),
    FORGETS_ALL_IN_A_RESTART(C2, () -> new MemoryContract(StoreModel::new) {
        @Override
        protected void restart() {
            server.wipe();
        }
    }),
    FORGETS_A_TOKEN_IN_A_RESTART(C2, () -> new MemoryContract(StoreModel::new) {
        @Override
        protected void restart() {
            server.forget(namespace(), LEDGER);
        }
    }),
    IS_ANOTHER_STORE_AFTER_A_RESTORE(C2, () -> new MemoryContract(StoreModel::new) {
        @Override
        public Runnable backUp() {
            return server::wipe;
        }
    }),
    EXTENDS_THE_LEASE_BY_AN_ACQUIRE(C4, rules(id -> new StoreModel(id) {
        @Override
        public Answer<Grant, NotGranted> acquire(Acquire request, long nowNanos) {
            renew(request.session(), nowNanos);
            return super.acquire(request, nowNanos);
        }
    })),
    RELEASES_WHAT_ANOTHER_HOLDS(C6, () -> new MemoryContract(StoreModel::new) {
        private final Map<Role, SessionId> holders = new ConcurrentHashMap<>();

        @Override
        Store client(MemoryStore store) {
            return new ForwardingStore(store) {
                @Override
                public CompletionStage<Answer<Grant, NotGranted>> acquire(Acquire request, Duration timeout) {
                    holders.put(request.role(), request.session());
                    return super.acquire(request, timeout);
                }

                @Override
                public CompletionStage<Answer<RoleView, SessionGone>> release(Release request, Duration timeout) {
                    SessionId holder = holders.getOrDefault(request.role(), request.session());
                    return super.release(
                            new Release(holder, request.role(), request.attempt(), request.expectedVersion()), timeout);
                }
            };
        }
    }),
    SHOWS_AN_OLD_VERSION_AGAIN(C8, client(store -> new ForwardingStore(store) {
        @Override
        public Watch watch(Role role, WatchObserver observer) {
            AtomicInteger seen = new AtomicInteger();
            RoleView[] first = new RoleView[1];
            return super.watch(role, observing(observer, view -> {
                if (seen.incrementAndGet() == 1) {
                    first[0] = view;
                }
                observer.observed(view);
                if (seen.get() > 2) {
                    observer.observed(first[0]);
                }
            }));
        }
    })),
    WAKES_LATE(C8, () -> new MemoryContract(StoreModel::new) {
        @Override
        protected Duration slack() {
            return Duration.ofSeconds(5);
        }

        @Override
        Store client(MemoryStore store) {
            return new ForwardingStore(store) {
                @Override
                public Watch watch(Role role, WatchObserver observer) {
                    Executor late = CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS);
                    return super.watch(role, observing(observer, view -> late.execute(() -> observer.observed(view))));
                }
            };
        }
    }),
    WAKES_NOBODY(C8, client(store -> new ForwardingStore(store) {
        @Override
        public Watch watch(Role role, WatchObserver observer) {
            AtomicInteger seen = new AtomicInteger();
            return super.watch(role, observing(observer, view -> {
                if (seen.incrementAndGet() == 1) {
                    observer.observed(view);
                }
            }));
        }
    })),
    HANGS(C11, client(store -> new ForwardingStore(store) {
        @Override
        public CompletionStage<Answer<Renewed, SessionGone>> renew(SessionId session, Duration timeout) {
            CompletableFuture<Answer<Renewed, SessionGone>> answer = new CompletableFuture<>();
            super.renew(session, timeout).thenAccept(known -> {
                if (!Answers.isUnknown(known)) {
                    answer.complete(known);
                }
            });
            return answer;
        }
    })),
    GUESSES_THAT_IT_IS_DONE(C11, client(store -> new ForwardingStore(store) {
        @Override
        public CompletionStage<Answer<Renewed, SessionGone>> renew(SessionId session, Duration timeout) {
            return super.renew(session, timeout)
                    .thenApply(answer -> Answers.isUnknown(answer) ? Answer.done(Renewed.WITHOUT_DIGEST) : answer);
        }
    })),
    GUESSES_THAT_IT_IS_REFUSED(C11, client(store -> new ForwardingStore(store) {
        @Override
        public CompletionStage<Answer<Grant, NotGranted>> acquire(Acquire request, Duration timeout) {
            return super.acquire(request, timeout)
                    .thenApply(answer -> Answers.isUnknown(answer)
                            ? Answer.refused(new NotGranted(NotGranted.Reason.MOVED, RoleView.absent(request.role())))
                            : answer);
        }
    })),
    READS_A_STALE_COPY(C12, client(store -> new ForwardingStore(store) {
        private final Map<Role, CompletionStage<Answer<RoleView, StoreRefusal>>> copies = new ConcurrentHashMap<>();

        @Override
        public CompletionStage<Answer<RoleView, StoreRefusal>> read(Role role, Duration timeout) {
            return copies.computeIfAbsent(role, unread -> super.read(role, timeout));
        }
    })),
    DOES_NOT_SAY_THAT_IT_IS_NO_QUORUM(C12, client(store -> new ForwardingStore(store) {
        @Override
        public StoreTraits traits() {
            return new StoreTraits(
                    "mutant", StoreTraits.Kind.SINGLE_SERVER, Optional.empty(), false, true, Duration.ZERO);
        }
    })),
    FOLDS_CASE(C13, names(name -> name.toLowerCase(Locale.ROOT))),
    TRIMS(C13, names(name -> name.isBlank() ? name : name.stripTrailing())),
    DROPS_ACCENTS(
            C13, names(name -> Normalizer.normalize(name, Normalizer.Form.NFD).replaceAll("\\p{M}", ""))),
    TRUNCATES(C13, names(name -> name.length() > 190 ? name.substring(0, 190) : name)),
    DECODES_PERCENT_SIGNS(C13, names(name -> name.replace("%2F", "/"))),
    KNOWS_ONE_NAMESPACE(C14, namespaces(namespace -> "all")),
    FOLDS_NAMESPACES(C14, namespaces(name -> name.toLowerCase(Locale.ROOT))),
    TRIMS_NAMESPACES(C14, namespaces(String::stripTrailing)),
    PUTS_NAMESPACE_AND_ROLE_IN_ONE_PATH(C14, () -> new MemoryContract(StoreModel::new) {
        @Override
        protected Store connect(Namespace namespace) {
            return new ForwardingStore(server.connect()) {
                @Override
                Role kept(Role role) {
                    String path = namespace + "/" + role;
                    return Role.of(path.length() > 90 ? path.substring(0, 90) : path);
                }
            };
        }
    }),
    HOLDS_FIVE_HUNDRED_ROLES(C15, rules(id -> new StoreModel(id) {
        private int acquired;

        @Override
        public Answer<Grant, NotGranted> acquire(Acquire request, long nowNanos) {
            return ++acquired > 500
                    ? Answer.refused(
                            new NotGranted(NotGranted.Reason.TOKENS_EXHAUSTED, RoleView.absent(request.role())))
                    : super.acquire(request, nowNanos);
        }
    })),
    ENDS_SILENT_SESSIONS_IN_A_BURST(C18, rules(id -> new StoreModel(id) {
        private long lastNanos;

        @Override
        public Answer<Renewed, SessionGone> renew(SessionId session, long nowNanos) {
            if (nowNanos - lastNanos > Duration.ofSeconds(6).toNanos()) {
                sweep(nowNanos + Duration.ofSeconds(9).toNanos());
            }
            lastNanos = nowNanos;
            return super.renew(session, nowNanos);
        }
    })),
    NAMES_ANOTHER_STORE(C19, client(store -> new ForwardingStore(store) {
        private final StoreId other = StoreId.random();

        @Override
        Grant told(Grant grant) {
            return new Grant(grant.role(), grant.token(), grant.termId(), other, grant.attempt(), grant.version());
        }
    })),
    NAMES_ANOTHER_TERM(C19, client(store -> new ForwardingStore(store) {
        @Override
        Grant told(Grant grant) {
            return new Grant(
                    grant.role(), grant.token(), TermId.random(), grant.storeId(), grant.attempt(), grant.version());
        }
    }));

    private final Set<StoreClause> breaks;
    private final Supplier<StoreContract> contract;

    ContractMutant(StoreClause breaks, Supplier<StoreContract> contract) {
        this.breaks = EnumSet.of(breaks);
        this.contract = contract;
    }

    Set<StoreClause> breaks() {
        return breaks;
    }

    /** The kit, on a mutant of its own. */
    StoreContract contract() {
        return contract.get();
    }

    private static Supplier<StoreContract> rules(Function<StoreId, StoreModel> rules) {
        return () -> new MemoryContract(rules);
    }

    private static Supplier<StoreContract> client(Function<Store, Store> broken) {
        return () -> new MemoryContract(StoreModel::new) {
            @Override
            Store client(MemoryStore store) {
                return broken.apply(store);
            }
        };
    }

    private static Supplier<StoreContract> names(UnaryOperator<String> kept) {
        return client(store -> new ForwardingStore(store) {
            @Override
            Role kept(Role role) {
                return Role.of(kept.apply(role.name()));
            }
        });
    }

    private static Supplier<StoreContract> namespaces(UnaryOperator<String> kept) {
        return () -> new MemoryContract(StoreModel::new) {
            @Override
            protected Store connect(Namespace namespace) {
                return server.connect(new Namespace(kept.apply(namespace.name())));
            }
        };
    }

    private static WatchObserver observing(WatchObserver observer, Consumer<RoleView> views) {
        return new WatchObserver() {
            @Override
            public void observed(RoleView view) {
                views.accept(view);
            }

            @Override
            public void broken(String cause) {
                observer.broken(cause);
            }
        };
    }
}
