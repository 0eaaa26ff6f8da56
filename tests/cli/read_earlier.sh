#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# read_earlier.sh PROGRAM FOLDER: files that an earlier build wrote, before keys were renamed ("programmes" is "schedules" now), mean the same to this one.
set -u
program=$(readlink -f "$1")
folder=$(readlink -f "$2")
# shellcheck source=tests/cli/counted.sh
. "$(dirname "$(readlink -f "$0")")/counted.sh"

check "an earlier scene has its state (its numbers change as CHANGELOG says under Numerics)" \
    '"$program" run "$folder/scene.json" --quiet --result result.json && grep -q "\"state_hash\": \"cbca567237f942d6\"" result.json'
check "it is written with the keys of now, and means the same" \
    '"$program" convert "$folder/scene.json" now.json >log && grep -q schedules now.json && ! grep -q programmes now.json &&
     "$program" run now.json --quiet --result result.json && grep -q cbca567237f942d6 result.json'
expect 0 '6 frames, steps 0 to 474' info "$folder/robot.vxr"
expect 0 '' view "$folder/robot.vxr" -o page.html
expect 0 'individual 3' analyze "$folder/search"

# Only the release that wrote a checkpoint goes on with it.
cp -r "$folder/search" search
if [ "voxelastic $(sed -n 's/.*"voxelastic": "\(.*\)".*/\1/p' search/manifest.json)" = "$("$program" --version)" ]; then
    expect 0 '' evolve --resume --out search --quiet
    check "an earlier search keeps its individuals" \
        'head -n "$(wc -l <"$folder/search/individuals.csv")" search/individuals.csv | cmp - "$folder/search/individuals.csv"'
    expect 0 '' evolve "$folder/search/config.json" --out anew --quiet
    check "both have as many individuals" '[ "$(wc -l <search/individuals.csv)" = "$(wc -l <anew/individuals.csv)" ]'
    sed -i 's/"population": 4/"population": 5/' search/config.json
    expect 3 'was that changed' evolve --resume --out search --quiet
else
    expect 3 'is not a checkpoint of release' evolve --resume --out search --quiet
fi
counted_end
