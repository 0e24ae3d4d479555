#!/usr/bin/env bash
# Folders that were made of more than one text, or hold more than one program: check, keep, verify, merge.
#   inputs_and_programs.sh SINTER GRAIN_SAMPLES GPUS
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
sinter=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/models"
cp "$2"/{classifier,nn}.grain "$2/classifier.safetensors" "$work/models"
cd "$work"

# What a file imports, and its weights, are what a folder was made of.
"$sinter" compile models/classifier.grain -o out
expect 0 "nn.grain (not checked" "$sinter" check out
expect 0 "" "$sinter" check out --input models/classifier.grain
expect 0 "" env -C models "$sinter" check ../out
cp models/nn.grain nn.grain.before
echo "// a note" >>models/nn.grain
expect 5 "nn.grain (changed)" "$sinter" check out --input models/classifier.grain
expect 5 "nn.grain (changed)" env -C models "$sinter" check ../out
mv nn.grain.before models/nn.grain
printf '\1' | dd of=models/classifier.safetensors bs=1 seek=1000 conv=notrunc status=none
expect 5 "classifier.safetensors (changed)" "$sinter" check out --input models/classifier.grain
rm models/classifier.safetensors
expect 5 "classifier.safetensors (gone)" "$sinter" check out --input models/classifier.grain

# So is a plan.
cat >gates.grain <<'GRAIN'
dim n = 8

entry half(x: f32[n]) -> (y: f32[n]) {
  y[i] = 0.5 * x[i] + 1
}

entry twice(x: f32[n]) -> (y: f32[n]) {
  y[i] = 2 * x[i]
}
GRAIN
"$sinter" explain gates.grain --entry half --tree >half.plan
"$sinter" compile gates.grain --entry half --plan half.plan -o planned
expect 0 "" "$sinter" check planned --input gates.grain
echo "# a note" >>half.plan
expect 5 "half.plan (changed)" "$sinter" check planned --input gates.grain

# And what a GPU is said to be.
sed 's/"name": "h200"/"name": "mine"/' "$3"/h200.json >mine.json
"$sinter" compile gates.grain --entry half --gpu mine.json -o timed
expect 0 "" "$sinter" check timed --input gates.grain
echo " " >>mine.json
expect 5 "mine.json (changed)" "$sinter" check timed --input gates.grain
rm mine.json
expect 0 "mine.json (not checked" "$sinter" check timed --input gates.grain

# Options that change roundings are no other computation, and no mere schedule.
cat >ratio.grain <<'GRAIN'
entry ratio(x: f32[64, 97]) -> (y: f32[64, 97]) {
  y[i, j] = x[i, j] / sum[k](x[i, k])
}
GRAIN
"$sinter" compile ratio.grain -o exact --no-verify
"$sinter" compile ratio.grain -o fast --allow-reassociation --no-verify
expect 0 "rounding  options: none -> --allow-reassociation" "$sinter" diff exact fast

# Several programs in a folder: an edit of a kernel in one of them is kept.
several=(gates.grain --entry half --entry twice)
"$sinter" compile "${several[@]}" -o gates
grep -q '"options": "--arch=90a --name=gates --entry=half --entry=twice"' gates/manifest.json || fail "options"
kernel=$(echo gates/gates_half/kernels/*.cu)
cp "$kernel" emitted.cu
sed -i '1i // sinter: keep\n// By hand.' "$kernel"
cp "$kernel" edited.cu
expect 0 "(kept)" "$sinter" check gates
"$sinter" compile "${several[@]}" -o gates
cmp "$kernel" edited.cu || fail "a kept kernel was overwritten"
sed -i 's/0\.5 \*/0.5 -/' gates.grain
expect 1 "gates_half/kernels" "$sinter" compile "${several[@]}" -o gates
cmp "$kernel" edited.cu || fail "a refused compile wrote"
sed -i 's/0\.5 -/0.5 */' gates.grain
expect 1 "gates_half/kernels" "$sinter" compile gates.grain --entry twice --entry half --dims n=9 -o gates

# Each is compared with the evaluator.
expect 0 "gates_twice: " "$sinter" verify gates --random 1
expect 0 "" "$sinter" verify gates --program gates.grain --random 1
expect 2 "verify them one by one (gates/gates_half)" "$sinter" verify gates --inputs x.safetensors
sed -i 's/0\.5f/0.75f/' "$kernel"
expect 1 "gates_half: " "$sinter" verify gates --random 1
cp edited.cu "$kernel"

# The edit in what is emitted now, of the same programs by the same options alone.
cp gates.grain before.grain
sed -i 's/0\.5/0.25/' gates.grain
expect 2 "gates was made with --arch=90a --name=gates --entry=half --entry=twice, this with --arch=90a" \
  "$sinter" merge gates gates.grain --entry half --base gates
expect 2 "gates holds gates_half, gates_twice, this makes gates_n10, gates_n9" "$sinter" merge gates gates.grain \
  --entry half --dims n=9 --dims n=10 --base before.grain
expect 2 "gates is gates, before.grain is before" "$sinter" merge gates before.grain --entry half --entry twice
cmp "$kernel" edited.cu || fail "a refused merge wrote"
expect 0 "gates_half.cu: merged" "$sinter" merge gates "${several[@]}" --name gates --base before.grain
grep -q "By hand" "$kernel" || fail "the edit is gone"
grep -q "0.25f" "$kernel" || fail "the new constant is not there"
expect 0 "" "$sinter" verify gates --random 1

# Programs of the same name are compared; a file around them only if somebody edited it.
rm -rf gates
"$sinter" compile "${several[@]}" -o gates
"$sinter" compile before.grain --name gates --entry half --entry twice -o old
expect 0 "gates_half: constants" "$sinter" diff old gates
expect 0 "gates_twice: text. kernels: 1 identical" "$sinter" diff old gates
expect 0 '"programs"' "$sinter" diff old gates --json
expect 1 "--fail-on: constants" "$sinter" diff old gates --fail-on constants
echo "# a note" >>gates/CMakeLists.txt
expect 0 "CMakeLists.txt  hand-edited" "$sinter" diff old gates
"$sinter" compile gates.grain --name gates --entry twice --entry half --dims n=8 -o gates --force
expect 0 "gates_half: constants" "$sinter" diff old gates
"$sinter" compile gates.grain --name gates_half --entry half -o alone
expect 1 "program gates_twice is gone" "$sinter" diff old alone --exit-code

# Programs of several texts.
text() {  # NAME FACTOR
  cat >"$1.hlo" <<HLO
HloModule jit_$1
ENTRY main {
  x = f32[8] parameter(0)
  c = f32[] constant($2)
  many = f32[8] broadcast(c), dimensions={}
  ROOT y = f32[8] multiply(x, many)
}
HLO
}
text near 0.5
text far 8
both=(near.hlo far.hlo)
"$sinter" compile "${both[@]}" --name both -o both
cp -r both both_before
expect 0 "both_near: identical" "$sinter" diff both "${both[@]}"
expect 0 "both_far: identical" "$sinter" diff both "${both[@]}" --name both
expect 2 "both joins both_far, both_near; near.hlo is one program: give the texts of all" "$sinter" diff both near.hlo
expect 0 "both_near: identical" "$sinter" diff both/both_near near.hlo --name both_near
expect 2 "both_before: several texts are programs of one artifact" "$sinter" diff both both_before far.hlo
text far 4
expect 0 "both_far: constants" "$sinter" diff both "${both[@]}"
kernel=$(echo both/both_far/kernels/*.cu)
sed -i '1i // By hand.' "$kernel"
expect 2 "both holds both_far, both_near, this makes one program" "$sinter" merge both far.hlo --base both_before
expect 2 "this makes both_far, both_near, both_ratio" "$sinter" merge both "${both[@]}" ratio.grain --base both_before
expect 0 "both_far.cu: merged" "$sinter" merge both "${both[@]}" --base both_before
grep -q "By hand" "$kernel" && grep -q "4.0f" "$kernel" || fail "merged is $(cat "$kernel")"
expect 0 "both_far: " "$sinter" verify both --random 1
echo "inputs and programs: as expected"
