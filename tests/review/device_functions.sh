#!/bin/sh
# Device functions from end to end: a folder that includes a header of the user's own, built by CMake and by sinter, run
# against expected values, compared, checked, and what is said where the header is gone. $1: sinter, $2: cmake/package.
set -eu
sinter=$1 package=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder" "$folder.build"' EXIT
cd "$folder"
export XDG_CACHE_HOME="$folder/cache"

fail() {
  echo "$*" >&2
  exit 1
}
# says TEXT COMMAND...: the command says so.
says() {
  text=$1
  shift
  "$@" >said 2>&1 || true
  grep -qF -- "$text" said || { cat said >&2; fail "'$*' does not say: $text"; }
}

mkdir kernels
cat >kernels/half_of.cuh <<'CUDA'
#pragma once
inline __device__ float half_of(float x) { return 0.5f * x; }
CUDA
cat >kernels/ours.cuh <<'CUDA'
#pragma once
#include "half_of.cuh"
namespace nn {
inline __device__ float leaky(float x, float slope) { return x < 0.0f ? slope * half_of(x) : x; }
}  // namespace nn
CUDA
# What it computes, in HLO: the evaluator makes the values to compare with.
program() {
  cat <<HLO
HloModule ours

ENTRY main {
  x = f32[30,7] parameter(0)
  one = f32[] constant(1)
  ones = f32[30,7] broadcast(one), dimensions={}
  less = f32[30,7] subtract(x, ones)
$1
  ROOT root = f32[30,7] subtract(y, ones)
}
HLO
}
program '  y = f32[30,7] custom-call(less), custom_call_target="leaky", api_version=API_VERSION_TYPED_FFI, backend_config={slope = 2.500000e-01 : f32}' >ours.hlo
program '  zero = f32[] constant(0)
  zeros = f32[30,7] broadcast(zero), dimensions={}
  eighth = f32[] constant(0.125)
  eighths = f32[30,7] broadcast(eighth), dimensions={}
  scaled = f32[30,7] multiply(less, eighths)
  negative = pred[30,7] compare(less, zeros), direction=LT
  y = f32[30,7] select(negative, scaled, less)' >formula.hlo
"$sinter" eval formula.hlo --random 3 -o expected.safetensors >/dev/null
bind=--device-function=leaky=kernels/ours.cuh:nn::leaky

# Alone, and as one of a batch.
"$sinter" run ours.hlo $bind --random 3 --expect expected.safetensors >/dev/null || fail "run: other values"
printf 'HloModule same\n\nENTRY main {\n  ROOT x = f32[30,7] parameter(0)\n}\n' >same.hlo
"$sinter" eval same.hlo --random 3 -o in.safetensors >/dev/null
printf 'ours.hlo in.safetensors expected.safetensors\nours.hlo in.safetensors expected.safetensors\n' >batch
"$sinter" run --batch batch $bind >/dev/null || fail "batch: other values"

# Built by CMake, which finds the header upwards of the folder.
"$sinter" compile ours.hlo $bind -o emitted/ours --depfile depfile
test ! -e emitted/ours/kernels/ours.cuh || fail "the header was copied"
grep -q "$folder/kernels/half_of.cuh" depfile || fail "the depfile has not what the header includes"
cmake -S emitted/ours -B build -DOURS_CPU=ON -DOURS_WERROR=ON >cmake.log || { cat cmake.log; fail "CMake"; }
cmake --build build -j2 >build.log || { cat build.log; fail "does not build"; }
"$sinter" run ours.hlo --built build/ours_cli --random 3 --expect expected.safetensors >/dev/null || fail "built: other values"

# Moved away, it is told where the header is.
mkdir elsewhere
cp -r emitted/ours "$folder/elsewhere/"
mv kernels kept
says "OURS_HEADERS=DIR" cmake -S elsewhere/ours -B build2 -DOURS_CPU=ON
mkdir other
mv kept other/kernels
cmake -S elsewhere/ours -B build2 -DOURS_CPU=ON -DOURS_HEADERS="$folder/other" >cmake.log || { cat cmake.log; fail "CMake, told"; }
mv other/kernels kernels

# As a library of a project, whose header is a dependency.
cat >CMakeLists.txt <<CMAKE
cmake_minimum_required(VERSION 3.24)
project(uses_ours LANGUAGES CXX)
enable_testing()
add_executable(Sinter::sinter IMPORTED)
set_target_properties(Sinter::sinter PROPERTIES IMPORTED_LOCATION "$sinter")
include($package/SinterAddLibrary.cmake)
sinter_add_library(ours ours.hlo FLAGS $bind)
sinter_add_test(ours INPUTS in.safetensors EXPECT expected.safetensors)
CMAKE
cmake -S . -B "$folder.build" -G Ninja -DCMAKE_BUILD_TYPE=Release >cmake.log || { cat cmake.log; fail "CMake, as a library"; }
cmake --build "$folder.build" >build.log || { cat build.log; fail "does not build as a library"; }
ctest --test-dir "$folder.build" >test.log || { cat test.log; fail "as a library: other values"; }
sed -i 's/0.5f \*/0.75f */' kernels/half_of.cuh
cmake --build "$folder.build" >build.log
grep -q "ours.cu" build.log || { cat build.log; fail "the header is no dependency"; }
says "Failed" ctest --test-dir "$folder.build"
sed -i 's/0.75f \*/0.5f */' kernels/half_of.cuh

# The evaluator does not know it.
says "which the evaluator does not know" "$sinter" verify emitted/ours --random 3
says 'custom call "leaky" cannot be evaluated' "$sinter" eval ours.hlo --random 3

# A change of the header is one of the kernel, and of what the folder was made of.
"$sinter" check emitted/ours >/dev/null || fail "check: nothing has changed"
"$sinter" diff emitted/ours ours.hlo $bind --exit-code >/dev/null || fail "diff: nothing has changed"
git init -q .
git add -A
git -c user.name=n -c user.email=e commit -q -m before
sed -i 's/0.5f/0.25f/' kernels/half_of.cuh
says "half_of.cuh (changed)" "$sinter" check emitted/ours
says "constants" "$sinter" diff HEAD:emitted/ours emitted/ours
says "0.5f -> 0.25f" "$sinter" diff HEAD:emitted/ours emitted/ours
"$sinter" compile ours.hlo $bind -o emitted/ours
"$sinter" check emitted/ours >/dev/null || fail "check: compiled again"

# A function of whole arrays, called by the launcher, and bound in a file.
cat >kernels/halve.cuh <<'CUDA'
#pragma once
#include "device/launch.cuh"
namespace {
__global__ void halve_all(const float* x, float* y, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) y[i] = 0.5f * x[i];
}
}  // namespace
inline cudaError_t halve(cudaStream_t stream, const float* x, float* y, int x_size) {
  return launch(halve_all, {.grid = static_cast<unsigned>(x_size + 63) / 64, .block = 64}, stream, x, y, x_size);
}
CUDA
program '  y = f32[30,7] custom-call(less), custom_call_target="halve", api_version=API_VERSION_TYPED_FFI' >halve.hlo
program '  half = f32[] constant(0.5)
  halves = f32[30,7] broadcast(half), dimensions={}
  y = f32[30,7] multiply(less, halves)' >halve_formula.hlo
"$sinter" eval halve_formula.hlo --random 3 -o halved.safetensors >/dev/null
printf '# Ours.\nhost halve = kernels/halve.cuh:halve\n' >functions.txt
"$sinter" run halve.hlo --functions functions.txt --random 3 --expect halved.safetensors >/dev/null || fail "arrays: other values"
"$sinter" compile halve.hlo --functions functions.txt --name halve -o emitted/halve --depfile depfile
grep -q "functions.txt" depfile || fail "the depfile has not the file of bindings"
# From elsewhere: paths in the file are relative to it.
mkdir beside
(cd beside && "$sinter" compile ../halve.hlo --functions ../functions.txt -o ../emitted/beside --depfile depfile)
grep -q " $folder/kernels/halve.cuh" beside/depfile || fail "the depfile has not the header beside the file of bindings"
rm -r beside emitted/beside
# What clang warns of in a header is its author's.
cp kernels/halve.cuh kept_header
echo 'inline void unused_things(int unused) { int other; }' >>kernels/halve.cuh
"$sinter" compile halve.hlo --functions functions.txt -o emitted/warned --verify >said 2>&1 || { cat said; fail "a header's warning"; }
if grep -q "warns" said; then fail "a header's warning is ours"; fi
mv kept_header kernels/halve.cuh
rm -r emitted/warned
cmake -S emitted/halve -B build3 -DHALVE_CPU=ON -DHALVE_WERROR=ON >cmake.log || { cat cmake.log; fail "CMake, arrays"; }
cmake --build build3 -j2 >build.log || { cat build.log; fail "arrays: does not build"; }
"$sinter" run halve.hlo --built build3/halve_cli --random 3 --expect halved.safetensors >/dev/null || fail "arrays, built: other values"
says "which the evaluator does not know" "$sinter" verify emitted/halve --random 3
"$sinter" check emitted/halve >/dev/null || fail "check: nothing has changed of arrays"
sed -i 's/0.5f/0.25f/' kernels/halve.cuh
says "halve.cuh (changed)" "$sinter" check emitted/halve
git add -A
git -c user.name=n -c user.email=e commit -q -m halved
sed -i 's/0.25f/0.125f/' kernels/halve.cuh
says "0.25f -> 0.125f" "$sinter" diff HEAD:halve.hlo halve.hlo --functions functions.txt
says "0.25f -> 0.125f" "$sinter" diff HEAD:emitted/halve emitted/halve
sed -i 's/0.125f \* x/x[0] + x/' kernels/halve.cuh
says "host functions of kernels/halve.cuh" "$sinter" diff HEAD:halve.hlo halve.hlo --functions functions.txt
echo "# More." >>functions.txt
says "functions.txt (changed)" "$sinter" check emitted/halve

# In Grain, with a meaning for the evaluator and without one.
mkdir grain
cp kernels/half_of.cuh grain/
cat >grain/speed.grain <<'GRAIN'
dim n = 30
extern fn half_of(x: f32) -> f32 from "half_of.cuh" = 0.25 * x
fn larger(a: f32, b: f32) -> f32 = max(a, half_of(b))
entry speed(v: f32[n, 7]) -> (w: f32[n, 7], most: f32[n]) {
  w[i, j] = v[i, j] - half_of(v[i, j])
  most[i] = reduce[j](larger, 0.0, w[i, j])
}
GRAIN
"$sinter" eval grain/speed.grain --random 3 -o speed.safetensors >/dev/null
"$sinter" run grain/speed.grain --random 3 --expect speed.safetensors >/dev/null || fail "Grain: other values"
"$sinter" compile grain/speed.grain -o emitted/speed
grep -q "::half_of(" emitted/speed/kernels/*.cu || fail "Grain: the header's function is not called"
says "output 1 f32[30]: ok, equal" "$sinter" verify emitted/speed --program grain/speed.grain --random 3
sed -i 's/ = 0.25 \* x//' grain/speed.grain
says "which the evaluator does not know" "$sinter" eval grain/speed.grain --random 3
"$sinter" run grain/speed.grain --random 3 --expect speed.safetensors >/dev/null || fail "Grain, no meaning: other values"
sed -i 's/half_of(float/half(float/' grain/half_of.cuh
says "there is no function half_of" "$sinter" compile grain/speed.grain -o -

# Several results, and rows: of a kernel each.
cat >kernels/rows.cuh <<'CUDA'
#pragma once
#include "device/block_reduce.cuh"
#include "device/combine.cuh"
struct Parts {
  float whole, rest;
};
inline __device__ Parts parts_of(float x) { return {floorf(x), x - floorf(x)}; }
// sinter: row
template <int kThreads>
__device__ void less_sum(const float* x, float* y, float factor, int x_size) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < x_size; i += kThreads) sum += x[i];
  sum = block_reduce<kThreads>(sum, Add());
  __shared__ __align__(8) float of_all[1];
  if (threadIdx.x == 0) of_all[0] = factor * sum;
  __syncthreads();
  for (int i = threadIdx.x; i < x_size; i += kThreads) y[i] = x[i] - of_all[0];
}
CUDA
rows() {
  cat <<HLO
HloModule rows
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT sum = f32[] add(a, b)
}
ENTRY main {
  x = f32[30,7] parameter(0)
$1
  ROOT root = f32[30,7] multiply(y, rest)
}
HLO
}
rows_of() {
  rows '  parts = (f32[30,7], f32[30,7]) custom-call(x), custom_call_target="parts"
  whole = f32[30,7] get-tuple-element(parts), index=0
  rest = f32[30,7] get-tuple-element(parts), index=1
  y = f32[30,7] custom-call(whole), custom_call_target="less", api_version=API_VERSION_TYPED_FFI, backend_config={factor = '$1' : f32}'
}
rows_of 0.5 >rows.hlo
rows_of 0.25 >other_rows.hlo
rows '  whole = f32[30,7] floor(x)
  rest = f32[30,7] subtract(x, whole)
  zero = f32[] constant(0)
  half = f32[] constant(0.5)
  halves = f32[30,7] broadcast(half), dimensions={}
  sum = f32[30] reduce(whole, zero), dimensions={1}, to_apply=add
  sums = f32[30,7] broadcast(sum), dimensions={0}
  scaled = f32[30,7] multiply(halves, sums)
  y = f32[30,7] subtract(whole, scaled)' >rows_formula.hlo
"$sinter" eval rows_formula.hlo --random 3 -o rows.safetensors >/dev/null
both="--device-function parts=kernels/rows.cuh:parts_of --device-function less=kernels/rows.cuh:less_sum"
"$sinter" run rows.hlo $both --random 3 --expect rows.safetensors >/dev/null || fail "rows: other values"
"$sinter" compile rows.hlo $both -o emitted/rows --verify
says "launches per run     1" "$sinter" explain rows.hlo $both
cmake -S emitted/rows -B build4 -DROWS_CPU=ON -DROWS_WERROR=ON >cmake.log || { cat cmake.log; fail "CMake, rows"; }
cmake --build build4 -j2 >build.log || { cat build.log; fail "rows: does not build"; }
"$sinter" run rows.hlo --built build4/rows_cli --random 3 --expect rows.safetensors >/dev/null || fail "rows, built: other values"
"$sinter" check emitted/rows >/dev/null || fail "check: nothing has changed of rows"
says "constants  0.5f -> 0.25f" "$sinter" diff emitted/rows other_rows.hlo $both
cat >>kernels/rows.cuh <<'CUDA'
inline __device__ Parts parts_above(float x) { return {ceilf(x), x - ceilf(x)}; }
CUDA
"$sinter" compile rows.hlo $both -o emitted/rows --no-verify
other="--device-function parts=kernels/rows.cuh:parts_above --device-function less=kernels/rows.cuh:less_sum"
says "rows: computation" "$sinter" diff emitted/rows rows.hlo $other
says "sinter_device_function" "$sinter" diff emitted/rows rows.hlo $other
says "which the evaluator does not know" "$sinter" verify emitted/rows --random 3

# What clang cannot say before it is written.
says "'leaky' is bound twice" "$sinter" compile ours.hlo $bind $bind -o twice
says "E0505" "$sinter" explain ours.hlo --device-function leaky=kernels/ours.cuh:half_of
test ! -e twice || fail "a refused program was written"
