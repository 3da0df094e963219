package dev.signet.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.signet.testkit.JavaChild;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real file systems that are full or read-only, each in a mount namespace of its child, so that nothing is left behind. */
@Tag("process")
class BadDisksTest {

    @TempDir
    Path folder;

    @Test
    void onAFullDiskAnAcquireIsUnknownAndHoldsOnceThereIsRoom() {
        try (JavaChild child = on("size=400k", "", "fill", folder.toString())) {
            assertThat(child.expect("unknown")).contains("full");
            assertThat(child.expect("then")).isEqualTo("1");
            assertThat(child.expect("then")).isEqualTo("1");
        }
    }

    @Test
    void onAFullDiskNoStoreIsMadeAndNothingIsLeft() {
        String file = folder.resolve("signet.db").toString();
        try (JavaChild child = on("size=16k", "", "refused", file)) {
            List<String> lines = child.rest();
            assertThat(lines).hasSize(2);
            assertThat(lines.get(0))
                    .startsWith("NO_SPACE there is no room left to write " + file)
                    .contains("free some");
            assertThat(lines.get(1)).isEqualTo("files []");
        }
    }

    @Test
    void onAReadOnlyDiskAStoreIsRefused() {
        String file = folder.resolve("signet.db").toString();
        String readOnly = "mount -o remount,ro none " + folder + ";";
        String made = String.join(" ", JavaChild.command(StoreProcess.class, "refused", file)) + ";";
        try (JavaChild child = on("size=1m", made + readOnly, "refused", file)) {
            assertThat(child.expect("initialised")).isEmpty();
            assertThat(child.expect("opened")).isEmpty();
            assertThat(child.expect("NOT_PERMITTED")).contains(folder.toString());
        }
    }

    @Test
    void onAReadOnlyDiskNoStoreIsMade() {
        String readOnly = "mount -o remount,ro none " + folder + ";";
        try (JavaChild child =
                on("size=1m", readOnly, "refused", folder.resolve("signet.db").toString())) {
            assertThat(child.expect("NOT_PERMITTED")).contains(folder.toString());
            assertThat(child.expect("files")).isEqualTo("[]");
        }
    }

    private JavaChild on(String options, String before, String... args) {
        return JavaChild.startUnder(
                List.of(
                        "unshare",
                        "--user",
                        "--map-root-user",
                        "--mount",
                        "sh",
                        "-c",
                        "mount -t tmpfs -o " + options + " none " + folder + ";" + before + " \"$@\"",
                        "sh"),
                StoreProcess.class,
                args);
    }
}
