#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check.sh SOURCE BUILD: installs the build, extracts the example from README.md, builds it against the installed library both ways and runs
# it; also compiles every public header as C++ if there is a C++ compiler.
set -eu
source=$1
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/usr" >/dev/null
cp -r "$source/tests/consumer" "$work/consumer"
sed -n '/^```c$/,/^```$/p' "$source/README.md" | sed '1d;/^```$/,$d' >"$work/consumer/walk.c"
ln -s "$source/assets" "$work/assets"
for way in OFF ON; do
    PKG_CONFIG_PATH=$(dirname "$(find "$work/usr" -name voxelastic.pc)") \
        cmake -S "$work/consumer" -B "$work/build$way" -DCMAKE_PREFIX_PATH="$work/usr" -DBY_PKG_CONFIG=$way >/dev/null
    cmake --build "$work/build$way" >/dev/null
    out=$(cd "$work" && LD_LIBRARY_PATH=$(dirname "$(find "$work/usr" -name libvoxelastic.so)") "$work/build$way/consumer")
    echo "$out"
    case $out in "after 5"*) ;; *) exit 1 ;; esac
done
"$work/usr/bin/voxelastic" --version
if command -v c++ >/dev/null; then
    find "$work/usr/include" -name '*.h' | while read -r header; do
        printf '#include <%s>\nint main() { return 0; }\n' "${header#"$work"/usr/include/}" |
            c++ -std=c++11 -Wall -Werror -I"$work/usr/include" -I"$work/usr/include/voxelastic" -x c++ -fsyntax-only -
    done
fi
echo "consumer: ok"
