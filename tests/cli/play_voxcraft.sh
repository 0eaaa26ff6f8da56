#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# play_voxcraft.sh PROGRAM: calls the drop-ins as voxcraft-evo, the kinematic replication work, HyperNEAT users and cluster scripts call theirs, and
# reads reports and histories as they do.
set -u
program=$(readlink -f "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0
complain() { printf 'FAILED: %s\n' "$*"; failed=$((failed + 1)); }
cp "$program" voxcraft-sim
cp "$program" vx3_node_worker

# base FOLDER EXTRA: a walker of two muscles, half a second; fitness is the way along x and y in voxels.
base() {
    mkdir -p "$1"
    cat >"$1/base.vxa" <<XML
<VXA Version="1.1">
  <Simulator>
    <Integration><DtFrac>0.95</DtFrac></Integration>
    <Damping><BondDampingZ>1</BondDampingZ><ColDampingZ>0.8</ColDampingZ><SlowDampingZ>0.01</SlowDampingZ></Damping>
    <AttachDetach><EnableCollision>1</EnableCollision></AttachDetach>
    <StopCondition><StopConditionFormula><mtSUB><mtVAR>t</mtVAR><mtCONST>0.5</mtCONST></mtSUB></StopConditionFormula></StopCondition>
    <!-- a comment <FitnessFunction/> -->
    <FitnessFunction>
      <mtMUL><mtCONST>100</mtCONST><mtSQRT><mtADD><mtPOW><mtVAR>x</mtVAR><mtCONST>2</mtCONST></mtPOW><mtPOW><mtVAR>y</mtVAR><mtCONST>2</mtCONST></mtPOW></mtADD></mtSQRT></mtMUL>
    </FitnessFunction>
    $2
  </Simulator>
  <Environment>
    <Thermal><TempEnabled>1</TempEnabled><VaryTempEnabled>1</VaryTempEnabled><TempPeriod>0.2</TempPeriod><TempAmplitude>14.5</TempAmplitude></Thermal>
    <Gravity><GravEnabled>1</GravEnabled><GravAcc>-9.81</GravAcc><FloorEnabled>1</FloorEnabled></Gravity>
  </Environment>
  <VXC Version="0.94">
    <Lattice><Lattice_Dim>0.01</Lattice_Dim></Lattice>
    <Palette>
      <Material ID="1"><Name>still</Name><Display><Red>1</Red><Green>0</Green><Blue>0</Blue><Alpha>1</Alpha></Display><Mechanical><Elastic_Mod>1e5</Elastic_Mod><Density>1e3</Density><CTE>0</CTE><uStatic>1</uStatic><uDynamic>0.8</uDynamic></Mechanical></Material>
      <Material ID="2"><Name>muscle</Name><Display><Red>0</Red><Green>1</Green><Blue>0</Blue><Alpha>1</Alpha></Display><Mechanical><Elastic_Mod>1e5</Elastic_Mod><Density>1e3</Density><CTE>0.01</CTE><uStatic>1</uStatic><uDynamic>0.8</uDynamic></Mechanical></Material>
    </Palette>
    <Structure Compression="ASCII_READABLE"><X_Voxels>1</X_Voxels><Y_Voxels>1</Y_Voxels><Z_Voxels>1</Z_Voxels><Data><Layer><![CDATA[1]]></Layer></Data></Structure>
  </VXC>
</VXA>
XML
}

# robot FILE LOWER UPPER PHASES: two layers of 3 x 2 as voxcraft-evo writes them, with a comma after the last number.
robot() {
    printf '<VXD><Structure replace="VXA.VXC.Structure" Compression="ASCII_READABLE"><X_Voxels>3</X_Voxels><Y_Voxels>2</Y_Voxels><Z_Voxels>2</Z_Voxels><Data><Layer><![CDATA[%s]]></Layer><Layer><![CDATA[%s]]></Layer></Data><PhaseOffset><Layer><![CDATA[%s]]></Layer><Layer><![CDATA[%s]]></Layer></PhaseOffset></Structure></VXD>' \
        "$2" "$3" "$4" "$4" >"$1"
}

# Like root.findall("detail/NAME/TAG")[0].text.
detail() { sed -n "s|.*<detail>.*<$2>\(.*\)</$2>.*|\1|p" "$1" | grep -o "<$3>[^<]*" | head -1 | sed "s|<$3>||"; }
best() { sed -n "s|.*<bestfit>.*<$2>\([^<]*\)</$2>.*</bestfit>.*|\1|p" "$1"; }
status() {
    local want=$1 got
    shift
    "$@" >out.txt 2>err.txt
    got=$?
    [ "$got" -eq "$want" ] || complain "exit status $got, wanted $want: $*"
}

# voxcraft-evo: one call for a robot, in a folder with files of earlier robots
base data_run_0 ''
robot data_run_0/bot_0000.vxd 202101 222111 '0.0, 0.25, 0.5, 0.1, 0.2, 0.3, '
robot data_run_0/bot_0001.vxd 222222 222222 '0.0, 0.0, 0.0, 0.5, 0.5, 0.5, '
robot data_run_0/bot_0002.vxd 100001 111111 '0, 0, 0, 0, 0, 0, '
status 0 ./voxcraft-sim -i data_run_0 -o output0.xml
for bot in bot_0000 bot_0001 bot_0002; do
    printf '%s' "$(detail output0.xml $bot fitness_score)" | grep -qE '^[0-9.e+-]+$' || complain "fitness of $bot is '$(detail output0.xml $bot fitness_score)'"
done
[ "$(detail output0.xml bot_0000 num_voxel)" = 10 ] || complain 'bot_0000 has not 10 voxels'
[ "$(best output0.xml filename)" != bot_0002.vxd ] || complain 'the one that only stands is the best'
[ "$(best output0.xml fitness_score)" = "$(grep -o '<fitness_score>[^<]*' output0.xml | sed 's|.*>||' | sort -g | tail -1)" ] || complain 'the best is not the largest'
order=$(sed 's|.*<detail>||' output0.xml | grep -o '<fitness_score>[^<]*' | sed 's|.*>||')
[ "$order" = "$(printf '%s\n' "$order" | sort -gr)" ] || complain 'the report is not in order'
grep -q '^Running simulation locally by default.$' out.txt || complain 'no first line'
[ "$(grep -c ') Simulation [0-9]* ends: bot_000[0-9].vxd Time: 0.5' out.txt)" -eq 3 ] || complain 'no last lines'
first=$(cat output0.xml)
status 1 ./voxcraft-sim -i data_run_0 -o output0.xml
[ "$(cat output0.xml)" = "$first" ] || complain 'a report was replaced without -f'
status 0 ./voxcraft-sim -f -i data_run_0/ -o output0.xml
[ "$(sed 's|.*<inputdir>\(.*\)</inputdir>.*|\1|' output0.xml | tail -1)" = . ] || complain 'inputdir behind a slash'
[ "$(printf '%s' "$first" | sed 's|<inputdir>[^<]*||')" = "$(sed 's|<inputdir>[^<]*||' output0.xml)" ] || complain 'the same call gave other numbers'

# the same numbers alone and with other robots
mkdir alone && cp data_run_0/base.vxa data_run_0/bot_0001.vxd alone
status 0 ./voxcraft-sim --input alone --output alone.xml --force --locally
[ "$(detail alone.xml bot_0001 fitness_score)" = "$(detail output0.xml bot_0001 fitness_score)" ] || complain 'company changes fitness'

# names by number, as voxcraft-GRN writes them; found by plain search
mkdir numbers && cp data_run_0/base.vxa numbers && cp data_run_0/bot_0000.vxd numbers/5.vxd
status 0 ./voxcraft-sim -i numbers -o numbers.xml
grep -q '<5><currentTime>' numbers.xml || complain 'a name by number'
[ "$(grep -o '<fitness_score>[^<]*' numbers.xml | head -1)" = "<fitness_score>$(detail output0.xml bot_0000 fitness_score)" ] || complain 'the first fitness is not the best one'

# a history by redirection, with bonds; RawPrint comes before the frames
base data_history '<RecordHistory><RecordStepSize>100</RecordStepSize><RecordVoxel>1</RecordVoxel><RecordLink>1</RecordLink></RecordHistory><SavePositionOfAllVoxels>1</SavePositionOfAllVoxels>'
sed -i 's|<Simulator>|<RawPrint>{{{setting}}}\&lt;cylinder>\&lt;/cylinder></RawPrint><Simulator>|' data_history/base.vxa
cp data_run_0/bot_0000.vxd data_history
./voxcraft-sim -i data_history -o history.xml -f >run.history 2>err.txt || complain 'no history'
frames=$(grep -c '^<<<Step[0-9]* Time:[0-9.]*>>>.*<<<>>>|\[\[\[[0-9]*\]\]\].*\[\[\[\]\]\]$' run.history)
[ "$frames" -ge 48 ] && [ "$frames" -le 51 ] || complain "$frames frames, wanted about 50"
grep -q '^{{{setting}}}<voxel_size>0.010000</voxel_size>$' run.history || complain 'no size of voxels'
grep -q '^{{{setting}}}<matcolor><id>2</id><r>0.00</r><g>1.00</g><b>0.00</b><a>1.00</a></matcolor>$' run.history || complain 'no colours'
grep -q '^{{{setting}}}<cylinder></cylinder>$' run.history || complain 'no RawPrint'
[ "$(grep '^<<<' run.history | sed 's/<<<>>>.*//; s/.*>>>//' | tr ';' '\n' | grep -v '^$' | awk -F, '{ print NF }' | sort -u)" = 16 ] || complain 'a voxel has not fifteen numbers'
grep -v '^<<<Step\|^{{{setting}}}\|^Running\|^0) Simulation' run.history | grep -q . && complain 'something else in the history'
[ "$(detail history.xml bot_0000 fitness_score)" = "$(detail output0.xml bot_0000 fitness_score)" ] || complain 'recording changes fitness'
[ "$(detail history.xml bot_0000 mats)" = '2;2;1;1;2;2;2;1;1;1;' ] || complain "mats are $(detail history.xml bot_0000 mats)"
[ "$(detail history.xml bot_0000 init_pos | tr ';' '\n' | head -2 | tail -1)" = '0.020000,0.000000,0.000000' ] || complain 'init_pos'
./voxcraft-sim -i data_history -o history.xml -f 2>err.txt | head -3 >/dev/null
[ "$(detail history.xml bot_0000 fitness_score)" = "$(detail output0.xml bot_0000 fitness_score)" ] || complain 'it ended with its reader'
./voxcraft-sim -i data_history -o history.xml -f >/dev/full 2>err.txt
[ "$(detail history.xml bot_0000 fitness_score)" = "$(detail output0.xml bot_0000 fitness_score)" ] || complain 'a full disk took the fitness'
grep -q 'cannot write frames' err.txt || complain 'a full disk is not told of'
./voxcraft-sim -i data_history -o history.xml -f >&- 2>err.txt
[ "$(detail history.xml bot_0000 fitness_score)" = "$(detail output0.xml bot_0000 fitness_score)" ] || complain 'a closed output took the fitness'

# a robot that bursts, an empty one, and a file that is not XML: listed after the others
base data_bad ''
sed -i 's|<DtFrac>0.95|<DtFrac>9|' data_bad/base.vxa
cp data_run_0/bot_0001.vxd data_bad/burst.vxd
robot data_bad/empty.vxd 000000 000000 '0, 0, 0, 0, 0, 0, '
echo '<VXD' >data_bad/torn.vxd
status 0 ./voxcraft-sim -i data_bad -o bad.xml
[ "$(detail bad.xml burst Diverged)" = 1 ] || complain 'no word of divergence'
[ "$(detail bad.xml burst fitness_score)" = 0 ] || complain 'a burst robot has fitness'
detail bad.xml empty Refused | grep -q 'no voxels' || complain 'an empty robot is not refused by name'
grep -q 'torn.vxd:1' err.txt || complain 'a torn file is not named'
[ "$(detail bad.xml torn fitness_score)" = 0 ] || complain 'a torn robot is not in the report'

# a robot that never comes to its end: cut off, which is said
base data_long ''
sed -i 's|<mtCONST>0.5</mtCONST></mtSUB></StopConditionFormula>|<mtCONST>1e9</mtCONST></mtSUB></StopConditionFormula>|' data_long/base.vxa
robot data_long/one.vxd 010000 000000 '0, 0, 0, 0, 0, 0, '
status 0 ./voxcraft-sim -i data_long -o long.xml
[ "$(detail long.xml one CutAfterSteps)" = 1000000 ] || complain 'a report does not tell of a cut'
grep -q 'one.vxd: cut off after 1000000 steps' err.txt || complain 'a cut is not told of'
[ -z "$(detail output0.xml bot_0000 CutAfterSteps)" ] || complain 'a cut is told of that there was not'

# refusals
status 1 ./voxcraft-sim
grep -q usage out.txt || complain 'no usage'
status 1 ./voxcraft-sim --help
status 1 ./voxcraft-sim -i nowhere -o x.xml
grep -q 'no such folder: nowhere' err.txt || complain 'a missing folder is not named'
mkdir none && status 1 ./voxcraft-sim -i none -o x.xml
grep -q 'no base.vxa in none' err.txt || complain 'a missing base is not named'
cp data_run_0/base.vxa none && status 1 ./voxcraft-sim -i none -o x.xml
status 1 ./voxcraft-sim -i data_run_0 -l -n 2
status 1 ./voxcraft-sim -i alone -o nowhere/x.xml
grep -q 'no folder for the report nowhere/x.xml' err.txt || complain 'an impossible report is not named'
VOXELASTIC_PEER=nobody ./voxcraft-sim -i alone -o x.xml >/dev/null 2>err.txt && complain 'wrong conventions are taken'
mkdir real && ln -s real/report.xml link.xml && : >real/report.xml && mkfifo pipe
status 0 ./voxcraft-sim -i alone -o link.xml -f
[ -L link.xml ] && [ -s real/report.xml ] || complain 'a link was replaced'
cat pipe >piped.xml & reader=$!
status 0 ./voxcraft-sim -i alone -o pipe -f
[ -p pipe ] || complain 'a pipe was replaced'
wait $reader
cmp -s piped.xml real/report.xml || complain 'a pipe got another report'
mkdir folder && status 0 ./voxcraft-sim -i alone -o folder -w ./any_worker
[ -s folder/report.xml ] || complain 'no report in a folder'

# the worker of cluster scripts
mkdir -p workspace/locally
printf '<job><vxa>base.vxa</vxa><input_dir>data_run_0</input_dir><vxd><f>bot_0000.vxd</f><f>bot_0002.vxd</f></vxd></job>' >workspace/locally/a.vxt
status 0 ./vx3_node_worker -i workspace/locally/a.vxt -o workspace/locally/a.vxr
[ "$(detail workspace/locally/a.vxr bot_0000 fitness_score)" = "$(detail output0.xml bot_0000 fitness_score)" ] || complain 'the worker has another answer'
grep -q bot_0001 workspace/locally/a.vxr && complain 'the worker runs what it was not told'
printf '<?xml version="1.0" encoding="utf-8"?>\n<vxa>data_run_0/base.vxa</vxa><vxd><files>data_run_0/bot_0002.vxd</files><files>data_run_0/bot_0001.vxd</files></vxd>' >old.vxt
status 0 ./vx3_node_worker -i old.vxt -o old.vxr
[ "$(grep -o '<num_voxel>' old.vxr | wc -l)" -eq 2 ] || complain 'a job without a root'
echo '<job/>' >workspace/locally/b.vxt
status 1 ./vx3_node_worker -i workspace/locally/b.vxt -o workspace/locally/b.vxr -f

# fifty at once
for i in $(seq 50); do ./voxcraft-sim -i alone -o "many$i.xml" >/dev/null 2>&1 & done
wait
[ "$(cat many*.xml | grep -c "<fitness_score>$(detail output0.xml bot_0001 fitness_score)<")" -eq 50 ] || complain 'not all of fifty agree'

[ $failed -eq 0 ] && echo 'the drivers are content'
[ $failed -eq 0 ]
