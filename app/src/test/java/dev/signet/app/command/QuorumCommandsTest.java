package dev.signet.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.app.Terminal;
import dev.signet.app.Terminal.Typed;
import dev.signet.servers.Ports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the commands of a quorum say before there is one. */
class QuorumCommandsTest {

    @TempDir
    private Path folder;

    private Typed server(String... more) {
        List<String> words = new ArrayList<>(List.of("server", "--data", "data"));
        words.addAll(Arrays.asList(more));
        return Terminal.in(folder).type(words.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "1=a:1,2=b:2 | 2 voters stand the loss of no more than 1 would; list 3 or 5; With two sites",
                "1=a:1,2=b:2,3=c:3,4=d:4 | 4 voters stand the loss of no more than 3 would; list 3 or 5",
                "1=a:1,2=b:2,3=c:3,4=d:4,5=e:5,6=f:6,7=g:7 | 7 voters; list 5, or 3",
                "2=a:1 | voter 1 is not among the voters",
                "1=a:1,1=b:2,3=c:3 | voter 1 is listed twice",
                "1=a:1,2=a:1,3=c:3 | two voters have one address",
                "a:1,b:2,c:3 | 'a:1' is no ID=HOST:PORT; write 1=HOST:PORT",
                "1=a,2=b:2,3=c:3 | not host:port: a",
                "1=a:99999 | port of 1 to 65535",
                "../x=a:1 | '../x' names no voter",
            })
    void aListOfVotersThatIsNoneIsRefusedWithTheRemedy(String voters, String told) {
        server("--id", "1", "--voters", voters).assertRefused(64, told.split("; "));
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    void allThatIsMissingIsToldAtOnce() {
        Terminal.in(folder)
                .type("server")
                .assertRefused(64, "--id is missing", "--voters is missing", "--data is missing");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "quorum:a:1 | write quorum://HOST:PORT",
                "quorum://a:1,,b:2 | write quorum://HOST:PORT",
                "quorum://a | not host:port: a",
                "quorum://a:1,a:1 | listed twice",
                "quorum://a:1/x | not host:port",
                "quorum://a:1?tls=x | 'tls' is none of [cacert, cert, key]",
                "quorum://a:1?cert=x&key=y | TLS takes cacert",
            })
    void aUriThatNamesNoVotersIsRefused(String uri, String told) {
        Terminal.in(folder).type("status", "--store", uri).assertRefused(64, "--store: '" + uri + "': ", told);
        Terminal.in(folder).type("quorum", "status", "--store", uri).assertRefused(64, told);
    }

    @Test
    void tlsTakesAllThree() {
        server("--id", "1", "--voters", "1=a:1", "--tls-authority", "ca.crt").assertRefused(64, "all three");
        server("--id", "1", "--voters", "1=a:1", "--tls-mutual").assertRefused(64, "all three");
    }

    @Test
    void onlyAQuorumHasVoters() {
        Terminal.in(folder).type("quorum", "status", "--store", "local:").assertRefused(64, "only a quorum has this");
        Terminal.in(folder).type("quorum", "status").assertRefused(64, "--store is missing");
    }

    @Test
    void whereNobodyListensThereIsNoQuorumAndNoStore() {
        String uri = "quorum://127.0.0.1:" + Ports.free(1)[0];

        Typed status = Terminal.in(folder).type("quorum", "status", "--store", uri);
        Typed init = Terminal.in(folder).type("init", "--store", uri);

        assertThat(status.code()).isEqualTo(69);
        assertThat(status.out().lines()).hasSize(2).first().asString().startsWith("no quorum: ");
        assertThat(status.out()).contains(": no answer, cannot be reached");
        init.assertRefused(69, uri, "no voter answers", "try again later");
    }
}
