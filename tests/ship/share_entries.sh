#!/usr/bin/env bash
# Several texts as one library (entries.cpp.in): one file of weights that all programs read, one workspace, a program
# picked by its size; from CMake, with values compared, as a static and a shared library, under AddressSanitizer. What
# cannot be one.
#   share_entries.sh SINTER CMAKE_PACKAGE
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
sinter=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "share_entries: $1"; exit 1; }
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
refused() {  # WHAT_IT_SAYS COMMAND...
  local says=$1
  shift
  if "$@" >"$work/log" 2>&1; then fail "taken: $*"; fi
  grep -qF -- "$says" "$work/log" || { cat "$work/log"; fail "it does not say: $says"; }
}

# A model at a batch of rows: y = (x w + b) t + table[x[0,0]], of which w, b and t are weights. The table, of integers, is
# a constant, and no progression: ROWS, ROWS + 1, ..., 0.
text() {  # ROWS W
  local table
  table=$(seq -s , "$1" $(($1 + 2998))),0
  cat <<HLO
HloModule jit_model
ENTRY main {
  x = f32[$1,3] parameter(0)
  w = f32[3,2] constant($2), metadata={op_name="layer/w"}
  b = f32[2] constant({10,20}), metadata={op_name="layer/b"}
  t = f32[2,2] constant({{1,1},{0,1}}), metadata={op_name="head/t"}
  hidden = f32[$1,2] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  rows = f32[$1,2] broadcast(b), dimensions={1}
  sum = f32[$1,2] add(hidden, rows)
  sorted = f32[$1,2] sort(sum), dimensions={0}, to_apply=less
  d = f32[$1,2] dot(sorted, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  table = s32[3000] constant({$table})
  corner = f32[1,1] slice(x), slice={[0:1],[0:1]}
  places = s32[1,1] convert(corner)
  place = s32[] reshape(places)
  found = s32[1] dynamic-slice(table, place), dynamic_slice_sizes={1}
  value = f32[1] convert(found)
  scalar = f32[] reshape(value)
  same = f32[$1,2] broadcast(scalar), dimensions={}
  ROOT y = f32[$1,2] add(d, same)
}
HLO
}
less='less { a = f32[] parameter(0) c = f32[] parameter(1) ROOT r = pred[] compare(a, c), direction=LT }'
model() { text "$@" | sed "s/^ENTRY/$less\n&/"; }
w='{{1,2},{3,4},{5,6}}'
model 1 "$w" >"$work/n1.hlo"
model 64 "$w" >"$work/model_n64.hlo"
printf 'HloModule x\nENTRY e { ROOT c = f32[1,3] constant({{1,0,0}}) }\n' >"$work/x.hlo"
run "$sinter" eval "$work/x.hlo" -o "$work/x.safetensors"
run "$sinter" eval "$work/n1.hlo" --inputs "$work/x.hlo" -o "$work/y.safetensors"

texts=("$work/model_n64.hlo" "$work/n1.hlo")
dir=$work/model
run "$sinter" compile "${texts[@]}" --name model -o "$dir" --weights file --depfile "$work/depfile"
grep -q "manifest.json: .*model_n64.hlo .*n1.hlo" "$work/depfile" || fail "the depfile says $(cat "$work/depfile")"
run "$sinter" compile "${texts[@]}" --name model -o "$dir" --weights file --fresh
run "$sinter" check "$dir" --input "${texts[0]}"
[ -s "$dir/model_n1/constants.bin" ] && [ -s "$dir/model_n64/constants.bin" ] || fail "the table is no constant"
[ "$(find "$dir" -name weights.safetensors)" = "$dir/weights.safetensors" ] || fail "there is more than one file of weights"

# What is no artifact.
refused '--name says what it is called' "$sinter" compile "${texts[@]}" -o "$work/none"
model 2 '{{1,2},{3,4},{5,7}}' >"$work/other.hlo"
refused 'weight layer.w of other is not that of n1: other values' \
  "$sinter" compile "$work/n1.hlo" "$work/other.hlo" --name model -o "$work/none" --weights file
run "$sinter" compile "$work/n1.hlo" "$work/other.hlo" --name model -o "$work/caller" --weights-from 1000 --weights file
refused 'two programs would be called model_n1' "$sinter" compile "$work/n1.hlo" "$work/n1.hlo" --name model -o "$work/none"
refused '2 texts and 3 files' "$sinter" compile "${texts[@]}" --name model -o "$work/none" \
  --weights-of a --weights-of b --weights-of c

# Inputs that are weights: a file of all programs, whose tensors some have no input for, or one of each.
dense() {  # ENTRY WEIGHT
  cat <<HLO
HloModule jit_$1
ENTRY main {
  x = f32[5,8] parameter(0)
  params_w = f32[8,6] parameter(1)
  params_$2 = f32[6] parameter(2)
  d = f32[5,6] dot(x, params_w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  r = f32[5,6] broadcast(params_$2), dimensions={1}
  ROOT y = f32[5,6] add(d, r)
}
HLO
}
tensors() {  # FILE METADATA NAME=DIM,DIM ...
  python3 - "$@" <<'PYTHON'
import json, math, struct, sys
header, end = {"__metadata__": json.loads(sys.argv[2])}, 0
for tensor in sys.argv[3:]:
    name, dims = tensor.split("=")
    shape = [int(dim) for dim in dims.split(",")]
    header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [end, end + 4 * math.prod(shape)]}
    end += 4 * math.prod(shape)
text = json.dumps(header).encode()
open(sys.argv[1], "wb").write(struct.pack("<Q", len(text)) + text + bytes(end))
PYTHON
}
dense encode a >"$work/encode.hlo"
dense decode b >"$work/decode.hlo"
both=("$work/encode.hlo" "$work/decode.hlo")
# Numbers are of one program, and say nothing of a file of several.
tensors "$work/all.safetensors" '{"sinter_inputs": "{\"params.w\": 0, \"params.a\": 2, \"params.b\": 2}"}' \
  params.w=8,6 params.a=6 params.b=6
run "$sinter" compile "${both[@]}" --name nn -o "$work/nn" --weights-of "$work/all.safetensors"
grep -q 'kNnWeightCount = 3' "$work/nn/include/nn/nn.h" || fail "the programs do not share params.w"
grep -q 'kNnDecodeWeightCount = 2' "$work/nn/nn_decode/include/nn_decode/nn_decode.h" || fail "decode has other weights"
tensors "$work/encode.safetensors" '{"sinter_inputs": "{\"w\": 1, \"first\": 2}"}' w=8,6 first=6
tensors "$work/decode.safetensors" '{"sinter_inputs": "{\"w\": 1, \"second\": 2}"}' w=8,6 second=6
run "$sinter" compile "${both[@]}" --name nn -o "$work/each" \
  --weights-of "$work/encode.safetensors" --weights-of "$work/decode.safetensors"
cmp <(sed -n 's/.*{"\([a-z]*\)", "f32".*/\1/p' "$work/each/nn.cu") <(printf 'w\nfirst\nsecond\n') || fail "weights are called otherwise"
tensors "$work/more.safetensors" '{}' params.w=8,6 params.c=6
refused 'params.c is no input of any program' "$sinter" compile "${both[@]}" --name nn -o "$work/none" \
  --weights-of "$work/more.safetensors"

constant() {  # NAME DIMS VALUE
  printf 'HloModule c\nENTRY e {\n  c = f32[] constant(%s)\n  ROOT r = f32[%s] broadcast(c), dimensions={}\n}\n' "$3" "$2" >"$work/$1.hlo"
  run "$sinter" eval "$work/$1.hlo" -o "$work/$1.safetensors"
}
constant ones 5,8 1
constant zeros 5,6 0

mkdir "$work/project"
cp "$here/entries.cpp.in" "$work/project/entries.cpp"
cat >"$work/project/CMakeLists.txt" <<PROJECT
cmake_minimum_required(VERSION 3.24)
project(project LANGUAGES CXX)
enable_testing()
add_executable(Sinter::sinter IMPORTED)
set_target_properties(Sinter::sinter PROPERTIES IMPORTED_LOCATION "$sinter")
include("$2/SinterAddLibrary.cmake")
sinter_add_library(model ../model_n64.hlo ../n1.hlo \${type} WEIGHTS \${home} HEADER_FOLDERS headers)
sinter_add_test(model ENTRY n1 INPUTS ../x.safetensors EXPECT ../y.safetensors ATOL 1e-5)
if(type STREQUAL "STATIC")  # one file of inputs that are weights, of which decode has two
  sinter_add_library(nn ../encode.hlo ../decode.hlo WEIGHTS_OF ../all.safetensors)
  sinter_add_test(nn ENTRY decode INPUTS ../ones.safetensors EXPECT ../zeros.safetensors)
endif()
add_executable(entries entries.cpp)
target_compile_features(entries PRIVATE cxx_std_20)
target_link_libraries(entries PRIVATE model::model)
target_compile_definitions(entries PRIVATE IS_\${home} SINTER_CPU)
target_include_directories(entries PRIVATE $dir)
add_test(NAME entries COMMAND entries "$dir/weights.safetensors" $(cat "${texts[@]}" | sha256sum | cut -d' ' -f1))
install(TARGETS model EXPORT project)
install(EXPORT project DESTINATION lib/cmake/project)
install(DIRECTORY \${headers} DESTINATION include)
PROJECT
build() {  # TYPE HOME
  run cmake -S "$work/project" -B "$work/$1" -G Ninja -DCMAKE_BUILD_TYPE=Debug -Dtype="$1" -Dhome="$2" \
    "-DCMAKE_CXX_FLAGS=-O0 -Wall -Wextra -Werror -Wno-unknown-pragmas -fsanitize=address,undefined -fno-sanitize-recover=all"
  run cmake --build "$work/$1"
  run ctest --test-dir "$work/$1" --output-on-failure
}
build STATIC FILE
build SHARED EMBED
exported=$(nm -D --defined-only "$work/SHARED/sinter/model/build/libmodel.so" | awk '{print $3}' | grep -vE '^(model|kModel)' || true)
[ -z "$exported" ] || fail "the library exports $exported"
run cmake --build "$work/SHARED"
grep -q 'no work to do' "$work/log" || { cat "$work/log"; fail "a second build does something"; }
run cmake --install "$work/SHARED" --prefix "$work/installed"
for language in c c++; do
  echo '#include "model/model.h"' | run c++ -x $language -fsyntax-only -I "$work/installed/include" -
done
echo '#include "model/model.hpp"' | run c++ -std=c++17 -x c++ -fsyntax-only -I "$work/installed/include" -
