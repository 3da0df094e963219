package dev.signet.app.architecture;

import static dev.signet.app.architecture.Architecture.ADAPTERS_KNOW_THE_SPI_ONLY;
import static dev.signet.app.architecture.Architecture.A_CLIENT_LIBRARY_STAYS_IN_ITS_ADAPTER;
import static dev.signet.app.architecture.Architecture.CORE_DEPENDS_ON_SLF4J_AND_JSPECIFY_ONLY;
import static dev.signet.app.architecture.Architecture.ETCDS_CLIENT_STAYS_IN_ITS_ADAPTER;
import static dev.signet.app.architecture.Architecture.EVERY_PACKAGE_IS_NULL_MARKED;
import static dev.signet.app.architecture.Architecture.MACHINES_ARE_PURE;
import static dev.signet.app.architecture.Architecture.MACHINES_DO_NOT_KNOW_THEIR_SHELL;
import static dev.signet.app.architecture.Architecture.MACHINES_READ_NO_CLOCK_AND_THROW_NO_DICE;
import static dev.signet.app.architecture.Architecture.NO_ADAPTER_KNOWS_ANOTHER;
import static dev.signet.app.architecture.Architecture.NO_PACKAGE_IS_SPLIT_OVER_TWO_ARTIFACTS;
import static dev.signet.app.architecture.Architecture.ONLY_THE_APP_PARSES_COMMAND_LINES_AND_WRITES_JSON;
import static dev.signet.app.architecture.Architecture.ONLY_THE_FRONT_DOOR_OPENS_THE_RUNTIME;
import static dev.signet.app.architecture.Architecture.ONLY_THE_SHELL_LOGS;
import static dev.signet.app.architecture.Architecture.SERVERS_KNOW_NOTHING_OF_SIGNET;
import static dev.signet.app.architecture.Architecture.SPIS_AND_WORDS_KNOW_NO_MACHINERY;
import static dev.signet.app.architecture.Architecture.STORE_AND_FENCE_DO_NOT_MEET;
import static dev.signet.app.architecture.Architecture.WHAT_IS_REPLICATED_IS_PURE;
import static dev.signet.app.architecture.Architecture.WHAT_IS_REPLICATED_READS_NO_CLOCK_AND_THROWS_NO_DICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.core.importer.Locations;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the code to {@link Architecture}, and each rule to planted faults: a rule that catches nothing is no rule. */
@Tag("build")
class ArchitectureTest {

    /** A rule, and a class that breaks it: class Planted in a package, with one field; what else it needs is class Other. */
    record Fault(ArchRule rule, String plantedIn, String field, String otherIn) {

        static Fault of(ArchRule rule, String plantedIn, String field) {
            return new Fault(rule, plantedIn, field, plantedIn);
        }

        static Fault between(ArchRule rule, String plantedIn, String otherIn) {
            return new Fault(rule, plantedIn, otherIn + ".Other planted;", otherIn);
        }

        List<JavaFileObject> sources() {
            return List.of(
                    source(plantedIn, "Planted", "class Planted { " + field + " }"),
                    source(otherIn, "Other", "public class Other {}"));
        }

        private static JavaFileObject source(String in, String name, String text) {
            URI uri = URI.create("string:///" + in.replace('.', '/') + "/" + name + ".java");
            return new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
                @Override
                public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                    return "package " + in + "; " + text;
                }
            };
        }

        @Override
        public String toString() {
            return rule.getDescription() + ": " + field + " in " + plantedIn;
        }
    }

    private static final JavaClasses SIGNET = importer().importPackages("dev.signet");

    static final List<Fault> FAULTS = List.of(
            Fault.of(CORE_DEPENDS_ON_SLF4J_AND_JSPECIFY_ONLY, "dev.signet", "picocli.CommandLine planted;"),
            Fault.of(MACHINES_ARE_PURE, "dev.signet.election.role", "java.util.concurrent.Executor planted;"),
            Fault.of(MACHINES_ARE_PURE, "dev.signet.election", "dev.signet.time.TimeSource planted;"),
            Fault.of(MACHINES_ARE_PURE, "dev.signet.election", "org.slf4j.Logger planted;"),
            Fault.of(MACHINES_ARE_PURE, "dev.signet.lease", "java.util.Random planted;"),
            Fault.of(MACHINES_READ_NO_CLOCK_AND_THROW_NO_DICE, "dev.signet.lease", "long planted = System.nanoTime();"),
            Fault.of(
                    MACHINES_READ_NO_CLOCK_AND_THROW_NO_DICE,
                    "dev.signet.election",
                    "Object planted = java.time.Instant.now();"),
            Fault.of(
                    MACHINES_READ_NO_CLOCK_AND_THROW_NO_DICE,
                    "dev.signet.election",
                    "Object planted = java.util.UUID.randomUUID();"),
            Fault.of(WHAT_IS_REPLICATED_IS_PURE, "dev.signet.store.quorum.state", "java.util.Random planted;"),
            Fault.of(WHAT_IS_REPLICATED_IS_PURE, "dev.signet.store.quorum.state", "java.io.File planted;"),
            Fault.of(WHAT_IS_REPLICATED_IS_PURE, "dev.signet.store.quorum.state", "Thread planted;"),
            Fault.of(
                    WHAT_IS_REPLICATED_READS_NO_CLOCK_AND_THROWS_NO_DICE,
                    "dev.signet.store.quorum.state",
                    "long planted = System.currentTimeMillis();"),
            Fault.between(NO_ADAPTER_KNOWS_ANOTHER, "dev.signet.store.planted", "dev.signet.fence.other"),
            Fault.between(NO_ADAPTER_KNOWS_ANOTHER, "dev.signet.store.planted", "dev.signet.store.other"),
            Fault.between(ADAPTERS_KNOW_THE_SPI_ONLY, "dev.signet.store.planted", "dev.signet.runtime"),
            Fault.of(SPIS_AND_WORDS_KNOW_NO_MACHINERY, "dev.signet.store", "dev.signet.observe.Observer planted;"),
            Fault.of(STORE_AND_FENCE_DO_NOT_MEET, "dev.signet.fence", "dev.signet.store.Store planted;"),
            Fault.between(MACHINES_DO_NOT_KNOW_THEIR_SHELL, "dev.signet.election", "dev.signet.runtime"),
            Fault.between(ONLY_THE_FRONT_DOOR_OPENS_THE_RUNTIME, "dev.signet.app", "dev.signet.runtime"),
            Fault.of(ONLY_THE_SHELL_LOGS, "dev.signet.store", "org.slf4j.Logger planted;"),
            Fault.of(A_CLIENT_LIBRARY_STAYS_IN_ITS_ADAPTER, "dev.signet.app", "org.sqlite.SQLiteDataSource planted;"),
            Fault.of(A_CLIENT_LIBRARY_STAYS_IN_ITS_ADAPTER, "dev.signet.servers", "org.postgresql.Driver planted;"),
            Fault.of(ETCDS_CLIENT_STAYS_IN_ITS_ADAPTER, "dev.signet.app", "io.etcd.jetcd.api.KeyValue planted;"),
            Fault.of(ETCDS_CLIENT_STAYS_IN_ITS_ADAPTER, "dev.signet.store.other", "io.grpc.Status planted;"),
            Fault.of(SERVERS_KNOW_NOTHING_OF_SIGNET, "dev.signet.servers", "dev.signet.Role planted;"),
            Fault.of(
                    ONLY_THE_APP_PARSES_COMMAND_LINES_AND_WRITES_JSON,
                    "dev.signet.simulation",
                    "picocli.CommandLine planted;"),
            Fault.of(NO_PACKAGE_IS_SPLIT_OVER_TWO_ARTIFACTS, "dev.signet.lease", "int planted;"),
            Fault.of(EVERY_PACKAGE_IS_NULL_MARKED, "dev.signet.planted", "int planted;"));

    static Stream<Named<ArchRule>> rules() {
        return FAULTS.stream().map(Fault::rule).distinct().map(rule -> Named.of(rule.getDescription(), rule));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void theCodeKeepsTheRule(ArchRule rule) {
        rule.check(SIGNET);
    }

    @ParameterizedTest
    @FieldSource("FAULTS")
    void aPlantedFaultIsCaught(Fault fault, @TempDir Path elsewhere) throws IOException {
        JavaClasses withFault = compiledBesideSignet(fault, elsewhere.resolve("planted/elsewhere/target/classes"));

        assertThatThrownBy(() -> fault.rule().check(withFault))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(fault.plantedIn());
    }

    private static JavaClasses compiledBesideSignet(Fault fault, Path classes) throws IOException {
        Files.createDirectories(classes);
        List<String> options = List.of("-d", classes.toString(), "-proc:none");
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, null, options, null, fault.sources())
                .call();
        assertThat(compiled).as("the planted fault compiles").isTrue();
        Set<Location> locations = new HashSet<>(Locations.ofPackage(fault.plantedIn()));
        locations.add(Location.of(classes));
        return importer().importLocations(locations);
    }

    private static ClassFileImporter importer() {
        return new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests());
    }

    @Test
    void theWholeOfSignetIsLookedAt() {
        assertThat(SIGNET.stream().map(type -> type.getPackageName()).distinct())
                .contains(
                        "dev.signet",
                        "dev.signet.lease",
                        "dev.signet.store.jdbc",
                        "dev.signet.store.quorum.state",
                        "dev.signet.fence.jdbc",
                        "dev.signet.testkit",
                        "dev.signet.simulation",
                        "dev.signet.servers",
                        "dev.signet.app");
    }
}
