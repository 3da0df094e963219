package dev.signet.app.quorum;

import dev.signet.store.quorum.QuorumStatus.Told;
import dev.signet.store.quorum.wire.VoterStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a quorum stands, in words and in fields.
 *
 * @param store its URI
 * @param fault why there is no quorum; empty if there is one
 */
record QuorumReport(String store, Optional<String> fault, List<Told> told) {

    /** Of several that believe to lead, all but the one of the newest Raft term have been succeeded. */
    private Optional<VoterStatus> leader() {
        return told.stream()
                .flatMap(one -> one.status().stream())
                .filter(VoterStatus::leads)
                .max(Comparator.comparing(one -> one.self().raftTerm()));
    }

    private Optional<Long> behind(VoterStatus voter) {
        return leader().filter(
                        leader -> leader.self().group().equals(voter.self().group()))
                .map(leader -> Math.max(0, leader.committedIndex() - voter.appliedIndex()));
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(fault.map(why -> "no quorum: " + why)
                .orElseGet(() -> "there is a quorum"
                        + leader().map(leader ->
                                        ", led by voter " + leader.self().voter() + " in Raft term "
                                                + leader.self().raftTerm()
                                                + leader.storeId()
                                                        .map(id -> "; store id " + id)
                                                        .orElse(""))
                                .orElse("")));
        told.forEach(one -> lines.add(line(one)));
        return lines;
    }

    private String line(Told one) {
        return one.status()
                .map(voter -> "voter " + voter.self().voter() + " at " + one.address() + ": " + standing(voter))
                .orElseGet(() -> "voter at " + one.address() + ": no answer, " + one.silence());
    }

    private String standing(VoterStatus voter) {
        if (!voter.self().running()) {
            return "answers, but takes no part";
        }
        String lag =
                behind(voter).map(entries -> ", " + entries + " entries behind").orElse("");
        String foreign = leader().isPresent() && behind(voter).isEmpty() ? ", of another quorum" : "";
        return (voter.leads()
                        ? "leads"
                        : "follows" + voter.leader().map(id -> " " + id).orElse(" nobody")) + lag + foreign + ", "
                + voter.sessions() + " sessions, " + voter.roles() + " roles";
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("store", store);
        fields.put("quorum", fault.isEmpty());
        fields.put("fault", fault);
        fields.put("leader", leader().map(leader -> leader.self().voter()));
        fields.put("raftTerm", leader().map(leader -> leader.self().raftTerm()));
        fields.put("storeId", leader().flatMap(VoterStatus::storeId));
        fields.put("voters", told.stream().map(this::fields).toList());
        return fields;
    }

    private Map<String, Object> fields(Told one) {
        Optional<VoterStatus> status = one.status();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("address", one.address());
        fields.put("answers", status.isPresent());
        fields.put("silence", Optional.of(one.silence()).filter(why -> !why.isEmpty()));
        fields.put("voter", status.map(voter -> voter.self().voter()));
        fields.put("group", status.map(voter -> voter.self().group()));
        fields.put("running", status.map(voter -> voter.self().running()));
        fields.put("leads", status.map(VoterStatus::leads));
        fields.put("follows", status.flatMap(VoterStatus::leader));
        fields.put("raftTerm", status.map(voter -> voter.self().raftTerm()));
        fields.put("committedIndex", status.map(VoterStatus::committedIndex));
        fields.put("appliedIndex", status.map(VoterStatus::appliedIndex));
        fields.put("behind", status.flatMap(this::behind));
        fields.put("storeId", status.flatMap(VoterStatus::storeId));
        fields.put("sessions", status.map(VoterStatus::sessions));
        fields.put("roles", status.map(VoterStatus::roles));
        return fields;
    }
}
