package dev.signet.benchmarks.server;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Samples of one kind. */
public final class Figures {

    private final List<Double> samples = new ArrayList<>();

    public void add(double sample) {
        samples.add(sample);
    }

    public void addAll(Figures more) {
        samples.addAll(more.samples);
    }

    public int count() {
        return samples.size();
    }

    public double median() {
        List<Double> sorted = sorted();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    public double least() {
        return Collections.min(samples);
    }

    /** The sample below which 99 of 100 lie; the greatest where there are fewer. */
    private double percentile99() {
        List<Double> sorted = sorted();
        return sorted.get((int) Math.ceil(sorted.size() * 0.99) - 1);
    }

    private List<Double> sorted() {
        return samples.stream().sorted().toList();
    }

    /** @param format of one number */
    public String text(String format) {
        if (samples.isEmpty()) {
            return "n 0";
        }
        String tail = samples.size() < 100 ? "" : ", p99 " + number(format, percentile99());
        return "n %-4d median %s   (%s to %s%s)"
                .formatted(
                        count(),
                        number(format, median()),
                        number(format, least()),
                        number(format, Collections.max(samples)),
                        tail);
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
