#!/usr/bin/env bash
# The registers that the cost model expects of each kernel of samples (fusion.json), beside those that ptxas gives it, as
# build_with_nvcc.sh prints them on standard input. Fails where more than a tenth of the kernels are expected to have less
# than half as many, or more than twice as many.
#   build_with_nvcc.sh SAMPLES 90a | compare_registers.sh SAMPLES
set -euo pipefail
samples=$(realpath "$1")

# expected FILE KERNEL
expected() {
  awk -v kernel="$2" -F'"' '
    /^  *"name"/ { name = $4 }
    /^  *"registers"/ && name == kernel { split($3, part, /[ :,]+/); print part[2]; exit }' "$1"
}

while read -r source architecture registers _; do
  case "$source" in */kernels/*.cu) ;; *) echo "$source $architecture $registers"; continue ;; esac
  sample=${source%%/*} kernel=$(basename "$source" .cu)
  echo "$source $architecture $registers $(expected "$samples/$sample/out/fusion.json" "$kernel")"
done | awk '
  NF < 4 { print; next }
  { ratio = $4 / $3; all++; off = ratio < 0.5 || ratio > 2; wrong += off
    printf "%s %s: %d registers, %d expected%s\n", $1, $2, $3, $4, off ? " (far off)" : "" }
  END { printf "%d kernels, %d far off\n", all, wrong; exit wrong * 10 > all }'
