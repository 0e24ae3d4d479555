#!/usr/bin/env bash
# What is emitted for op tests through nvcc, for one architecture: no warnings. Exit status 77: there is no nvcc.
#   build_with_nvcc.sh WRITE_UNITY OP_TESTS ARCHITECTURE [EVERY]
# With EVERY only each so many-th source, of about fifty modules, whose launchers nobody calls (177).
set -euo pipefail
command -v nvcc >/dev/null || { echo "no nvcc: not checked"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" "$2" "$work"
cd "$work"

build() {
  local log
  if ! log=$(nvcc -std=c++20 -O3 -fmad=false -I. -Iinclude -gencode "arch=compute_$1,code=sm_$1" -Werror all-warnings -diag-suppress 177 -c "$2" \
    -o /dev/null 2>&1) || grep -qi warning <<<"$log"; then
    printf '%s:\n%s\n' "$2" "$log"
    return 1
  fi
  echo "$2: ok"
}
export -f build

ls -- *.cu | sort -n | awk -v every="${4:-1}" '(NR - 1) % every == 0' | xargs -P "$(nproc)" -I {} bash -c 'build "$@"' build "$3" {}
