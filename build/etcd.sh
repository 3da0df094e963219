# etcd for the tests, 3.5 or newer: an older one may give a lease away early after its own leader changed (etcd issue 15247).
# Where the distribution's is older, the next one's is unpacked beside the system, and nothing of the system changes. Sourced by
# tools.sh. POSIX sh.

etcd_needed=3.5.13
# The server of the tests looks here, too.
etcd_beside=/usr/local/lib/signet-tests/etcd

version_of_etcd() { "$1" --version 2> /dev/null | sed -n 's/^etcd Version: *//p'; }

# find_etcd: sets etcd to the first one that is new enough.
find_etcd() {
    for etcd in $(command -v etcd) /usr/bin/etcd "$etcd_beside/usr/bin/etcd"; do
        [ -x "$etcd" ] && at_least "$(version_of_etcd "$etcd")" "$etcd_needed" && return 0
    done
    etcd=''
    return 1
}

need_etcd() {
    find_etcd && return 0
    may_install || stop 69 "the tests need etcd $etcd_needed or newer, on the PATH" \
        "on Debian and its kin: apt-get install etcd-server, where that is new enough"
    etcd_offered=$(apt-cache policy etcd-server 2> /dev/null | sed -n 's/^ *Candidate: *//p')
    if at_least "${etcd_offered%%-*}" "$etcd_needed"; then
        install_packages "no etcd $etcd_needed or newer" etcd-server
    else
        say "no etcd $etcd_needed or newer, and the distribution has ${etcd_offered:-none}; unpacking a newer one to $etcd_beside"
        unpack_etcd_from trixie >&2 || stop 69 "could not fetch etcd from Debian trixie: see above"
    fi
    find_etcd || stop 69 "no etcd $etcd_needed or newer even after installing it"
}

# unpack_etcd_from SUITE: by apt's own means, signed as the system's packages are, with lists and a state of its own.
unpack_etcd_from() (
    apt_root=$(mktemp -d) || exit
    trap 'rm -rf "$apt_root"' EXIT
    mirror=$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2> /dev/null \
        | sed -n -e 's/^URIs: *\([^ ]*\).*/\1/p' -e 's/^deb .*\(https*:[^ ]*\).*/\1/p' | head -n 1)
    [ -n "$mirror" ] || exit
    mkdir -p "$apt_root/etc/preferences.d" "$apt_root/lists/partial" "$apt_root/cache/archives/partial" "$etcd_beside" || exit
    : > "$apt_root/status"
    printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' \
        "$mirror" "$1" /usr/share/keyrings/debian-archive-keyring.gpg > "$apt_root/etc/one.sources"
    apt_beside() {
        apt-get -q -o Dir::Etc="$apt_root/etc" -o Dir::Etc::sourcelist="$apt_root/etc/one.sources" \
            -o Dir::Etc::sourceparts=/dev/null/none -o Dir::Etc::preferences=/dev/null \
            -o Dir::Etc::preferencesparts="$apt_root/etc/preferences.d" \
            -o Dir::Etc::trusted=/etc/apt/trusted.gpg -o Dir::Etc::trustedparts=/etc/apt/trusted.gpg.d \
            -o Dir::State="$apt_root" -o Dir::State::status="$apt_root/status" -o Dir::Cache="$apt_root/cache" \
            -o Acquire::Languages=none -o APT::Sandbox::User=root "$@"
    }
    cd "$apt_root" && apt_beside update && apt_beside download etcd-server && dpkg-deb -x etcd-server_*.deb "$etcd_beside"
)
