# warden.sh FOLDER: reads from its JVM, a line each, the processes that the JVM starts: "PID START_TIME". When its input ends, the
# JVM is gone, in whatever way: kills what still lives of those processes, and removes the folder.
trap '' HUP INT TERM

# start_of PID: when it was started, in the kernel's ticks; tells a process from a later one with the same number.
start_of() {
    read -r stat < "/proc/$1/stat" || return
    # shellcheck disable=SC2086 # fields, split on purpose; the name of the program, in parentheses, may hold anything
    set -- ${stat##*) }
    shift 19
    echo "$1"
}

# end PID: it and its descendants. Stopped first, so that it starts no other while these are counted.
end() {
    kill -STOP "$1"
    for child in $(ps -o pid= --ppid "$1"); do end "$child"; done
    kill -KILL "$1"
}

watched=''
while read -r pid start; do watched="$watched $pid:$start"; done
for process in $watched; do
    [ "$(start_of "${process%:*}")" != "${process#*:}" ] || end "${process%:*}"
done
# What is being killed may still finish its last write.
for attempt in 1 2 3 4 5 6 7 8 9 10; do
    rm -rf -- "$1" && break
    sleep 0.1
done
