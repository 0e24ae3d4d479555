#!/usr/bin/env bash
# Grain programs built for the CPU, in three orders of threads, each compared with its original's expected outputs, or with
# the evaluator's of random inputs where no such file is there.
#   run_grain.sh SINTER RTOL ATOL 'OPTION;...' SAMPLES/grain/PROGRAM.grain ORIGINAL ...
set -euo pipefail
sinter=$1 tolerances=(--rtol "$2" --atol "$3")
IFS=';' read -r -a options <<<"$4"
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
while [ $# -gt 0 ]; do
  file=$1 originals=("$(dirname "$1")/../$2/$2" "${SINTER_SHARED_DIR:-}/samples/$2/$2")
  shift 2
  inputs=- expected=$work/$(basename "$file").expected.safetensors
  for original in "${originals[@]}"; do
    [ -f "$original.expected.safetensors" ] || continue
    inputs=$original.inputs.safetensors expected=$original.expected.safetensors
    "$sinter" eval "$file" "${options[@]}" --inputs "$inputs" --expect "$expected" "${tolerances[@]}"
    break
  done
  [ "$inputs" != - ] || "$sinter" eval "$file" "${options[@]}" --random 1 -o "$expected"
  echo "$file $inputs $expected" >>"$work/batch"
done
for order in forward reverse 7; do
  SINTER_CPU_ORDER=$order "$sinter" run --batch "$work/batch" "${options[@]}" --random 1 "${tolerances[@]}"
done
