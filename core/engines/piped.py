"""Words of `sh` that give a program a pipe to write to where its output is a file."""

from __future__ import annotations

# fd 3 is the file, 4 the input, 5 tells `cat`'s number and how the program ended. The program gets none of
# them: whatever it leaves running holds nothing but the pipe.
# - `trap :` lets this shell and the next live to tell the status, as Roost's own wrapper does; `cat` ignores
#   what is meant for the program, and ends with the pipe.
# - When the program has ended, the pipe holds 64 kB at most. `cat` gets a second for them: something that was
#   left running may hold the pipe open for ever.
_WORDS = """\
trap : TERM INT HUP
exec 3>&1 4<&0
roost_told=$(
    {
        {
            trap : TERM INT HUP
            (exec "$@") <&4 3>&- 4<&- 5>&-
            echo "roost_code=$?" >&5
        } | {
            exec 6<&0
            (trap '' TERM INT HUP; exec cat) <&6 >&3 3>&- 4<&- 5>&- 6<&- &
            echo "roost_cat=$!" >&5
        }
    } 5>&1
)
eval "$roost_told"
roost_left=100
while [ "$roost_left" -gt 0 ] && kill -0 "$roost_cat" 2>/dev/null; do
    sleep 0.01
    roost_left=$((roost_left - 1))
done
kill -KILL "$roost_cat" 2>/dev/null
exit "${roost_code:-137}"
"""


def piped(argv: tuple[str, ...]) -> tuple[str, ...]:
    """*argv* with a pipe as its output; its exit status, its input and its signals stay what they are.

    Programs that are built with asyncio need it: «Pipe transport is only for pipes, sockets and character
    devices» is what Python says of a file.
    """
    return ("/bin/sh", "-c", _WORDS, "roost-pipe", *argv)
