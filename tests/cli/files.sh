#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# files.sh PROGRAM ASSETS: what the program does to files that are there already: nothing before a new one is complete. Files in the making have
# names of their own; full disks, limits, kills, closed descriptors and two searches of one folder at once leave nothing wrong.
set -u
program=$1
assets=$2
# shellcheck source=tests/cli/counted.sh
. "$(dirname "$(readlink -f "$0")")/counted.sh"
umask 022

# a small search, with one generation and with several
sed -e 's/"size": \[[^]]*\]/"size": [3, 3, 2]/' -e 's/"duration_s": [0-9.]*, "settle_time_s": [0-9.]*/"duration_s": 0.05, "settle_time_s": 0.01/' \
    -e 's/"least_voxels": [0-9]*/"least_voxels": 4/' -e 's/"population": [0-9]*/"population": 6/' -e 's/"generations": [0-9]*/"generations": 6/' \
    "$assets/experiments/walk.json" >walk.json
run=("$program" run "$assets/worm.vxa" --duration 0.05 --quiet)

"${run[@]}" --record whole.vxr --trace whole.csv --result whole.json
"$program" evolve walk.json --out whole --quiet

# a user's file of a likely name, and what a link of that name leads to, stay
echo mine >x.vxr.partial
echo mine >other && ln -s other x.csv.partial
"${run[@]}" --record x.vxr --trace x.csv
check 'a file named .partial stays' '[ "$(cat x.vxr.partial)" = mine ] && [ "$(cat other)" = mine ]'
check 'the files are right' 'cmp whole.vxr x.vxr && cmp whole.csv x.csv'
rm -f x.* other

# a file that is replaced keeps its mode, and a link to it stays one
for kind in vxr csv json html; do echo old >real.$kind; chmod 640 real.$kind; ln -s real.$kind link.$kind; done
"${run[@]}" --record link.vxr --trace link.csv --result link.json
"$program" batch "$assets/worm.vxa" --steps 5 --quiet -o link.csv
"$program" view real.vxr -o link.html
for kind in vxr csv json html; do
    check "link and mode of .$kind" '[ -L link.$kind ] && [ "$(stat -c %a real.$kind)" = 640 ] && [ "$(cat real.$kind | head -c 3)" != old ]'
done
rm -f real.* link.*

# a pipe and standard output are written in place, behind what is there
mkfifo pipe.csv
cat pipe.csv >read.csv &
"${run[@]}" --trace pipe.csv
wait $!
ln -s /proc/self/fd/1 stdout # as /dev/stdout is one, which a faulty program must not get at
{ echo before; "${run[@]}" --trace stdout; } >out.csv
check 'a pipe' '[ -p pipe.csv ] && cmp read.csv whole.csv'
check 'standard output' '[ -L stdout ] && [ "$(head -n 1 out.csv)" = before ] && tail -n +2 out.csv | cmp - whole.csv'

# a limit on the size of files ends with status 5; old files stay, and nothing is left over (a full disk does the same)
mkdir limited
echo old >limited/old
limited() {
    local file=limited/x.$1 code
    shift
    cp limited/old "$file"
    [ "${file##*.}" = obj ] && cp limited/old limited/x.mtl
    [ "${file##*.}" = pvd ] && mkdir -p limited/x.frames && cp limited/old limited/x.frames/000000.vtu
    (ulimit -f 1; exec "$program" "$@" "$file") >out.txt 2>&1
    code=$?
    check "limit: $file ended with $code" '[ $code -eq 5 ] && grep -q "cannot write: File too large" out.txt'
    check "limit: $file stays" 'cmp limited/old $file && nothing_in_the_making'
}
"$program" run "$assets/worm.vxa" --duration 0.4 --quiet --record long.vxr --record-rate 300
limited vxr run "$assets/worm.vxa" --duration 0.4 --quiet --record-rate 300 --record
limited csv run "$assets/worm.vxa" --duration 0.4 --quiet --trace-interval 0.001 --trace
limited json convert "$assets/worm.vxa"
for kind in html png svg obj stl glb history pvd; do limited $kind view long.vxr -o; done
check 'what belongs to it stays' 'cmp limited/old limited/x.mtl && cmp limited/old limited/x.frames/000000.vtu && [ "$(ls limited/x.frames)" = 000000.vtu ]'
# a search that met a limit goes on when there is room, to the same end
(ulimit -f 3; exec "$program" evolve walk.json --out small --quiet) >out.txt 2>&1
code=$?
check "limit: a search ended with $code" '[ $code -eq 5 ] && nothing_in_the_making'
if [ -e small ]; then expect 0 '' evolve --out small --resume --quiet; else expect 0 '' evolve walk.json --out small --quiet; fi
check 'and went on' 'same_search whole small'

# a run that is killed leaves the old record, and of the new one all whole blocks
cp whole.vxr x.vxr
"$program" run "$assets/quadruped.vxa" --duration 1000 --quiet --record x.vxr --record-rate 2000 &
pid=$!
for _ in $(seq 500); do
    sleep 0.02
    [ -n "$(find . -name 'x.vxr.*.partial' -size +100k)" ] && break
done
kill -KILL $pid
wait $pid 2>/dev/null
making=$(echo x.vxr.*.partial)
check 'the old record stays' 'cmp whole.vxr x.vxr'
expect 0 'record of [0-9]+ frames, .*; cut short' info "$making"
expect 0 'is cut short or damaged: only its first [0-9]+ frames are used' view "$making" -o cut.svg
frames=$("$program" info "$making" | sed -n 's/^record of \([0-9]*\) frames.*/\1/p')
check "$frames frames are whole blocks" '[ "$frames" -gt 0 ] && [ $((frames % 32)) -eq 0 ]'
rm -f "$making"
# one that is ended in order leaves nothing but whole files
"$program" run "$assets/quadruped.vxa" --duration 1000 --quiet --record x.vxr &
pid=$!
for _ in $(seq 500); do
    sleep 0.02
    [ -e "$(echo x.vxr.*.partial)" ] && break
done
kill -TERM $pid
wait $pid
code=$?
check "ended with $code" '[ $code -eq 130 ] && nothing_in_the_making && ! cmp -s whole.vxr x.vxr'
expect 0 'record of [0-9]+ frames, [^;]*$' info x.vxr
# a view that is ended is of no use in part
for i in $(seq 100); do
    "$program" view whole -o gallery.html &
    pid=$!
    sleep "0.$(printf %03d $((i % 10 * (1 + i / 10 * 10))))" # up to 9 ms, 99 ms, 189 ms, ...: programs start slowly under sanitizers
    kill -INT $pid 2>/dev/null
    wait $pid
    code=$?
    nothing_in_the_making && { [ $code -eq 0 ] || [ $code -eq 130 ] || [ ! -e gallery.html ]; } || break
    [ $code -eq 130 ] && [ "$i" -ge 10 ] && break
done
check "views ended with $code after $i" '[ "$code" -eq 130 ] && nothing_in_the_making'

# closed descriptors: what is printed goes into no file
"$program" evolve walk.json --out closed <&- 2>&- >out.txt
check 'a search without standard error' '[ $? -eq 0 ] && same_search whole closed'
"$program" evolve walk.json --out closed-too <&- >&- 2>&-
check 'a search without any' '[ $? -eq 5 ] && same_search whole closed-too'
"$program" run "$assets/worm.vxa" --duration 0.05 --record x.vxr --trace x.csv >&- 2>out.txt
check 'a run without standard output' '[ $? -eq 5 ] && cmp whole.vxr x.vxr && cmp whole.csv x.csv && grep -q "cannot write to standard output" out.txt'
"${run[@]}" --record x.vxr <&- >&- 2>&-
check 'a quiet one has nothing to print' '[ $? -eq 0 ] && cmp whole.vxr x.vxr'
"$program" batch "$assets/worm.vxa" --steps 5 --quiet >&- 2>out.txt
check 'rows that nobody can read' '[ $? -eq 5 ]'
"$program" batch --stdin <&- >out.txt 2>&1
check 'no lines to answer' '[ $? -eq 5 ]'

# of two searches that are begun at once on one folder, one is refused and the other undisturbed
wrong=0
for i in $(seq 20); do
    "$program" evolve walk.json --out pair --quiet >one.txt 2>&1 &
    one=$!
    "$program" evolve walk.json --out pair --quiet >two.txt 2>&1 &
    two=$!
    wait $one
    a=$?
    wait $two
    b=$?
    [ $((a + b)) -eq 2 ] && [ $((a * b)) -eq 0 ] && cat one.txt two.txt | grep -q 'pair: exists' && same_search whole pair && nothing_in_the_making || wrong=$((wrong + 1))
    rm -rf pair pair.*
done
check "$wrong of 20 pairs went wrong" '[ $wrong -eq 0 ]'
# of two that go on, too
sed 's/"generations": [0-9]*/"generations": 9000/' walk.json >long.json
expect 75 'suspended' evolve long.json --out pair --generations 1
"$program" evolve --out pair --resume --quiet >one.txt 2>&1 &
one=$!
"$program" evolve --out pair --resume --quiet >two.txt 2>&1 &
two=$!
while kill -0 $one 2>/dev/null && kill -0 $two 2>/dev/null; do sleep 0.05; done
kill -TERM $one $two 2>/dev/null
wait $one
a=$?
wait $two
b=$?
check "resumed twice at once: $a and $b" '[ $((a + b)) -eq 80 ] && cat one.txt two.txt | grep -q "pair: is in use by another process"'
# files in the making that a killed search has left are removed by the one that goes on; others stay
: >pair/checkpoint.bin.0123abcd.partial
: >pair/best/00000001.json.0123abcd.partial
: >pair/notes.partial
expect 75 'suspended' evolve --out pair --resume --generations 1
check 'nothing is left in the making' 'nothing_in_the_making && [ -e pair/notes.partial ]'
# a user's folder of a likely name stays
mkdir new.partial && : >new.partial/config.json
expect 0 '' evolve walk.json --out new --quiet
check 'a folder named .partial stays' 'same_search whole new && [ "$(ls new.partial)" = config.json ]'

counted_end
