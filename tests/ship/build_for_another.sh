#!/usr/bin/env bash
# A project that is built for another machine, by a toolchain file: Sinter runs here, the library's test there. The other
# machine is this one, behind an emulator that will not run Sinter; where there is a compiler for aarch64 and its
# emulator, that too.
#   build_for_another.sh SINTER SERVICE PACKAGE
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "build_for_another: $1"; exit 1; }
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }

cp "$2"/classify.* "$work"
cat >"$work/CMakeLists.txt" <<PROJECT
cmake_minimum_required(VERSION 3.24)
project(service LANGUAGES CXX)
add_executable(Sinter::sinter IMPORTED)
set_target_properties(Sinter::sinter PROPERTIES IMPORTED_LOCATION "$(realpath "$1")")
include("$3/SinterAddLibrary.cmake")
enable_testing()
sinter_add_library(classify classify.hlo EMIT_DIR committed LICENSE "MIT OR Apache-2.0")
sinter_add_test(classify INPUTS classify.inputs.safetensors EXPECT classify.expected.safetensors RTOL 1e-5 ATOL 1e-6)
PROJECT
cat >"$work/emulator" <<'SCRIPT'
#!/bin/sh
case $2 in */sinter) echo "Sinter is emulated"; exit 1 ;; esac
echo "$1" >>"$(dirname "$0")/emulated"
shift
exec "$@"
SCRIPT
chmod +x "$work/emulator"

cat >"$work/here.cmake" <<TOOLCHAIN
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $(uname -m))
set(CMAKE_CXX_COMPILER c++)
TOOLCHAIN
# Without an emulator the values are not compared, and the committed sources are.
run cmake -S "$work" -B "$work/alone" -G Ninja -D "CMAKE_TOOLCHAIN_FILE=$work/here.cmake"
run ninja -C "$work/alone"
run ctest --test-dir "$work/alone"
grep -q "classify_values (Disabled)" "$work/log" || { cat "$work/log"; fail "a test of another machine runs here"; }
grep -q "classify_fresh .* Passed" "$work/log" || { cat "$work/log"; fail "no test of the committed sources"; }
[ "$(head -n 1 "$work/committed/info.cpp")" = "// SPDX-License-Identifier: MIT OR Apache-2.0" ] || fail "no licence"

run cmake -S "$work" -B "$work/here" -G Ninja -D "CMAKE_TOOLCHAIN_FILE=$work/here.cmake" \
  -D "CMAKE_CROSSCOMPILING_EMULATOR=$work/emulator;-L with a blank"
run ninja -C "$work/here"
run ctest --test-dir "$work/here" --output-on-failure
grep -q "classify_values .* Passed" "$work/log" || { cat "$work/log"; fail "the values were not compared"; }
[ "$(cat "$work/emulated")" = "-L with a blank" ] || fail "the runner was not emulated"

if command -v aarch64-linux-gnu-g++ >/dev/null && command -v qemu-aarch64-static >/dev/null; then
  cat >"$work/aarch64.cmake" <<'TOOLCHAIN'
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64-static;-L;/usr/aarch64-linux-gnu")
TOOLCHAIN
  run cmake -S "$work" -B "$work/aarch64" -G Ninja -D "CMAKE_TOOLCHAIN_FILE=$work/aarch64.cmake"
  run ninja -C "$work/aarch64"
  run ctest --test-dir "$work/aarch64" --output-on-failure
  grep -q "classify_values .* Passed" "$work/log" || { cat "$work/log"; fail "the values were not compared on aarch64"; }
  echo "build_for_another: on aarch64 too"
fi
echo "build_for_another: right"
