package dev.signet.benchmarks.fence;

import dev.signet.FenceException;
import dev.signet.WriteRefusedException;
import dev.signet.benchmarks.server.Threads;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Clients that pay without a pause, under the stamp of a term, until they are told to stop. */
final class Crowd {

    private final List<Thread> clients = new ArrayList<>();
    private final AtomicLong paid = new AtomicLong();
    private volatile String broken = "";
    private volatile boolean over;

    Crowd(Ledger ledger, Form form, int size, long token) {
        for (int i = 0; i < size; i++) {
            clients.add(Threads.daemon(() -> {
                while (!over) {
                    payOnce(ledger, form, token);
                }
            }));
        }
        clients.forEach(Thread::start);
    }

    private void payOnce(Ledger ledger, Form form, long token) {
        try {
            form.pay(ledger, Ledger.stamp(token));
            paid.incrementAndGet();
        } catch (WriteRefusedException e) {
            // its term is over, and it does not believe it
        } catch (SQLException | FenceException e) {
            String text = String.valueOf(e.getMessage());
            if (!text.contains("signet: ")) {
                broken = text;
            }
        }
    }

    long paid() {
        return paid.get();
    }

    /** @throws IllegalStateException if anybody met something else than a refusal */
    void stop() {
        over = true;
        for (Thread client : clients) {
            try {
                client.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        if (!broken.isEmpty()) {
            throw new IllegalStateException(broken);
        }
    }
}
