#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# settings.sh PROGRAM ASSETS: --set and --sweep. A swept batch has the bits of separate runs of files with these values.
set -u
program=$1
assets=$2
# shellcheck source=tests/cli/counted.sh
. "$(dirname "$(readlink -f "$0")")/counted.sh"

# hash_of FILE: of the last state of a result
hash_of() { sed -n 's/.*"state_hash": "\([0-9a-f]*\)".*/\1/p' "$1"; }

robot=$assets/quadruped.vxa
same=(--duration 0.05 --quiet)
expect 0 'materials.\*.dynamic_friction' run --help
expect 0 'hash' convert "$robot" icy.json --set 'materials.*.dynamic_friction=0.1' --set gravity_m_per_s2=[0,0,-3.7] --set name=icy
expect 0 '^icy: 226 voxels' info icy.json
expect 0 '^icy: 226 voxels' info "$robot" --set name=icy
expect 0 '' run icy.json "${same[@]}" --result file.json
expect 0 '' run "$robot" "${same[@]}" --set gravity_m_per_s2=[0,0,-3.7] --set 'materials.*.dynamic_friction=0.1' --result set.json
expect 0 '' run "$robot" "${same[@]}" --result plain.json
check 'a value that is set acts as one in the file' '[ -n "$(hash_of set.json)" ] && [ "$(hash_of set.json)" = "$(hash_of file.json)" ] && [ "$(hash_of set.json)" != "$(hash_of plain.json)" ]'
expect 0 '"voxel_count"|"voxels"' info "$robot" --json --set self_collision=true

# every combination, the last sweep fastest, with the bits of separate runs
expect 0 '^12 robots: 12 done' batch "$robot" "$assets/worm.vxa" --duration 0.05 --sweep materials.0.density_kg_per_m3=800:1200:3 --sweep floor.enabled=true,false --set 'materials.*.dynamic_friction=0.1' -o swept.csv
check 'columns of a sweep' 'head -n 1 swept.csv | grep -q "^design,materials.0.density_kg_per_m3,floor.enabled,status,message,voxels,"'
check 'order of a sweep' '[ "$(cut -d, -f2,3 swept.csv | tail -n +2 | tr "\n" " ")" = "$(for _ in 1 2; do for d in 800 1000 1200; do printf "%s,true %s,false " $d $d; done; done)" ]'
while IFS=, read -r design density floor; do
    "$program" run "$design" "${same[@]}" --set "materials.0.density_kg_per_m3=$density" --set "floor.enabled=$floor" --set 'materials.*.dynamic_friction=0.1' --result one.json
    check "$design $density $floor" 'grep "^$design,$density,$floor,done" swept.csv | grep -qE ",\"?$(hash_of one.json)\"?\$"'
done < <(cut -d, -f1-3 swept.csv | tail -n +2)
expect 0 '' batch "$robot" --steps 5 --quiet --sweep 'gravity_m_per_s2=[0,0,-9.81],[0,0,-1.62]' --sweep floor.height_m=-0.1:0.2:4 -o swept.json
check 'values in JSON' 'grep -c "\"gravity_m_per_s2\": \"\[0,0,-1.62\]\", \"floor.height_m\": 0.10*[0-9]*, \"status\": \"done\"" swept.json | grep -qx 1'
"$program" batch "$robot" --steps 5 --quiet --sweep 'gravity_m_per_s2=[0,0,-9.81],[0,0,-1.62]' >swept.csv
check 'lists in CSV' 'grep -q "quadruped.vxa,\"\[0,0,-1.62\]\",done" swept.csv'

# what is wrong
expect 3 'unknown key "gravty_m_per_s2"; did you mean gravity_m_per_s2' run "$robot" --steps 5 --set gravty_m_per_s2=1
expect 3 'quadruped.vxa: --set: materials: unknown key "density"; did you mean density_kg_per_m3' convert "$robot" none.json --set materials.0.density=3
check 'nothing was written' '[ ! -e none.json ]'
expect 3 'must be an array of 3 numbers' info "$robot" --set gravity_m_per_s2=1
expect 2 'expected KEY=VALUE' run "$robot" --steps 5 --set gravity
expect 2 'expected KEY=VALUE' batch "$robot" --steps 5 --set =3
expect 2 'a session has a design of its own' run --session session.json --set name=x
expect 2 "option '--set' needs a value" info "$robot" --set
expect 2 'the value is neither JSON' info "$robot" --set 'gravity_m_per_s2=[0,0,-1'
expect 2 'is no key of a scene' info "$robot" --set "$(printf 'a.%.0s' $(seq 30000))a=1"
expect 2 'one design at a time' info a.xml b.xml --set name=x
expect 2 'no trace of voxels: there are none' run "$assets/affine_crawler.json" --steps 5 --trace none.npy --trace-of voxels
expect 2 '--stdin takes no --set' batch --stdin --set name=x
expect 2 '--stdin takes no --set' batch --stdin --sweep floor.height_m=0:1:2
expect 2 'expected KEY=A:B:N' batch "$robot" --steps 5 --sweep floor.height_m
expect 2 'whole number from 2' batch "$robot" --steps 5 --sweep floor.height_m=0:1:1
expect 2 'whole number from 2' batch "$robot" --steps 5 --sweep floor.height_m=0:1:2.5
expect 2 'whole number from 2 to 1000000' batch "$robot" --steps 5 --sweep floor.height_m=0:1:1e9
expect 2 'a value is empty' batch "$robot" --steps 5 --sweep floor.height_m=0,,1
expect 2 "a column 'fitness' already" batch "$robot" --steps 5 --sweep fitness=t,2*t
expect 2 'swept already' batch "$robot" --steps 5 --sweep floor.height_m=0,1 --sweep floor.height_m=2,3
expect 2 "swept already, by 'materials.\*.density_kg_per_m3'" batch "$robot" --steps 5 --sweep 'materials.*.density_kg_per_m3=900,1000' --sweep materials.0.density_kg_per_m3=800,900
expect 2 "swept already, by 'floor'" batch "$robot" --steps 5 --sweep 'floor={},{}' --sweep floor.height_m=0,1
expect 0 '4 done' batch "$robot" --steps 5 --sweep materials.0.density_kg_per_m3=900,1e3 --sweep materials.1.density_kg_per_m3=.9e3,+1000 -o four.csv
expect 2 'expected KEY=A:B:N' batch "$robot" --steps 5 --sweep floor.height_m=0:1:2:3
expect 2 'whole number from 2' batch "$robot" --steps 5 --sweep floor.height_m=0:1:0x3
# the later option counts, and sweeps count before --set
"$program" batch "$robot" --steps 5 --quiet --set materials.0.density_kg_per_m3=5 --sweep materials.0.density_kg_per_m3=800,900 >over.csv
"$program" batch "$robot" --steps 5 --quiet --sweep materials.0.density_kg_per_m3=800,900 >plain.csv
check 'sweeps count before --set' 'cmp over.csv plain.csv'
expect 2 'more than 1000000 combinations' batch "$robot" --steps 5 --sweep floor.height_m=0:1:10000 --sweep floor.radius_m=0:1:10000
expect 3 '2 refused' batch "$robot" --steps 5 --sweep flor.height_m=0,1
expect 0 '1 done, 0 diverged, 1 refused' batch "$robot" --steps 5 --sweep materials.0.density_kg_per_m3=-1,1000 -o half.csv
check 'why one is refused' 'grep -q "quadruped.vxa,-1,refused,.*--set, --sweep: density of material" half.csv'
counted_end
