#!/usr/bin/env bash
# What becomes of kernels that were edited by hand: check, keep, verify, merge.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
sinter=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

program() {
  cat <<HLO
HloModule jit_act, entry_computation_layout={(f32[64]{0})->f32[64]{0}}

ENTRY %main (x: f32[64]) -> f32[64] {
  %x = f32[64]{0} parameter(0)
  %bias = f32[] constant($1)
  %all = f32[64]{0} broadcast(%bias), dimensions={}
  %sum = f32[64]{0} add(%x, %all)
  ROOT %y = f32[64]{0} $2(%sum)
}
HLO
}
program 0.5 negate >act.hlo
program 0.5 abs >other.hlo
program 0.25 negate >quarter.hlo

# What others have in the folder: a build of theirs stays and is not read, a file among ours stops a merge.
"$sinter" compile act.hlo -o theirs
mkdir theirs/build-gpu
truncate -s 5G theirs/build-gpu/x.o
expect 0 "" "$sinter" compile act.hlo -o theirs
[ -f theirs/build-gpu/x.o ] || fail "compile takes a build folder away"
echo "// theirs" >theirs/kernels/mine.cuh
expect 1 "mine.cuh (added)" "$sinter" merge theirs act.hlo --base act.hlo
[ -f theirs/kernels/mine.cuh ] || fail "merge takes a file away"

# As it was written, and what may be wrong with a folder: each has a status of its own.
"$sinter" compile act.hlo -o out
kernel=$(echo out/kernels/*.cu)
expect 0 "" "$sinter" check out --input act.hlo
expect 5 "other.hlo (changed)" "$sinter" check out --input other.hlo
cp "$kernel" emitted.cu
echo "// a note" >>"$kernel"
expect 1 "(changed)" "$sinter" check out
rm "$kernel"
expect 4 "(missing)" "$sinter" check out
cp emitted.cu "$kernel"
sed -i 's/"generator": "sinter [0-9.]*"/"generator": "sinter 0.0.1"/' out/manifest.json
expect 6 "written by sinter 0.0.1" "$sinter" check out
"$sinter" compile act.hlo -o out --force

# An edit is lost only by --force, unless its file is kept.
sed -i '0,/^namespace act_kernels/s//\/\/ By hand.\n&/' "$kernel"
expect 2 "pass --force" "$sinter" compile act.hlo -o out
sed -i '1i // sinter: keep' "$kernel"
cp "$kernel" edited.cu
expect 0 "(kept)" "$sinter" check out
"$sinter" compile act.hlo -o out
cmp "$kernel" edited.cu || fail "a kept kernel was overwritten"
expect 1 "negate" "$sinter" compile other.hlo -o out
cmp "$kernel" edited.cu || fail "a refused compile wrote"

# An edited folder against the evaluator, which has the program from the folder.
expect 0 "" "$sinter" verify out --random 1
sed -i 's/0\.5f/0.75f/' "$kernel"
expect 1 "" "$sinter" verify out --random 1
expect 0 "act  constants  0.5f -> 0.75f" "$sinter" diff act.hlo out --html page.html
grep -q "before it was edited" page.html || fail "the page says that an edited kernel computes what its module says"
sed -i 's/0\.75f/__expf(0.5f)/' "$kernel"
expect 1 "compared exactly" "$sinter" verify out --random 1
sed -i 's/__expf(0\.5f)/__fadd_rz(0.5f, 0.0f)/' "$kernel"
expect 1 "the build for the CPU has no __fadd_rz" "$sinter" verify out --random 1
cp edited.cu "$kernel"

# The C++ header follows from that in C, and folders of older versions have none; what is edited there is said.
"$sinter" compile act.hlo -o with
cp -r with without
rm without/include/act/act.hpp
expect 0 "act.hpp  removed  sinter wrote it there" "$sinter" diff with without
sed -i '/act\.hpp/d' without/manifest.json
expect 0 "act: text" "$sinter" diff without with
sed -i 's/must have/has to have/' with/include/act/act.hpp
expect 0 "act.hpp  hand-edited" "$sinter" diff act.hlo with

# The edit in what is emitted now: what was emitted then is given, or found in git.
cp -r out again
expect 0 "merged" "$sinter" merge out quarter.hlo --base act.hlo
grep -q "By hand" "$kernel" || fail "the edit is gone"
grep -q "0.25f" "$kernel" || fail "the new constant is not there"
expect 0 "(kept)" "$sinter" check out --input quarter.hlo
expect 0 "" "$sinter" verify out --random 1
expect 2 "not in git" "$sinter" merge again quarter.hlo
sed -i 's/0\.5f/0.125f/' again/kernels/*.cu
expect 1 "1 conflicts" "$sinter" merge again quarter.hlo --base act.hlo
grep -q "^||||||| emitted before" again/kernels/*.cu || fail "the conflict is not marked"

# The mark is no part of the line beneath it, which says shapes; what has conflicts is not kept.
sed 's/f32\[64\]/f32[96]/g' act.hlo >wide.hlo
"$sinter" compile act.hlo -o wide
kernel=$(echo wide/kernels/*.cu)
sed -i '0,/^namespace act_kernels/s//\/\/ By hand.\n&/; 1i // sinter: keep' "$kernel"
expect 0 "merged" "$sinter" merge wide wide.hlo --base act.hlo
grep -q "By hand" "$kernel" || fail "the edit is gone"
expect 0 "(kept)" "$sinter" check wide --input wide.hlo
sed -i 's/0\.5f/0.125f/' "$kernel"
expect 1 "1 conflicts" "$sinter" merge wide quarter.hlo --base wide.hlo
expect 1 "(changed)" "$sinter" check wide
expect 1 "does not build" "$sinter" verify wide --random 1
[ "$("$sinter" verify wide --random 1 2>&1 | wc -l)" -lt 40 ] || fail "a conflict is said at too great length"

# Another program, or other options, take the place of a folder only if that is asked for.
"$sinter" compile act.hlo -o act --no-fma
sed 's/jit_act/jit_turned/' act.hlo >turned.hlo
kernel=$(echo act/kernels/*.cu)
sed -i '0,/^namespace act_kernels/s//\/\/ By hand.\n&/' "$kernel"
cp -r act before
expect 2 "act was made with --arch=90a --no-fma, this with --arch=90a" "$sinter" merge act quarter.hlo --base act.hlo
expect 2 "act is act, turned.hlo is turned" "$sinter" merge act turned.hlo --no-fma --base act.hlo
diff -r act before || fail "a refused merge wrote"
expect 0 "merged" "$sinter" merge act quarter.hlo --force --base act.hlo
grep -q "By hand" "$kernel" || fail "the edit is gone"
echo "hand edits: as expected"
