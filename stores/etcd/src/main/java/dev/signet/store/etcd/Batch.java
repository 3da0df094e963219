package dev.signet.store.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Deadline;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Transactions in one request to etcd.
 *
 * <p>Those that only read are one list of reads, in which none stands twice. Of the others each is a transaction inside one without
 * guards: etcd takes the inner ones for done or not done one by one. But it looks at the guards of all before it does anything; so
 * no two are in one batch of which one writes what the other looks at: what they come to is then what they come to one after the
 * other. Not thread-safe.
 */
final class Batch {

    /** etcd's limit is 128 operations, and those of the largest transaction inside count, too. */
    static final int MOST = 100;

    /** Further back nobody looks for some that fit. */
    private static final int MOST_LOOKED_AT = 4 * MOST;

    private final List<Batches.Entry> entries = new ArrayList<>();
    private final Map<RequestOp, Integer> reads = new LinkedHashMap<>();
    private final Set<ByteString> written = new HashSet<>();
    private final Set<ByteString> lookedAt = new HashSet<>();

    private Batch() {}

    /** Takes the first that waits, and what fits to it. */
    static Batch of(Deque<Batches.Entry> waiting, int most) {
        Batch batch = new Batch();
        Batches.Entry first = waiting.remove();
        batch.add(first);
        if (first.alone() || !isOfSingleKeys(first.request())) {
            return batch;
        }
        boolean reading = isReading(first.request());
        Iterator<Batches.Entry> others = waiting.iterator();
        for (int i = 0; i < MOST_LOOKED_AT && others.hasNext() && batch.load() < most; i++) {
            Batches.Entry other = others.next();
            if (!other.alone()
                    && isReading(other.request()) == reading
                    && isOfSingleKeys(other.request())
                    && batch.fits(other.request())) {
                batch.add(other);
                others.remove();
            }
        }
        return batch;
    }

    /** Etcd answers it without a vote; with a transaction inside it would not. */
    private static boolean isReading(TxnRequest request) {
        return request.getCompareCount() == 0
                && request.getFailureCount() == 0
                && request.getSuccessList().stream().allMatch(RequestOp::hasRequestRange);
    }

    private int load() {
        return reads.isEmpty() ? entries.size() : reads.size();
    }

    private boolean fits(TxnRequest request) {
        return keysWritten(request).stream().noneMatch(key -> written.contains(key) || lookedAt.contains(key))
                && keysLookedAt(request).stream().noneMatch(written::contains);
    }

    private void add(Batches.Entry entry) {
        entries.add(entry);
        TxnRequest request = entry.request();
        if (isReading(request)) {
            request.getSuccessList().forEach(read -> reads.putIfAbsent(read, reads.size()));
        } else {
            written.addAll(keysWritten(request));
            lookedAt.addAll(keysLookedAt(request));
        }
    }

    private static Iterable<RequestOp> ops(TxnRequest request) {
        return Stream.concat(request.getSuccessList().stream(), request.getFailureList().stream())
                .toList();
    }

    /** So that what it concerns is told by comparing keys. */
    private static boolean isOfSingleKeys(TxnRequest request) {
        for (RequestOp op : ops(request)) {
            boolean single = op.hasRequestPut()
                    || (op.hasRequestRange()
                            && op.getRequestRange().getRangeEnd().isEmpty())
                    || (op.hasRequestDeleteRange()
                            && op.getRequestDeleteRange().getRangeEnd().isEmpty());
            if (!single) {
                return false;
            }
        }
        return request.getCompareList().stream()
                .allMatch(compare -> compare.getRangeEnd().isEmpty());
    }

    private static List<ByteString> keysWritten(TxnRequest request) {
        List<ByteString> keys = new ArrayList<>();
        for (RequestOp op : ops(request)) {
            if (op.hasRequestPut()) {
                keys.add(op.getRequestPut().getKey());
            } else if (op.hasRequestDeleteRange()) {
                keys.add(op.getRequestDeleteRange().getKey());
            }
        }
        return keys;
    }

    private static List<ByteString> keysLookedAt(TxnRequest request) {
        List<ByteString> keys = new ArrayList<>();
        request.getCompareList().stream().map(Compare::getKey).forEach(keys::add);
        for (RequestOp op : ops(request)) {
            if (op.hasRequestRange()) {
                keys.add(op.getRequestRange().getKey());
            }
        }
        return keys;
    }

    int size() {
        return entries.size();
    }

    List<Batches.Entry> entries() {
        return entries;
    }

    /** From now, when it is sent: when the last of them is not waited for any more. */
    Deadline deadline() {
        return entries.stream()
                .map(each -> each.deadline().minimum(Deadline.after(each.longestTryNanos(), TimeUnit.NANOSECONDS)))
                .max(Deadline::compareTo)
                .orElseThrow();
    }

    TxnRequest request() {
        if (size() == 1) {
            return entries.get(0).request();
        }
        TxnRequest.Builder request = TxnRequest.newBuilder();
        if (reads.isEmpty()) {
            entries.forEach(each -> request.addSuccess(RequestOp.newBuilder().setRequestTxn(each.request())));
        } else {
            request.addAllSuccess(reads.keySet());
        }
        return request.build();
    }

    void answer(TxnResponse answer) {
        for (int i = 0; i < size(); i++) {
            entries.get(i).answer().complete(size() == 1 ? answer : part(answer, i));
        }
    }

    private TxnResponse part(TxnResponse answer, int number) {
        if (reads.isEmpty()) {
            return answer.getResponses(number).getResponseTxn().toBuilder()
                    .setHeader(answer.getHeader())
                    .build();
        }
        List<ResponseOp> found = entries.get(number).request().getSuccessList().stream()
                .map(read -> answer.getResponses(Objects.requireNonNull(reads.get(read))))
                .toList();
        return TxnResponse.newBuilder()
                .setHeader(answer.getHeader())
                .setSucceeded(true)
                .addAllResponses(found)
                .build();
    }

    void fail(Throwable fault) {
        entries.forEach(each -> each.answer().completeExceptionally(fault));
    }
}
