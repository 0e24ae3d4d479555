#!/usr/bin/env bash
# Models built by nvcc through CMake: with constants, with weights in the library and beside it, several programs, a
# shared library; a unity build with interprocedural optimisation. They have code for the devices that were asked for, and
# no PTX, which a driver would compile when they run; export what their headers declare; and say in a sentence that there
# is no driver, where there is none. Exit status 77: there is no nvcc.
#   build_cuda.sh SINTER SERVICE CMAKE_PACKAGE
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
[ -x "$(command -v nvcc)" ] || PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null || { echo "no nvcc: not tested"; exit 77; }
command -v python3 >/dev/null || { echo "no python3: not tested"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "build_cuda: $1"; exit 1; }
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
has_code() {  # BINARY KIND ...
  local found; found=$(python3 "$here/device_code.py" "$1" | tr '\n' ' ')
  [ "$found" = "${*:2} " ] || fail "$(basename "$1") has code for ${found:-nothing}, not ${*:2}"
}

cp "$2/classify.hlo" "$2/smooth.hlo" "$here/layers.hlo" "$work"
cat >"$work/CMakeLists.txt" <<PROJECT
cmake_minimum_required(VERSION 3.24)
project(project LANGUAGES C CXX CUDA)
add_executable(Sinter::sinter IMPORTED)
set_target_properties(Sinter::sinter PROPERTIES IMPORTED_LOCATION "$(realpath "$1")")
include("$3/SinterAddLibrary.cmake")
sinter_add_library(classify classify.hlo SHARED NVTX)
sinter_add_library(layers layers.hlo WEIGHTS EMBED)
sinter_add_library(beside layers.hlo SHARED WEIGHTS FILE)
sinter_add_library(both smooth.hlo layers.hlo SHARED WEIGHTS EMBED)
add_executable(caller caller.c)
target_link_libraries(caller PRIVATE classify::classify layers::layers beside::beside both::both)
PROJECT
# Without a driver creation fails, and says so; on a machine with a GPU it does not.
cat >"$work/caller.c" <<'CODE'
#include <stdio.h>
#include <string.h>
#include "beside/beside.h"
#include "both/both.h"
#include "classify/classify.h"
#include "layers/layers.h"
#define CREATE(name, Name, FromCuda, OtherDevice)                                              \
  do {                                                                                         \
    Name##Instance* instance;                                                                  \
    const Name##Status status = name##_create(&instance);                                      \
    printf("%s: %s\n", name##_status_text(status), name##_last_error());                       \
    if ((status == 0) != (instance != NULL)) return 1;                                         \
    if (status != 0 && status != FromCuda && status != OtherDevice) return 1;                  \
    if (status != 0 && strlen(name##_last_error()) < 30) return 1;                             \
    name##_destroy(instance);                                                                  \
  } while (0)
int main(void) {
  CREATE(classify, Classify, kClassifyCudaError, kClassifyOtherDevice);
  CREATE(layers, Layers, kLayersCudaError, kLayersOtherDevice);
  CREATE(both, Both, kBothCudaError, kBothOtherDevice);
  BesideWeights* weights;
  const BesideStatus status = beside_weights_load(&weights, "nowhere.safetensors");
  printf("%s\n", beside_last_error());
  beside_weights_destroy(weights);
  return status == kBesideInvalidWeights || status == kBesideCudaError ? 0 : 1;
}
CODE
build() {  # NAME OPTION ...
  run cmake -S "$work" -B "$work/$1" -G Ninja -DCMAKE_BUILD_TYPE=Release "${@:2}"
  run cmake --build "$work/$1"
  run "$work/$1/caller"
}
build plain "-DCMAKE_CUDA_ARCHITECTURES=80-real;90a-real"
for library in classify/build/libclassify.so beside/build/libbeside.so both/build/libboth.so layers/build/liblayers.a; do
  has_code "$work/plain/sinter/$library" sm_80 sm_90
done
for name in classify beside both; do
  exported=$(nm -D --defined-only "$work/plain/sinter/$name/build/lib$name.so" | awk '{print $3}' | grep -vE "^(${name}_|k${name^})" || true)
  [ -z "$exported" ] || fail "lib$name.so exports $exported"
done
run cmake --build "$work/plain"
grep -q 'no work to do' "$work/log" || { cat "$work/log"; fail "a second build does something"; }
build unity -DCMAKE_CUDA_ARCHITECTURES=90a-real -DCMAKE_UNITY_BUILD=ON -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON

# An emitted folder by itself, where nobody says for which devices.
run "$1" compile "$work/smooth.hlo" -o "$work/smooth"
run cmake -S "$work/smooth" -B "$work/alone" -G Ninja
run cmake --build "$work/alone"
has_code "$work/alone/libsmooth.a" sm_90
echo "build_cuda: as it should be"
