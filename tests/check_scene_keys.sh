#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_scene_keys.sh PROGRAM: docs/scene-reference.md is what PROGRAM (scene_reference) prints from the table of a scene's keys, and readers of scenes
# get keys only from that table.
set -u
cd "$(dirname "$0")/.." || exit 2
bad=0
"$1" docs/scene-reference.md || bad=1
readers=$(ls lattice/formats/scene/scene_{affine,contacts,floor,magnets,read,sizes}.c) || exit 2
if grep -nE 'json_object_(get|iter)|vxe_scene_(number|numbers|places|vector|flag|text|expect|indices)\(' $readers; then
    echo "these read past the table of keys (lattice/formats/scene/scene_table.c): vxe_scene_read or vxe_scene_get instead"
    bad=1
fi
[ $bad -eq 0 ] && echo "scene keys: ok"
exit $bad
