#!/usr/bin/env bash
# What `sinter new` writes builds from an installed Sinter, passes its tests, and notices another program.
#   build_new.sh BUILD_FOLDER_OF_SINTER
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "build_new: $1"; exit 1; }
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }

cmake --install "$1" --prefix "$work/sinter" >/dev/null
sinter=$work/sinter/bin/sinter
run "$sinter" new "$work/blur"
run "$sinter" fmt --check "$work/blur/blur.grain"
if "$sinter" new "$work/blur" 2>"$work/log"; then fail "a project is written over another"; fi
grep -q "not empty" "$work/log" || fail "$(cat "$work/log")"
run cmake -S "$work/blur" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/sinter" -DCMAKE_CXX_FLAGS=-O1
run cmake --build "$work/build"
run ctest --test-dir "$work/build" --output-on-failure
grep -q "2 tests passed\|100% tests passed.*out of 2" "$work/log" || { cat "$work/log"; fail "there are two tests"; }
sed -i 's|/ 3|/ 4|' "$work/blur/blur.grain"
run cmake --build "$work/build"
if ctest --test-dir "$work/build" >"$work/log" 2>&1; then fail "another program passes the tests"; fi
grep -q "0% tests passed" "$work/log" || { cat "$work/log"; fail "a test does not notice another program"; }
