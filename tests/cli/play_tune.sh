#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# play_tune.sh PROGRAM [BROWSER]: a tuning that is interrupted and resumed writes the same files as one that is not, and so does each number of threads. A run of
# the best design has the score that was said. With BROWSER `yes` the page is looked at in one. Wrong designs, options and folders are refused with a clear line, and leave no folder.
set -u
program=$1
browser=${2:-no}
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/cli/counted.sh
. "$here/counted.sh"

# crawler SECONDS [MORE]: a block of 16 muscles on the floor whose runs have so many seconds
crawler() {
    local voxels="" phases="" i
    for i in $(seq 0 15); do
        voxels+="${voxels:+,}[$((i % 4)),$((i / 4 % 2)),$((i / 8)),0]"
        phases+="${phases:+,}0.$((i * 37 % 100 + 100))"
    done
    printf '{"format": "voxelastic scene", "version": 1, "name": "crawler", "materials": [{"thermal_expansion_per_K": 0.01, "bond_damping": 0.3,
"collision_damping": 0.3}], "actuation": {"enabled": true, "amplitude_K": 12, "period_s": 0.05}, "stop": {"duration_s": %s}, %s
"layers": {"PhaseOffset": [%s]}, "voxels": [%s]}\n' "$1" "${2:-}" "$phases" "$voxels"
}

# same FOLDER FOLDER: two tunings of one design gave the same files
same() { diff -r "$1" "$2"; }

crawler 0.1 >crawler.json
expect 0 'best/1.json +[0-9]+ +[-0-9.e]+ +[-0-9.e]+' tune crawler.json -o whole --iterations 12 --threads 1
check 'the files' '[ -s whole/page.html ] && [ -s whole/curve.svg ] && [ -s whole/best.json ] && [ -s whole/best/5.json ] && [ -s whole/before.json ]'
check 'the curve' '[ "$(wc -l <whole/curve.csv)" -eq 13 ] && head -n 1 whole/curve.csv | grep -q "^iteration,runs,score_m_per_s,smooth_score_m_per_s,best_score_m_per_s,growth_per_s,"'
check 'the checks' '[ "$(wc -l <whole/checks.csv)" -eq 7 ] && [ "$(grep -c ",1$" whole/checks.csv)" -eq 1 ]'
check 'the page shows both' 'grep -q "data-robot=.0 1.>&#9654; before and after" whole/page.html'
# the score rises, and the chosen design is the best of the longer run
check 'it rises' 'awk -F, "NR == 2 { first = \$3 } END { exit !(\$5 > first) }" whole/curve.csv'
check 'the chosen one is the best of the longer run' \
    'awk -F, "NR > 2 { if (\$4 > best || NR == 3) { best = \$4; row = \$7 } } END { exit !row }" whole/checks.csv'
if [ "$browser" = yes ]; then
    "$here/drive_page.py" whole/page.html "$work" 2 >page.out 2>&1
    code=$?
    [ $code -eq 77 ] && echo "skipped: $(cat page.out)" || check "the page in a browser" "[ $code -eq 0 ] || { cat page.out; false; }"
fi
# a plain run by the step that is said has the score
said=$("$program" tune crawler.json -o said --iterations 12 | tail -n 1)
step=${said##*--timestep } && step=${step%% *}
for which in 3 4; do
    seconds=$(awk -F, -v c=$((which + 2)) '$7 == 1 { print $c }' said/checks.csv)
    "$program" run said/best.json --timestep "$step" --damping explicit --duration "$seconds" --quiet --no-step-error --result result.json
    check "a run of $seconds s has the score" 'awk -F, -v c=$which "\$7 == 1 { print \$c }" said/checks.csv | awk "{ want = \$1 } END { while ((getline < \"result.json\") > 0) if (/\"fitness\"/) { gsub(/[\",:]|fitness/, \"\"); found = \$1 } d = found - want; exit !(d < 1e-9 && d > -1e-9 && want != 0) }"'
done
check 'auto threads' 'same whole said'
expect 0 'best.json' tune crawler.json -o three --iterations 12 --threads 3
check 'three threads' 'same whole three'

# in two parts, and after a signal
expect 0 'best/1.json' tune crawler.json -o parts --iterations 5
expect 0 'best/1.json' tune -o parts --resume --iterations 12
check 'in two parts' 'same whole parts'
for signal in INT TERM; do
    rm -rf stopped
    "$program" tune crawler.json -o stopped --iterations 100000 --quiet 2>out.txt &
    pid=$!
    for _ in $(seq 200); do [ -e stopped/tuning.json ] && break; sleep 0.02; done
    sleep 0.3
    kill -$signal $pid
    wait $pid
    code=$?
    check "suspended by $signal ($code)" '[ $code -eq 75 ] && grep -q "suspended after iteration [0-9]* of 100000; go on with: voxelastic tune --resume --out stopped" out.txt'
done
done=$(($(wc -l <stopped/curve.csv) - 1))
check 'some iterations are done' '[ "$done" -ge 1 ]'
expect 0 'best/1.json' tune -o stopped --resume --iterations $((done + 3))
expect 0 'best/1.json' tune crawler.json -o straight --iterations $((done + 3))
check 'after a signal' 'same straight stopped'
rm -rf straight stopped three parts said

# amplitude, copies, a formula, other choices
expect 0 'best/1.json' tune crawler.json -o both --by phase,amplitude --for 'x - abs(y)' --copies 3 --seed 4 --time 0.08 --longer 0.1 --forget 0.02 --iterations 3
check 'amplitudes' 'grep -q Amplitude both/best.json'
check 'the choices' 'grep -q "\"for\": \"x - abs(y)\"" both/tuning.json && grep -q "\"copies\": 3" both/tuning.json'
check 'the times' 'grep -q ",0.08,0.1,1" both/checks.csv'
expect 0 'best/1.json' tune crawler.json -o stiff --by phase,stiffness --iterations 3
check 'stiffness' 'grep -q "\"Stiffness\"" stiff/best.json'
expect 0 'best/1.json' tune crawler.json -o carved --by occupancy,phase --iterations 12
check 'a body with its own score' 'awk -F, "NR > 1 && \$3 != \$4 { differ = 1 } END { exit !differ }" carved/curve.csv && ! grep -q "\"Density\"" carved/best.json'
expect 0 'best/1.json' tune -o carved --resume --iterations 13
crawler 0.1 '"volume_effects": true,' >swelling.json
expect 3 'swelling.json: there is no gradient through Poisson' tune swelling.json -o no
crawler 0.1 '"self_collision": true,' >colliding.json
expect 0 'best/1.json' tune colliding.json -o colliding --iterations 3
check 'the design collides too' 'grep -q "\"self_collision\": true" colliding/best.json'
expect 0 'without self-collision' tune colliding.json -o without --no-self-collision --iterations 2
check 'the design has none either' '! grep -q "\"self_collision\": true" without/best.json'
expect 0 'best/1.json' tune -o without --resume --iterations 3

# what is wrong is said, and leaves no folder
expect 2 'which design' tune -o no
expect 2 'no folder for the tuning' tune crawler.json
expect 2 'one design at a time' tune crawler.json crawler.json -o no
expect 5 'none.json: cannot open' tune none.json -o no
echo '{"materials": [{}], "voxels": [[0,0,0,7]]}' >wrong.json
expect 3 'wrong.json' tune wrong.json -o no
expect 2 "by 'phse': there are phase, amplitude, stiffness, occupancy; did you mean phase" tune crawler.json -o no --by phse
expect 2 "by ''" tune crawler.json -o no --by phase,
expect 2 "iterations '0': expected a whole number from 1" tune crawler.json -o no --iterations 0
expect 2 "iterations 'many': expected a whole number" tune crawler.json -o no --iterations many
expect 2 "copies '0'" tune crawler.json -o no --copies 0
expect 2 "forget '-1': expected a number of seconds" tune crawler.json -o no --forget -1
expect 2 'expected a number above 0' tune crawler.json -o no --time 0
expect 2 'the formula "x [+]" .of x, y, z and t.: .*character 4' tune crawler.json -o no --for 'x +'
expect 2 'no such variable' tune crawler.json -o no --for 'x - speed'
expect 2 'nothing to tune' tune crawler.json -o no --for '2*t'
expect 2 "unknown option '--iteration-count'" tune crawler.json -o no --iteration-count 3
expect 2 'auto, or seconds' tune crawler.json -o no --timestep source
check 'no folder' '[ ! -e no ]'
expect 2 'whole: exists; a tuning never overwrites a folder' tune crawler.json -o whole
expect 5 'cannot make the folder' tune crawler.json -o not/there
expect 2 'goes on with what is in the folder: no DESIGN' tune crawler.json -o whole --resume
expect 2 'goes on with what is in the folder: no --seed' tune -o whole --resume --seed 3
expect 5 'not: holds no tuning' tune -o not --resume
cp -r whole damaged
printf 'x' | dd of=damaged/state.bin bs=1 seek=100 conv=notrunc 2>/dev/null
expect 3 'damaged/state.bin: .*is damaged' tune -o damaged --resume --iterations 14
cp whole/state.bin damaged/state.bin
sed -i 's/0.1/0.7/' damaged/before.json
expect 3 'of another design' tune -o damaged --resume --iterations 14
echo '{}' >damaged/tuning.json
expect 3 'is not what a tuning writes' tune -o damaged --resume
cmp -s crawler.json crawler.json && flock -n whole -c "'$program' tune -o whole --resume" >out.txt 2>&1
check 'a folder in use' 'grep -q "is in use by another process" out.txt'
(ulimit -f 2; exec "$program" tune crawler.json -o full --iterations 3 --quiet) >out.txt 2>&1
code=$?
check "a full disk ($code)" '[ $code -eq 5 ] && grep -q "cannot write: File too large" out.txt'
check 'nothing in the making' 'nothing_in_the_making'
counted_end
