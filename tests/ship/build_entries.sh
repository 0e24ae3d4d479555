#!/usr/bin/env bash
# Several programs of a Grain file as one folder: one header, one CMake target, each in a run function of its own;
# alone and inside another project. Folders with edits are kept, and fresh ones known.
#   build_entries.sh SINTER GRAIN_SAMPLES
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "build_entries: $1"; exit 1; }
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }

several=("$2/image_filters.grain" --entry box --dims height=6,width=8 --dims height=4,width=8)
run "$1" compile "${several[@]}" -o "$work/filters" --depfile "$work/depfile" --name filters
grep -q "manifest.json: .*image_filters.grain$" "$work/depfile" || fail "the depfile says $(cat "$work/depfile")"
run "$1" compile "${several[@]}" -o "$work/filters" --name filters --fresh
[ "$("$1" check "$work/filters")" = "$("$1" check "$work/filters/filters_height6")" ] || fail "an entry is not fresh"

mkdir "$work/caller"
cat >"$work/caller/CMakeLists.txt" <<'PROJECT'
cmake_minimum_required(VERSION 3.24)
project(caller LANGUAGES C CXX)
add_subdirectory(../filters filters)
add_executable(caller caller.c)
target_link_libraries(caller PRIVATE filters::filters)
PROJECT
# Of an image of ones, a filter makes ones, but for roundings.
cat >"$work/caller/caller.c" <<'PROJECT'
#include "filters/filters.h"
#define CHECK(name, Name, size)                                                      \
  do {                                                                               \
    Name##Instance* instance;                                                        \
    if (name##_create(&instance) != k##Name##Ok) return 1;                           \
    const Name##Inputs in = {image};                                                 \
    const Name##Outputs out = {smooth};                                              \
    if (k##Name##InputTable[0].bytes != (size)) return 2;                            \
    smooth[0] = 0;                                                                   \
    if (name##_run(instance, &in, &out, 0) != k##Name##Ok) return 3;                 \
    if (smooth[0] < 0.999f || smooth[0] > 1.001f) return 4;                          \
    name##_destroy(instance);                                                        \
  } while (0)
static float image[48] __attribute__((aligned(16))), smooth[48] __attribute__((aligned(16)));
int main(void) {
  for (int i = 0; i < 48; ++i) image[i] = 1;
  CHECK(filters_height6, FiltersHeight6, 6 * 8 * 4);
  CHECK(filters_height4, FiltersHeight4, 4 * 8 * 4);
  return 0;
}
PROJECT
run cmake -S "$work/caller" -B "$work/build" -G Ninja -DFILTERS_CPU=ON -DFILTERS_WERROR=ON -DCMAKE_BUILD_TYPE=Debug
run cmake --build "$work/build"
run "$work/build/caller"

# Alone: the runners, and what is installed.
run cmake -S "$work/filters" -B "$work/alone" -G Ninja -DFILTERS_CPU=ON -DCMAKE_BUILD_TYPE=Debug
run cmake --build "$work/alone"
[ -x "$work/alone/filters_height4/filters_height4_cli" ] || fail "no runner of an entry"
run cmake --install "$work/alone" --prefix "$work/installed"
sed -i 's|add_subdirectory.*|find_package(filters REQUIRED)|' "$work/caller/CMakeLists.txt"
run cmake -S "$work/caller" -B "$work/found" -G Ninja -DCMAKE_PREFIX_PATH="$work/installed"
run cmake --build "$work/found"
run "$work/found/caller"

# Edits of one entry are seen in all, and kept.
echo '// edited' >>"$work/filters/filters_height6/kernels.h"
{ "$1" check "$work/filters" || true; } | grep -q 'filters_height6/kernels.h (changed)' || fail "an edit is not seen"
if "$1" compile "${several[@]}" -o "$work/filters" --name filters 2>"$work/log"; then fail "an edit is lost"; fi

# One function at two sizes, in whose texts a result has no name but that of what computes it: it is found by size.
for size in 1 8; do
  result=$([ $size = 1 ] && echo largest || echo smooth)
  printf 'HloModule f\n\nENTRY main {\n  x = f32[%d,4] parameter(0)\n  ROOT y = f32[%d,4] tanh(x), metadata={op_name="%s"}\n}\n' \
    $size $size $result >"$work/n$size.hlo"
done
run "$1" compile "$work/n1.hlo" "$work/n8.hlo" --name sized -o "$work/sized"
grep -q 'sized_fit(int64_t size)' "$work/sized/include/sized/sized.h" || fail "programs of two sizes are not found by size"
grep -q 'float\* largest;' "$work/sized/sized_n8/include/sized_n8/sized_n8.h" || fail "a result has another name at another size"
