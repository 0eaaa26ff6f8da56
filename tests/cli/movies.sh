#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# movies.sh PROGRAM ASSETS: movies of records. A stand-in of ffmpeg keeps what it is told and the pixels that it gets; where ffmpeg is installed, it makes one too.
set -u
program=$1
assets=$2
# shellcheck source=tests/cli/counted.sh
. "$(dirname "$(readlink -f "$0")")/counted.sh"

real=$(command -v ffmpeg)
mkdir tools
cat >tools/ffmpeg <<'END'
#!/bin/sh
printf '%s ' "$@" >told.txt
for last; do :; done
case $(cat mode 2>/dev/null) in
    fails) cat >/dev/null; echo "ffmpeg: no encoder" >&2; exit 3 ;;
    ends) exit 1 ;;
    waits) cat >/dev/null; sleep 60 ;;
    *) cat >"$last" ;;
esac
END
chmod +x tools/ffmpeg
PATH=$PWD/tools:$PATH

expect 0 'movie of a record' view --help
expect 0 '' run "$assets/hopper.vxa" --quiet --duration 1 --record hopper.vxr
expect 0 'hopper.mp4: [0-9.]+ kB' view hopper.vxr -o hopper.mp4 --size 64x48
check 'a picture of each frame' '[ "$(wc -c <hopper.mp4)" -eq $((31 * 3 * 64 * 48)) ]'
check 'what it is told' 'grep -q -- "-s 64x48 -r 29.9[0-9]* -i pipe:0 .*format=yuv420p -an -f mp4 hopper.mp4.[0-9a-f]*.partial " told.txt'
expect 0 '' view hopper.vxr -o slow.gif --size 64x48 --speed 0.25 --color strain --no-caption
check 'four times as slow' 'grep -q -- "-r 7.4[0-9]* .*palettegen.* -f gif " told.txt'
expect 0 '' view hopper.vxr -o near.webm --size 64x48 --follow
check 'the camera that goes with it sees another thing' '[ "$(wc -c <near.webm)" -eq "$(wc -c <hopper.mp4)" ] && ! cmp -s near.webm hopper.mp4'
expect 0 '' run "$assets/affine_dominoes.json" --quiet --duration 0.2 --record dominoes.vxr
expect 0 '' view dominoes.vxr -o dominoes.mp4 --size 64x48
if [ -n "$real" ]; then # a film that players know
    PATH=$(dirname "$real"):$PATH expect 0 '' view hopper.vxr -o real.mp4 --size 65x49
    check 'a real movie' '[ "$(dd if=real.mp4 bs=1 skip=4 count=4 2>/dev/null)" = ftyp ]'
fi

# what goes wrong leaves nothing
echo fails >mode
expect 5 'no encoder' view hopper.vxr -o x.mp4 --size 64x48
expect 5 'ffmpeg: failed; what it says stands above' view hopper.vxr -o x.mp4 --size 64x48
echo ends >mode
expect 5 'ffmpeg: (ended before the movie|failed)' view hopper.vxr -o x.mp4 --size 640x480
echo waits >mode
rm -f told.txt
"$program" view hopper.vxr -o x.mp4 --size 64x48 >out.txt 2>&1 &
pid=$!
for _ in $(seq 400); do [ -s told.txt ] && break; sleep 0.05; done
kill -INT $pid
wait $pid
code=$?
rm -f mode
check "Ctrl-C ends it: $code" '[ $code -eq 130 ]'
check 'without ffmpeg' '! PATH=/nowhere "$program" view hopper.vxr -o x.mp4 >out.txt 2>&1 && grep -q "ffmpeg: not found: movies need it" out.txt'
expect 5 'cannot write' view hopper.vxr -o missing/x.mp4
expect 3 'no motion in it: a movie needs the record of a run' view "$assets/hopper.vxa" -o x.mp4
expect 2 '16 to 8192' view hopper.vxr -o x.mp4 --size 9x9
expect 2 'is for movies' view hopper.vxr -o x.png --follow
expect 2 'is for movies' view hopper.vxr -o x.html --speed 2
expect 2 'above 0' view hopper.vxr -o x.mp4 --speed 0
expect 2 'for pictures and surfaces' view hopper.vxr -o x.mp4 --time 1
expect 2 'frames is for pictures' view hopper.vxr -o x.mp4 --frames 3
expect 2 'several inputs' view hopper.vxr hopper.vxr -o x.mp4
check 'nothing is left' '! ls | grep -E "^x\.|partial"'
counted_end
