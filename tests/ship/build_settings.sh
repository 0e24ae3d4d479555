#!/usr/bin/env bash
# A model in a project that has settings of its own: a unity build with interprocedural optimisation, as a shared library
# that is installed with the project's own; by clang 14 (where there is one) too. And what must not build: constants.bin of
# another size.
#   build_settings.sh SINTER SERVICE
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "build_settings: $1"; exit 1; }
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }

run "$1" compile "$2/classify.hlo" -o "$work/classify"
cat >"$work/CMakeLists.txt" <<'PROJECT'
cmake_minimum_required(VERSION 3.24)
project(service LANGUAGES C CXX)
add_subdirectory(classify)
add_executable(caller caller.c)
target_link_libraries(caller PRIVATE classify::classify)
install(TARGETS classify EXPORT service)
install(EXPORT service DESTINATION lib/cmake/service)
PROJECT
# The caller is C, and knows nothing of how the library is built.
cat >"$work/caller.c" <<'PROJECT'
#include "classify/classify.h"
#ifdef SINTER_CPU
#error "a macro of the library's own build"
#endif
int main(void) {
  ClassifyInstance* instance;
  if (classify_create(&instance) != kClassifyOk) return 1;
  classify_destroy(instance);
  return classify_run(0, 0, 0, 0) == kClassifyInvalidArgument ? 0 : 1;
}
PROJECT

build() {  # NAME OPTION ...
  local build=$work/$1
  shift
  run cmake -S "$work" -B "$build" -G Ninja -DCLASSIFY_CPU=ON -DCLASSIFY_WERROR=ON -DCMAKE_C_STANDARD=99 \
    -DCMAKE_CXX_FLAGS=-O1 -DCMAKE_BUILD_TYPE=Debug "$@"
  run cmake --build "$build"
  run "$build/caller"
}
build shared -DCMAKE_UNITY_BUILD=ON -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON -DCLASSIFY_LIBRARY_TYPE=SHARED
run cmake --install "$work/shared" --prefix "$work/installed"
exported=$(nm -D --defined-only "$work/shared/classify/libclassify.so" | awk '{print $3}' | sort | tr '\n' ' ')
[ "$exported" = "classify_capture classify_create_with classify_destroy classify_graph_destroy classify_graph_exec classify_graph_launch classify_graph_update classify_info classify_last_error classify_run classify_status_text classify_workspace_bytes kClassifyInputTable kClassifyOutputTable " ] ||
  fail "the library exports $exported"
if command -v clang++-14 >/dev/null; then
  build clang -DCMAKE_C_COMPILER=clang-14 -DCMAKE_CXX_COMPILER=clang++-14
fi

for size in -1 +1; do
  cp "$work/classify/constants.bin" "$work/constants.bin"
  truncate -s "$size" "$work/classify/constants.bin"
  for compiler in c++ clang++-14; do
    command -v $compiler >/dev/null || continue
    if $compiler -I "$work/classify" -c "$work/classify/constants.cpp" -o "$work/constants.o" 2>"$work/log"; then
      fail "$compiler takes a constants.bin of $size bytes more"
    fi
    grep -qi 'org' "$work/log" || { cat "$work/log"; exit 1; }
  done
  mv "$work/constants.bin" "$work/classify/constants.bin"
done
