#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# mutants.sh SOURCE [JOBS]: checks that asserts find faults. Copies SOURCE into a temporary folder, builds the program there with VXE_ASSERT checked,
# and puts one fault after another into the engine. Each must be stopped, by a compile error or by a failed assert in a short run. The same run
# without the fault must end well. Nothing is written to SOURCE. Ends with 77 where the tools or the instruction set are missing.
set -u
declare -A file edit words

# The mutations: a file, a sed script that must change it, and a design with the options of a run that meets the fault.
# A wrong slot: the last chunk ends one slot too late.
file[wrong_slot]=engine/core/chunks.c
edit[wrong_slot]='s/chunk_first\[chunks->chunk_count\] = voxels;/chunk_first[chunks->chunk_count] = voxels + 1;/'
words[wrong_slot]='quadruped.vxa'
# Two swapped kernel arrays: a component of the orientation and one of the spin.
file[swapped_arrays]=engine/voxels/rotation_law.h
edit[swapped_arrays]='s/qw = from(s->q\[0\], first)/qw = from(s->w[0], first)/; s/wx = from(s->w\[0\], first)/wx = from(s->q[0], first)/'
words[swapped_arrays]='quadruped.vxa'
# A bond law for which there is no kernel.
file[unknown_law]=engine/solver/step.c
edit[unknown_law]='s/return VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | by_rows(model);/return (vxe_bond_parts)(VXE_BOND_LAWS - 1);/'
words[unknown_law]='quadruped.vxa --damping explicit'

source=$(readlink -f "$1") || exit 2
jobs=${2:-1}
for tool in cmake ninja; do
    command -v "$tool" >/dev/null || { echo "skipped: no $tool" && exit 77; }
done
grep -qw avx2 /proc/cpuinfo 2>/dev/null || { echo "skipped: no AVX2" && exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/source"
tar -C "$source" --exclude=./build --exclude=./.git -cf - . | tar -C "$work/source" -xf - || exit 2
cd "$work/source" || exit 2

# run DESIGN WORDS...: a fifth of a second of a design; what it says is in $work/run.txt
run() {
    local design=$1
    shift
    "$work/build/bin/voxelastic" run "assets/$design" --duration 0.2 --quiet "$@" >"$work/run.txt" 2>&1
}
build() { ninja -C "$work/build" -j"$jobs" voxelastic >"$work/build.txt" 2>&1; }

cmake -G Ninja -S . -B "$work/build" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -DVOXELASTIC_ASSERTS=ON \
    -DVOXELASTIC_ISAS=x86_64_v3 -DVOXELASTIC_TESTS=OFF >"$work/cmake.txt" 2>&1 || { cat "$work/cmake.txt" && exit 2; }
build || { tail -40 "$work/build.txt" && exit 2; }

failed=0
fail() {
    echo "FAILED: $1"
    failed=1
}
for mutant in wrong_slot swapped_arrays unknown_law; do
    target=${file[$mutant]}
    cp "$target" "$work/whole"
    build # of the unchanged file: the last fault goes out of the program
    # shellcheck disable=SC2086
    run ${words[$mutant]} || fail "$mutant: the run fails without the fault: $(tail -1 "$work/run.txt")"
    sed -i "${edit[$mutant]}" "$target"
    if cmp -s "$target" "$work/whole"; then
        fail "$mutant: the edit changes nothing in $target"
    elif ! build; then
        if grep -q 'error:' "$work/build.txt"; then
            echo "$mutant: stopped by the compiler: $(grep -m1 'error:' "$work/build.txt")"
        else
            fail "$mutant: the build fails without a compile error"
        fi
    else
        # the status does not matter: an assert aborts, and a fault may end a run in other ways
        # shellcheck disable=SC2086
        run ${words[$mutant]}
        if grep -q 'assertion failed: ' "$work/run.txt"; then
            echo "$mutant: stopped: $(grep -m1 -o '[a-z_]*\.[ch]:[0-9]*: assertion failed: .*' "$work/run.txt")"
        else
            fail "$mutant: no assert finds it: $(tail -1 "$work/run.txt")"
        fi
    fi
    cp "$work/whole" "$target"
done
[ $failed = 0 ] && echo "mutants: ok"
exit $failed
