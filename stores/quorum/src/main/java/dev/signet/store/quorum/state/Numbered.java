package dev.signet.store.quorum.state;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Numbers for the constants of an enum that stay the same wherever they stand in it. Filled once, then read only. */
final class Numbered<E extends Enum<E>> {

    private final Class<E> type;
    private final Map<E, Integer> numbers;

    Numbered(Class<E> type) {
        this.type = type;
        this.numbers = new EnumMap<>(type);
    }

    Numbered<E> with(int number, E constant) {
        numbers.put(constant, number);
        return this;
    }

    void write(Output out, E constant) {
        out.u8(Optional.ofNullable(numbers.get(constant))
                .orElseThrow(() -> new IllegalStateException(constant + " has no number")));
    }

    E read(Input in) throws Unreadable {
        int number = in.u8();
        for (Map.Entry<E, Integer> entry : numbers.entrySet()) {
            if (entry.getValue() == number) {
                return entry.getKey();
            }
        }
        throw new Unreadable("there is no " + type.getSimpleName() + " of number " + number);
    }
}
