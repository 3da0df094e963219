package dev.signet.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The faults at work on one way. Of several that match a request, the first meets it. Thread-safe. */
final class Faults {

    private final List<Injection> injections = new ArrayList<>();

    synchronized Fault.Injected inject(Fault fault) {
        Injection injection = new Injection(fault);
        injections.add(injection);
        return injection;
    }

    /** Sends a request on its way. */
    void carry(Call call, Exchange<?, ?> exchange) {
        next(call).ifPresentOrElse(fault -> fault.carry(exchange), exchange::arrive);
        exchange.awaitAnswer();
    }

    private synchronized Optional<Fault> next(Call call) {
        Optional<Injection> first = injections.stream()
                .filter(injection -> injection.fault.isOf(call))
                .findFirst();
        first.filter(injection -> --injection.left == 0).ifPresent(injections::remove);
        return first.map(injection -> injection.fault);
    }

    private synchronized void mend(Injection injection) {
        injections.remove(injection);
    }

    /** A fault, and how many requests it has yet to meet. */
    private final class Injection implements Fault.Injected {

        private final Fault fault;
        private int left;

        Injection(Fault fault) {
            this.fault = fault;
            this.left = fault.times();
        }

        @Override
        public void mend() {
            Faults.this.mend(this);
        }
    }
}
