package dev.signet.app.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;

class EtcdUriTest {

    @Test
    void membersAreNamedWithPortsOrWithoutAndAPrefixBehindThem() {
        EtcdUri uri = EtcdUri.of(false, "//one:1,two,[::1]:2379/apps/elections");

        assertThat(uri.members())
                .containsExactly(URI.create("http://one:1"), URI.create("http://two"), URI.create("http://[::1]:2379"));
        assertThat(uri.prefix()).isEqualTo("apps/elections");
        assertThat(uri.shown()).isEqualTo("etcd://one:1,two,[::1]:2379/apps/elections");
    }

    @Test
    void withoutAPrefixItIsTheUsualOne() {
        assertThat(EtcdUri.of(false, "//one").prefix()).isEqualTo("signet");
        assertThat(EtcdUri.of(true, "//one/?user=ada").prefix()).isEqualTo("signet");
    }

    @Test
    void filesAreNamedAsTheyAreAndUsersAndPasswordsDecoded() {
        EtcdUri uri = EtcdUri.of(true, "//one?cacert=a%20b/ca.pem&user=a%26b&password=1+1%3D2&cert=c&key=k");

        assertThat(uri.members()).containsExactly(URI.create("https://one"));
        assertThat(uri.parameter("cacert")).contains("a%20b/ca.pem");
        assertThat(uri.parameter("user")).contains("a&b");
        assertThat(uri.parameter("password")).contains("1+1=2");
        assertThat(uri.shown()).isEqualTo("etcds://one?cacert=a%20b/ca.pem&user=a%26b&cert=c&key=k");
        assertThat(uri.withoutUser().shown()).isEqualTo("etcds://one?cacert=a%20b/ca.pem&cert=c&key=k");
        assertThat(uri.toString()).doesNotContain("1+1");
    }

    @Test
    void noFaultTellsASecret() {
        for (String rest : new String[] {"//one?password=ge%zzheim", "//one:0?password=geheim", "//u:geheim@one"}) {
            assertThatThrownBy(() -> EtcdUri.of(false, rest))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("heim");
        }
    }
}
