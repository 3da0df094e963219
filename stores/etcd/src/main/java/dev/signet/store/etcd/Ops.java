package dev.signet.store.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import java.util.Arrays;
import java.util.List;

/** The words of a transaction. */
final class Ops {

    static final long NO_LEASE = 0;

    private Ops() {}

    static Compare exists(ByteString key) {
        return compare(key)
                .setTarget(Compare.CompareTarget.CREATE)
                .setResult(Compare.CompareResult.GREATER)
                .setCreateRevision(0)
                .build();
    }

    static Compare isAbsent(ByteString key) {
        return compare(key)
                .setTarget(Compare.CompareTarget.CREATE)
                .setResult(Compare.CompareResult.EQUAL)
                .setCreateRevision(0)
                .build();
    }

    /** @param revision 0 where there was nothing */
    static Compare isUnchangedSince(ByteString key, long revision) {
        return compare(key)
                .setTarget(Compare.CompareTarget.MOD)
                .setResult(Compare.CompareResult.EQUAL)
                .setModRevision(revision)
                .build();
    }

    private static Compare.Builder compare(ByteString key) {
        return Compare.newBuilder().setKey(key);
    }

    static RequestOp get(ByteString key) {
        return RequestOp.newBuilder()
                .setRequestRange(RangeRequest.newBuilder().setKey(key))
                .build();
    }

    static RangeRequest.Builder all(ByteString prefix) {
        return RangeRequest.newBuilder().setKey(prefix).setRangeEnd(Keys.after(prefix));
    }

    static RequestOp getAll(ByteString prefix) {
        return RequestOp.newBuilder().setRequestRange(all(prefix)).build();
    }

    static RequestOp put(ByteString key, ByteString value, long lease) {
        return RequestOp.newBuilder()
                .setRequestPut(
                        PutRequest.newBuilder().setKey(key).setValue(value).setLease(lease))
                .build();
    }

    static RequestOp delete(ByteString key) {
        return RequestOp.newBuilder()
                .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key))
                .build();
    }

    static TxnRequest read(RequestOp... reads) {
        return TxnRequest.newBuilder().addAllSuccess(Arrays.asList(reads)).build();
    }

    static TxnRequest when(List<Compare> guards, List<RequestOp> writes) {
        return when(guards, writes, List.of());
    }

    static TxnRequest when(List<Compare> guards, List<RequestOp> writes, List<RequestOp> otherwise) {
        return TxnRequest.newBuilder()
                .addAllCompare(guards)
                .addAllSuccess(writes)
                .addAllFailure(otherwise)
                .build();
    }
}
