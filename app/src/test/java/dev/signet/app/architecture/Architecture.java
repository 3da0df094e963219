package dev.signet.app.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.all;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.domain.Source;
import com.tngtech.archunit.lang.AbstractClassesTransformer;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ClassesTransformer;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;

/** What may know what. The names of the constants are the rules; the reasons stand in ARCHITECTURE.md. */
final class Architecture {

    private Architecture() {}

    private static final String[] CORE = {
        "dev.signet",
        "dev.signet.lease..",
        "dev.signet.election..",
        "dev.signet.store",
        "dev.signet.fence",
        "dev.signet.time..",
        "dev.signet.observe..",
        "dev.signet.runtime.."
    };

    private static final String[] PURE = {"dev.signet.lease..", "dev.signet.election.."};

    private static final String REPLICATED = "dev.signet.store.quorum.state..";

    private static final DescribedPredicate<JavaClass> OF_TIME_CHANCE_OR_THREADS = resideInAnyPackage(
                    "java.util.concurrent..", "java.security..", "java.sql..", "org.slf4j..", "java.util.random..")
            .or(named(
                    "java.lang.Thread",
                    "java.lang.ThreadLocal",
                    "java.lang.Process",
                    "java.lang.Runtime",
                    "java.time.Clock",
                    "java.util.Random",
                    "java.util.SplittableRandom",
                    "java.util.Timer",
                    "dev.signet.time.TimeSource",
                    "dev.signet.time.SystemTime",
                    "dev.signet.time.EventLoop"));

    private static final DescribedPredicate<JavaClass> ADAPTERS =
            resideInAnyPackage("dev.signet.store.*..", "dev.signet.fence.*..").as("stores and fences");

    static final ArchRule CORE_DEPENDS_ON_SLF4J_AND_JSPECIFY_ONLY = classes()
            .that()
            .resideInAnyPackage(CORE)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(CORE)
                    .or(resideInAnyPackage("java..", "org.slf4j", "org.slf4j.event", "org.jspecify.annotations"))
                    .or(DescribedPredicate.describe("primitive", JavaClass::isPrimitive)));

    /** A machine is a function: time, chance and answers come in as events, and everything that acts leaves as an effect. */
    static final ArchRule MACHINES_ARE_PURE = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should(dependOnClassesThat(
                    resideInAnyPackage("java.io..", "java.nio..", "java.net..").or(OF_TIME_CHANCE_OR_THREADS)));

    /** What voters replicate is a function too, or they come to differ; it reads and writes its bytes itself. */
    static final ArchRule WHAT_IS_REPLICATED_IS_PURE = noClasses()
            .that()
            .resideInAPackage(REPLICATED)
            .should(dependOnClassesThat(
                    resideInAnyPackage("java.io..", "java.nio.file..", "java.nio.channels..", "org.apache.ratis..")
                            .or(OF_TIME_CHANCE_OR_THREADS)));

    static final ArchRule WHAT_IS_REPLICATED_READS_NO_CLOCK_AND_THROWS_NO_DICE =
            noClasses().that().resideInAPackage(REPLICATED).should().callCodeUnitWhere(readsTheWorld());

    static final ArchRule MACHINES_READ_NO_CLOCK_AND_THROW_NO_DICE =
            noClasses().that().resideInAnyPackage(PURE).should().callCodeUnitWhere(readsTheWorld());

    static final ArchRule NO_ADAPTER_KNOWS_ANOTHER = slices().assignedFrom(new Adapters())
            .should()
            .notDependOnEachOther()
            .allowEmptyShould(true);

    static final ArchRule ADAPTERS_KNOW_THE_SPI_ONLY = noClasses()
            .that(ADAPTERS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.signet.app..",
                    "dev.signet.testkit..",
                    "dev.signet.simulation..",
                    "dev.signet.servers..",
                    "dev.signet.benchmarks..",
                    "dev.signet.runtime..",
                    "dev.signet.election..");

    static final ArchRule SPIS_AND_WORDS_KNOW_NO_MACHINERY = noClasses()
            .that()
            .resideInAnyPackage("dev.signet.store", "dev.signet.fence", "dev.signet.lease..", "dev.signet.time..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.signet.runtime..", "dev.signet.election..", "dev.signet.observe..");

    static final ArchRule STORE_AND_FENCE_DO_NOT_MEET = noClasses()
            .that()
            .resideInAPackage("dev.signet.fence")
            .should(dependOnClassesThat(resideInAPackage("dev.signet.store..")));

    static final ArchRule MACHINES_DO_NOT_KNOW_THEIR_SHELL = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.signet.runtime..");

    static final ArchRule ONLY_THE_FRONT_DOOR_OPENS_THE_RUNTIME = noClasses()
            .that()
            .resideOutsideOfPackages("dev.signet", "dev.signet.runtime..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.signet.runtime..");

    static final ArchRule ONLY_THE_SHELL_LOGS = noClasses()
            .that(resideInAnyPackage(CORE).and(DescribedPredicate.not(resideInAPackage("dev.signet.runtime.."))))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.slf4j..");

    static final ArchRule A_CLIENT_LIBRARY_STAYS_IN_ITS_ADAPTER = noClasses()
            .that()
            .resideOutsideOfPackages("dev.signet.store.jdbc..", "dev.signet.fence.jdbc..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.sqlite..", "org.postgresql..", "org.mariadb..");

    static final ArchRule ETCDS_CLIENT_STAYS_IN_ITS_ADAPTER = noClasses()
            .that()
            .resideOutsideOfPackage("dev.signet.store.etcd..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.etcd..", "io.grpc..", "io.netty..", "com.google.protobuf..");

    static final ArchRule SERVERS_KNOW_NOTHING_OF_SIGNET = noClasses()
            .that()
            .resideInAPackage("dev.signet.servers..")
            .should(dependOnClassesThat(resideInAPackage("dev.signet..")
                    .and(DescribedPredicate.not(resideInAPackage("dev.signet.servers..")))
                    .as("belong to Signet itself")));

    static final ArchRule ONLY_THE_APP_PARSES_COMMAND_LINES_AND_WRITES_JSON = noClasses()
            .that()
            .resideOutsideOfPackage("dev.signet.app..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("picocli..", "com.fasterxml.jackson..");

    static final ArchRule NO_PACKAGE_IS_SPLIT_OVER_TWO_ARTIFACTS =
            all(packages()).should(comeFromOneArtifact());

    static final ArchRule EVERY_PACKAGE_IS_NULL_MARKED = all(packages()).should(beNullMarked());

    private static DescribedPredicate<JavaClass> named(String... names) {
        Set<String> forbidden = Set.of(names);
        return DescribedPredicate.describe(
                "one of " + new TreeSet<>(forbidden), type -> forbidden.contains(type.getName()));
    }

    private static DescribedPredicate<JavaCall<?>> readsTheWorld() {
        return DescribedPredicate.describe("a clock, chance or the environment is read", call -> {
            CodeUnitCallTarget target = call.getTarget();
            String owner = target.getOwner().getName();
            String method = target.getName();
            return switch (owner) {
                case "java.lang.System" -> !method.equals("arraycopy") && !method.equals("identityHashCode");
                case "java.lang.Math", "java.lang.StrictMath" -> method.equals("random");
                case "java.util.UUID" -> method.equals("randomUUID");
                default -> owner.startsWith("java.time.") && method.equals("now");
            };
        });
    }

    private static ClassesTransformer<JavaPackage> packages() {
        return new AbstractClassesTransformer<>("packages") {
            @Override
            public Iterable<JavaPackage> doTransform(JavaClasses classes) {
                return classes.stream()
                        .filter(type -> type.getPackageName().startsWith("dev.signet"))
                        .map(JavaClass::getPackage)
                        .distinct()
                        .toList();
            }
        };
    }

    private static ArchCondition<JavaPackage> comeFromOneArtifact() {
        return new ArchCondition<>("come from one artifact") {
            @Override
            public void check(JavaPackage item, ConditionEvents events) {
                Set<String> artifacts = new TreeSet<>();
                item.getClasses().stream()
                        .flatMap(type -> type.getSource().stream())
                        .forEach(source -> artifacts.add(artifactOf(source)));
                events.add(new SimpleConditionEvent(
                        item, artifacts.size() == 1, "package " + item.getName() + " comes from " + artifacts));
            }
        };
    }

    private static final Pattern ARTIFACT = Pattern.compile("([^/]+/[^/]+)/target/");

    private static String artifactOf(Source source) {
        String place = source.getUri().toString();
        Matcher matcher = ARTIFACT.matcher(place);
        return matcher.find() ? matcher.group(1) : place;
    }

    private static ArchCondition<JavaPackage> beNullMarked() {
        return new ArchCondition<>("have a package-info with @NullMarked") {
            @Override
            public void check(JavaPackage item, ConditionEvents events) {
                boolean marked = item.tryGetPackageInfo()
                        .map(info -> info.isAnnotatedWith(NullMarked.class))
                        .orElse(false);
                events.add(new SimpleConditionEvent(
                        item, marked, "package " + item.getName() + (marked ? " is" : " is not") + " null-marked"));
            }
        };
    }

    /** One slice per adapter: dev.signet.store.jdbc is one, dev.signet.fence.jdbc another; core's own SPI is none. */
    private static final class Adapters implements SliceAssignment {

        private static final Pattern ADAPTER = Pattern.compile("dev\\.signet\\.(store|fence)\\.(\\w+).*");

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            Matcher matcher = ADAPTER.matcher(type.getPackageName());
            return matcher.matches()
                    ? SliceIdentifier.of(matcher.group(1), matcher.group(2))
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "adapters";
        }
    }
}
