#!/usr/bin/env bash
# samples/service, built from an installed Sinter: its tests pass, a second build does nothing, and a change of a model
# builds only what it concerns again.
#   build_service.sh BUILD_FOLDER_OF_SINTER SERVICE
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "build_service: $1"; exit 1; }

cmake --install "$1" --prefix "$work/sinter" >/dev/null
[ "$(PKG_CONFIG_PATH=$work/sinter/share/pkgconfig pkg-config --modversion sinter 2>/dev/null || echo 0.1.0)" = 0.1.0 ] ||
  fail "the pkg-config file is of another version"
for written in man/man1/sinter.1 bash-completion/completions/sinter zsh/site-functions/_sinter \
  fish/vendor_completions.d/sinter.fish; do
  [ -s "$work/sinter/share/$written" ] || fail "$written is not installed"
done
cp -r "$2" "$work/service"
cmake -S "$work/service" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/sinter" -DCMAKE_CXX_FLAGS=-O1 >"$work/log" 2>&1 ||
  { cat "$work/log"; exit 1; }
build() { cmake --build "$work/build" -- -v >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
# The sources that the last build compiled, and how often it ran Sinter.
compiled() { { grep -oE -- '-c [^ ]+' "$work/log" || true; } | sed 's|.*/||' | sort | tr '\n' ' '; }

build
ctest --test-dir "$work/build" --output-on-failure >"$work/ctest" || { cat "$work/ctest"; exit 1; }
build
grep -q 'no work to do' "$work/log" || { cat "$work/log"; fail "a second build does something"; }
touch "$work/service/smooth.hlo"
build
[ "$(compiled)" = "" ] || fail "a touched text builds $(compiled)again"
sed -i 's/quarter = f32\[\] constant(0.25)/quarter = f32[] constant(0.125)/' "$work/service/smooth.hlo"
build
[ "$(compiled)" = "info.cpp smooth.cu " ] || fail "another constant builds $(compiled)again, not smooth.cu and info.cpp"
grep -q Re-running "$work/log" && fail "another constant configures the build again"
sed -i '0,/^    { [-0-9.]*,/s//    { 1.5,/' "$work/service/classify.hlo"
build
[ "$(compiled)" = "constants.cpp info.cpp " ] || fail "another weight builds $(compiled)again, not constants.cpp and info.cpp"
ctest --test-dir "$work/build" -R classify_values >"$work/ctest" 2>&1 && fail "another weight is not noticed by the values"
build
grep -q 'no work to do' "$work/log" || fail "a build after changes does something"

# By other compilers, whose C++ is older or newer, in a unity build with interprocedural optimisation, as shared libraries.
cp -r "$2" "$work/shared"
sed -i 's/^\(sinter_add_library(.*\))$/\1 SHARED)/' "$work/shared/CMakeLists.txt"
for compiler in clang++-14 clang++-19; do
  command -v $compiler >/dev/null || continue
  cmake -S "$work/shared" -B "$work/$compiler" -G Ninja -DCMAKE_PREFIX_PATH="$work/sinter" -DCMAKE_CXX_FLAGS=-O1 \
    -DCMAKE_CXX_COMPILER=$compiler -DCMAKE_UNITY_BUILD=ON -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON >"$work/log" 2>&1 &&
    cmake --build "$work/$compiler" >"$work/log" 2>&1 &&
    ctest --test-dir "$work/$compiler" --output-on-failure >"$work/log" 2>&1 || { cat "$work/log"; fail "$compiler"; }
done
