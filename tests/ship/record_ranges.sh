#!/usr/bin/env bash
# Ranges for profilers: of a model built with NVTX, against a header that records them (record_ranges.cpp); beside it one
# without. And what CMake says where there is no header; with that of the CUDA toolkit the model builds.
#   record_ranges.sh SINTER SAMPLES
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
sinter=$1
samples=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "record_ranges: $1"; exit 1; }
run() { "$@" >log 2>&1 || { cat log; exit 1; }; }

"$sinter" compile "$samples/kmeans/kmeans.hlo" -o kmeans --sources "$samples" --no-verify --without grid-loops
"$sinter" compile "$here/twice.hlo" -o twice --no-verify
mkdir -p recorded/nvtx3
cat >recorded/nvtx3/nvToolsExt.h <<'HEADER'
#pragma once
#include <string>
#include <vector>
// "+name" for a range that is opened, "-" for one that is closed.
inline std::vector<std::string>& recorded_ranges() {
  static std::vector<std::string> ranges;
  return ranges;
}
inline int nvtxRangePushA(const char* name) { return recorded_ranges().push_back(std::string("+") + name), 0; }
inline int nvtxRangePop() { return recorded_ranges().push_back("-"), 0; }
HEADER
cat >CMakeLists.txt <<PROJECT
cmake_minimum_required(VERSION 3.24)
project(ranges LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
add_subdirectory(kmeans)
add_subdirectory(twice)
add_executable(record_ranges $here/record_ranges.cpp)
target_compile_definitions(record_ranges PRIVATE SINTER_CPU)
target_include_directories(record_ranges PRIVATE recorded kmeans)
target_link_libraries(record_ranges PRIVATE kmeans::kmeans twice::twice)
PROJECT
configure=(cmake -S . -DKMEANS_CPU=ON -DTWICE_CPU=ON -DKMEANS_WERROR=ON -DTWICE_WERROR=ON -DCMAKE_BUILD_TYPE=Debug)
run "${configure[@]}" -B build -DKMEANS_NVTX=ON -DNVTX_INCLUDE_DIR="$work/recorded"
run cmake --build build
build/record_ranges || fail "ranges"
run "${configure[@]}" -B without
run cmake --build without --target kmeans
{ nm -C without/kmeans/libkmeans.a || true; } | grep -qE 'nvtxRange| [A-Za-z] kmeans_range' && fail "ranges that nobody asked for"

# Where nothing can be found: what is missing, and where it comes from.
if "${configure[@]}" -B nowhere -DKMEANS_NVTX=ON -DCMAKE_FIND_ROOT_PATH="$work/nowhere" \
  -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY >log 2>&1; then fail "it is configured without the header"; fi
tr -s ' \n' ' ' <log | grep -q 'KMEANS_NVTX needs nvtx3/nvToolsExt.h, of the CUDA toolkit or of `pip install nvidia-nvtx`' ||
  { cat log; fail "no reason"; }

toolkit=$(dirname "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")/../include
if [ -f "$toolkit/nvtx3/nvToolsExt.h" ]; then
  run cmake -S twice -B theirs -DTWICE_CPU=ON -DTWICE_WERROR=ON -DTWICE_NVTX=ON -DNVTX_INCLUDE_DIR="$toolkit"
  run cmake --build theirs
  run theirs/twice_cli --random 1
fi
