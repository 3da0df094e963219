package dev.signet.testkit;

import static dev.signet.testkit.Answers.done;
import static dev.signet.testkit.Answers.gone;
import static dev.signet.testkit.Answers.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.FencingToken;
import dev.signet.Namespace;
import dev.signet.Role;
import dev.signet.TermId;
import dev.signet.store.Grant;
import dev.signet.store.NotReserved;
import dev.signet.store.RoleView;
import dev.signet.store.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Names, and the namespaces that keep them apart: C13 and C14. */
abstract class StoreNameClauses extends StoreCallClauses {

    /** What collations, paths, patterns, quotes, paddings and truncations take for one another. */
    private static final List<String> ALIKE = List.of(
            "role",
            "Role",
            "ROLE",
            "r\u00f4le",
            "role ",
            "role  ",
            " role",
            "role\u00a0",
            "a/b",
            "a",
            "b",
            "a/",
            "..",
            ".",
            "../a",
            "%2F",
            "a%2Fb",
            "/",
            "%",
            "_",
            "r_le",
            "r%",
            "*",
            "\u0431",
            "'",
            "''",
            "\"",
            "\\",
            "\\\\",
            "strasse",
            "stra\u00dfe",
            "i",
            "I",
            "\u0131",
            "\uff41",
            "\uD83D\uDC51",
            "\uD83D\uDC52",
            "-",
            "null",
            "0",
            "00",
            "1e0",
            "1",
            "x".repeat(199) + "a",
            "x".repeat(199) + "b",
            "\u00e9".repeat(99) + "a",
            "\u00e9".repeat(99) + "b");

    @Test
    @Checks(StoreClause.C13)
    void namesThatLookAlikeNeverMeet() {
        StoreActor ada = actor("ada");
        Map<String, TermId> terms = new HashMap<>();
        for (String name : ALIKE) {
            Grant grant = ada.acquire(Role.of(name));
            assertThat(grant.token()).as("first token of '%s'", name).isEqualTo(FencingToken.FIRST);
            assertThat(grant.role().name()).isEqualTo(name);
            terms.put(name, grant.termId());
        }

        assertThat(ada.held()).hasSize(ALIKE.size());
        for (Grant grant : ada.held()) {
            assertThat(grant.termId()).isEqualTo(terms.get(grant.role().name()));
        }
        assertThat(done(ada.store().roles(timeout())).stream()
                        .map(view -> view.role().name()))
                .containsExactlyElementsOf(
                        ALIKE.stream().map(Role::of).sorted().map(Role::name).toList());
    }

    @Test
    @Checks(StoreClause.C13)
    void aCandidateIsShownByTheNameThatItHas() {
        for (String name : List.of("Ada", "ada ", "a/d'a", "\u00e4da", "a~b", "x".repeat(180))) {
            StoreActor actor = actor(name);
            Role role = Role.of("of " + actor.id().incarnation());
            actor.acquire(role);
            assertThat(actor.read(role).holder().orElseThrow().candidate()).isEqualTo(actor.id());
        }
    }

    @Test
    @Checks(StoreClause.C14)
    void namespacesNeverSeeEachOther() {
        StoreActor here = actor("ada");
        Store elsewhere = connected(new Namespace(namespace().name() + "-other"));
        here.acquire(LEDGER);

        StoreActor there = actor("bob", elsewhere, aLease());
        assertThat(there.read(LEDGER).lastToken()).isZero();
        assertThat(there.acquire(LEDGER).token()).isEqualTo(FencingToken.FIRST);
        gone(elsewhere.renew(here.session(), timeout()));
        done(elsewhere.close(here.session(), timeout()));
        assertThat(here.held()).hasSize(1);
        there.enlist(LEDGER);
        assertThat(refused(here.reserve(here.held().get(0), there.id(), aLease())))
                .isEqualTo(NotReserved.TARGET_NOT_CAMPAIGNING);
        assertThat(done(elsewhere.roles(timeout()))).hasSize(1);
    }

    @Test
    @Checks({StoreClause.C13, StoreClause.C14})
    void namespacesThatLookAlikeNeverMeet() {
        String name = namespace().name();
        // as a path, the first of these and the role "x/ledger" would be the second and "ledger"
        Map<String, Role> places = Map.of(
                name,
                Role.of("x/ledger"),
                name + "/x",
                LEDGER,
                name.toUpperCase(Locale.ROOT),
                Role.of("x/ledger"),
                name + " ",
                Role.of("x/ledger"),
                name.substring(0, name.length() - 1) + "_",
                Role.of("x/ledger"));
        places.forEach((place, role) -> {
            StoreActor actor = actor("ada", connected(new Namespace(place)), aLease());
            assertThat(actor.acquire(role).token())
                    .as("first token of '%s' in '%s'", role, place)
                    .isEqualTo(FencingToken.FIRST);
            assertThat(done(actor.store().roles(timeout())))
                    .as("roles in '%s'", place)
                    .hasSize(1);
        });
    }

    @Test
    @Checks(StoreClause.C14)
    void aWatcherHearsNothingOfAnotherNamespace() {
        SeenViews seen = watch(connected(), LEDGER);
        assertThat(seen.next().version()).isZero();
        StoreActor there = actor("bob", connected(new Namespace(namespace().name() + "-other")), aLease());
        there.acquire(LEDGER);
        there.release(LEDGER);

        StoreActor here = actor("ada");
        here.acquire(LEDGER);

        RoleView next = seen.next();
        assertThat(next.holder().orElseThrow().candidate()).isEqualTo(here.id());
    }

    @Test
    @Checks(StoreClause.C13)
    void aRoleThatTheStoreNeverHeardOfIsAbsent() {
        assertThat(done(connected().read(LEDGER, timeout()))).isEqualTo(RoleView.absent(LEDGER));
        assertThat(done(connected().roles(timeout()))).isEmpty();
    }
}
