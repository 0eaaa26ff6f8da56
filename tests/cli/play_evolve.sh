#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# play_evolve.sh PROGRAM ASSETS [KILLS]: a search that is killed repeatedly and resumed each time writes the same files as one that is not
# killed, and so does each number of threads. A run of the best design has the logged fitness. Wrong experiments and folders are refused with a clear line.
set -u
program=$1
assets=$2
kills=${3:-30}
# shellcheck source=tests/cli/counted.sh
. "$(dirname "$(readlink -f "$0")")/counted.sh"

# small ALGORITHM ENCODING GENERATIONS: a search of small bodies for a short time
small() {
    sed -e 's/"size": \[[^]]*\]/"size": [4, 4, 3]/' -e 's/"duration_s": [0-9.]*, "settle_time_s": [0-9.]*/"duration_s": 0.15, "settle_time_s": 0.02/' \
        -e "s/\"algorithm\": {[^}]*}/\"algorithm\": {\"name\": \"$1\", \"population\": 9, \"generations\": $3}/" \
        -e "s/\"encoding\": {[^}]*}/\"encoding\": {\"name\": \"$2\", \"phase\": true, \"least_stiffness_Pa\": 1e6, \"most_stiffness_Pa\": 2e7}/" \
        -e 's/"least_voxels": [0-9]*/"least_voxels": 5/' "$assets/experiments/walk.json"
}

# same FOLDER FOLDER: two searches of one experiment gave the same result
same() { same_search "$1" "$2" && cmp "$1/config.json" "$2/config.json"; }

# plays_to FITNESS: result.json contains this fitness, to the last bit
plays_to() { awk -v a="$1" '/"fitness"/ { gsub(/[",:]/, ""); found = $2 + 0 == a + 0 } END { exit !found }' result.json; }

small afpo cppn 100 >walk.json
expect 0 'best fitness [0-9.e-]+ m: individual' evolve walk.json --out whole --threads 2
check 'the unit is in the names of columns' 'head -n 1 whole/individuals.csv | grep -q ",fitness_m,voxels," &&
    head -n 1 whole/generations.csv | grep -q ",best_fitness_m,living,median_fitness_m,failed,archive_cells,best_at_half_step_m$"'
check 'rows of the tables' '[ "$(wc -l <whole/individuals.csv)" -eq 901 ] && [ "$(wc -l <whole/generations.csv)" -eq 101 ]'

# killed at random times, mostly early, until it has been killed often enough; then run to its end
start=("$program" evolve walk.json --quiet --out killed)
killed=0
while [ "$killed" -lt "$kills" ]; do
    resume=()
    [ -e killed ] && resume=(--resume)
    "${start[@]}" "${resume[@]}" --threads $((killed % 3 + 1)) >out.txt 2>&1 &
    pid=$!
    sleep "$(awk -v n=$RANDOM 'BEGIN { printf "%.4f", 0.002 + 0.06 * n / 32768 }')"
    if kill -KILL $pid 2>/dev/null; then killed=$((killed + 1)); fi
    wait $pid 2>/dev/null
    # a search that reached its end must be right; then a new one is started
    if [ -d killed/archive ] && "$program" evolve --out killed --resume --quiet >out.txt 2>&1; then
        check "search ended after $killed kills" 'same whole killed'
        rm -rf killed
    fi
done
resume=()
[ -e killed ] && resume=(--resume)
"${start[@]}" "${resume[@]}" >out.txt 2>&1
check "killed $killed times" 'same whole killed'

for threads in 1 4; do
    expect 0 'best fitness' evolve walk.json --out "threads$threads" --threads $threads
    check "$threads threads" "same whole threads$threads"
done

# Ctrl-C suspends a search, which can be resumed. The signal is sent after the first generation. If the search ended before the signal, or had hardly
# anything left to do, it is started again
code=0
behind=99
for _ in $(seq 20); do
    rm -rf stopped
    "$program" evolve walk.json --out stopped >out.txt 2>&1 &
    pid=$!
    while kill -0 $pid 2>/dev/null && [ ! -s stopped/generations.csv ]; do sleep 0.01; done
    kill -INT $pid 2>/dev/null
    wait $pid
    code=$?
    behind=$(wc -l <stopped/generations.csv)
    if [ $code -ne 0 ] && [ "$behind" -lt 90 ]; then break; fi
done
check "suspended with $code" '[ $code -eq 75 ] && grep -q "go on with: voxelastic evolve --resume --out stopped" out.txt'
expect 75 'suspended after generation' evolve --out stopped --resume --generations 3
expect 0 'best fitness' evolve walk.json --out stopped --resume
check 'suspended and resumed' 'same whole stopped'

# a search that is extended, twice, also killed in between, is the search that was planned so from the start
small afpo cppn 40 >short.json
expect 0 'best fitness' evolve short.json --out extended
echo '{}' >extended/archive/mine.json
mkdir extended/archive/more.json
check 'the shorter search has other survivors' '! diff -rq whole/archive extended/archive'
expect 75 'suspended after generation 45 of 70' evolve --out extended --extend 30 --generations 5
expect 2 'exists; a search never overwrites' evolve short.json --out extended
expect 3 'differs from the folder.s config.json' evolve short.json --out extended --resume
expect 0 'now 100 generations in all' evolve --out extended --extend 30
check 'what others put into the archive stays' 'rm extended/archive/mine.json && rmdir extended/archive/more.json'
check 'extended' 'same whole extended'
expect 0 'this search is complete: it has all its 100 generations; --extend N adds some' evolve --out extended --resume
expect 2 'there can be 1000000000 in all' evolve --out extended --extend 1e9
expect 2 'whole number' evolve --out extended --extend 0
expect 5 'holds no search' evolve --out nowhere --extend 5
check 'what was refused changed nothing' 'same whole extended'
sed -i 's/"generations": 100/"generations": 3/' extended/config.json
expect 3 'is of 100 generations, and config.json plans 3' evolve --out extended --resume
"$program" evolve short.json --out extending --quiet >out.txt 2>&1
for n in $(seq 5); do # killed while it is extended: it has these generations or not, and goes on
    "$program" evolve --out extending --extend 1 --generations 1 --quiet >out.txt 2>&1 &
    sleep "$(awk -v n=$RANDOM 'BEGIN { printf "%.4f", 0.02 * n / 32768 }')"
    kill -KILL $! 2>/dev/null
    wait $! 2>/dev/null
done
left=$((100 - $(sed -n 's/.*"generations": \([0-9]*\).*/\1/p' extending/config.json)))
expect 0 'best fitness' evolve --out extending --extend $left
check "killed while it was extended, $left were left" 'same whole extending'

# longer FILE FOLDER: a search that was planned for 6 generations, suspended after 5, and then extended to 12
longer() {
    sed 's/"generations": 12/"generations": 6/' "$1" >six.json
    expect 75 'suspended' evolve six.json --out "$2" --generations 5 --threads 1
    expect 0 'best fitness' evolve --out "$2" --resume
    expect 0 'now 12 generations in all' evolve --out "$2" --extend 6 --threads 1
}

# every algorithm and encoding, in parts, of which one was not planned at first, and in one; a run of the best design has the logged fitness
for algorithm in afpo ga climber random map-elites nsga2; do
    for encoding in direct cppn; do
        name=$algorithm-$encoding
        small $algorithm $encoding 12 >$name.json
        expect 0 'best fitness' evolve $name.json --out $name
        longer $name.json $name-parts
        check "$name in parts" "same $name $name-parts"
        best=$(tail -1 $name/generations.csv | cut -d, -f3)
        logged=$(awk -F, -v id="$best" '$1 == id { print $7 }' $name/individuals.csv)
        "$program" run "$name/best/champion.json" --quiet --result result.json
        check "$name plays to $logged" 'plays_to "$logged" && [ ${#logged} -gt 8 ]'
        check "$name rises" "awk -F, 'NR > 1 { if (\$4 + 0 < last + 0) exit 1; last = \$4 }' $name/generations.csv"
    done
done

# controllers of a fixed body: by voxel or by group
voxels=$(for i in 0 1 2 3; do for j in 0 1 2; do printf '[%d,%d,1,0],' $i $j; done; done)
controller() {
    sed -e '/"size"/d' -e "s/\"self_collision\": true,/\"voxels\": [$voxels[0,0,0,0],[3,0,0,1],[0,2,0,1],[3,2,0,0]], \"layers\": {$2},/" \
        -e 's/"encoding": {[^}]*}/"encoding": {"name": "controller"}/' <<<"$(small "$1" cppn 12)"
}
for algorithm in cma-es ga nsga2; do
    controller $algorithm '' >body.json
    expect 0 'best fitness' evolve body.json --out body-$algorithm
    longer body.json body-$algorithm-parts
    check "controllers by $algorithm in parts" "same body-$algorithm body-$algorithm-parts"
    "$program" run body-$algorithm/best/champion.json --quiet --result result.json
    logged=$(awk -F, 'END { print $4 }' body-$algorithm/generations.csv)
    check "a controller plays to $logged" 'plays_to "$logged"'
done
controller cma-es '"Group": [0,0,0,0,0,0,1,1,1,1,1,1,2,2,2,2]' >groups.json
expect 0 'best fitness' evolve groups.json --out groups
check 'three phases for three groups' '[ "$(tr -d " \n" <groups/best/champion.json | grep -o "\"PhaseOffset\":\[[^]]*" | cut -d[ -f2 | tr , "\n" | sort -u | wc -l)" -eq 3 ]'
sed 's/"name": "controller"/"name": "cppn"/; s/"world"/"size": [4, 4, 4], "world"/' body.json >wrong.json
expect 3 'world: "voxels" is not allowed there' evolve wrong.json --out x
sed 's/"world"/"size": [4, 4, 4], "world"/' body.json >wrong.json
expect 3 '"size" is for bodies that are searched' evolve wrong.json --out x
sed 's/\[0,0,0,0\]/[0,0,0,9]/' body.json >wrong.json
expect 3 'wrong.json: .*material' evolve wrong.json --out x
small cma-es cppn 5 >wrong.json
expect 3 '"cma-es" is for the encoding "controller"' evolve wrong.json --out x
controller map-elites '' >wrong.json
expect 3 '"map-elites" is for bodies' evolve wrong.json --out x

# analysis: curves, the champion's line of descent, comparison of two sets
expect 0 '^best: individual [0-9]+ of whole, the last of [0-9]+: [0-9]+ ' analyze whole
expect 0 'archive: [0-9.]+ cells filled' analyze map-elites-cppn
expect 0 '2 searches, 12 generations' analyze ga-direct ga-cppn --against random-direct random-cppn climber-cppn -o curves.csv --picture curves.svg
check 'the unit of curves' 'head -n 1 curves.csv | grep -q "^set,generation,searches,best_fitness_m,best_low_m," && grep -q ">fitness (m)<" curves.svg'
expect 0 'best fitness, m \(95 % of its median\) +median fitness, m' analyze whole
expect 0 'U = [0-9.]+ of 6 pairs, effect [0-9.]+, p = [0-9.]+' analyze ga-direct ga-cppn --against random-direct random-cppn climber-cppn
check 'table of curves' '[ "$(wc -l <curves.csv)" -eq 25 ] && [ "$(grep -c "^2,11,3," curves.csv)" -eq 1 ]'
check 'picture' 'grep -q "</svg>" curves.svg && ! grep -qE "nan|inf" curves.svg'
expect 2 'which folders' analyze
expect 2 'against which folders' analyze whole --against
expect 2 'expected a name in .svg' analyze whole --picture x.png
expect 5 'nowhere/generations.csv: cannot open' analyze nowhere
cp -r whole cut && truncate -s 30 cut/generations.csv
expect 3 'generations.csv:2:1: holds no generation' analyze cut

# experiments and folders that are refused
expect 2 'which experiment' evolve --out x
expect 2 'no folder for the search' evolve walk.json
expect 2 'whole: exists' evolve walk.json --out whole
expect 5 'none.json: cannot open' evolve none.json --out x
expect 5 'holds no search' evolve --out nowhere --resume
expect 5 'cannot make the folder' evolve walk.json --out no/such/folder
expect 3 "differs from the folder's config.json" evolve afpo-direct.json --out whole --resume
printf '[]' >list.json
expect 3 'not an experiment' evolve list.json --out x
: >empty.json
expect 3 'empty.json:1:1' evolve empty.json --out x
# wrong SUBSTITUTION PATTERN
wrong() {
    sed -e "$1" walk.json >wrong.json
    expect 3 "wrong.json: .*$2" evolve wrong.json --out x
    check "$1 leaves nothing" '[ ! -e x ] && [ -z "$(find . -maxdepth 1 -name "x.*")" ]'
}
wrong 's/"seed"/"sed"/' 'experiment: unknown key "sed"; did you mean seed\?'
wrong 's/"seed": 1/"seed": -1/' '"seed" must be a whole number from 0'
wrong 's/\[4, 4, 3\]/[4, 4]/' '"size" must be three whole numbers'
wrong 's/\[4, 4, 3\]/[4000, 4000, 3000]/' '"size" must be three whole numbers'
wrong 's/"name": "walk", "duration_s"/"name": "wlak", "duration_s"/' 'task: "name" is "wlak"; expected one of walk'
wrong 's/"settle_time_s": 0.02/"settle_time_s": 7/' '"settle_time_s" .7. must be below'
wrong 's/"settle_time_s": 0.02/"settle_time": 0.02/' 'task: unknown key "settle_time"; did you mean settle_time_s\?'
wrong 's/"seed"/"zzz"/' 'experiment: unknown key "zzz"; known are format, version'
wrong 's/"self_collision"/"self_colision"/' 'world: scene: unknown key "self_colision"; did you mean self_collision\?'
wrong 's/"self_collision"/"name": "pool", "self_collision"/' 'world: "name" is not allowed there'
wrong 's/"population": 9/"population": 9.5/' '"population" must be a whole number'
wrong 's/"least_voxels": 5/"least_voxels": 500/' 'above the 48 cells'
wrong 's/"name": "walk", "duration_s"/"name": "formula", "duration_s"/' 'needs a "fitness"'
wrong 's/"name": "walk", "duration_s"/"name": "formula", "fitness": "x +", "duration_s"/' 'fitness: '
wrong 's/"name": "walk", "duration_s"/"name": "rough", "duration_s"/; s/"voxel_size_m": [0-9.]*/"voxel_size_m": 0/' 'voxel size is 0 m'
wrong 's/"youngs_modulus_Pa": 1e4/"youngs_modulus_Pa": -1/' 'is -1; it must be from 0'

# damage: the checkpoint before the last is used; without it there is a clear message, and nothing is lost
cp -r whole damaged
truncate -s -9 damaged/checkpoint.bin
expect 0 'best fitness' evolve --out damaged --resume
check 'a damaged checkpoint' 'same whole damaged'
truncate -s 100 damaged/checkpoint.bin
truncate -s 100 damaged/checkpoint.previous.bin
expect 3 'checkpoint.bin: is damaged' evolve --out damaged --resume
cp whole/checkpoint.bin damaged
truncate -s 1000 damaged/individuals.csv
expect 3 'individuals.csv: is shorter than at the last checkpoint' evolve --out damaged --resume
# one bit of a row
cp whole/individuals.csv damaged
printf "$(printf '\\%03o' $(($(od -An -j 1500 -N 1 -t u1 damaged/individuals.csv) ^ 1)))" | dd of=damaged/individuals.csv bs=1 seek=1500 conv=notrunc status=none
cp damaged/individuals.csv flipped.csv
expect 3 'individuals.csv: was changed since the last checkpoint' evolve --out damaged --resume
check 'a changed table stays' 'cmp -s flipped.csv damaged/individuals.csv'
cp whole/individuals.csv damaged
sed -i 's/"seed": 1/"seed": 2/' damaged/config.json
expect 3 'of another experiment' evolve --out damaged --resume

# a search without its checkpoints is not started again by mistake
cp -r whole bare && rm bare/checkpoint.bin bare/checkpoint.previous.bin
expect 3 'holds 100 generations, but there is no checkpoint' evolve --out bare --resume
check 'its rows stay' 'cmp -s whole/individuals.csv bare/individuals.csv'
# one that an earlier release began, without units in its tables and not yet with a checkpoint, keeps the names of its columns
cp -r whole early && rm -r early/checkpoint*.bin early/archive
for table in individuals generations; do head -n 1 whole/$table.csv | sed 's/_m\b//g' >early/$table.csv; done
head -n 1 early/individuals.csv >head.csv
expect 0 'best fitness' evolve --out early --resume
check 'its rows are the same' 'tail -n +2 whole/individuals.csv | cmp - <(tail -n +2 early/individuals.csv) && head -n 1 early/individuals.csv | cmp - head.csv'
# one process at a time
"$program" evolve walk.json --out busy --quiet >out.txt 2>&1 &
pid=$!
sleep 0.2
expect 5 'is in use by another process' evolve --out busy --resume
wait $pid
check 'undisturbed' 'same whole busy'
# checkpoints far apart, except for one where the search stops
sed 's/"seed": 1/"seed": 1, "checkpoint_interval": 40/' walk.json >rare.json
expect 75 'suspended after generation 5' evolve rare.json --out rare --generations 5
while [ ! -d rare/archive ]; do "$program" evolve --out rare --resume --generations 30 --quiet >out.txt 2>&1; done
check 'checkpoints far apart' 'cmp whole/individuals.csv rare/individuals.csv && diff -r whole/archive rare/archive'

# every task
for task in walk climb rough swim jump flip turn tall volume push carry throw gather; do
    small ga cppn 2 | sed "s/\"name\": \"walk\", \"duration_s\"/\"name\": \"$task\", \"direction\": \"x\", \"duration_s\"/" >task.json
    expect 0 'best fitness' evolve task.json --out task-$task
    logged=$(awk -F, 'END { print $4 }' task-$task/generations.csv)
    "$program" run task-$task/best/champion.json --quiet --result result.json
    check "$task plays to $logged" 'plays_to "$logged"'
done
small ga direct 2 | sed 's/"name": "walk", "duration_s"/"name": "formula", "fitness": "num_voxel - 1000*abs(y)", "duration_s"/' >task.json
expect 0 'best fitness' evolve task.json --out task-formula

counted_end
