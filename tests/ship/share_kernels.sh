#!/usr/bin/env bash
# A kernel that two programs of a library have: its file and its code stand once, values are right, each folder builds
# in its place, and an edit of it is one of both.
#   share_kernels.sh SINTER CMAKE_PACKAGE
set -euo pipefail
sinter=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "share_kernels: $1"; exit 1; }
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
says() { grep -qF -- "$1" "$work/log" || { cat "$work/log"; fail "it does not say: $1"; }; }
cd "$work"

cat >scores.grain <<'GRAIN'
entry worst(x: f32[512, 96], w: f32[96, 32]) -> (h: f32[512, 32], lowest: s32[32]) {
  h[i, j]   = sum[k](x[i, k] * w[k, j])
  lowest[j] = argmin[i](h[i, j])
}

entry best(x: f32[512, 96], w: f32[96, 32]) -> (h: f32[512, 32], place: s32[32]) {
  h[i, j]  = sum[k](x[i, k] * w[k, j])
  place[j] = argmax[i](h[i, j])
}

entry wide(x: f64[512, 96], w: f64[96, 32]) -> (h: f64[512, 32], place: s32[32]) {
  h[i, j]  = sum[k](x[i, k] * w[k, j])
  place[j] = argmax[i](h[i, j])
}
GRAIN
entries=(scores.grain --name scores --entry worst --entry best)
run "$sinter" compile "${entries[@]}" -o out
[ "$(find out -name h.cu)" = out/scores_worst/kernels/h.cu ] || fail "h.cu is in $(find out -name h.cu)"
grep -q '^// Launched by scores_best, too.$' out/scores_worst/kernels/h.cu || fail "h.cu does not say who launches it"
run "$sinter" compile "${entries[@]}" -o out --fresh
run "$sinter" check out
run "$sinter" check out/scores_best
run "$sinter" diff out "${entries[@]}" --exit-code
run "$sinter" diff out/scores_best scores.grain --name scores_best --entry best --fail-on computation,interface,schedule
run "$sinter" verify out/scores_best --random 1 --rtol 1e-5 --atol 1e-5

# As a library of a project, and a program alone.
cat >inputs.hlo <<'HLO'
HloModule inputs
ENTRY e {
  row = f32[512,96] iota(), iota_dimension=0
  column = f32[512,96] iota(), iota_dimension=1
  add = f32[512,96] add(row, column)
  x = f32[512,96] sine(add)
  k = f32[96,32] iota(), iota_dimension=0
  j = f32[96,32] iota(), iota_dimension=1
  product = f32[96,32] multiply(k, j)
  w = f32[96,32] cosine(product)
  ROOT r = (f32[512,96], f32[96,32]) tuple(x, w)
}
HLO
run "$sinter" eval inputs.hlo -o inputs.safetensors
for entry in worst best; do
  run "$sinter" eval scores.grain --entry $entry --inputs inputs.safetensors -o $entry.safetensors
done
mkdir project
cat >project/CMakeLists.txt <<PROJECT
cmake_minimum_required(VERSION 3.24)
project(project LANGUAGES CXX)
enable_testing()
add_executable(Sinter::sinter IMPORTED)
set_target_properties(Sinter::sinter PROPERTIES IMPORTED_LOCATION "$sinter")
include("$2/SinterAddLibrary.cmake")
sinter_add_library(scores ../scores.grain \${type} FLAGS --entry worst --entry best)
foreach(entry IN ITEMS worst best)
  sinter_add_test(scores ENTRY \${entry} INPUTS ../inputs.safetensors EXPECT ../\${entry}.safetensors RTOL 1e-4 ATOL 1e-4)
endforeach()
PROJECT
for type in STATIC SHARED; do
  unity=$([ $type = SHARED ] && echo ON || echo OFF)
  run cmake -S project -B $type -G Ninja -DCMAKE_BUILD_TYPE=Debug -Dtype=$type -DCMAKE_UNITY_BUILD=$unity \
    "-DCMAKE_CXX_FLAGS=-O0 -Wall -Wextra -Werror -Wno-unknown-pragmas -fsanitize=address,undefined -fno-sanitize-recover=all"
  run cmake --build $type
  run ctest --test-dir $type --output-on-failure
  run cmake --build $type
  says 'no work to do'
done
nm -C STATIC/sinter/scores/build/libscores.a >symbols
[ "$(grep -c ' T scores_worst_kernels::h::enqueue' symbols)" = 1 ] || fail "the kernel's code is not there once"
if grep -q 'scores_best_kernels::h::' symbols; then fail "the second program has a kernel of its own"; fi
run cmake -S out/scores_best -B alone -G Ninja -DSCORES_BEST_CPU=ON -DCMAKE_BUILD_TYPE=Debug
run cmake --build alone
run "$sinter" run scores.grain --entry best --built "$work/alone/scores_best_cli" --inputs inputs.safetensors \
  --expect best.safetensors --rtol 1e-4 --atol 1e-4

# Edits by hand are of both programs, and stay while the same programs launch the kernel.
kernel=out/scores_worst/kernels/h.cu
sed -i '1i // sinter: keep' $kernel
sed -i 's/^constexpr int kThreads = .*/&  \/\/ by hand/' $kernel
run "$sinter" compile "${entries[@]}" -o out
head -1 $kernel | grep -q 'sinter: keep' || fail "an edit is lost"
sed -i 's|h_out_values\[e\] = h;|h_out_values[e] = 2 * h;|' $kernel
if "$sinter" diff out "${entries[@]}" --exit-code >log 2>&1; then fail "an edit is not seen"; fi
[ "$(grep -c '^  h  *hand-edited' log)" = 2 ] || { cat log; fail "an edit is not one of both programs"; }
if "$sinter" compile scores.grain --name scores --entry worst --entry wide -o out >log 2>&1; then fail "an edit is taken over"; fi
says 'scores_worst, scores_best launch it, and now scores_worst'
run "$sinter" compile "${entries[@]}" -o base
run "$sinter" merge out scores.grain --name scores --entry worst --entry wide --base base --force
says 'scores_worst/kernels/h.cu: scores_worst, scores_best launched it, and now scores_worst'
