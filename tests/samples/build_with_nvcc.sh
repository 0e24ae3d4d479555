#!/usr/bin/env bash
# Every source of every sample's emitted folder through nvcc for the given architectures: no warnings, no spills.
# Prints kernel, architecture and registers. Exit status 77: there is no nvcc.
#   build_with_nvcc.sh SAMPLES ARCHITECTURE...
set -euo pipefail
samples=$(realpath "$1")
shift
command -v nvcc >/dev/null || { echo "no nvcc: not checked"; exit 77; }

build() {
  local samples=$1 name=$2 source=$3 arch=$4 log
  cd "$samples/$name/out"
  if ! log=$(nvcc -std=c++20 -O3 -fmad=false -I. -gencode "arch=compute_$arch,code=sm_$arch" -Werror all-warnings \
    -Xptxas -v -c "$source" -o /dev/null 2>&1) || grep -qi warning <<<"$log"; then
    printf '%s/%s, %s:\n%s\n' "$name" "$source" "$arch" "$log"
    return 1
  fi
  awk -v what="$name/$source $arch" '
    /spill/ && !/ 0 bytes spill stores, 0 bytes spill loads/ { print what ": " $0; spills = 1 }
    /Used [0-9]+ registers/ { match($0, /Used [0-9]+/); print what, substr($0, RSTART + 5, RLENGTH - 5), "registers" }
    END { exit spills }' <<<"$log"
}
export -f build

for arch in "$@"; do
  for source in "$samples"/*/out/*.cu "$samples"/*/out/kernels/*.cu; do
    name=${source#"$samples"/}
    printf '%s\n' "$samples ${name%%/*} ${name#*/out/} $arch"
  done
done | xargs -P "$(nproc)" -L 1 bash -c 'build "$@"' build
