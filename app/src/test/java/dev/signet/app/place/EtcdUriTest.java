package dev.signet.app.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;

class EtcdUriTest {

    @Test
    void membersAreNamedWithPortsOrWithoutAndAPrefixBehindThem() {
        EtcdUri uri = EtcdUri.of("//one:1,two,[::1]:2379/apps/elections");

        assertThat(uri.members())
                .containsExactly(URI.create("http://one:1"), URI.create("http://two"), URI.create("http://[::1]:2379"));
        assertThat(uri.prefix()).isEqualTo("apps/elections");
        assertThat(uri.shown()).isEqualTo("etcd://one:1,two,[::1]:2379/apps/elections");
        assertThat(uri.options().name()).isEqualTo(uri.shown());
    }

    @Test
    void withoutAPrefixItIsTheUsualOne() {
        assertThat(EtcdUri.of("//one").prefix()).isEqualTo("signet");
        assertThat(EtcdUri.of("//one/").prefix()).isEqualTo("signet");
    }
}
