package dev.signet.app.cli;

import dev.signet.lease.LeaseTiming;
import java.time.Duration;

/** {@code --lease-duration}, {@code --renew-deadline} and {@code --retry-period}. */
public final class TimingOptions {

    private final Option<LeaseTiming> timing;

    private TimingOptions(Option<LeaseTiming> timing) {
        this.timing = timing;
    }

    public static TimingOptions in(Options options) {
        Option<Duration> lease = options.withDefault(
                "--lease-duration",
                "D",
                Readers::duration,
                "15s",
                "Another may lead only after this long without a renewal.");
        Option<Duration> deadline = options.withDefault(
                "--renew-deadline",
                "D",
                Readers::duration,
                "10s",
                "A leader that could not renew for this long stops by itself.");
        Option<Duration> retry = options.withDefault(
                "--retry-period", "D", Readers::duration, "2s", "Time between two renewals, and between two tries.");
        return new TimingOptions(
                options.combined(() -> new LeaseTiming(lease.value(), deadline.value(), retry.value())));
    }

    public LeaseTiming timing() {
        return timing.value();
    }
}
