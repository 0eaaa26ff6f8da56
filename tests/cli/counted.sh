# SPDX-License-Identifier: MIT
# Shared by the scripts of cases. Each sources this file after setting $program. The script then runs in an empty folder, which is removed at its end.
# Cases are counted, and counted_end prints the result.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
passed=0
failed=0

# check WHAT CONDITION: the condition is bash code
check() { if eval "$2"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $1"; fi; }

# expect STATUS PATTERN WORDS...: runs the program. Its output must match the pattern, and an error must be one or two lines.
expect() {
    local status=$1 pattern=$2 out code
    shift 2
    out=$("$program" "$@" 2>&1)
    code=$?
    if [ "$code" -eq "$status" ] && printf '%s\n' "$out" | grep -qE -- "$pattern"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED (%d, wanted %d and /%s/): %s\n%s\n' "$code" "$status" "$pattern" "$*" "$out"
    fi
}

# same_search FOLDER FOLDER: both searches have written the same tables and designs
same_search() {
    cmp "$1/individuals.csv" "$2/individuals.csv" && cmp "$1/generations.csv" "$2/generations.csv" &&
        diff -r "$1/archive" "$2/archive" && diff -r "$1/best" "$2/best"
}

# nothing_in_the_making [NAME]: no file or folder in the making is left here, or none of this name
nothing_in_the_making() { [ -z "$(find . -name "${1:-*}.????????.partial")" ]; }

counted_end() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
