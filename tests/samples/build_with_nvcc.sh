#!/usr/bin/env bash
# Every source of every sample's emitted folder through nvcc for the given architectures: no warnings, no spills.
# Prints kernel, architecture and registers. Exit status 77: there is no nvcc.
#   build_with_nvcc.sh SAMPLES ARCHITECTURE...
set -euo pipefail
samples=$(realpath "$1")
export templates=$samples/../templates  # which device helpers are copies of; samples do not store them
shift
command -v nvcc >/dev/null || { echo "no nvcc: not checked"; exit 77; }

# build SAMPLES NAME SOURCE ARCHITECTURE...
build() {
  local samples=$1 name=$2 source=$3 arch log code=()
  shift 3
  for arch in "$@"; do code+=(-gencode "arch=compute_$arch,code=sm_$arch"); done
  cd "$samples/$name/out"
  if ! log=$(nvcc -std=c++20 -O3 -fmad=false -I. -Iinclude -I"$templates" "${code[@]}" -Werror all-warnings -Xptxas -v -c "$source" \
    -o /dev/null 2>&1) || grep -qi warning <<<"$log"; then
    printf '%s/%s:\n%s\n' "$name" "$source" "$log"
    return 1
  fi
  awk -v what="$name/$source" '
    /Compiling entry function/ { match($0, /sm_[0-9a-z]+/); arch = substr($0, RSTART + 3, RLENGTH - 3) }
    /spill/ && !/ 0 bytes spill stores, 0 bytes spill loads/ { print what, arch ": " $0; spills = 1 }
    /Used [0-9]+ registers/ { match($0, /Used [0-9]+/); print what, arch, substr($0, RSTART + 5, RLENGTH - 5), "registers" }
    END { exit spills }' <<<"$log"
}
export -f build

for source in "$samples"/*/out/*.cu "$samples"/*/out/kernels/*.cu; do
  name=${source#"$samples"/}
  printf '%s\n' "$samples ${name%%/*} ${name#*/out/} $*"
done | xargs -P "$(nproc)" -L 1 bash -c 'build "$@"' build
