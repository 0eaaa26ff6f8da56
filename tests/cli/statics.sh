#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# statics.sh PROGRAM ASSETS: the command `statics`: its numbers, its files, and what it refuses.
set -u
program=$1
assets=$2
# shellcheck source=tests/cli/counted.sh
. "$(dirname "$(readlink -f "$0")")/counted.sh"

cat >bar.json <<'END'
{"voxels": [[0,0,0,0], [1,0,0,0], [2,0,0,0], [3,0,0,0], [4,0,0,0]],
 "materials": [{"youngs_modulus_Pa": 1e6, "poissons_ratio": 0.3}], "gravity_m_per_s2": [0, 0, 0], "floor": {"enabled": false},
 "regions": [{"shape": "voxels", "voxels": [0], "fixed": ["x", "y", "z", "rx", "ry", "rz"]},
             {"shape": "voxels", "voxels": [4], "force_N": [0, 0, -1e-4]}]}
END
expect 0 'modes N' statics --help
# F L^3/(3 E I) = 2.56e-6 m, 3 E I/L^3 = 39.0625 N/m; 25.0311 Hz (docs/accuracy.md)
expect 0 'farthest     voxel 4, 2.56e-06 m' statics bar.json
expect 0 'stiffness 39.0625 N/m' statics bar.json --linear
expect 0 'held by .* 0.0001 N, .* -4e-06 ' statics bar.json
expect 0 'vibration 1  25.0310' statics bar.json --modes 3 --result rest.json --poses rest.csv --picture rest.png --record rest.vxr
check 'numbers in the result' 'grep -q "\"stiffness_N_per_m\": 39.06" rest.json && [ "$(grep -c "Hz\"" rest.json)" = 1 ]'
check 'a row for each voxel' '[ "$(wc -l <rest.csv)" = 6 ]'
check 'a picture' '[ "$(head -c 4 rest.png | tail -c 3)" = PNG ]'
expect 0 'frames' info rest.vxr
expect 0 '' statics bar.json --quiet --poses rest.npy --record rest.html --picture rest.svg
check 'quiet' '[ -z "$("$program" statics bar.json --quiet)" ]'
check 'numpy' '[ "$(head -c 6 rest.npy | tail -c 5)" = NUMPY ]'
expect 0 'voxel 4, 5.12e-06 m' statics bar.json --set regions.1.force_N=[0,0,-2e-4]
expect 0 'vibration 1  0 Hz' statics "$assets/quadruped.vxa" --modes 4 --at 0.1
expect 0 '[1-9][0-9]* iterations' statics "$assets/cantilever.vxa" --threads 2 --precision mixed

# what is wrong
expect 2 'which design' statics
expect 2 'one design' statics bar.json bar.json
expect 2 'seconds, from 0 on' statics bar.json --at -0.5
expect 2 'seconds, from 0 on' statics bar.json --at nan
expect 2 'did you mean --modes' statics bar.json --mods 3
expect 2 'at most 64' statics bar.json --modes 65
expect 2 'whole number' statics bar.json --modes 0
expect 2 '.png or .svg' statics bar.json --picture rest.gif
expect 2 '.vxr' statics bar.json --record rest.mp4
expect 2 '64 vibrations of a body that has 24 freedoms' statics bar.json --modes 64
expect 5 'cannot open' statics none.json
expect 3 'bar.json: --set: .*unknown key' statics bar.json --set gravty=1
expect 3 'affine bodies' statics "$assets/affine_crawler.json"
expect 3 'magnets' statics "$assets/magnets.json"
expect 3 'contact models' statics "$assets/bouncing_spheres.json"
expect 3 'conventions native' statics bar.json --conventions voxelyze
expect 4 'needs a body that regions hold' statics "$assets/quadruped.vxa" --linear
expect 4 'no equilibrium found in' statics bar.json --set 'regions=[]' --set gravity_m_per_s2=[0,0,-9.81]
expect 5 'nowhere' statics bar.json --result nowhere/rest.json
counted_end
