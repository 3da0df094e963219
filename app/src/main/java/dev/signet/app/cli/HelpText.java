package dev.signet.app.cli;

import java.util.ArrayList;
import java.util.List;

/** Texts as picocli wants them. */
final class HelpText {

    private HelpText() {}

    /** picocli hands every text to {@link String#format}. */
    static String escaped(String text) {
        return text.replace("%", "%%");
    }

    static String[] paragraphs(String... paragraphs) {
        List<String> lines = new ArrayList<>();
        for (String paragraph : paragraphs) {
            lines.add("");
            lines.add(escaped(paragraph));
        }
        return lines.toArray(new String[0]);
    }
}
