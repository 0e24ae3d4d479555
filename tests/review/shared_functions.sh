#!/usr/bin/env bash
# Functions of the user's own that several models share: headers beside the models, and a file of bindings.
#   shared_functions.sh SINTER
set -euo pipefail
sinter=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}
# Runs the command and expects its exit status, and that it says the text.
expect() {
  local status=$1 text=$2 out rc=0
  shift 2
  out=$("$@" 2>&1) || rc=$?
  [ "$rc" = "$status" ] || fail "$* exits with $rc, not $status: $out"
  [[ "$out" == *"$text"* ]] || fail "$* says: $out"
}
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
echo "shared functions: as expected"
