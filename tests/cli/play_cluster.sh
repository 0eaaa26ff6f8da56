#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# play_cluster.sh PROGRAM-WITH-MPI PROGRAM ASSETS: a search over several processes writes the same files as one process, also if it is stopped,
# if a worker is killed, and if a single process resumes it.
set -u
cluster=$1
program=$2
assets=$3
# shellcheck source=tests/cli/counted.sh
. "$(dirname "$(readlink -f "$0")")/counted.sh"
# mpirun may end before its processes do; a process that is still running keeps the folder locked
gone() { while pgrep -f "$cluster evolve walk.json" >/dev/null; do sleep 0.1; done; }
# together PROCESSES WORDS...
together() {
    local count=$1
    shift
    timeout 300 mpirun --allow-run-as-root --oversubscribe -n "$count" "$cluster" evolve "$@" >out.txt 2>&1
}

sed -e 's/"size": \[[^]]*\]/"size": [4, 4, 3]/' -e 's/"duration_s": [0-9.]*/"duration_s": 0.8/' -e 's/"seed": 1/"seed": 3, "audit": true/' \
    -e 's/"population": [0-9]*, "generations": [0-9]*/"population": 20, "generations": 20/' -e 's/"least_voxels": [0-9]*/"least_voxels": 5/' \
    "$assets/experiments/walk.json" >walk.json
"$program" evolve walk.json --out alone >out.txt 2>&1
check 'alone' '[ $? -eq 0 ]'
for count in 1 2 3 5; do
    together $count walk.json --out "n$count" --threads 1
    check "$count processes" "[ $? -eq 0 ] && same_search alone n$count"
done

# stopped, by a count and by a signal; a single process resumes the search
together 3 walk.json --out parts --generations 7
check 'stopped by a count' '[ $? -eq 75 ]'
together 3 walk.json --out parts --resume &
pid=$!
sleep 0.7
pkill -TERM -f "$cluster evolve walk.json --out parts" 2>/dev/null
wait $pid
gone
"$program" evolve --out parts --resume >out.txt 2>&1
check 'one process goes on' '[ $? -eq 0 ] && same_search alone parts'

# a worker is lost: MPI ends the others, and the search resumes from the checkpoint
together 3 walk.json --out lost &
pid=$!
sleep 0.6
kill -KILL "$(pgrep -f "$cluster evolve walk.json --out lost" | tail -1)" 2>/dev/null
wait $pid
gone
while [ -e lost ] && [ ! -d lost/archive ]; do together 3 walk.json --out lost --resume; done
[ -e lost ] || together 3 walk.json --out lost
check 'a lost worker' 'same_search alone lost'

# individuals that learn: what they learned comes back from the processes, inherited or not
for inherit in false true; do
    cat >learn.json <<END
{"format": "voxelastic experiment", "version": 1, "seed": 3, "size": [3, 2, 2],
 "world": {"materials": [{"name": "muscle", "thermal_expansion_per_K": 0.01, "bond_damping": 0.5}, {"name": "tissue", "bond_damping": 0.5}],
           "actuation": {"enabled": true, "amplitude_K": 14, "period_s": 0.1}},
 "task": {"direction": "x", "duration_s": 0.2, "settle_time_s": 0.05}, "encoding": {"name": "direct", "phase": true},
 "learn": {"iterations": 3, "inherit": $inherit}, "algorithm": {"population": 9, "generations": 3}}
END
    "$program" evolve learn.json --out learn-alone-$inherit >out.txt 2>&1
    together 3 learn.json --out learn-cluster-$inherit --threads 1
    check "learning over processes, inherit: $inherit" "[ $? -eq 0 ] && same_search learn-alone-$inherit learn-cluster-$inherit"
done

# a fitness by a program: each process has workers of its own, and what goes wrong with them is told by the first
cp "$assets"/experiments/porous.* .
"$program" evolve porous.json --out porous-alone >out.txt 2>&1
together 3 porous.json --out porous-cluster --threads 2
check 'a program over processes' '[ $? -eq 0 ] && same_search porous-alone porous-cluster'
sed 's/"porous.py"/"none.py"/' porous.json >wrong.json
together 3 wrong.json --out wrong
check 'a program that fails' '[ $? -eq 5 ] && tr "\n" " " <out.txt | grep -q "process [12] could not run its part .*none.py.* ended with status 2"'

counted_end
