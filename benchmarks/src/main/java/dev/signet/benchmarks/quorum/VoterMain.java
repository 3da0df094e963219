package dev.signet.benchmarks.quorum;

import dev.signet.store.quorum.voter.Voter;
import dev.signet.store.quorum.voter.VoterException;
import dev.signet.store.quorum.voter.VoterOptions;
import dev.signet.store.quorum.wire.Address;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The process of one voter: ID DATA HOST:PORT..., the addresses of voters 1, 2 and so on. Ends when its input does. */
final class VoterMain {

    private VoterMain() {}

    public static void main(String[] args) throws VoterException, IOException {
        Map<String, Address> voters = new TreeMap<>();
        for (int i = 2; i < args.length; i++) {
            voters.put(Integer.toString(i - 1), Address.parse(args[i]));
        }
        try (Voter voter = Voter.start(VoterOptions.of(args[0], voters, Path.of(args[1])))) {
            System.out.println("started " + voter.address());
            var unused = System.in.readAllBytes();
        }
    }
}
