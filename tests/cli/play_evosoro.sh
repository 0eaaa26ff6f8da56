#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# play_evosoro.sh PROGRAM ASSETS: calls the drop-ins as evosoro, reconfigurable_organisms and older drivers call their simulator: a copy of the
# program in the working directory, a generation of 50 at once, a poll of the fitness folder that takes the first file it lists and reads
# numbers line by line.
set -u
program=$(readlink -f "$1")
assets=$(readlink -f "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0
complain() { printf 'FAILED: %s\n' "$*"; failed=$((failed + 1)); }

# The text between a tag and its end on one line, taken from the last such line, as the drivers' read_voxlyze_results does.
value() { grep "<$2>" "$1" | tail -1 | sed "s|.*<$2>||; s|</$2>.*||"; }

# Whether Python's float() would accept it.
is_number() { printf '%s' "$1" | grep -qE '^-?[0-9]+(\.[0-9]*)?(e[-+]?[0-9]+)?$'; }

# robot FILE RESULT SED...: a robot that walks for 0.3 s after settling.
robot() {
    local file=$1 result=$2
    shift 2
    sed -e "s|<FitnessFileName>[^<]*|<FitnessFileName>$result|" -e 's|<StopConditionValue>[^<]*|<StopConditionValue>1.3|' "$@" \
        "$assets/benchmark/quad6.vxa" >"$file"
}

# evosoro: `cp .../voxelyze .`, then `./voxelyze  -f FILE` for the whole generation
cp "$program" voxelyze
run=basic_data
mkdir -p $run/voxelyzeFiles $run/fitnessFiles
for id in $(seq 0 49); do
    name=$(printf 'Basic--id_%05i.vxa' "$id")
    # two kinds of robots, so that results can be told apart
    robot "$run/voxelyzeFiles/$name" "$(printf '%s/fitnessFiles/softbotsOutput--id_%05i.xml' $run "$id")" -e "s|<TempPeriod>[^<]*|<TempPeriod>0.$((25 + id % 2))|"
done
for id in $(seq 0 49); do
    sh -c "./voxelyze  -f $run/voxelyzeFiles/Basic--id_$(printf '%05i' "$id").vxa" &
done
seen=0
patience=600
declare -A score
while [ $seen -lt 50 ] && [ $patience -gt 0 ]; do
    first=$(ls $run/fitnessFiles/ | head -1)
    if [ -z "$first" ]; then
        sleep 0.1
        patience=$((patience - 1))
        continue
    fi
    case $first in *softbotsOutput--id_*) ;; *) complain "the first of the folder is $first"; break ;; esac
    id=$(printf '%s' "$first" | cut -d_ -f2 | cut -d. -f1)
    for tag in NormFinalDist FinalDist NumTouchingFloor Lifetime normAbsoluteDisplacement; do
        is_number "$(value "$run/fitnessFiles/$first" $tag)" || complain "$tag of $first is '$(value "$run/fitnessFiles/$first" $tag)'"
    done
    score[$id]=$(value "$run/fitnessFiles/$first" NormFinalDist)
    rm "$run/fitnessFiles/$first"
    seen=$((seen + 1))
done
wait
[ $seen -eq 50 ] || complain "$seen of 50 results came"
for id in $(seq 0 49); do
    [ "${score[$(printf '%05i' "$id")]:-none}" = "${score[$(printf '%05i' $((id % 2)))]:-other}" ] || complain "robot $id scored otherwise than its twin"
done
[ "${score[00000]:-0}" != "${score[00001]:-0}" ] || complain 'different robots scored the same'
[ "$(find . -name '.soft*' | wc -l)" -eq 0 ] || complain 'something was left behind'

# exit statuses: 1 finished, 0 not; --posix the other way
status() {
    local want=$1 got
    shift
    "$@" >out.txt 2>err.txt
    got=$?
    [ "$got" -eq "$want" ] || complain "exit status $got, wanted $want: $*"
}
robot one.vxa one.xml
status 1 ./voxelyze -f one.vxa
status 0 ./voxelyze -f one.vxa --posix
status 0 ./voxelyze
grep -q usage out.txt || complain 'no usage'
status 1 ./voxelyze --posix
status 0 ./voxelyze -f none.vxa
grep -q 'none.vxa: cannot open' err.txt || complain 'a missing file is not named'
[ "$(value one.xml Peer)" = evosoro ] || complain 'not run as evosoro'

# older drivers: progress with a number, unknown options, a closed standard output
robot genome.vxa genome.xml
status 1 ./voxelyze -f genome.vxa -p 100 -B_ext 0.01 --computeShapeDescriptors
[ "$(grep -c '^Time: ' out.txt)" -ge 5 ] || complain 'no progress'
./voxelyze -p -f genome.vxa >&-
[ $? -eq 1 ] || complain 'a closed standard output'

# a robot that bursts has finite scores and says so
robot burst.vxa burst.xml -e 's|<DtFrac>[^<]*|<DtFrac>9|'
status 0 ./voxelyze -f burst.vxa
[ "$(value burst.xml Diverged)" = 1 ] || complain 'no word of divergence'
[ "$(value burst.xml NormFinalDist)" = 0 ] || complain 'a burst robot has a distance'

# a file without a stop rule is refused, because it would run for ever
robot endless.vxa endless.xml -e 's|<StopConditionType>[^<]*|<StopConditionType>0|'
status 0 ./voxelyze -f endless.vxa
[ ! -e endless.xml ] || complain 'an endless robot has a result'
robot endless.vxa endless.xml -e 's|<StopConditionType>[^<]*|<StopConditionType>1|' -e 's|<StopConditionValue>[^<]*|<StopConditionValue>1e20|'
status 0 ./voxelyze -f endless.vxa
robot endless.vxa endless.xml -e 's|<StopConditionType>[^<]*|<StopConditionType>3|' -e 's|<StopConditionValue>[^<]*|<StopConditionValue>1e280|'
status 0 ./voxelyze -f endless.vxa
[ ! -e endless.xml ] || complain 'an endless robot has a result'

# a run goes on if its progress is no longer read; a folder on another disk, and a missing one
robot far.vxa far.xml
./voxelyze -p -f far.vxa | head -1 >/dev/null
[ -s far.xml ] || complain 'it ended with its reader'
if [ -w /dev/shm ]; then
    ./voxelyze -f far.vxa -of /dev/shm/far$$.xml || [ -s /dev/shm/far$$.xml ] || complain 'nothing on another disk'
    rm -f /dev/shm/far$$.xml
fi
status 0 ./voxelyze -f far.vxa -of nowhere/far.xml
grep -q 'nowhere/far.xml: cannot write' err.txt || complain 'a missing folder is not named'

# land-water: by name, by the environment, and by a file that swims
robot swim.vxa swim.xml -e 's|<Environment>|<Environment><FluidEnvironment>1</FluidEnvironment><AggregateDragCoefficient>1500</AggregateDragCoefficient>|'
status 1 ./voxelyze -f swim.vxa
[ "$(value swim.xml Peer)" = land-water ] || complain 'a swimmer is not run as land-water'
VOXELASTIC_PEER=evosoro ./voxelyze -f swim.vxa
[ "$(value swim.xml Peer)" = evosoro ] || complain 'VOXELASTIC_PEER is not heard'
VOXELASTIC_PEER=nobody ./voxelyze -f swim.vxa 2>err.txt
[ $? -eq 0 ] && grep -q "unknown conventions 'nobody'" err.txt || complain 'a wrong VOXELASTIC_PEER'

# reconfigurable_organisms: -of, both kinds of ground, and the trace whose lines it counts
cp "$program" voxelyze-recorg
robot walk.vxa unused.xml -e 's|<FloorSlope>[^<]*|<FloorSlope>5|' -e 's|<Environment>|<Environment><SaveTraces>1</SaveTraces><TimeBetweenTraces>0.1</TimeBetweenTraces>|'
status 1 ./voxelyze-recorg -f walk.vxa -of slope.xml
status 1 ./voxelyze-recorg -f walk.vxa -of both.xml --compoundTerrestrialEnvironment
[ "$(value slope.xml Peer)" = recorg ] || complain 'not run as recorg'
[ ! -e unused.xml ] || complain '-of is not heard'
[ "$(value slope.xml normAbsoluteDisplacement)" != "$(value both.xml normAbsoluteDisplacement)" ] || complain 'both grounds score as one'
step=$(grep -n -A 7 '<CMTrace>' slope.xml | sed 's/^[0-9]*[-:]//; s/^ *<\([A-Za-z/]*\)>.*/\1/' | tr '\n' ' ')
robot block.vxa block.xml -e 's|<Environment>|<Environment><BlockPushing>1</BlockPushing><BlockMaterial>3</BlockMaterial>|'
status 1 ./voxelyze-recorg -f block.vxa
awk -v at="$(value block.xml BlockPos)" 'BEGIN { exit !(at > 0.1 && at < 0.6) }' || complain "BlockPos is '$(value block.xml BlockPos)'"
[ "$(value walk.xml BlockPos 2>/dev/null)$(value slope.xml BlockPos)" = 0 ] || complain 'a block where there is none'
[ "$step" = 'CMTrace TraceStep Time TraceX TraceY TraceZ NumTouchingGround /TraceStep ' ] || complain "the trace's lines are: $step"

[ $failed -eq 0 ] && echo 'the drivers are content'
[ $failed -eq 0 ]
