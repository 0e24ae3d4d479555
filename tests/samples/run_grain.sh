#!/usr/bin/env bash
# A Grain program built for the CPU, in three orders of threads, compared with the original's expected outputs, or with the
# evaluator's of random inputs where no such file is there.
#   run_grain.sh SINTER SAMPLES/grain/PROGRAM.grain ORIGINAL RTOL ATOL OPTION...
set -euo pipefail
sinter=$1 file=$2 tolerances=(--rtol "$4" --atol "$5")
originals=("$(dirname "$file")/../$3/$3" "${SINTER_SHARED_DIR:-}/samples/$3/$3")
shift 5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
inputs=(--random 1) expected=""
for original in "${originals[@]}"; do
  [ -f "$original.expected.safetensors" ] || continue
  inputs=(--inputs "$original.inputs.safetensors") expected=$original.expected.safetensors
  "$sinter" eval "$file" "$@" "${inputs[@]}" --expect "$expected" "${tolerances[@]}"
  break
done
if [ -z "$expected" ]; then
  expected=$work/expected.safetensors
  "$sinter" eval "$file" "$@" "${inputs[@]}" -o "$expected"
fi
for order in forward reverse 7; do
  SINTER_CPU_ORDER=$order "$sinter" run "$file" "$@" "${inputs[@]}" --expect "$expected" "${tolerances[@]}"
done
