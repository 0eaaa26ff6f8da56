#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_designs.sh PROGRAM FOLDER: published designs, where a copy is at hand: every VXA and VXC loads or is refused with a reason and its
# place; designs written for evosoro run two seconds. One of them, fullrot.vxa, is no robot: 100 N m on a lever of five voxels pulls a bond of
# 50 kN/m to more than four times its length, which is where a bond counts as broken (its own simulator's bound is a hundred times), at any
# time step; it must say so.
set -u
program=$1
folder=$2
[ -d "$folder" ] || { echo "no designs at $folder: skipped"; exit 77; }
loaded=0
refused=0
ran=0
bad=0
while IFS= read -r file; do
    out=$("$program" check "$file" 2>&1)
    case $? in
        0) loaded=$((loaded + 1)) ;;
        3) refused=$((refused + 1))
           printf '%s' "$out" | grep -qE "error: .*:[0-9]+:[0-9]+: .+" || { echo "no place: $out"; bad=$((bad + 1)); } ;;
        *) echo "$out"; bad=$((bad + 1)) ;;
    esac
done < <(find "$folder" -name '*.vxa' -o -name '*.vxc' | sort)
while IFS= read -r file; do
    out=$("$program" run "$file" --duration 2 --quiet 2>&1)
    code=$?
    case $file in *fullrot.vxa) want=4 ;; *) want=0 ;; esac
    if [ $code -eq $want ]; then ran=$((ran + 1)); else echo "$file: $code $out"; bad=$((bad + 1)); fi
done < <(find "$folder" -path '*evosoro*' -name '*.vxa' | sort)
echo "$loaded loaded, $refused refused with a reason, $ran evosoro designs as expected, $bad wrong"
[ $bad -eq 0 ] && [ $loaded -gt 0 ]
