#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run_cases.sh PROGRAM ASSETS: tests the command line as a user sees it: exit statuses, one clear line per error, no half-written files.
set -u
program=$1
assets=$2
# shellcheck source=tests/cli/counted.sh
. "$(dirname "$(readlink -f "$0")")/counted.sh"

is_missing() { if [ -e "$1" ]; then failed=$((failed + 1)); echo "FAILED: $1 exists"; else passed=$((passed + 1)); fi; }

expect 0 'usage' --help
expect 0 '^voxelastic [0-9]' --version
expect 2 'usage' 
expect 2 "unknown command 'dance'" dance
expect 0 'duration' run --help
expect 0 'json' info --help
expect 0 'usage' check --help
expect 0 'overlay|laid over' convert --help
expect 0 'voxelastic run .*/quadruped.vxa --record quadruped.html' examples
expect 2 'no arguments expected' examples all
# the studio, where this build has none: a stand-in of its page
mkdir studio-folder && printf '<main>\n</main>\n<p>rest' >studio-folder/studio.html
expect 0 'drawn, played' studio --help
expect 2 'where to' studio
expect 2 "expected a name in .html" studio -o page.htm
expect 2 'one design at a time' studio a.vxa b.vxa -o page.html
expect 5 'none.vxa: cannot open' studio none.vxa -o page.html
export VOXELASTIC_STUDIO=studio-folder
expect 0 'page.html: the studio; open' studio -o page.html
check "the empty studio is the page" 'cmp page.html studio-folder/studio.html'
printf '{"materials": [{"name": "</script><b>"}], "voxels": [[0, 0, 0, 0]]}' >tag.json
expect 0 'with tag.json' studio -o page.html tag.json
check "a design is in it, and no tag of it" 'grep -q "id=\"design\">{.*u003c/script>u003cb>.*}</script>" <(tr -d "\\\\" <page.html | tr "\n" " ") && ! grep -q "<b>" page.html'
expect 5 'page.html' studio -o missing/page.html
printf 'nothing' >studio-folder/studio.html
expect 3 'is no studio' studio -o page.html
VOXELASTIC_STUDIO=nowhere
expect 5 'this build has no studio' studio -o none.html
is_missing none.html
unset VOXELASTIC_STUDIO
"$program" examples | sed -n 's/^  voxelastic \(run\|view\|info\|batch\) /\1 /p' >lines.txt
while read -r line; do
    # shellcheck disable=SC2086
    out=$("$program" $line 2>&1)
    check "$line" "[ $? -eq 0 ]"
    # what runs moves by a fifth of a voxel at least, or has something observed
    case $line in run*) check "$line shows something" 'moved=$(printf "%s\n" "$out" | sed -n "s/.* = \([0-9.e+-]*\) voxels[,;].*/\1/p")
        if [ -n "$moved" ]; then awk -v moved="$moved" "BEGIN { exit !(moved >= 0.2) }"; else printf "%s\n" "$out" | grep -qE "^[a-z_]+: [0-9.e+-]+$"; fi' ;; esac
done <lines.txt
check "all of them were tried" '[ "$(wc -l <lines.txt)" = 12 ] && [ -s quadruped.html ] && [ -s worm.pvd ] && [ -s top.html ]'
check "all of the batch have gone somewhere" '[ "$(awk -F, "NR > 1 && \$13 > 1" results.csv | wc -l)" = 3 ]'
# no example is of a stuff that does not exist; what is so, as the robots of measurements are, is said
for design in "$assets"/*.vxa "$assets"/*.json; do
    "$program" check "$design" | grep 'more than any matter' && check "$design is of matter" false
done
expect 0 'warning: material "Passive_Soft" has 1e\+06 kg/m.3, more than any matter' check "$assets/benchmark/quad6.vxa"
expect 0 'warning: material "Passive_Soft" has 1e\+06 kg/m.3, more than any matter' run "$assets/benchmark/quad6.vxa" --steps 2
# with few robots: a generation of some experiments takes a minute under sanitizers
cp -r "$assets/experiments" few
sed -i 's/"population": [0-9]*/"population": 3/' few/*.json
for experiment in few/*.json; do
    "$program" evolve "$experiment" --out "of-$(basename "$experiment" .json)" --generations 1 >matter.txt 2>&1
    check "$experiment is of matter" '! grep -q "more than any matter" matter.txt'
done
sed 's/"density_kg_per_m3": 1e3/"density_kg_per_m3": 1e6/' "$assets/experiments/walk.json" >heavy.json
expect 75 'warning: material "muscle" has 1e\+06 kg/m.3' evolve heavy.json --out heavy --generations 1
expect 2 'a design and the file to write' convert x.vxa
expect 2 "needs a value" convert a.vxa b.json --base
expect 2 "unknown option '--bse'" convert --bse a.vxa b.json
expect 2 'expected a number of voxels' convert --depth 0 a.vxa b.json
expect 2 "expected a number of voxels" convert --depth 3.5 a.vxa b.json
expect 2 "expected a number of voxels" convert --depth 0x3 a.vxa b.json
expect 5 'none.vxa: cannot open' convert none.vxa b.json
expect 2 'written as .json .scenes.' convert "$assets/benchmark/quad6.vxa" b.stl
is_missing b.stl
expect 0 'not carried: duration' convert "$assets/benchmark/quad6.vxa" b.vxc
expect 0 'not carried: duration' convert "$assets/benchmark/quad6.vxa" b.vxl.json
expect 0 'not carried: duration' convert "$assets/benchmark/quad6.vxa" b.vox
expect 3 'one voxel deep' convert "$assets/benchmark/quad6.vxa" b.evogym.json
is_missing b.evogym.json
expect 0 'b.json: [0-9]+ voxels, 4 materials, hash [0-9a-f]{16}' convert "$assets/benchmark/quad6.vxa" b.json
expect 3 'deeper than one voxel' convert --depth 3 b.json c.json
expect 5 'no/folder/c.json' convert b.json no/folder/c.json
is_missing c.json
expect 0 '^precession_rad_per_s: 3.87' run "$assets/affine_spinning_top.json"
expect 0 'contractile box of .* law powerlaw, alpha_r 200 Pa|affine body .crawler.' info "$assets/affine_crawler.json"
expect 3 'affine bodies alone are recorded in .html' view "$assets/affine_spinning_top.json" -o top.glb
is_missing top.glb
expect 0 '' view "$assets/affine_gripped_block.json" -o gripped.png
expect 3 'scenes .*alone hold affine bodies' convert "$assets/affine_spinning_top.json" top.vxa
expect 0 '1 affine_bodies|hash' convert "$assets/affine_spinning_top.json" top.json
expect 2 'which design' surrogate
expect 0 'usage: voxelastic surrogate' surrogate --help
expect 0 '^height after a fall +lattice .* surrogate' surrogate "$assets/quadruped.vxa" -o stand.json
expect 0 '1 affine body' run stand.json --steps 100
expect 3 'stands for voxels' surrogate stand.json
expect 5 'no/folder' surrogate "$assets/quadruped.vxa" -o no/folder/s.json
expect 2 'which design' run
expect 2 'which designs' check
expect 2 'one design' run a.vxa b.vxa
expect 2 'expected a number above 0' run x.vxa --duration nan
expect 2 'expected a number above 0' run x.vxa --duration -1
expect 2 "duration '1e300': expected a number above 0 and below 1e300" run x.vxa --duration 1e300
for number in 5s 1,5 0x10 inf "" 1e999; do expect 2 "expected a number above 0" run x.vxa --duration "$number"; done
expect 2 "expected a whole number from 1 to 1e15" run x.vxa --steps 1e16
expect 2 "expected a whole number from 1 to 1e15" run x.vxa --steps 10k
expect 2 'whole number' run x.vxa --steps 1.5
expect 2 'threads' run x.vxa --threads 0
expect 2 'threads' run x.vxa --threads 99999999999
expect 2 'expected mixed or double' run x.vxa --precision half
expect 2 'there are native, voxelyze, evosoro' run x.vxa --conventions nobody
expect 2 'did you mean native' run x.vxa --conventions nativ
expect 2 'did you mean floor_pulls' run x.vxa --conventions native+floor_pull
expect 2 'floor_pulls and floor_pushes exclude each other' run x.vxa --conventions native+floor_pulls+floor_pushes
expect 2 'with native_bonds it can be chosen' run x.vxa --conventions evosoro+face_contact
expect 2 'missing behind the last' run x.vxa --conventions evosoro+
expect 0 'floor_pulls +the floor' conventions
expect 2 'it takes no arguments' conventions native
expect 0 "conventions: evosoro, as asked; the file was written for native" run "$assets/benchmark/quad6.vxa" --conventions evosoro --duration 0.2
sed '/Voxelastic/d' "$assets/benchmark/quad6.vxa" >as_found.vxa
expect 0 "conventions: evosoro .it has Simulator/GA., as published; in double" run as_found.vxa --duration 0.2
expect 0 "conventions: native, as asked; the file was written for evosoro .it has Simulator/GA.: .--conventions auto" run as_found.vxa --duration 0.2 --conventions native
sed 's|<GA>.*</GA>||; s|<MinTempFact>[^<]*</MinTempFact>||' as_found.vxa >guess.vxa
expect 0 "conventions: evosoro, likely .a VXA 1.0, as of VoxCAD" run guess.vxa --duration 0.2
sed 's|Version="1.0"|Version="2.0"|' guess.vxa >unknown.vxa
expect 0 "conventions: native .nothing says for which simulator" run unknown.vxa --duration 0.2
expect 0 "conventions: native .the file says so." run "$assets/benchmark/quad6.vxa" --duration 0.2
printf '{"actuation": {"enabled": true, "amplitude_K": 10, "period_s": 1e6}, "materials": [{"thermal_expansion_per_K": 0.01}], "voxels": [[0,0,0,0]]}' >slow.json
expect 0 'warning: actuation acts in full from 250000 s on, but the run ends at 0.1 s' run slow.json --duration 0.1
expect 2 "damp explicitly" run "$assets/benchmark/quad6.vxa" --conventions evosoro --damping sweep
expect 2 "the energy audit needs the native bond law" run "$assets/benchmark/quad6.vxa" --conventions recorg --ledger
expect 2 'expected auto, explicit or sweep' run x.vxa --damping maybe
expect 2 'expected a number' run x.vxa --timestep soon
expect 2 "unknown option '--fly'" run x.vxa --fly
expect 2 "unknown option '--durration': did you mean --duration" run x.vxa --durration 1
expect 2 "option '--t' may be --trace or --" run x.vxa --t 1
expect 2 "option '--quiet' takes no value" run x.vxa --quiet=3
expect 2 "option '--duration' needs a value" run x.vxa --duration
expect 2 "unknown option '-z'" run -z x.vxa
expect 2 "unknown command 'rnu': did you mean run" rnu x.vxa
expect 0 'usage: voxelastic batch' help batch
expect 0 'usage: voxelastic COMMAND' help
expect 3 'materials; at most 1 are read' --limits materials=1 check "$assets/quadruped.vxa"
expect 0 'ok' --limits=materials=1e6,voxels=1e9 check "$assets/quadruped.vxa"
expect 2 "there is no bound 'voxel': did you mean voxels" --limits voxel=3 check "$assets/quadruped.vxa"
expect 2 'expected voxels=N' --limits voxels=many check "$assets/quadruped.vxa"
expect 2 "option '--limits' needs a value" --limits
VOXELASTIC_LIMITS=materials=1 expect 3 'at most 1 are read' check "$assets/quadruped.vxa"
VOXELASTIC_LIMITS=nothing=1 expect 2 'VOXELASTIC_LIMITS: there is no bound' check "$assets/quadruped.vxa"
expect 2 "unknown command 'rnu': did you mean run" help rnu
expect 0 'it stays; voxel .19, 1, 1. moved furthest, by .*= 0.03' run "$assets/cantilever.vxa" --duration 1
expect 0 'time step 0.001 s .auto., double precision' run "$assets/affine_dominoes.json" --duration 0.01
expect 0 'time step 0.001 s .auto rule.$' info "$assets/affine_dominoes.json"
expect 2 'accuracy' run "$assets/worm.vxa" --accuracy fine --timestep 1e-4
expect 2 'expected normal, fast or fine' run "$assets/worm.vxa" --accuracy best
expect 0 'step error: about [0-9.]+ .- [0-9.]+ % of the way, by 2 periods run again' run "$assets/worm.vxa"
check "a run without its step error has none" '! "$program" run "$assets/worm.vxa" --no-step-error | grep -q "step error"'
expect 5 'nothing.vxa: cannot open' run nothing.vxa
expect 5 'directory' run .
printf 'hello' >plain.txt
expect 3 'unknown kind' run plain.txt
: >empty.vxa
expect 3 'empty.vxa:1:1: the file is empty' run empty.vxa
head -c 700 "$assets/quadruped.vxa" >cut.vxa
expect 3 'cut.vxa:[0-9]+:[0-9]+: not readable as XML' check cut.vxa
sed 's/>0.01</>x0.01</' "$assets/worm.vxa" >notnumber.vxa
expect 3 'notnumber.vxa:19:14: <Lattice_Dim> holds "x0.01": expected a number' info notnumber.vxa
printf '{"materials": [{}], "voxels": [[0,0,0,0],[1,0,0,0]]}' >pair.json
expect 2 'no stop rule' run pair.json
expect 0 'simulated' run pair.json --steps 10
expect 0 'pair.json: ok' check pair.json "$assets/hopper.vxa"
expect 3 'cut.vxa' check pair.json cut.vxa
# a key that a scene does not have: an error for check, a warning for run and batch, in the same words
printf '{"materials": [{"youngs_modulus": 1e6}], "voxels": [[0,0,0,0]], "stop": {"duration_s": 0.01}, "gravty": 0}' >keys.json
words='keys.json: materials: unknown key "youngs_modulus"; did you mean youngs_modulus_Pa\?'
expect 3 "error: $words" check keys.json
expect 3 'error: keys.json: scene: unknown key "gravty"' check keys.json
expect 0 "^warning: $words" run keys.json
expect 0 "^warning: $words" batch keys.json
expect 0 'note: materials: unknown key "youngs_modulus"; did you mean' info keys.json
printf '{"grid_width": 1, "grid_height": 1, "objects": {"a": {"indices": [1], "types": [2]}}}' >world.json
expect 0 '^2 notes on the file; .voxelastic info. lists them' run world.json --steps 1
expect 3 'walk.json: an experiment: use evolve' run "$assets/experiments/walk.json"
# bodies of EvoGym as numpy writes them
arrays=$(dirname "$(readlink -f "$0")")/../fuzz/corpus
expect 0 'simulated .* in 5 steps' run "$arrays/npz/stored.npz" --steps 5
expect 0 'body.evogym.json: 8 voxels' convert "$arrays/npy/float.npy" body.evogym.json
head -c 90 "$arrays/npy/float.npy" >cut.npy
expect 3 'cut.npy: the file is cut short' check cut.npy
# lists of voxels become few boxes, which are no difference
printf '{"grid_width": 5, "grid_height": 3, "objects": {"ground": {"indices": [0, 1, 2, 3, 4], "types": [5, 5, 5, 5, 5]},
 "robot": {"indices": [6, 7, 8, 11, 13], "types": [3, 3, 2, 1, 1]}}}' >ground.json
expect 0 'ground.vxa: 10 voxels' convert ground.json ground.vxa
check "two regions stay two" 'grep -q "<NumBCs>2</NumBCs>" ground.vxa && ! "$program" convert ground.json ground.vxa 2>&1 | grep -q region'
# each error of a design names its file, also where it is found as the design is compiled, made deeper or written
printf '{"materials": [{}], "voxels": [[0,0,0,0],[0,0,0,0]], "stop": {"duration_s": 0.01}}' >twice.json
for how in check run info 'view -o twice.png' surrogate; do
    # shellcheck disable=SC2086
    expect 3 'twice.json: two voxels share the cell' $how twice.json
done
expect 3 'twice.json: two voxels share' convert twice.json again.json
expect 3 'b.json: the design is deeper' convert --depth 3 b.json c.json
expect 3 'flat.evogym.json: an EvoGym world is one voxel deep' convert b.json flat.evogym.json
expect 0 '"voxels": 226' info "$assets/quadruped.vxa" --json
expect 0 'w_max' info "$assets/gripper.vxa"
expect 0 '80 magnets: all dipoles act' info "$assets/magnetic_crawler.json"
expect 0 'contact between pad and the floor: law powerlaw, alpha_r 4000 Pa' info "$assets/gecko.json"
sed 's/"restitution": 0.9/"restitution": 1.9/' "$assets/bouncing_spheres.json" >lively.json
expect 3 'lively.json: contact rule 0 .from 0.: law hertz: restitution is 1.9; it must be from 0 to 1' info lively.json
sed 's/"floor"\], "law": "hertz"/"wall"], "law": "hertz"/' "$assets/bouncing_spheres.json" >wall.json
expect 3 'contact rule 0 .from 0.: expected names or numbers .from 0. of materials' info wall.json
expect 0 'speed .* body lengths/s' run "$assets/quadruped.vxa" --duration 0.5 --trace t.csv --result r.json
head -1 t.csv | grep -q '^t,x,y,z' || { failed=$((failed + 1)); echo "FAILED: trace header"; }
[ "$(wc -l <t.csv)" -ge 200 ] || { failed=$((failed + 1)); echo "FAILED: trace rows"; }
for key in status steps time_s timestep_s timestep_rule voxels bonds mass_kg precision threads isa center_of_mass_start_m \
    center_of_mass_m displacement_m displacement_voxels speed_body_lengths_per_s duration_s conventions damping_scheme energy_J \
    max_strain wall_s bond_updates_per_s state_hash warnings; do
    grep -q "\"$key\"" r.json || { failed=$((failed + 1)); echo "FAILED: result lacks $key"; }
done
expect 0 '' run "$assets/worm.vxa" --steps 50 --quiet --ledger --result audit.json
grep -q dissipated_bonds audit.json || { failed=$((failed + 1)); echo "FAILED: energy audit"; }
expect 5 'cannot write' run "$assets/worm.vxa" --steps 5 --trace no/such/folder/t.csv
expect 5 'cannot write' run "$assets/worm.vxa" --steps 5 --result no/such/folder/r.json
[ -e /dev/full ] && expect 5 'cannot write' run "$assets/worm.vxa" --steps 5 --result /dev/full
# a run that explodes reports where, writes its result with a status and without displacement, and fails
expect 4 'diverged at step' run "$assets/worm.vxa" --steps 5000 --timestep 0.0008 --damping explicit --result burst.json
grep -q '"status": "diverged"' burst.json && grep -q '"displacement_m": null' burst.json || { failed=$((failed + 1)); echo "FAILED: burst.json"; }
for precision in mixed double; do
    expect 0 "$precision precision" run "$assets/worm.vxa" --steps 20 --precision $precision
done
expect 0 'mixed precision' run "$assets/worm.vxa" --steps 20

# batch: a row per design; the row of a design that can not run gives the reason, and the others run
columns=design,status,message,voxels,bonds,mass_kg,steps,time_s,timestep_s,retries,damping_sweeps,displacement_m,displacement_voxels
columns=$columns,speed_body_lengths_per_s,fitness,center_x_m,center_y_m,center_z_m,conventions,schedule,state_hash
empty_cells=,,,,,,,,,,,,,,,,,,
# holds COUNT PATTERN FILE: so many lines of the file match
holds() {
    if [ "$(grep -cE -- "$2" "$3")" -eq "$1" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); printf 'FAILED: not %d lines with /%s/:\n' "$1" "$2"; cat "$3"; fi
}
mkdir herd herd/folder.vxa none
cp "$assets/quadruped.vxa" herd/walker.vxa
cp empty.vxa 'herd/"empty".vxa'
cp cut.vxa plain.txt herd
cp pair.json herd/.hidden.json
expect 0 'row of' batch --help
expect 2 'which designs' batch
expect 2 'which designs' batch --steps 5
expect 2 "unknown option '--fly'" batch herd --fly
expect 5 'herds: no such file or folder' batch herds --steps 5
expect 3 '1 robot: 0 done' batch nothing.vxa --steps 5
expect 4 '0 done, 1 diverged' batch "$assets/worm.vxa" --steps 5000 --timestep 0.0008 --damping explicit
expect 2 'whole number' batch herd --steps 0.5
expect 2 'expected auto, lanes or alone' batch herd --schedule both
expect 2 'expected 1 to 10' batch herd --retries 11
expect 2 'whole number from 1' batch herd --retries none
expect 2 'expected a name in .csv or .json' batch herd --steps 5 -o rows.txt
expect 2 '--ledger works with' batch herd --steps 5 --ledger
expect 2 'no design file' batch none --steps 5
expect 2 'one of the designs' batch pair.json --steps 5 -o pair.json
"$program" batch herd --steps 50 >rows.csv 2>summary.txt || { failed=$((failed + 1)); echo "FAILED: batch herd"; }
holds 4 , rows.csv
holds 1 "^$columns\$" rows.csv
holds 1 "^\"herd/\"\"empty\"\".vxa\",refused,\".*the file is empty\"$empty_cells\$" rows.csv
holds 1 "^herd/cut.vxa,refused,herd/cut.vxa:[0-9]+:[0-9]+: not readable as XML.*$empty_cells\$" rows.csv
holds 1 '^herd/walker.vxa,done,,226,515,0\.2[0-9]*,50,0\.0[0-9]+,.*,(lanes|alone),[0-9a-f]{16}$' rows.csv
holds 1 '^3 robots: 1 done, 0 diverged, 2 refused; [01] in lanes$' summary.txt
holds 1 'mixed precision, [0-9]+ threads?, .* M bond updates/s$' summary.txt
# files named one by one; a design without stop rule is refused; the row has the hash of a run alone
"$program" batch pair.json nothing.vxa plain.txt "$assets/worm.vxa" --quiet -o rows.csv 2>summary.txt || { failed=$((failed + 1)); echo "FAILED: batch of files"; }
holds 0 '' summary.txt
holds 1 '^pair.json,refused,.*stop rule' rows.csv
holds 1 '^nothing.vxa,refused,nothing.vxa: cannot open' rows.csv
holds 1 '^plain.txt,refused,"?plain.txt: unknown kind of file' rows.csv
"$program" run "$assets/worm.vxa" --quiet --result r.json
holds 1 "worm.vxa,done,.*,$(sed -n 's/.*"state_hash": "\(.*\)".*/\1/p' r.json)\$" rows.csv
check 'rows.csv is whole' 'nothing_in_the_making rows.csv'
# JSON: the same keys, null for missing values; a result file in a folder of designs is not read as a design
for precision in mixed double; do
    expect 0 "^$precision precision" batch herd --steps 50 --precision $precision --schedule lanes --threads 2 -o herd/rows.json
done
holds 1 '"summary": \{"robots": 3, "done": 1, "diverged": 0, "refused": 2, .*"threads": 2, "precision": "double", "isa": ".+", "wall_s": [0-9].*, "bond_updates_per_s": [0-9]' herd/rows.json
for key in ${columns//,/ }; do holds 3 "\"$key\": " herd/rows.json; done
holds 2 '"status": "refused", "message": ".+", "voxels": null, .*"state_hash": null' herd/rows.json
holds 1 '"status": "done", "message": null, "voxels": 226, .*"steps": 50, .*"schedule": "lanes", "state_hash": "[0-9a-f]{16}"' herd/rows.json
rm herd/rows.json
# a design that diverges has a row without numbers
"$program" batch "$assets/worm.vxa" --steps 5000 --timestep 0.0008 --damping explicit >rows.csv 2>summary.txt
code=$?
check "a batch of which nothing gets to its end has status 4" '[ $code -eq 4 ]'
holds 1 "worm.vxa,diverged,\"?.*step [0-9].*$empty_cells\$" rows.csv
holds 1 '1 diverged' summary.txt
# it may be run again with shorter steps
"$program" batch "$assets/worm.vxa" --steps 5000 --timestep 0.0008 --damping explicit --retries 5 >rows.csv 2>summary.txt || { failed=$((failed + 1)); echo "FAILED: retried batch"; }
holds 1 'worm.vxa,done,,96,202,.*,80000,[34]\.[0-9]*,4\.9[0-9]*e-05,4,0,' rows.csv
# an output that can not be written is reported before a simulation that could take hours
expect 5 'no/such/rows.csv: cannot write' batch herd --duration 100000 -o no/such/rows.csv
mkdir folder.csv
expect 5 'folder.csv: cannot write' batch herd --duration 100000 -o folder.csv
if [ -e /dev/full ]; then
    ln -s /dev/full full.csv
    ln -s /dev/full full.json
    expect 5 'cannot write' batch herd --steps 5 -o full.csv
    expect 5 'cannot write' batch herd --steps 5 -o full.json
    "$program" batch herd --steps 5 --quiet >/dev/full 2>summary.txt
    [ $? -eq 5 ] || { failed=$((failed + 1)); echo "FAILED: batch to a full disk"; }
fi
# a worker: one line in, one line out, in order; the row of a wrong line reports the error
{
    printf '"%s/worm.vxa"\n' "$assets"
    printf '{"name": "one", "materials": [{}], "voxels": [[0, 0, 0, 0]], "fitness": "t"}\nnonsense\n"none.vxa"\n'
    printf '{"materials": [{}], "voxels": [[0, 0, 0, 0]]}'
} >lines.txt
"$program" batch --stdin --steps 20 <lines.txt >rows.txt || { failed=$((failed + 1)); echo "FAILED: batch --stdin"; }
holds 5 '^\{"design": ".*\}$' rows.txt
sed -n 1p rows.txt >row.txt && holds 1 '"design": "worm", "status": "done", .*"steps": 20,.*"fitness": null' row.txt
sed -n 2p rows.txt >row.txt && holds 1 '"design": "one", .*"fitness": 0.0[0-9.e-]*, "fitness_unit": "s"' row.txt
sed -n 3p rows.txt >row.txt && holds 1 '"line 3", "status": "refused", "message": "line 3:1:8: not readable' row.txt
sed -n 4p rows.txt >row.txt && holds 1 '"line 4", "status": "refused", "message": "none.vxa: cannot open' row.txt
sed -n 5p rows.txt >row.txt && holds 1 '"line 5", "status": "done"' row.txt
# the unit of the fitness, where the formula tells it and all designs agree, is in the header; a run says it too
for formula in x y t; do
    printf '{"name": "one", "materials": [{}], "voxels": [[0, 0, 0, 0]], "fitness": "%s"}' $formula >unit_$formula.json
done
"$program" batch unit_x.json unit_y.json "$assets/worm.vxa" --steps 20 >rows.csv && holds 1 ',speed_body_lengths_per_s,fitness_m,center_x_m,' rows.csv
"$program" batch unit_x.json unit_t.json --steps 20 >rows.csv && holds 1 ',speed_body_lengths_per_s,fitness,center_x_m,' rows.csv
expect 0 'fitness [0-9.e-]+ m$' run unit_x.json --steps 20 --result unit.json
holds 1 '"fitness_unit": "m"' unit.json
# names that spreadsheets would compute, or take for something else, are text in CSV, and still name their files
mkdir signs && (
    cd signs || exit 2
    for name in '=1+1' '+1' '-1' '@x' ' =1' ' x' '7' 'a'; do printf '{"materials": [{}], "voxels": [[0, 0, 0, 0]]}' >"$name.json"; done
    "$program" batch --steps 2 -o rows.csv -- '=1+1.json' '+1.json' '-1.json' '@x.json' ' =1.json' ' x.json' '7.json' 'a.json' '=no,json.json'
)
for row in './=1[+]1.json,done' './[+]1.json,done' './-1.json,done' './@x.json,done' '"./ =1.json",done' '" x.json",done' '"7.json",done' 'a.json,done' \
    '"./=no,json.json",refused,"'"'=no,json.json: cannot open"; do
    holds 1 "^$row" signs/rows.csv
done
# one by one, the rows are the same
mkfifo questions answers
"$program" batch --stdin --steps 20 <questions >answers &
exec 8>questions 9<answers
while IFS= read -r line || [ -n "$line" ]; do printf '%s\n' "$line" >&8 && IFS= read -r row <&9 && printf '%s\n' "$row"; done <lines.txt >single.txt
exec 8>&- 9<&-
wait $!
if cmp -s rows.txt single.txt; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: asked one by one"; fi
expect 0 '' batch --stdin </dev/null
expect 2 'takes no designs and no --output' batch --stdin herd
if command -v python3 >/dev/null; then
    if python3 "$assets/experiments/ask_tell.py" "$program" 60 | grep -q '^best fitness 0\.'; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: ask_tell.py"; fi
fi

# interrupted: status 130, a row for every design
"$program" batch herd --duration 100000 --quiet -o stopped.csv &
pid=$!
sleep 1
kill -INT $pid
wait $pid
code=$?
if [ $code -eq 130 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: interrupted batch gave $code"; fi
holds 1 "^herd/walker.vxa,stopped,$empty_cells\$" stopped.csv
holds 2 ',refused,' stopped.csv
check 'stopped.csv is whole' 'nothing_in_the_making stopped.csv'

# compare: a row for each way to run, what they say in words, and files of four kinds
expect 0 'the default step is short enough|default' compare --help
expect 2 'which designs' compare
expect 2 'expected a name in .csv, .json, .svg or .html' compare herd -o rows.txt
expect 2 'at most 1024' compare herd --copies 1025
expect 2 'whole number from 1' compare herd --copies 0
expect 2 'has no stop rule' compare pair.json
expect 5 'cannot open' compare nothing.vxa
expect 3 'no element found' compare cut.vxa
expect 2 'a picture is of one design' compare as_found.vxa guess.vxa --duration 0.01 -o two.svg
expect 0 'native .* 4 .*robust|native .* 4 .*still' compare "$assets/worm.vxa" --duration 0.05 --copies 4 -o worm.csv
holds 5 'worm.vxa,"?native' worm.csv
expect 0 'law: evosoro .* voxels, native' compare as_found.vxa --duration 1.3 --copies 2 -o found.html
holds 1 '<svg' found.html
check "copies replay as ghosts of the first" 'grep -o "\"ghost_of\":[0-9]" found.html | tr -d "\n" | grep -q "^.ghost_of.:0.ghost_of.:2.ghost_of.:4$"'
holds 1 'data-robot="4"' found.html
expect 0 'evosoro.both_ways' compare as_found.vxa --duration 1.3 --copies 2 -o found.json
check "the JSON of a comparison is whole" 'python3 -c "import json; d = json.load(open(\"found.json\")); assert d[0][\"rows\"][0][\"conventions\"] == \"evosoro\""'
expect 0 '^$' compare as_found.vxa --duration 0.1 --copies 1 --quiet -o found.svg
holds 3 '<polyline' found.svg

# interrupted: status 130, files whole
"$program" run "$assets/quadruped.vxa" --duration 100000 --quiet --trace stop.csv --result stop.json &
pid=$!
sleep 1
kill -INT $pid
wait $pid
code=$?
if [ $code -eq 130 ] && grep -q '"status": "interrupted"' stop.json; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: interrupted run gave $code"; fi
check 'stop.csv is whole' 'nothing_in_the_making stop.csv'
check 'stop.json is whole' 'nothing_in_the_making stop.json'
# a German locale changes nothing
if locale -a 2>/dev/null | grep -qi '^de_DE.utf'; then
    LC_ALL=de_DE.UTF-8 "$program" run "$assets/worm.vxa" --steps 200 --quiet --trace de.csv
    LC_ALL=C "$program" run "$assets/worm.vxa" --steps 200 --quiet --trace c.csv
    if cmp -s de.csv c.csv; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: locale"; fi
    LC_ALL=de_DE.UTF-8 "$program" batch herd --steps 200 --quiet -o de.csv
    LC_ALL=C "$program" batch herd --steps 200 --quiet -o c.csv
    if cmp -s de.csv c.csv; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: locale of a batch"; fi
fi
counted_end
