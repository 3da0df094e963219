package dev.signet.runtime;

import dev.signet.Advertised;
import dev.signet.CandidateId;
import dev.signet.Probe;
import dev.signet.lease.LeaseTiming;
import dev.signet.observe.Observer;
import dev.signet.time.EventLoop;
import dev.signet.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** What a candidate is made of. {@link dev.signet.Signet} fills it in. Immutable. */
public record CandidateOptions(
        CandidateId id,
        Advertised advertised,
        LeaseTiming timing,
        Duration drain,
        Duration grace,
        TimeSource time,
        Optional<EventLoop> loop,
        Optional<Executor> listeners,
        List<Observer> observers,
        Optional<Probe> probe) {

    private static final Duration BOUND = Duration.ofSeconds(30);

    public CandidateOptions {
        observers = List.copyOf(observers);
    }

    public static CandidateOptions defaults(CandidateId id) {
        return new CandidateOptions(
                id,
                Advertised.NOTHING,
                LeaseTiming.DEFAULT,
                BOUND,
                BOUND,
                TimeSource.system(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty());
    }

    public CandidateOptions withAdvertised(Advertised next) {
        return new CandidateOptions(id, next, timing, drain, grace, time, loop, listeners, observers, probe);
    }

    public CandidateOptions withTiming(LeaseTiming next) {
        return new CandidateOptions(id, advertised, next, drain, grace, time, loop, listeners, observers, probe);
    }

    public CandidateOptions withDrain(Duration next) {
        return new CandidateOptions(id, advertised, timing, next, grace, time, loop, listeners, observers, probe);
    }

    public CandidateOptions withGrace(Duration next) {
        return new CandidateOptions(id, advertised, timing, drain, next, time, loop, listeners, observers, probe);
    }

    public CandidateOptions withTime(TimeSource clocks, EventLoop next) {
        return new CandidateOptions(
                id, advertised, timing, drain, grace, clocks, Optional.of(next), listeners, observers, probe);
    }

    public CandidateOptions withListeners(Executor next) {
        return new CandidateOptions(
                id, advertised, timing, drain, grace, time, loop, Optional.of(next), observers, probe);
    }

    public CandidateOptions withObserver(Observer next) {
        List<Observer> more = new ArrayList<>(observers);
        more.add(next);
        return new CandidateOptions(id, advertised, timing, drain, grace, time, loop, listeners, more, probe);
    }

    public CandidateOptions withProbe(Probe next) {
        return new CandidateOptions(
                id, advertised, timing, drain, grace, time, loop, listeners, observers, Optional.of(next));
    }
}
