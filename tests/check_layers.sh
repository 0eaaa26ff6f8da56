#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Includes point down the ranks only, cli and bench see public headers only, and only common/parallel.c starts threads.
set -u
cd "$(dirname "$0")/.." || exit 2
bad=0
complain() { printf '%s\n' "$1"; bad=1; }
while read -r problem; do
    complain "$problem"
done < <(grep -rnH '#include "' common materials lattice engine evolution cli --include='*.c' --include='*.h' | awk -F: '
    BEGIN { split("common materials lattice engine evolution cli", rooms, " "); for (i in rooms) rank[rooms[i]] = i + 0 }
    !match($3, /#include "[^"]*"/) { next }
    {
        path = substr($3, RSTART + 10, RLENGTH - 11)
        room = $1; sub("/.*", "", room)
        target = path; sub("/.*", "", target)
        if (target == path) print $1 ":" $2 ": include \"" path "\" without its room"
        else if (!(target in rank) || rank[target] > rank[room]) print $1 ":" $2 ": " room " includes " target ", which is above it"
        if (room == "cli" && path ~ /_internal\.h$/) print $1 ":" $2 ": cli includes \"" path "\", which is not public"
    }')
while IFS=: read -r file line text; do
    complain "$file:$line: bench includes a private header"
done < <(grep -rnH '#include ".*_internal.h"' bench --include='*.c' --include='*.h')
while read -r file; do
    complain "$file: starts threads; only common/parallel.c may"
done < <(grep -rlE '#pragma omp (parallel|critical|atomic|barrier)' common materials lattice engine evolution cli | grep -v '^common/parallel.c$')
while read -r file lines; do
    [ "$lines" -le 600 ] || complain "$file: $lines lines; at most 600"
done < <(find common materials lattice engine evolution cli bench tests -name '*.[ch]' -exec wc -l {} + | awk '$2 != "total" { print $2, $1 }')
[ $bad -eq 0 ] && echo "layers: ok"
exit $bad
