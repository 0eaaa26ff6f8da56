#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh SECONDS [FORMAT...]: fuzzes each reader for so long, two at a time, starting from our corpus. A crash, a hang over 1 s or an
# allocation above 256 MiB is stored in build/fuzz/findings, and the script fails.
set -u
cd "$(dirname "$0")/../.." || exit 2
seconds=$1
shift
[ $# -gt 0 ] || set -- vxa vxd json vox npy npz history scores vxr job experiment
mkdir -p build/fuzz/findings
one() {
    local format=$2 work
    work=$(mktemp -d)
    "build/fuzz/bin/fuzz_$format" -max_total_time="$1" -timeout=1 -malloc_limit_mb=256 -rss_limit_mb=1024 -max_len=20000 -print_final_stats=1 \
        -artifact_prefix="build/fuzz/findings/$format-" "$work" "tests/fuzz/corpus/$format" >"$work.log" 2>&1
    local code=$?
    printf '%s: %s inputs, %s\n' "$format" "$(awk '/number_of_executed_units/ { print $2 }' "$work.log")" \
        "$([ $code -eq 0 ] && echo 'no finding' || { echo FINDING; tail -40 "$work.log"; })"
    rm -rf "$work" "$work.log"
    return $code
}
export -f one
printf '%s\n' "$@" | xargs -P 2 -I{} bash -c "one $seconds {}"
