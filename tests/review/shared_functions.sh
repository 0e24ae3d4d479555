#!/usr/bin/env bash
# Functions of the user's own that several models share: headers beside the models, and a file of bindings.
#   shared_functions.sh SINTER
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
sinter=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# program TARGET CONSTANT: a call, of a sum.
program() {
  cat <<HLO
HloModule jit_$1

ENTRY main {
  x = f32[64] parameter(0)
  bias = f32[] constant($2)
  all = f32[64] broadcast(bias), dimensions={}
  sum = f32[64] add(x, all)
  ROOT y = f32[64] custom-call(sum), custom_call_target="$1"
}
HLO
}
mkdir kernels h models
echo 'inline __device__ float act(float x) { return tanhf(x); }' >kernels/acts.cuh
echo 'inline __device__ float gate(float x) { return x * x; }' >h/gates.cuh
program act 0.5 >models/act.hlo
program gate 0.5 >models/gate.hlo
cp models/gate.hlo before_gate.hlo
bound=(--device-function act=kernels/acts.cuh:act)

# Nothing is copied, by merge neither, wherever the header lies.
"$sinter" compile models/act.hlo -o emitted/act "${bound[@]}"
cp -r emitted/act before
expect 0 "" "$sinter" merge emitted/act models/act.hlo "${bound[@]}"
diff -r emitted/act before || fail "merge changed a folder that nobody edited"
expect 0 "" "$sinter" check emitted/act --input models/act.hlo
"$sinter" compile models/gate.hlo -o emitted/gate --device-function gate=h/gates.cuh:gate
sed -i '0,/^namespace gate_kernels/s//\/\/ By hand.\n&/' emitted/gate/kernels/*.cu
program gate 0.25 >models/gate.hlo
expect 0 "merged" "$sinter" merge emitted/gate models/gate.hlo --device-function gate=h/gates.cuh:gate --base before_gate.hlo
[ ! -e emitted/gate/h ] || fail "merge copied a header"

# A header that changes makes a folder stale, looked for as the folder's build does, or beside the text, or here.
expect 0 "" "$sinter" check emitted/act
sed -i 's/tanhf/sinf/' kernels/acts.cuh
expect 5 "kernels/acts.cuh (changed)" "$sinter" check emitted/act --input models/act.hlo
expect 5 "kernels/acts.cuh (changed)" "$sinter" check emitted/act
expect 5 "kernels/acts.cuh (changed)" env -C models "$sinter" check ../emitted/act --input act.hlo
mkdir elsewhere
mv emitted/act elsewhere/act
mv elsewhere "$work.elsewhere"
expect 5 "kernels/acts.cuh (changed)" "$sinter" check "$work.elsewhere/act" --input models/act.hlo
mv "$work.elsewhere/act" emitted/act
rm -r "$work.elsewhere"
sed -i 's/sinf/tanhf/' kernels/acts.cuh
expect 0 "" "$sinter" check emitted/act --input models/act.hlo

# Code that somebody added is the folder's, wherever it lies; other files at the top are not, nor are builds.
cp -r emitted/act before_added
echo "a note" >emitted/act/new.txt
mkdir emitted/act/build emitted/act/build-gpu emitted/act/notes
touch emitted/act/build-gpu/CMakeCache.txt emitted/act/build/x.cpp emitted/act/build-gpu/x.cpp emitted/act/notes/x.md
expect 0 "" "$sinter" check emitted/act --input models/act.hlo
expect 0 "act: identical" "$sinter" diff before_added emitted/act --exit-code
for file in mine.h mine.cu h/acts.cuh kernels/mine.txt device/mine.cuh; do
  mkdir -p "emitted/act/$(dirname $file)"
  echo "// by hand" >emitted/act/$file
  expect 1 "$file (added)" "$sinter" check emitted/act --input models/act.hlo
  expect 1 "" "$sinter" diff before_added emitted/act --exit-code
  expect 0 "$file" "$sinter" diff before_added emitted/act
  rm emitted/act/$file
done
"$sinter" compile models/act.hlo -o emitted/act "${bound[@]}"
[ -f emitted/act/new.txt ] || fail "compile takes a note away"

# A file of bindings is for all models: what one does not call is no matter there.
cat >functions.txt <<'LIST'
device act = kernels/acts.cuh:act
device gate = h/gates.cuh:gate
host sort = kernels/sort.cuh:sort
LIST
"$sinter" compile models/act.hlo -o emitted/act --functions functions.txt >said 2>&1
[ ! -s said ] || fail "compile says: $(cat said)"
grep -q 'device-function=act=' emitted/act/manifest.json || fail "the binding is not recorded"
! grep -q 'gate' emitted/act/manifest.json || fail "a binding is recorded that nothing calls"
echo "// more" >>h/gates.cuh
expect 0 "" "$sinter" check emitted/act --input models/act.hlo
sed 's/target="act"/target="gate"/' models/act.hlo >models/other.hlo
cp -r emitted/act merged
sed -i '0,/^namespace act_kernels/s//\/\/ By hand.\n&/' merged/kernels/*.cu
expect 0 "merged" "$sinter" merge merged models/other.hlo --functions functions.txt --base models/act.hlo
grep -q "By hand" merged/kernels/*.cu || fail "the edit is gone"
grep -q "::gate(" merged/kernels/*.cu || fail "the other function is not called"
expect 0 "W0501" "$sinter" compile models/act.hlo -o emitted/act --functions functions.txt --device-function mish=kernels/acts.cuh:act

# CUDA's own functions, on the CPU too.
cat >kernels/acts.cuh <<'CUDA'
#include <assert.h>
#include <stdio.h>
inline __device__ float act(float x) {
  assert(x == x);
  if (x > 1000.0f) printf("%f\n", x);
  const unsigned bits = max(1, __float_as_uint(x));
  const double wide = min(max(x, -1.0), M_PI);
  return min(max(x, -1.0f), 2.0f) + __expf(-__fdividef(x, 2.0f)) + __frcp_rn(1.0f + __saturatef(x)) + __sinf(x) +
         __powf(2.0f, x) + __logf(2.0f + x * x) + __fsqrt_rn(x * x) + exp10f(x) + static_cast<float>(wide) + (bits > 7u);
}
CUDA
"$sinter" compile models/act.hlo -o emitted/act --functions functions.txt --verify >said 2>&1 || fail "compile says: $(cat said)"
[ ! -s said ] || fail "compile says: $(cat said)"
"$sinter" run models/act.hlo --functions functions.txt --random 1 >said 2>&1 || fail "run says: $(cat said)"
echo "shared functions: as expected"
