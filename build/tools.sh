# Finds, and where it may installs, the programs that a build or a test run needs. Sourced by ./signet when it has to build,
# and by ./verify. POSIX sh: on a bare machine nothing else can be counted on. Everything it says goes to stderr.

java_needed=17
maven_needed=3.8.7
# What the tests start besides Java: "command package", a line each.
test_programs='sqlite3 sqlite3
setsid util-linux
flock util-linux
ps procps
busybox busybox'
# The same, of the tests tagged process only. Servers that later suites need join here. A module of Python, the distribution's, is
# python3/MODULE.
server_programs='initdb postgresql
pgbouncer pgbouncer
mariadbd mariadb-server
openssl openssl
ip iproute2
python3/psycopg2 python3-psycopg2'
# Where packages put programs that are not on everybody's PATH.
program_folders='/usr/lib/postgresql/*/bin /usr/sbin'
# A file that keeps packages from starting their daemons; the tests start servers of their own, on ports of their own.
daemon_policy=/usr/sbin/policy-rc.d

say() { printf 'signet: %s\n' "$*" >&2; }

# stop CODE LINE...: nothing else can be done here.
stop() {
    stop_code=$1
    shift
    for stop_line in "$@"; do say "$stop_line"; done
    exit "$stop_code"
}

# version_of_jdk HOME: sets jdk_version (17.0.15+6) and jdk_major (17) from the JDK's own release file, without starting it.
version_of_jdk() {
    jdk_version='' jdk_major=0
    if [ -r "$1/release" ]; then
        while IFS='=' read -r release_key release_value; do
            case $release_key in
                JAVA_RUNTIME_VERSION) jdk_version=${release_value#\"} jdk_version=${jdk_version%\"} ;;
                JAVA_VERSION) [ -n "$jdk_version" ] || { jdk_version=${release_value#\"} jdk_version=${jdk_version%\"}; } ;;
            esac
        done < "$1/release"
    elif [ -x "$1/bin/java" ]; then
        jdk_version=$("$1/bin/java" -version 2>&1 | sed -n 's/.*version "\([^"]*\)".*/\1/p' | head -n 1)
    fi
    jdk_major=${jdk_version%%[!0-9]*}
    jdk_major=${jdk_major:-0}
}

# homes_of_jdks: where a JDK may be, the caller's own choice first.
homes_of_jdks() {
    [ -z "${JAVA_HOME:-}" ] || printf '%s\n' "$JAVA_HOME"
    for on_path in javac java; do
        on_path=$(command -v "$on_path") && on_path=$(readlink -f "$on_path") && printf '%s\n' "${on_path%/bin/*}"
    done
    if [ -x /usr/libexec/java_home ]; then /usr/libexec/java_home 2> /dev/null || :; fi
    for installed in /usr/lib/jvm/*; do printf '%s\n' "$installed"; done
}

# find_jdk PROGRAM: sets jdk_home, jdk_version and jdk_major to the first JDK that is new enough and has bin/PROGRAM.
find_jdk() {
    jdk_homes=$(homes_of_jdks)
    while IFS= read -r jdk_home; do
        [ -x "$jdk_home/bin/$1" ] || continue
        version_of_jdk "$jdk_home"
        [ "$jdk_major" -lt "$java_needed" ] || return 0
    done <<EOF
$jdk_homes
EOF
    jdk_home='' jdk_version='' jdk_major=0
    return 1
}

# at_least VERSION NEEDED: compares versions of three numbers.
at_least() {
    printf '%s %s\n' "$1" "$2" | awk '{
        split($1, have, /[.-]/); split($2, need, /[.]/)
        for (i = 1; i <= 3; i++) if (have[i] + 0 != need[i] + 0) exit !(have[i] + 0 > need[i] + 0)
    }'
}

has_maven() {
    command -v mvn > /dev/null 2>&1 || return 1
    maven_version=$(JAVA_HOME=$jdk_home mvn -v 2> /dev/null | sed -n 's/.*Apache Maven \([0-9][0-9.]*\).*/\1/p')
    at_least "${maven_version:-0.0.0}" "$maven_needed"
}

may_install() {
    [ "$(id -u)" -eq 0 ] && [ -e /etc/debian_version ] && command -v apt-get > /dev/null 2>&1
}

# install WHY PACKAGE...: from the distribution, when that is ours to do; else stops with the names.
install_packages() {
    install_why=$1
    shift
    may_install || stop 69 "$install_why" "on Debian and its kin: apt-get install $*" "elsewhere: the packages of the same purpose"
    say "$install_why; installing $*"
    export DEBIAN_FRONTEND=noninteractive
    without_daemons apt_get_install "$@" >&2 || stop 69 "could not install $*: see above"
}

apt_get_install() {
    apt-get install -y --no-install-recommends "$@" || { apt-get update && apt-get install -y --no-install-recommends "$@"; }
}

# without_daemons COMMAND...: what it installs is not started. In a container that is usually so already.
without_daemons() (
    if [ ! -e "$daemon_policy" ]; then
        trap 'rm -f "$daemon_policy"' EXIT
        trap 'exit 130' HUP INT TERM
        printf '#!/bin/sh\nexit 101\n' > "$daemon_policy" && chmod +x "$daemon_policy" || exit
    fi
    "$@"
)

jdk_package() {
    if apt-cache show "openjdk-$java_needed-jdk-headless" > /dev/null 2>&1 || ! apt-cache show default-jdk-headless > /dev/null 2>&1; then
        echo "openjdk-$java_needed-jdk-headless"
    else
        echo default-jdk-headless
    fi
}

# need_build_tools: a JDK (sets jdk_home, exports JAVA_HOME) and Maven, installed or named.
need_build_tools() {
    missing='' packages=''
    if ! find_jdk javac; then
        missing="no JDK $java_needed or newer" packages=$(jdk_package)
    fi
    if ! has_maven; then
        missing="${missing:+$missing and }no Maven $maven_needed or newer" packages="${packages:+$packages }maven"
    fi
    if [ -n "$packages" ]; then
        # shellcheck disable=SC2086 # names of packages, split on purpose
        install_packages "$missing" $packages
        find_jdk javac || stop 69 "no JDK $java_needed or newer even after installing $packages"
        has_maven || stop 69 "no Maven $maven_needed or newer even after installing $packages"
    fi
    JAVA_HOME=$jdk_home
    export JAVA_HOME
}

has_program() {
    case $1 in
        python3/*)
            PATH=/usr/bin:$PATH python3 -c "import ${1#*/}" > /dev/null 2>&1
            return
            ;;
    esac
    command -v "$1" > /dev/null 2>&1 && return
    # shellcheck disable=SC2086 # patterns of folders, to be split and expanded
    for folder in $program_folders; do [ -x "$folder/$1" ] && return; done
    return 1
}

# need_programs LIST...: lists as above.
need_programs() {
    packages=''
    for programs in "$@"; do add_missing "$programs"; done
    [ -z "$packages" ] && return 0
    # shellcheck disable=SC2086 # names of packages, split on purpose
    install_packages "the tests need programs that are missing" $packages
}

add_missing() {
    while read -r program package; do
        [ -z "$program" ] || has_program "$program" && continue
        case " $packages " in *" $package "*) ;; *) packages="${packages:+$packages }$package" ;; esac
    done <<EOF
$1
EOF
}
