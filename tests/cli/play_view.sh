#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# play_view.sh PROGRAM ASSETS [no]: recordings of runs and what can be made of them; the page is tested in a browser if there is one, or not at all.
set -u
program=$1
assets=$2
browser=${3:-yes}
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=tests/cli/counted.sh
. "$here/counted.sh"

expect 0 '' run "$assets/hopper.vxa" --quiet --duration 1 --record hopper.vxr
expect 0 '' run "$assets/hopper.vxa" --quiet --duration 1 --record hopper.html --record-rate 20
expect 0 '' run "$assets/worm.vxa" --quiet --duration 1 --record worm.history
expect 0 '' run "$assets/worm.vxa" --quiet --duration 4 --record long.vxr
expect 0 '' run "$assets/hopper.vxa" --quiet --duration 1 --result with.json --record x.html
expect 0 '' run "$assets/hopper.vxa" --quiet --duration 1 --result without.json
check "a recording changes no bit of a run" '[ "$(grep state_hash with.json)" = "$(grep state_hash without.json)" ] && rm x.html'

# from a record: the same page, other records, pictures
expect 0 'again.vxr: [0-9.]+ kB' view hopper.vxr -o again.vxr
check "a record written again is the same" 'cmp hopper.vxr again.vxr'
expect 0 'record of 31 frames, steps 0 to' info hopper.vxr
expect 0 '' view hopper.vxr -o hopper.history
check "thirty frames a second" '[ "$(grep -c "<<<Step" hopper.history)" = 31 ]'
expect 0 '' view hopper.vxr -o hopper.png --size 320x240
expect 0 '' view hopper.vxr -o strip.svg --frames 4 --size 320x240 --color strain
check "four panels" '[ "$(grep -c "<svg x=" strip.svg)" = 4 ]'
expect 0 '' view "$assets/quadruped.vxa" -o rest.png --color phase --azimuth 30 --elevation 10 --no-edges
expect 0 '' view hopper.vxr "$assets/worm.vxa" hopper.vxr -o three.html
printf '{"version": 1, "materials": [{"youngs_modulus_Pa": 1e6, "density_kg_per_m3": 1000}], "voxels": [[0, 0, 0, 0]], "name": "</script><b>&"}' >odd.json
expect 0 '' view odd.json -o odd.html
check "names are no markup" '! grep -q "<b>" odd.html'
expect 0 '' view odd.json -o odd.svg
has_python() { command -v python3 >/dev/null; }
check "pictures are XML" '! has_python || python3 -c "import xml.dom.minidom as m; m.parse(\"odd.svg\"); m.parse(\"strip.svg\")"'

# what pictures tell beside the robot
printf '{"version": 1, "materials": [{"name": "one"}, {"name": "two"}, {"name": "three"}], "voxels": [[0, 0, 0, 0], [1, 0, 0, 1], [2, 0, 0, 2]]}' >plain.json
expect 0 '' view plain.json -o plain.png --size 640x480
expect 0 '' view hopper.vxr -o told.png --frames 2 --size 320x240 --color strain
expect 0 '' view hopper.vxr -o bare.png --frames 2 --size 320x240 --color strain --no-caption
check "pictures have times, a scale and a legend" '! has_python || "$here/read_pictures.py" plain.png told.png bare.png >told.out || { cat told.out; false; }'
expect 0 '' view plain.json -o plain.svg
check "as .svg too" 'grep -q ">two</text>" plain.svg && grep -q "0.000 s</text>" plain.svg && grep -q " m, as the grid<" plain.svg'
expect 0 '' view plain.json -o plain.obj
check "materials without a colour differ in .obj too" '[ "$(grep ^Kd plain.mtl | sort -u | wc -l)" = 3 ]'
expect 0 '' view plain.json -o plain.html
check "and on pages" '[ "$(grep -o "\"color\":\[[0-9.,]*\]" plain.html | sort -u | wc -l)" = 3 ]'

# other programs' formats
for kind in pvd glb obj stl; do
    expect 0 '' view hopper.vxr -o "shape.$kind"
done
expect 0 '' run "$assets/hopper.vxa" --quiet --duration 1 --record run.glb
check "a run is recorded as one, too" '[ "$(wc -c <run.glb)" -gt 100000 ]'
check "shapes hold together" '! has_python || "$here/read_shapes.py" shape >shapes.out || { cat shapes.out; false; }'
expect 0 '' run "$assets/worm.vxa" --quiet --duration 0.2 --record worm.pvd
check "a file for each moment" '[ "$(ls worm.frames | wc -l)" = 7 ]'

# affine bodies, alone and beside voxels
expect 0 '' run "$assets/affine_dominoes.json" --quiet --duration 0.2 --record dominoes.vxr
expect 0 '' run "$assets/affine_spinning_top.json" --quiet --duration 1 --record top.html
expect 0 '3 affine bodies' info dominoes.vxr
expect 0 '' view dominoes.vxr -o dominoes_again.vxr
check "a record of bodies written again is the same" 'cmp dominoes.vxr dominoes_again.vxr'
for kind in html png svg obj stl pvd; do
    expect 0 '' view dominoes.vxr -o "dominoes.$kind"
    expect 0 '' view "$assets/affine_gripped_block.json" -o "gripped.$kind"
done
check "three boxes of six sides" '[ "$(grep -c "^f " dominoes.obj)" = 18 ] && [ "$(grep -c "^v " dominoes.obj)" = 24 ]'
check "of two triangles each" '[ "$(wc -c <dominoes.stl)" = $((84 + 36 * 50)) ]'
check "pictures of bodies are XML" '! has_python || python3 -c "import xml.dom.minidom as m; m.parse(\"dominoes.svg\"); m.parse(\"gripped.svg\")"'
check "bodies are cells" 'grep -q "NumberOfPoints=.24. NumberOfCells=.3." dominoes.frames/000000.vtu'
expect 3 'affine bodies alone are recorded in .html' view dominoes.vxr -o dominoes.glb
expect 0 'holds voxels only' view "$assets/affine_gripped_block.json" -o gripped.glb

# errors are reported
expect 2 'expected a name in .html' run "$assets/worm.vxa" --record worm.avi
expect 2 'such as 960x720' view hopper.vxr -o x.png --size huge
expect 2 'such as 960x720' view hopper.vxr -o x.png --size -5x100
expect 2 'such as 960x720' view hopper.vxr -o x.png --size 960x720px
expect 2 '16 to 8192' view hopper.vxr -o x.png --size 9x9
expect 2 "pixels in all" view hopper.vxr -o x.png --frames 30 --size 8000x8000
expect 2 'material, strain' view hopper.vxr -o x.png --color blue
expect 2 'several inputs' view hopper.vxr hopper.vxr -o x.png
expect 2 'no output file' view hopper.vxr
expect 2 'expected 1 to 64' view -o x.html
expect 5 'cannot open' view none.vxr -o x.html
expect 5 'cannot write' view hopper.vxr -o no/folder/x.html
expect 5 'cannot write' run "$assets/worm.vxa" --quiet --duration 1 --record no/folder/x.html
for kind in html vxr history png svg glb obj stl pvd; do
    ln -s /dev/full full.$kind
    expect 5 'cannot write' view hopper.vxr -o full.$kind
done
head -c 3000 hopper.vxr >cut.vxr
expect 3 'no complete frame' view cut.vxr -o x.html
head -c 100 hopper.vxr >cut.vxr
expect 3 'cut short' view cut.vxr -o x.html
cp long.vxr hole.vxr
printf 'a hole of bytes' | dd of=hole.vxr bs=1 seek=$(($(wc -c <hole.vxr) / 2)) conv=notrunc 2>/dev/null
expect 0 'frames of this block are left out' view hole.vxr -o hole.html
expect 2 'one --record' run "$assets/worm.vxa" --record a.vxr --record b.vxr
expect 2 'without --record' run "$assets/worm.vxa" --record-rate 10
expect 2 'a page has its own controls' view hopper.vxr -o x.html --color strain
expect 2 'is for pictures' view hopper.vxr -o x.obj --frames 3
expect 0 '' view hopper.vxr -o top.svg --elevation 90 --color strain --range 0.2
check "the ends of colours are named" 'grep -q ">-0.2</text>" top.svg && grep -q ">0.2</text>" top.svg && grep -q ">axial strain</text>" top.svg'
expect 4 'diverged at step' run "$assets/worm.vxa" --duration 1 --timestep 0.0008 --damping explicit --record burst.html
check "a page of a run that diverged says so" 'grep -q "\"note\":\"diverged\"" burst.html'
cp "$assets/worm.vxa" foreign.vxr
expect 3 'not a Voxelastic record' view foreign.vxr -o x.html
: >empty.vxr
expect 3 'not a Voxelastic record' view empty.vxr -o x.html
check "nothing is left of what failed" '! ls | grep -E "^x\.|partial|full.mtl"'

# the gallery of a search
sed 's/"generations": [0-9]*/"generations": 6/' "$assets/experiments/walk.json" >walk.json
expect 0 '' evolve walk.json --out walk --quiet
expect 0 '' view walk -o gallery.html --champions 3
best=$(tail -n 1 walk/generations.csv | cut -d, -f4)
check "the gallery tells the logged fitness" 'grep -q "fitness $(printf %.6g "$best") m<" gallery.html'
check "its curves and its map have the unit" 'grep -q "fitness (m)<" gallery.html && grep -q "<p>Fitness (m); " gallery.html && grep -q "title=.individual [0-9]*, fitness [0-9.e-]* m\"" gallery.html'
check "and the best of each cell" 'grep -q "class=\"map\"" gallery.html && [ "$(grep -o "<td style" gallery.html | wc -l)" -gt 1 ]'
expect 2 'at most 64' view walk -o x.html --champions 65
mkdir empty && : >empty/config.json
expect 3 'is not an experiment' view empty -o x.html

# in_browser WHAT WORDS...: runs the test if there is a browser
in_browser() {
    local what=$1
    shift
    [ "$browser" = yes ] || return
    has_python || { echo "skipped: python3 is not here"; return; }
    "$here/drive_page.py" "$@" >page.out 2>&1
    case $? in
        0) check "$what" true ;;
        77) echo "skipped: $(cat page.out)" ;;
        *) cat page.out; check "$what" false ;;
    esac
}
in_browser "the page in a browser" three.html "$work" 3
in_browser "an affine body in a browser" top.html "$work" 1
# what falls by a hundred times its size, and two that go apart, stay in view
printf '{"floor": {"enabled": false}, "materials": [{"name": "one"}, {"name": "two"}], "voxels": [[0, 0, 0, 0], [1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]],
    "layers": {"Density": [1000, 1000, 1000, 9000]}}' >fall.json
expect 0 '' run fall.json --quiet --duration 0.8 --record fall.html
in_browser "a fall in a browser, with densities of voxels" fall.html "$work" 1 1280,860 0.0125
for way in 1 -1; do
    printf '{"gravity_m_per_s2": [0, 0, 0], "floor": {"enabled": false}, "materials": [{"name": "one"}], "voxels": [[0, 0, 0, 0], [1, 0, 0, 0]],
        "initial_velocities": [{"voxels": [0, 1], "velocity_m_per_s": [0, %s, 0]}]}' $way >apart$way.json
    expect 0 '' run apart$way.json --quiet --duration 0.8 --record apart$way.vxr
done
expect 0 '' view apart-1.vxr apart1.vxr -o apart.html
in_browser "two that part in a browser" apart.html "$work" 2
in_browser "the gallery in a browser" gallery.html "$work" 1
"$program" compare "$assets/hopper.vxa" --duration 0.6 --copies 3 --native --quiet -o ghosts.html
in_browser "copies as ghosts" ghosts.html "$work" 3
in_browser "the gallery on a telephone" gallery.html "$work" 1 400,860
counted_end
