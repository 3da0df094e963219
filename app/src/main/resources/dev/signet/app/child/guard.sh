# The guard of one command of `signet run`: it ends the command's processes when signet cannot.
#
# It must work under dash, busybox ash and bash, with no more than sleep and grep, and it trusts nothing that it cannot see
# for itself: signet may be stopped, killed, or asleep together with the whole host.
#
# What it hears on its stdin, one line each (times are hundredths of a second on the boot clock, as /proc/uptime has them):
#   mark NAME=VALUE   what the environment of every process of the command carries
#   arm N STOP KILL   the lease was renewed: stop the group at STOP, kill it at KILL; answered `armed N` with the next tick, so
#                     that an answer says that both reach us, signet's lines and the time
#   group PID         the command's process group, said by the gate inside that group; answered with `go` on the gate's pipe
#   stop              stop the group now; a later arm line lets it go on
#   drain             TERM to the group; from now on it is no longer stopped, only killed
#   kill              kill the group now
#   end               the command has ended by itself and nothing of it is left
#   (end of file)     signet is gone: kill the group now
#
# Three processes: `feed` merges signet's lines and a tick for each poll into one stream of events, `watch` alone decides,
# and this shell waits for both. Sleeping stands still while a host is suspended, so no deadline is ever slept for: each tick
# reads the boot clock. Whichever part is killed, the rest ends within one poll, and signet sees the guard end or hears no
# more answers from it.

set -u
unset script
poll=$1
# What a terminal or a careless `kill` sends must not end the guard. PIPE: so that a dead signet is an error, not our death.
trap '' HUP INT QUIT TERM TSTP TTIN TTOU PIPE ALRM USR1 USR2
# 3: signet's ears; 4: the user's; 5: signet's mouth. The shells themselves shall not remark on who was killed.
exec 3>&1 4>&2 5<&0 2>/dev/null

feed() {
    exec 3>&- 4>&-
    read -r self _ </proc/self/stat
    echo "feed $self"
    { while read -r line; do echo "$line" || exit; done; echo closed; } <&5 &
    ears=$!
    while echo tick; do
        sleep "$poll" || sleep 1
        kill -0 "$ears" || echo closed
    done
}

looks=3
group='' mark='' born='' feed='' armed='' stopped='' draining=''
stop_at=9223372036854775807 kill_at=9223372036854775807

watch() {
    # 6: the gate's ear. Not 1, which a shell bends elsewhere for the length of each `echo >&3`, and a gate might look just then.
    exec 6>&1
    read -r self _ </proc/self/stat
    tell "ready $self"
    while read -r event one two three; do
        case $event in
            tick) look; stop_again; answer ;;
            feed) feed=$one ;;
            mark) mark=$one ;;
            arm) armed=$one; arm "$two" "$three" ;;
            group) adopt "$one" ;;
            stop) halt ;;
            drain) drain ;;
            kill) finish asked ;;
            end) leave ;;
            closed) finish closed ;;
        esac
    done
    finish deaf
}

look() {
    read -r now _ </proc/uptime || finish blind
    now=${now%.*}${now#*.}
    if [ "$now" -ge "$kill_at" ]; then
        finish deadline
    elif [ "$now" -ge "$stop_at" ] && [ -z "$stopped$draining" ]; then
        halt
    fi
}

arm() {
    stop_at=$1 kill_at=$2
    look
    if [ -n "$stopped" ] && [ "$now" -lt "$stop_at" ]; then
        stopped=''
        signal CONT
        tell continued
    fi
}

answer() {
    [ -n "$armed" ] || return 0
    tell "armed $armed"
    armed=''
}

adopt() {
    [ -z "$group" ] || return 0
    group=$1
    read -r line <"/proc/$group/stat" || leave
    set -- ${line##*)}
    born=${20}
    look
    tell "guarding $group"
    # the reader is the gate, which will not start the command before it has read this
    echo go >&6
}

halt() {
    [ -n "$group" ] && [ -z "$draining" ] || return 0
    signal STOP
    stopped=once
    tell stopped
}

# At the next tick, for whoever was just becoming another program at the first look: see `finish`.
stop_again() {
    [ "$stopped" = once ] || return 0
    stopped=twice
    signal STOP
}

# A stopped process gets no TERM before it goes on, so CONT follows, and comes after, or the command would run on unwarned.
drain() {
    draining=yes stopped=''
    [ -n "$group" ] || return 0
    signal TERM
    signal CONT
    tell draining
}

finish() {
    [ -n "$group" ] || leave
    tell "killing $1"
    ours && kill -KILL "-$group"
    rounds=0 none=0
    # Again until none is left: one may have been forked while the others were looked for. And none but at several looks in
    # a row: who is just becoming another program has no environment for that moment, and is overlooked.
    while [ "$none" -lt "$looks" ] && [ "$rounds" -lt 200 ]; do
        [ "$rounds" -eq 0 ] || sleep 0.05 || sleep 1
        rounds=$((rounds + 1)) none=$((none + 1))
        members
        [ -z "$inside$outside" ] || { none=0; kill -KILL $inside $outside; }
    done
    case $1 in
        closed | deaf) say "signet is gone; its command (process group $group) was killed" ;;
        deadline) say "signet did not renew in time; its command (process group $group) was killed before the lease could end" ;;
        blind) say "/proc/uptime cannot be read; the command (process group $group) was killed" ;;
    esac
    leave
}

leave() {
    [ -n "$feed" ] && kill -KILL "$feed"
    exit 0
}

# To the process group as one act, and to each process that left the group but not the command.
signal() {
    ours && kill "-$1" "-$group"
    members
    [ -n "$outside" ] && kill "-$1" $outside
}

# The number of a process group is free again once its last member has gone. Its leader, where there is one, must be ours.
ours() {
    read -r line <"/proc/$group/stat" || return 0
    set -- ${line##*)}
    [ "${20}" = "$born" ]
}

# Sets inside= and outside=: the live processes in the group; those elsewhere in its session, or that carry the mark.
members() {
    inside='' outside=''
    for path in $(candidates); do
        pid=${path#/proc/}
        pid=${pid%/*}
        read -r line <"/proc/$pid/stat" || continue
        set -- ${line##*)}
        case $1 in
            # dead, but not if only its first thread is
            Z | X) [ "${18}" -gt 1 ] || continue ;;
        esac
        case $path in
            */stat) [ "$3" = "$group" ] || [ "$4" = "$group" ] || continue ;;
        esac
        if [ "$3" = "$group" ]; then
            inside="$inside $pid"
        else
            case "$outside " in
                *" $pid "*) ;;
                *) outside="$outside $pid" ;;
            esac
        fi
    done
}

candidates() {
    ours && grep -lsE "\) [A-Za-z] [0-9]+ ([0-9]+ $group|$group [0-9]+) " /proc/[0-9]*/stat
    [ -n "$mark" ] || return 0
    if [ -n "$whole" ]; then
        printf '%s\n' "$mark" | grep -lszxFf - /proc/[0-9]*/environ
    else
        for file in /proc/[0-9]*/environ; do
            # shells drop the NULs between the variables, whose values may be of many lines
            while read -r line || [ -n "$line" ]; do
                case $line in *"$mark"*) echo "$file"; break ;; esac
            done <"$file"
        done
    fi
}

# Some small greps do not know -z, and without it see only the first variable.
whole=''
printf 'a\0b\0' | grep -qzxF b && whole=yes

tell() {
    echo "$*" >&3 || return 0
}

# After the deed, and never waited for: a terminal may be held up, or signet's reader stopped like signet. Without signet's
# mouth, whose end is that of the guard's words.
say() {
    echo "signet-guard: $*" >&4 3>&- &
}

# The pipe to `:` soon has no reader but the gate that opens it under /proc; it reads the end of file if its guard dies.
feed | watch | :
