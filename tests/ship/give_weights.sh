#!/usr/bin/env bash
# Weights in the library, in a file, and the caller's alone (weights.cpp.in), under AddressSanitizer, which finds leaks
# too. The runner with a file; CMake with each.
#   give_weights.sh SINTER CMAKE_PACKAGE
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
sinter=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "give_weights: $1"; exit 1; }
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }

# x of weights.cpp.in, as a module that gives it.
input_text() {
  echo 'HloModule x'
  echo 'ENTRY e {'
  printf 'ROOT c = f32[5,8] constant({'
  for row in 0 1 2 3 4; do
    printf '%s{' "$([ $row = 0 ] || echo ,)"
    for column in 0 1 2 3 4 5 6 7; do
      printf '%s%s' "$([ $column = 0 ] || echo ,)" "$(awk "BEGIN { print (($row * 8 + $column) % 7 - 3) / 4 }")"
    done
    printf '}'
  done
  printf '})\n}\n'
}
input_text >"$work/x.hlo"
run "$sinter" eval "$here/layers.hlo" --inputs "$work/x.hlo" -o "$work/expected.safetensors"

for home in embed file caller; do
  dir=$work/$home
  run "$sinter" compile "$here/layers.hlo" -o "$dir" --name layers --weights "$home"
  run "$sinter" compile "$here/layers.hlo" -o "$dir" --name layers --weights "$home" --fresh
  [ "$home" = caller ] || cmp "$work/embed/weights.safetensors" "$dir/weights.safetensors"
  embedded=0
  if [ "$home" = embed ]; then embedded=1; fi
  sed "s/@embedded@/$embedded/" "$here/weights.cpp.in" >"$dir/weights_test.cpp"
  (cd "$dir" && printf '#include "%s"\n' kernels/*.cu layers.cu info.cpp read_weights.cpp weights_test.cpp >all.cpp)
  for source in constants weights; do
    if [ -f "$dir/$source.cpp" ]; then echo "#include \"$source.cpp\"" >>"$dir/all.cpp"; fi
  done
  run c++ -std=c++20 -O0 -Wall -Wextra -DSINTER_CPU -ffp-contract=off -frounding-math -fwrapv -Wno-unknown-pragmas \
    -fsanitize=address,undefined -fno-sanitize-recover=all -I "$dir" -I "$dir/include" "$dir/all.cpp" -o "$dir/test" -pthread
  env -u ASAN_OPTIONS "$dir/test" "$work/embed/weights.safetensors" "$work/expected.safetensors"
done
[ ! -e "$work/caller/weights.safetensors" ] || fail "--weights caller writes a file"

# Values that the text leaves out are the caller's.
sed -E 's/constant\(\{.*\}\)/constant({...})/' "$here/layers.hlo" >"$work/elided.hlo"
if "$sinter" compile "$work/elided.hlo" -o "$work/none" --weights file 2>"$work/log"; then fail "values out of nowhere"; fi
grep -q "E0501.*left out" "$work/log" || fail "of values left out it says $(cat "$work/log")"
run "$sinter" compile "$work/elided.hlo" -o "$work/elided" --name layers --weights caller
for file in kernels/*.cu layers.cu include/layers/layers.h; do
  (cd "$work/caller" && cat $file) | cmp - <(cd "$work/elided" && cat $file) || fail "$file depends on values"
done

# Inputs that a file has tensors of are weights, under the file's names.
cat >"$work/dense.hlo" <<'HLO'
HloModule dense
ENTRY main {
  params_w = f32[8,6] parameter(0)
  x = f32[5,8] parameter(1)
  ROOT y = f32[5,6] dot(x, params_w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
HLO
cat >"$work/to_file.cpp" <<'CODE'
#include "runner/tensor_file.h"
int main(int, char** argv) {
  std::string error;
  std::vector<std::byte> ones;
  for (int i = 0; i < 8 * 6; ++i) ones.insert(ones.end(), {std::byte{0}, std::byte{0}, std::byte{0x80}, std::byte{0x3f}});
  return tensor_file::write_tensors(argv[1], {{argv[2], "F32", {8, 6}, ones}}, error) ? 0 : 1;
}
CODE
run c++ -std=c++20 -I "$work/embed" "$work/to_file.cpp" -o "$work/to_file"
"$work/to_file" "$work/params.safetensors" params.w
run "$sinter" compile "$work/dense.hlo" -o "$work/dense" --weights-of "$work/params.safetensors"
grep -q '{"params.w", "f32", 2' "$work/dense/dense.cu" || fail "no weight is called params.w"
grep -q 'kDenseInputCount = 1' "$work/dense/include/dense/dense.h" || fail "the weight is an input"
# What is run has them from the file, and its inputs are the others: built here, or before.
cat >"$work/dense_x.hlo" <<'HLO'
HloModule dense_x
ENTRY main {
  c = f32[] constant(0.5)
  ROOT x = f32[5,8] broadcast(c), dimensions={}
}
HLO
run "$sinter" eval "$work/dense_x.hlo" -o "$work/dense_x.safetensors"
echo 'HloModule y  ENTRY main { c = f32[] constant(4)  ROOT y = f32[5,6] broadcast(c), dimensions={} }' >"$work/dense_y.hlo"
run "$sinter" eval "$work/dense_y.hlo" -o "$work/dense_y.safetensors"
run "$sinter" run "$work/dense.hlo" --weights-of "$work/params.safetensors" --inputs "$work/dense_x.safetensors" \
  --expect "$work/dense_y.safetensors"
# All inputs; those that are weights are the file's all the same.
echo 'HloModule all  ENTRY main { c = f32[] constant(0.5)  w = f32[8,6] broadcast(c), dimensions={}
  x = f32[5,8] broadcast(c), dimensions={}  ROOT all = (f32[8,6], f32[5,8]) tuple(w, x) }' >"$work/dense_all.hlo"
run "$sinter" eval "$work/dense_all.hlo" -o "$work/dense_all.safetensors"
run "$sinter" run "$work/dense.hlo" --weights-of "$work/params.safetensors" --inputs "$work/dense_all.safetensors" \
  --expect "$work/dense_y.safetensors"
if "$sinter" run "$work/dense.hlo" --weights-file "$work/params.safetensors" --random 1 2>"$work/log"; then
  fail "a file of weights for no runner"
fi
grep -q -e "--built" "$work/log" || fail "of --weights-file without --built it says $(cat "$work/log")"
"$work/to_file" "$work/other.safetensors" params.v
if "$sinter" compile "$work/dense.hlo" -o "$work/none" --weights-of "$work/other.safetensors" 2>"$work/log"; then
  fail "a tensor that is no input"
fi
grep -q "E0507.*params.v is no input" "$work/log" || fail "of a tensor that is no input it says $(cat "$work/log")"

# In a project of CMake's, with the runner, which takes a file.
mkdir "$work/project"
cat >"$work/project/CMakeLists.txt" <<PROJECT
cmake_minimum_required(VERSION 3.24)
project(project LANGUAGES CXX)
enable_testing()
add_executable(Sinter::sinter IMPORTED)
set_target_properties(Sinter::sinter PROPERTIES IMPORTED_LOCATION "$(realpath "$sinter")")
include("$2/SinterAddLibrary.cmake")
sinter_add_library(embedded "$here/layers.hlo" WEIGHTS EMBED)
sinter_add_library(beside "$here/layers.hlo" WEIGHTS FILE WEIGHTS_FROM 64 WEIGHTS_FILE file)
sinter_add_library(dense "$work/dense.hlo" WEIGHTS_OF "$work/params.safetensors")
sinter_add_library(called "$work/dense.hlo" WEIGHTS_OF "$work/params.safetensors" WEIGHTS CALLER)
sinter_add_test(beside INPUTS "$work/x.safetensors" EXPECT "$work/expected.safetensors" ATOL 1e-5)
sinter_add_test(dense INPUTS "$work/dense_x.safetensors" EXPECT "$work/dense_y.safetensors")
sinter_add_test(called INPUTS "$work/dense_all.safetensors" EXPECT "$work/dense_y.safetensors")
sinter_add_test(embedded INPUTS "$work/x.safetensors" EXPECT "$work/expected.safetensors" ATOL 1e-5)
file(WRITE "\${CMAKE_BINARY_DIR}/where" "\${file}")
PROJECT
run "$sinter" eval "$work/x.hlo" -o "$work/x.safetensors"
run cmake -S "$work/project" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug
run cmake --build "$work/build"
run ctest --test-dir "$work/build" --output-on-failure
cli=$work/build/sinter/beside/build/beside_cli
if "$cli" --random 1 2>"$work/log"; then fail "the runner finds weights nobody gives"; fi
grep -q "no weights are given" "$work/log" || fail "without weights the runner says $(cat "$work/log")"
run "$cli" "$work/x.safetensors" --weights "$(cat "$work/build/where")" -o "$work/results.safetensors"
