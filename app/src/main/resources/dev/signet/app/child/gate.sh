# Stands at the head of the command's own session until the guard has written its process group down, then becomes the command.
# Without it there would be a moment in which signet could die and leave a command that no guard knows of.
# $1: the process of the guard that answers, $2: the guard; the command follows.
{ echo "group $$" >"/proc/$2/fd/0" && read -r answer <&5; } 2>/dev/null 5<"/proc/$1/fd/6" || {
    echo "signet: the guard is gone, so the command was not started" >&2
    exit 125
}
shift 2
exec "$@"
