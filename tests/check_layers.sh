#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Includes point down the ranks only, cli and bench see public headers only, and only common/parallel.c starts threads.
set -u
cd "$(dirname "$0")/.." || exit 2
bad=0
complain() { printf '%s\n' "$1"; bad=1; }
rank() {
    case $1 in
        common) echo 0 ;; materials) echo 1 ;; lattice) echo 2 ;; engine) echo 3 ;; evolution) echo 4 ;; cli) echo 5 ;; *) echo 9 ;;
    esac
}
for room in common materials lattice engine evolution cli; do
    [ -d "$room" ] || continue
    while IFS=: read -r file line text; do
        path=$(printf '%s' "$text" | sed -n 's/.*#include "\([^"]*\)".*/\1/p')
        [ -n "$path" ] || continue
        target=${path%%/*}
        if [ "$target" = "$path" ]; then
            complain "$file:$line: include \"$path\" without its room"
        elif [ "$(rank "$target")" -gt "$(rank "$room")" ]; then
            complain "$file:$line: $room includes $target, which is above it"
        fi
        if [ "$room" = cli ] && [ "${path%_internal.h}" != "$path" ]; then
            complain "$file:$line: cli includes \"$path\", which is not public"
        fi
    done < <(grep -rnH '#include "' "$room" --include='*.c' --include='*.h')
done
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
