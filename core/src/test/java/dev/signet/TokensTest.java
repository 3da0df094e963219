package dev.signet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokensTest {

    @ParameterizedTest
    @ValueSource(longs = {0, -1, FencingToken.MAX_VALUE + 1, Long.MAX_VALUE, Long.MIN_VALUE})
    void aTokenOutsideItsRangeIsRefused(long value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FencingToken.of(value))
                .withMessageContaining(Long.toString(value));
    }

    @Test
    void theHighestTokenIsWhatADoubleCarriesExactly() {
        assertThat((long) (double) FencingToken.of(FencingToken.MAX_VALUE).value())
                .isEqualTo(9_007_199_254_740_991L);
    }

    @Test
    void aTermIdReadsBackAsItselfAndIsNotShown() {
        TermId id = TermId.random();

        assertThat(TermId.parse(id.secret())).isEqualTo(id);
        assertThat(id.secret()).hasSize(32);
        assertThat(id.digest()).hasSize(12).isNotEqualTo(id.secret().substring(0, 12));
        assertThat(id.toString()).contains(id.digest()).doesNotContain(id.secret());
    }

    @Test
    void whatIsNoTermIdIsRefusedWithoutRepeatingIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TermId.parse("secret-looking-thing-of-32-chars"))
                .withMessageNotContaining("secret");
    }

    @Test
    void digestsOfTheSameTermAgree() {
        assertThat(new TermId(1, 2).digest()).isEqualTo(new TermId(1, 2).digest());
        assertThat(new TermId(1, 2).digest()).isNotEqualTo(new TermId(2, 1).digest());
    }
}
