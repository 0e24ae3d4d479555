#!/usr/bin/env bash
# Runs of several sizes of one instance, as runs and as one graph: what a launch has blocks for, in memory that is NaN
# before, and rows of the caller's that are NaN (sizes.c), under AddressSanitizer.
#   run_sizes.sh SINTER
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
run "$1" compile "$here/rows.hlo" --without share-launches --without network -o "$work/rows"
[ "$(grep -l run_blocks "$work"/rows/kernels/*.cu | wc -l)" -ge 2 ] || { echo "run_sizes: all blocks run"; exit 1; }
cd "$work/rows"
printf '#include "%s"\n' kernels/*.cu rows.cu info.cpp >all.cpp
run c++ -std=c++20 -O1 -DSINTER_CPU -ffp-contract=off -frounding-math -fwrapv -Wno-unknown-pragmas \
  -fsanitize=address,undefined -fno-sanitize-recover=all -I . -I include -c all.cpp -o all.o
run cc -std=c11 -Wall -Wextra -Werror -fsanitize=address,undefined -I include -c "$here/sizes.c" -o sizes.o
run c++ -fsanitize=address,undefined sizes.o all.o -o sizes -pthread
env -u ASAN_OPTIONS ./sizes
