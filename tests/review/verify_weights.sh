#!/usr/bin/env bash
# verify of folders whose weights are in the library, in a file, or the caller's: of several inputs, and several programs.
#   verify_weights.sh SINTER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
sinter=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# rows FIRST: a program with three inputs and two constants, the last of which begins with FIRST.
rows() {
  cat <<HLO
HloModule rows
ENTRY main {
  x = f32[4,2] parameter(0)
  y = f32[4,2] parameter(1)
  scale = f32[] parameter(2)
  w = f32[2,2] constant({{1, 2}, {3, 4}})
  b = f32[2] constant({$1, 6})
  product = f32[4,2] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  bias = f32[4,2] broadcast(b), dimensions={1}
  sum = f32[4,2] add(product, bias)
  scales = f32[4,2] broadcast(scale), dimensions={}
  scaled = f32[4,2] multiply(sum, scales)
  ROOT z = f32[4,2] add(scaled, y)
}
HLO
}
rows 5 >rows.hlo
rows 7 >others.hlo
for home in embed file caller; do "$sinter" compile rows.hlo -o "$home" --weights "$home"; done
"$sinter" compile others.hlo -o others --name rows --weights file

exact=(--rtol 1e-6 --atol 1e-6)
expect 0 "output 0 f32[4,2]: ok" "$sinter" verify file --random 1 "${exact[@]}"
expect 0 "output 0 f32[4,2]: ok" "$sinter" verify embed --random 1 "${exact[@]}"
expect 0 "output 0 f32[4,2]: ok" "$sinter" verify file --program rows.hlo --random 1 "${exact[@]}"
expect 2 "the caller's: give --weights-file FILE" "$sinter" verify caller --random 1 "${exact[@]}"
# Other values, in the emitted program and in the evaluator.
for home in embed file caller; do
  expect 0 "output 0 f32[4,2]: ok" "$sinter" verify $home --random 1 "${exact[@]}" --weights-file others/weights.safetensors
done
expect 1 "elements are wrong" "$sinter" verify file --program rows.hlo --random 1 "${exact[@]}" \
  --weights-file others/weights.safetensors
# The inputs of a file are those that are left.
cat >in.hlo <<'HLO'
HloModule in
ENTRY main {
  x = f32[4,2] constant({{1, 2}, {3, 4}, {5, 6}, {7, 8}})
  y = f32[4,2] constant({{1, 0}, {0, 1}, {1, 1}, {0, 0}})
  scale = f32[] constant(2)
  ROOT r = (f32[4,2], f32[4,2], f32[]) tuple(x, y, scale)
}
HLO
"$sinter" eval in.hlo -o in.safetensors
expect 0 "output 0 f32[4,2]: ok, equal" "$sinter" verify file --inputs in.safetensors
# A file of another program says so.
expect 1 "there is no tensor dot" "$sinter" verify file --inputs in.safetensors --weights-file in.safetensors
expect 2 "cannot read nowhere.safetensors" "$sinter" verify file --random 1 --weights-file nowhere.safetensors

# Programs of one library have one file.
"$sinter" compile rows.hlo rows.hlo --name pair -o pair --weights file 2>/dev/null && fail "two programs of one name"
sed 's/f32\[4,2\]/f32[3,2]/' rows.hlo >three.hlo
"$sinter" compile rows.hlo three.hlo --name pair -o pair --weights file
expect 0 "pair_three: output 0 f32[3,2]: ok" "$sinter" verify pair --random 1 "${exact[@]}"
expect 0 "output 0 f32[4,2]: ok, equal" "$sinter" verify pair/pair_rows --inputs in.safetensors
