#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh SECONDS [FORMAT...]: fuzzes each reader for so long, two at a time, starting from our corpus, after the costly files of its format (tests/costly).
# A crash, an input of at most 1 MB that takes more than 10 s or 1 GB, or an allocation above 400 MiB is stored in build/fuzz/findings, and the script fails.
# The costly files are bounded by processor time, since other programs of the machine make them last.
# Without sanitizers, which take several times as long and twice as much, that is 2 s and 512 MB.
set -u
cd "$(dirname "$0")/../.." || exit 2
seconds=$1
shift
[ $# -gt 0 ] || set -- vxa vxd json vox npy npz history scores vxr job experiment
mkdir -p build/fuzz/findings build/fuzz/costly
python3 tests/costly/make.py build/fuzz/costly || exit 2
# costly FORMAT: the costly files that this reader takes
costly() {
    case $1 in
    scores) ls build/fuzz/costly/*.xml ;;
    *) ls build/fuzz/costly/*."$1" 2>/dev/null ;;
    esac
}
one() {
    local format=$2 work limits code file
    work=$(mktemp -d)
    limits="-timeout=10 -malloc_limit_mb=400 -rss_limit_mb=1024 -artifact_prefix=build/fuzz/findings/$format-"
    code=0
    for file in $(costly "$format"); do
        # shellcheck disable=SC2086
        (ulimit -t 10; exec "build/fuzz/bin/fuzz_$format" $limits -timeout=1000 "$file") >"$work.log" 2>&1 || { code=$?; echo "$file: more than 10 s, or above" >>"$work.log"; break; }
    done
    # shellcheck disable=SC2086
    [ $code -ne 0 ] || "build/fuzz/bin/fuzz_$format" $limits -max_total_time="$1" -max_len=1000000 -print_final_stats=1 "$work" "tests/fuzz/corpus/$format" >"$work.log" 2>&1
    code=$((code ? code : $?))
    printf '%s: %s inputs, %s\n' "$format" "$(awk '/number_of_executed_units/ { print $2 }' "$work.log")" \
        "$([ $code -eq 0 ] && echo 'no finding' || { echo FINDING; tail -40 "$work.log"; })"
    rm -rf "$work" "$work.log"
    return $code
}
export -f one costly
printf '%s\n' "$@" | xargs -P 2 -I{} bash -c "one $seconds {}"
