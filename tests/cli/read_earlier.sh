#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# read_earlier.sh PROGRAM FOLDER: files that an earlier build wrote, before keys were renamed ("programmes" is "schedules" now), mean the same to this one.
set -u
program=$(readlink -f "$1")
folder=$(readlink -f "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0
check() {
    if ! eval "$2" >log 2>&1; then
        printf 'FAILED: %s\n' "$1"
        cat log
        failed=$((failed + 1))
    fi
}

check "an earlier scene has the state that the earlier build computed" \
    '"$program" run "$folder/scene.json" --result result.json && grep -q "\"state_hash\": \"b1f2345cd9f127b5\"" result.json'
check "it is written with the keys of now, and means the same" \
    '"$program" convert "$folder/scene.json" now.json && grep -q schedules now.json && ! grep -q programmes now.json &&
     "$program" run now.json --result result.json && grep -q b1f2345cd9f127b5 result.json'
check "an earlier record can be read and shown" \
    '"$program" info "$folder/robot.vxr" | grep -q "6 frames, steps 0 to 474" && "$program" view "$folder/robot.vxr" -o page.html'

cp -r "$folder/search" search
check "an earlier search goes on" '"$program" evolve --resume --out search --quiet'
check "it keeps its individuals" 'head -n "$(wc -l <"$folder/search/individuals.csv")" search/individuals.csv | cmp - "$folder/search/individuals.csv"'
check "its experiment can be started anew" '"$program" evolve "$folder/search/config.json" --out anew --quiet'
check "both have as many individuals" '[ "$(wc -l <search/individuals.csv)" = "$(wc -l <anew/individuals.csv)" ]'
check "an earlier search can be analyzed" '"$program" analyze "$folder/search" | grep -q "individual 3"'
sed -i 's/"population": 4/"population": 5/' search/config.json
check "a changed experiment is refused" '! "$program" evolve --resume --out search --quiet && grep -q "was that changed" log'
exit $((failed > 0))
