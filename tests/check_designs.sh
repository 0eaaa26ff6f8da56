#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_designs.sh PROGRAM FOLDER TABLE: published designs, if a copy is available: each one can be read, and is the same to the last bit after
# it is written as a scene and read back; or it is refused as the table says (name | what the message says | why). Designs written for
# evosoro run two seconds under our own rules. One of them, fullrot.vxa, is not a robot: 100 N m on a lever of five voxels pulls a bond of 50 kN/m to more than four
# times its length, which is where a bond counts as broken (its own simulator's bound is a hundred times), at any time step; it must say so.
set -u
program=$1
folder=$2
table=$3
[ -d "$folder" ] || { echo "no designs at $folder: skipped"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
loaded=0
refused=0
ran=0
bad=0

# The base of an overlay: names in the copy are paths with __ for /. The base is beside the overlay, in the folder above, or in one named data.
base_of() {
    local beside=${1%__*}
    local above=${beside%__*}
    ls "$beside"__base*.vxa "$above"__base*.vxa "$above"__data__base*.vxa 2>/dev/null | head -1
}

while IFS= read -r file; do
    base=
    case $file in *.vxd) base=$(base_of "$file") ;; esac
    said=$("$program" convert ${base:+--base "$base"} "$file" "$work/once.json" 2>"$work/messages")
    code=$?
    if [ $code -eq 0 ]; then
        loaded=$((loaded + 1))
        again=$("$program" convert "$work/once.json" "$work/twice.json" 2>&1)
        if [ "${said##* }" != "${again##* }" ] || ! cmp -s "$work/once.json" "$work/twice.json"; then
            echo "$file is another when read back: $said, $again"
            bad=$((bad + 1))
        fi
        continue
    fi
    refused=$((refused + 1))
    row=$(grep -F "$(basename "$file") | " "$table")
    says=$(printf '%s' "$row" | awk -F ' [|] ' '{print $2}')
    if [ -z "$row" ] || ! grep -qF "$says" "$work/messages"; then
        echo "$file, refused with $code otherwise than the table says: $(grep error "$work/messages")"
        bad=$((bad + 1))
    fi
done < <(find "$folder" -name '*.vxa' -o -name '*.vxc' -o -name '*.vxd' -o -name '*.json' -o -name '*.vox' | sort)
rows=$(grep -vc '^#' "$table")
[ "$rows" -eq "$refused" ] || { echo "the table has $rows rows"; bad=$((bad + 1)); }

while IFS= read -r file; do
    out=$("$program" run "$file" --conventions native --duration 2 --quiet 2>&1)
    code=$?
    case $file in *fullrot.vxa) want=4 ;; *) want=0 ;; esac
    if [ $code -eq $want ]; then ran=$((ran + 1)); else echo "$file: $code $out"; bad=$((bad + 1)); fi
done < <(find "$folder" -path '*evosoro*' -name '*.vxa' | sort)
echo "$loaded loaded and carried by scenes, $refused refused as the table says, $ran evosoro designs as expected, $bad wrong"
[ $bad -eq 0 ] && [ $loaded -gt 0 ]
