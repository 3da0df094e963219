package dev.signet.store.quorum.voter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {

    private static final UUID GROUP = new UUID(1, 2);

    @TempDir
    private Path place;

    private static void assertUnusable(Path path, String why) {
        assertThatThrownBy(() -> DataFolder.open(path))
                .isInstanceOf(VoterException.class)
                .hasMessageContainingAll(path.toString(), why);
    }

    private Path written(String text) throws IOException {
        Path file = Files.writeString(place.resolve("voter.properties"), text);
        assertThat(file).exists();
        return place;
    }

    @Test
    void aFolderIsMadeAndBelongsToNobody() throws VoterException {
        Path inNone = place.resolve("a/b");
        try (DataFolder folder = DataFolder.open(inNone)) {
            assertThat(folder.owner()).isEmpty();
            assertThat(folder.hasLog()).isFalse();
            assertThat(inNone).isDirectory();
        }
    }

    @Test
    void whoseItIsIsReadAsItWasWritten() throws VoterException {
        Owner waiting = new Owner("1", GROUP, false, Map.of("1", UUID.randomUUID(), "a-2.b", UUID.randomUUID()));
        Owner joined = Owner.joining("4", GROUP);
        for (Owner owner : new Owner[] {waiting, waiting.begunNow(), joined}) {
            try (DataFolder folder = DataFolder.open(place)) {
                folder.belongTo(owner);
            }
            try (DataFolder folder = DataFolder.open(place)) {
                assertThat(folder.owner()).contains(owner);
            }
        }
    }

    /** Of a version that asked nobody. */
    @Test
    void aFolderThatNamesNoFoldersHasBegun() throws Exception {
        try (DataFolder folder = DataFolder.open(written("voter=1\ngroup=" + GROUP + "\n"))) {
            assertThat(folder.owner()).contains(new Owner("1", GROUP, true, Map.of()));
        }
    }

    @Test
    void whatIsNoSuchFileIsRefusedByName() throws Exception {
        for (String text : new String[] {"voter=1\n", "group=" + GROUP, "voter=1\ngroup=none", "voter=\\u00"}) {
            try (DataFolder folder = DataFolder.open(written(text))) {
                assertThatThrownBy(folder::owner)
                        .as(text)
                        .isInstanceOf(VoterException.class)
                        .hasMessageContaining(place.resolve("voter.properties").toString());
            }
        }
    }

    @Test
    void twoCannotUseIt() throws VoterException {
        DataFolder first = DataFolder.open(place);
        assertUnusable(place, "is in use by another process");
        first.close();
        DataFolder.open(place).close();
    }

    @Test
    void aFileIsNoFolder() throws IOException {
        Path file = Files.createFile(place.resolve("file"));

        assertUnusable(file, "is no folder");
        assertUnusable(file.resolve("below"), "cannot be used");
    }

    /** Without the file in which Raft writes its vote before it says it, it cannot have had one. */
    @Test
    void whatRaftBeganIsNoLogOfAGroupBeforeItCouldVote() throws Exception {
        try (DataFolder folder = DataFolder.open(place)) {
            Path current = Files.createDirectories(
                    place.resolve("raft").resolve(GROUP.toString()).resolve("current"));
            assertThat(folder.hasLog()).isTrue();
            assertThat(folder.hasLog(GROUP)).isFalse();

            assertThat(Files.createFile(current.resolve("raft-meta"))).exists();
            assertThat(folder.hasLog(GROUP)).isTrue();
            assertThat(folder.hasLog(new UUID(1, 3))).isFalse();
        }
    }
}
