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
        return new TimingOptions(options.combined(() -> timing(lease.value(), deadline.value(), retry.value())));
    }

    /** Refuses in the words of the command line. */
    private static LeaseTiming timing(Duration lease, Duration deadline, Duration retry) {
        try {
            return new LeaseTiming(lease, deadline, retry);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    String.valueOf(e.getMessage())
                            .replace("leaseDuration", "--lease-duration")
                            .replace("renewDeadline", "--renew-deadline")
                            .replace("retryPeriod", "--retry-period"),
                    e);
        }
    }

    public LeaseTiming timing() {
        return timing.value();
    }
}
