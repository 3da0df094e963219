package dev.signet.simulation;

import dev.signet.Answer;
import dev.signet.Role;
import dev.signet.StoreId;
import dev.signet.store.Acquire;
import dev.signet.store.Concluded;
import dev.signet.store.Grant;
import dev.signet.store.NotGranted;
import dev.signet.store.NotReserved;
import dev.signet.store.OpenSession;
import dev.signet.store.Opened;
import dev.signet.store.Release;
import dev.signet.store.Renewed;
import dev.signet.store.Reserve;
import dev.signet.store.RoleView;
import dev.signet.store.SessionGone;
import dev.signet.store.SessionId;
import dev.signet.store.StoreRefusal;
import dev.signet.testkit.StoreModel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The host of the reference store: its clock, whether it is up, its sweep, its backups, and who watches. */
final class StoreHost {

    private final World world;
    private final StoreModel model;
    private final double rate;
    private final StoreChecks checks;
    private final List<WatchLine> watches = new ArrayList<>();
    private int stops;
    private StoreModel.Snapshot backup;

    StoreHost(World world, double rate) {
        this.world = world;
        this.rate = rate;
        this.model = new StoreModel(
                new StoreId("store-" + Long.toHexString(world.dice().number())));
        this.checks = new StoreChecks(world);
        this.backup = model.snapshot();
        sweepForEver();
    }

    StoreId id() {
        return model.storeId();
    }

    StoreChecks checks() {
        return checks;
    }

    boolean isUp() {
        return stops == 0;
    }

    /** The store's own clock. */
    long clock() {
        return (long) (world.now() * rate);
    }

    private void sweepForEver() {
        world.after(world.climate().sweepNanos(), () -> {
            if (isUp()) {
                model.sweep(clock() + world.twist().shortensLeasesBy());
                tellWatchers();
            }
            sweepForEver();
        });
    }

    // Requests: each is taken at once

    Answer<Opened, StoreRefusal> open(OpenSession request) {
        Answer<Opened, StoreRefusal> answer = model.open(request, clock());
        checks.opened(request, answer, clock());
        return after(answer);
    }

    Answer<Renewed, SessionGone> renew(SessionId session) {
        Answer<Renewed, SessionGone> answer = world.twist().renewed(session, model.renew(session, clock()));
        checks.renewed(session, answer, clock());
        return after(answer.fold(
                done -> Answer.done(world.climate().digests() ? done : Renewed.WITHOUT_DIGEST),
                Answer::refused,
                unknown -> Answer.unknown(unknown.cause())));
    }

    Answer<Concluded, SessionGone> close(SessionId session) {
        Answer<Concluded, SessionGone> answer = model.close(session);
        checks.closed(session);
        return after(answer);
    }

    Answer<RoleView, SessionGone> enlist(SessionId session, Role role) {
        return after(model.enlist(session, role, clock()));
    }

    Answer<Concluded, SessionGone> withdraw(SessionId session, Role role) {
        return after(model.withdraw(session, role));
    }

    Answer<Grant, NotGranted> acquire(Acquire request) {
        RoleView before = view(request.role());
        Acquire taken = world.twist().acquires(request, before);
        Answer<Grant, NotGranted> answer = world.twist().acquired(taken, model.acquire(taken, clock()));
        checks.acquired(request, answer, before, clock());
        return after(answer);
    }

    Answer<RoleView, SessionGone> release(Release request) {
        Release taken = world.twist().releases(request, view(request.role()));
        RoleView before = view(request.role());
        Answer<RoleView, SessionGone> answer = world.twist().released(taken, model.release(taken, clock()));
        checks.released(request, before, view(request.role()), clock());
        return after(answer);
    }

    Answer<RoleView, NotReserved> reserve(Reserve request) {
        StoreModel.Snapshot before = model.snapshot();
        Answer<RoleView, NotReserved> answer = model.reserve(request, clock());
        checks.reserved(request, answer, clock());
        if (world.twist().forgetsReservations()) {
            model.restore(before);
        }
        return after(answer);
    }

    Answer<List<Grant>, SessionGone> held(SessionId session) {
        return after(model.held(session, clock()));
    }

    RoleView view(Role role) {
        return model.read(role, clock())
                .fold(view -> view, refused -> RoleView.absent(role), no -> RoleView.absent(role));
    }

    StoreModel model() {
        return model;
    }

    private <A> A after(A answer) {
        tellWatchers();
        return answer;
    }

    // Watches

    /** A watch begins when its request arrives; the present record comes first. */
    void watches(WatchLine line) {
        watches.add(line);
        line.push(view(line.role()));
    }

    private void tellWatchers() {
        model.takeChanged().forEach(role -> {
            Supplier<RoleView> view = () -> view(role);
            watches.removeIf(WatchLine::isOver);
            for (WatchLine line : List.copyOf(watches)) {
                if (line.role().equals(role)) {
                    line.push(view.get());
                }
            }
        });
    }

    // Faults

    void stop() {
        stops++;
        watches.forEach(WatchLine::breakOff);
        watches.clear();
    }

    void start() {
        stops--;
    }

    void takeBackup() {
        backup = model.snapshot();
    }

    void restoreBackup() {
        model.restore(backup);
        checks.restored(this);
        tellWatchers();
    }

    void wipe() {
        model.wipe(new StoreId("store-" + Long.toHexString(world.dice().number())));
        takeBackup();
        checks.restored(this);
        tellWatchers();
    }
}
