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

# actions are schedules: the bits of a scene that has them
cat >arms.json <<'END'
{"voxels": [[0,0,0,0], [1,0,0,0], [2,0,0,0]], "materials": [{"youngs_modulus_Pa": 1e6}], "layers": {"Group": [0, 1, 2]}, "floor": {"enabled": false}}
END
printf '1.1,1\n# a rest\n\n1.2, 0.9\n1,1e0' >arms.csv
printf '%s\n' 't,2,1' '0,1,1' '0.02,1,1.1' '0.04,0.9,1.2' '0.06,1,1' >timed.csv
python3 - <<'END'
rows = [1.1, 1, 1.2, 0.9, 1, 1]
import struct
head = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }"
head += " " * (63 - (10 + len(head)) % 64) + "\n"
open("arms.npy", "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack("<6d", *rows))
END
expect 0 '' run arms.json --quiet --duration 0.06 --result scheduled.json --set 'schedules=[{"group":1,"table":[[0,1],[0.02,1.1],[0.04,1.2],[0.06,1]]},{"group":2,"table":[[0,1],[0.02,1],[0.04,0.9],[0.06,1]]}]'
for actions in arms.csv timed.csv arms.npy; do
    expect 0 '' run arms.json --quiet --actions $actions --action-interval 0.02 --result acted.json
    check "$actions acts as schedules" '[ -n "$(hash_of acted.json)" ] && [ "$(hash_of acted.json)" = "$(hash_of scheduled.json)" ]'
done
expect 0 'simulated 10.00' run arms.json --actions sine
expect 0 'simulated 5.00' run arms.json --actions sine:0.5:0.1
expect 0 'simulated 0.1' run arms.json --actions sine --duration 0.1
expect 2 'expected a file, sine, or sine:PERIOD' run arms.json --actions sine:fast
expect 2 'amplitudes at most 0.9' run arms.json --actions sine:1:2
expect 2 'without --actions' run arms.json --action-interval 1
expect 5 'none.csv: cannot open' run arms.json --actions none.csv
printf '1,1\n1\n' >few.csv
expect 3 'few.csv:2:2: fewer numbers' run arms.json --actions few.csv
printf '1,1\n1,1,1\n' >more.csv
expect 3 'more.csv:2:4: more numbers' run arms.json --actions more.csv
printf '1\n' >one.csv
expect 3 'one.csv: 1 columns for a design that has 2 groups' run arms.json --actions one.csv
printf 't,7\n0,1\n' >other.csv
expect 3 'other.csv:1:3: a column is called t, or by the number of a group' run arms.json --actions other.csv
printf 't,1,1\n0,1,1\n' >twice.csv
expect 3 'twice.csv:1:5: two columns' run arms.json --actions twice.csv
printf '1,\n1,1\n' >lacks.csv
expect 3 'lacks.csv:1:3: expected a number' run arms.json --actions lacks.csv
printf 't\n0\n1\n' >times.csv
expect 3 'times.csv:1:1: no column is that of a group' run arms.json --actions times.csv
printf '1,1\n1,20\n' >large.csv
expect 3 'large.csv: row 2: action 20; actions are factors' run arms.json --actions large.csv
printf 't,1\n1,1\n0.5,1\n' >back.csv
expect 3 'back.csv: row 2: time 0.5; times' run arms.json --actions back.csv
printf '# nothing\n' >empty.csv
expect 3 'empty.csv: no actions' run arms.json --actions empty.csv

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
