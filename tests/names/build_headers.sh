#!/usr/bin/env bash
# Programs called like headers of the system, as their CMake projects, all in one: none hides a header from another.
#   build_headers.sh SINTER
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
sinter=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf 'cmake_minimum_required(VERSION 3.24)\nproject(all_names CXX)\nadd_executable(caller caller.cpp)\n' >"$work/CMakeLists.txt"
for name in string time limits stdio library run launcher; do
  sed "s/@/$name/g" "$here/one_kernel.hlo.in" >"$work/$name.hlo"
  "$sinter" compile "$work/$name.hlo" -o "$work/$name"
  {
    echo "set(${name^^}_CPU ON)"
    echo "add_subdirectory($name)"
    echo "target_link_libraries(caller PRIVATE $name)"
  } >>"$work/CMakeLists.txt"
  echo "#include \"$name/$name.h\"" >>"$work/caller.cpp"
done
printf '#include <cstdio>\n#include <cstring>\n#include <limits>\n#include <sched.h>\n#include <string>\n#include <time.h>\n' >>"$work/caller.cpp"
printf 'int main() { return std::string(string_last_error()).size() + strlen(stdio_last_error()); }\n' >>"$work/caller.cpp"
cmake -S "$work" -B "$work/build" -DCMAKE_BUILD_TYPE=Debug >/dev/null
cmake --build "$work/build" -j "$(nproc)" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$work/build/caller"
