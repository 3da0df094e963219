package dev.signet.election.role;

import dev.signet.FencingToken;
import dev.signet.ResourceName;
import dev.signet.TermId;
import dev.signet.fence.SealPolicy;
import dev.signet.store.Grant;
import dev.signet.store.Holder;
import dev.signet.store.RoleView;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The facts of a term that is held. Which phase it is in follows from them.
 *
 * @param version of the record when it was last seen to name this term
 * @param sealed the resources that were sealed for it
 * @param running the listener's calls that have not returned
 * @param prepareCalled whether the listener was told to prepare
 * @param prepared whether it has
 * @param electedCalled whether the listener was told that the term leads
 * @param healed whether this grant was itself a healing: there is no second one
 */
public record Tenure(
        Grant grant,
        long version,
        Set<ResourceName> sealed,
        Set<Callback> running,
        boolean prepareCalled,
        boolean prepared,
        boolean electedCalled,
        boolean healed) {

    public Tenure {
        sealed = Collections.unmodifiableSet(new TreeSet<>(sealed));
        running = running.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(running));
    }

    static Tenure of(Grant grant, boolean healed) {
        return new Tenure(grant, grant.version(), Set.of(), Set.of(), false, false, false, healed);
    }

    FencingToken token() {
        return grant.token();
    }

    boolean isOf(TermId term) {
        return grant.termId().equals(term);
    }

    boolean hasAllRequired(Map<ResourceName, SealPolicy> resources) {
        return resources.entrySet().stream()
                .allMatch(entry -> entry.getValue() != SealPolicy.REQUIRED || sealed.contains(entry.getKey()));
    }

    /** Whether a newer record than this term's names another term, or nobody. */
    boolean isContradictedBy(RoleView view) {
        return view.version() > version && !isNamedBy(view);
    }

    boolean isNamedBy(RoleView view) {
        return view.holder()
                .map(Holder::termDigest)
                .filter(grant.termId().digest()::equals)
                .isPresent();
    }

    Tenure withVersion(long next) {
        return new Tenure(grant, next, sealed, running, prepareCalled, prepared, electedCalled, healed);
    }

    Tenure withSealed(ResourceName resource) {
        Set<ResourceName> more = new TreeSet<>(sealed);
        more.add(resource);
        return new Tenure(grant, version, more, running, prepareCalled, prepared, electedCalled, healed);
    }

    Tenure withoutSealed(ResourceName resource) {
        Set<ResourceName> fewer = new TreeSet<>(sealed);
        fewer.remove(resource);
        return new Tenure(grant, version, fewer, running, prepareCalled, prepared, electedCalled, healed);
    }

    Tenure withPrepareCalled() {
        return new Tenure(grant, version, sealed, EnumSet.of(Callback.PREPARE), true, prepared, electedCalled, healed);
    }

    Tenure withPrepared() {
        return new Tenure(grant, version, sealed, running, prepareCalled, true, electedCalled, healed);
    }

    Tenure withElectedCalled() {
        return new Tenure(grant, version, sealed, EnumSet.of(Callback.ELECTED), prepareCalled, prepared, true, healed);
    }

    Tenure withDeposedCalled() {
        Set<Callback> more = EnumSet.of(Callback.DEPOSED);
        more.addAll(running);
        return new Tenure(grant, version, sealed, more, prepareCalled, prepared, electedCalled, healed);
    }

    Tenure withReturned(Callback callback) {
        Set<Callback> fewer = EnumSet.noneOf(Callback.class);
        fewer.addAll(running);
        fewer.remove(callback);
        return new Tenure(grant, version, sealed, fewer, prepareCalled, prepared, electedCalled, healed);
    }
}
