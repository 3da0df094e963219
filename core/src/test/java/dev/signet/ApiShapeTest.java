package dev.signet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A write carries the token of the term in which it was decided: nothing hands out "the current token". */
class ApiShapeTest {

    private static final Set<Class<?>> STAMPS = Set.of(FencingToken.class, Stamp.class, TermId.class);

    @ParameterizedTest
    @ValueSource(classes = {Candidate.class, Election.class, Signet.class})
    void whatOutlivesATermHandsOutNoToken(Class<?> type) {
        assertThat(methods(type)).extracting(Method::getReturnType).doesNotContainAnyElementsOf(STAMPS);
    }

    @Test
    void aTermKeepsTheStampItWasGranted() {
        assertThat(methods(Term.class).filter(method -> STAMPS.contains(method.getReturnType())))
                .allMatch(method -> method.getParameterCount() == 0);
        assertThat(Stamp.class.isRecord()).isTrue();
    }

    @Test
    void theListenerIsGivenATermAndNoBareToken() {
        assertThat(methods(LeadershipListener.class))
                .allSatisfy(method -> assertThat(method.getParameterTypes()).contains(Term.class));
        assertThat(methods(LeadingWork.class))
                .allSatisfy(method -> assertThat(method.getParameterTypes()).containsExactly(Term.class));
    }

    private static Stream<Method> methods(Class<?> type) {
        return Stream.of(type.getDeclaredMethods()).filter(method -> Modifier.isPublic(method.getModifiers()));
    }
}
