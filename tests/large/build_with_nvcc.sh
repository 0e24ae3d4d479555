#!/usr/bin/env bash
# Every source of the large programs' emitted folders through nvcc: no warnings. Exit status 77: there is no nvcc.
#   build_with_nvcc.sh CHECK_LARGE [ARCHITECTURE]
set -euo pipefail
command -v nvcc >/dev/null || { echo "no nvcc: not checked"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" --write "$work"

# build FOLDER SOURCE ARCHITECTURE
build() {
  local log
  cd "$1"
  if ! log=$(nvcc -std=c++20 -O1 -fmad=false -I. -gencode "arch=compute_$3,code=sm_$3" -Werror all-warnings \
    -c "$2" -o /dev/null 2>&1) || grep -qi warning <<<"$log"; then
    printf '%s/%s:\n%s\n' "$(basename "$1")" "$2" "$log"
    return 1
  fi
}
export -f build

for source in "$work"/*/kernels/*.cu; do
  folder=${source%/kernels/*}
  printf '%s\n' "$folder ${source#"$folder"/} ${2:-90a}"
done | xargs -P "$(nproc)" -L 1 bash -c 'build "$@"' build
