package dev.signet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.text.Normalizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

    @ParameterizedTest
    @ValueSource(strings = {"role", "Role", "rôle", "role ", "a/b", "..", "%2F", "'", "\"; DROP TABLE", "役割", "😀"})
    void namesThatPeopleUseAreTaken(String name) {
        assertThat(Role.of(name).name()).isEqualTo(name);
    }

    @Test
    void lookalikesAreDifferentRoles() {
        assertThat(Role.of("role")).isNotEqualTo(Role.of("Role")).isNotEqualTo(Role.of("role "));
    }

    @Test
    void twoHundredBytesFitAndOneMoreDoesNot() {
        assertThat(Role.of("ô".repeat(100)).name()).hasSize(100);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Role.of("ô".repeat(100) + "x"))
                .withMessageContaining("has 201 bytes");
    }

    @Test
    void theFaultIsNamedWithTheRule() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Role.of(""))
                .withMessageContaining("is empty")
                .withMessageContaining("1 to 200 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Role.of("a\nb"))
                .withMessageContaining("control character")
                .withMessageContaining("a\\u000ab");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Role.of(Normalizer.normalize("rôle", Normalizer.Form.NFD)))
                .withMessageContaining("normalization form C");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Role.of("\ud800"))
                .withMessageContaining("not well-formed");
    }

    @Test
    void aCandidateIdReadsBackAsItself() {
        CandidateId id = CandidateId.incarnationOf("node~a");

        assertThat(CandidateId.parse(id.toString())).isEqualTo(id);
        assertThat(id).isNotEqualTo(CandidateId.incarnationOf("node~a"));
        assertThatIllegalArgumentException().isThrownBy(() -> CandidateId.parse("node"));
    }
}
