#!/usr/bin/env bash
# What the functions of the CMake package refuse when a project is configured, and what they say: the model, what is
# wrong, and what to do. Committed sources that are not fresh, or have edits.
#   refuse_arguments.sh SINTER SERVICE CMAKE_PACKAGE
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "refuse_arguments: $1"; exit 1; }
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
says() { tr -s ' \n' ' ' <"$work/log" | grep -qF -- "$1" || { cat "$work/log"; fail "it does not say: $1"; }; }
mkdir "$work/project"
cp "$2"/*.hlo "$work/project"
cp "$2/smooth.hlo" "$work/project/z.hlo"
sed 's/ add(/ adds(/' "$2/smooth.hlo" >"$work/project/wrong.hlo"
touch "$work/project/in.safetensors"

project() {  # LANGUAGES, and lines of the project
  cat >"$work/project/CMakeLists.txt" <<PROJECT
cmake_minimum_required(VERSION 3.24)
project(service LANGUAGES $1)
enable_testing()
add_executable(Sinter::sinter IMPORTED)
set_target_properties(Sinter::sinter PROPERTIES IMPORTED_LOCATION "$(realpath "$sinter")")
include("$package/SinterAddLibrary.cmake")
$2
PROJECT
}
sinter=$1
package=$3
refused() {  # SENTENCE LINES
  rm -rf "$work/refused"
  project "${languages:-NONE}" "$2"
  if cmake -S "$work/project" -B "$work/refused" -G Ninja >"$work/log" 2>&1; then fail "taken: $2"; fi
  says "$1"
}
refused 'sinter_add_library(smooth): not understood: DYNAMIC QUICK' 'sinter_add_library(smooth smooth.hlo DYNAMIC QUICK)'
refused "sinter_add_library(smooth): the model's file is missing" 'sinter_add_library(smooth)'
refused 'sinter_add_library(smooth): EMIT_DIR needs a value' 'sinter_add_library(smooth smooth.hlo EMIT_DIR)'
refused 'sinter_add_library(smooth): SHARED and OBJECT: a library is one of them' \
  'sinter_add_library(smooth smooth.hlo OBJECT SHARED)'
refused 'sinter_add_library(made): made.hlo does not exist. Sinter reads it when the project is configured' \
  'add_custom_command(OUTPUT made.hlo COMMAND touch made.hlo)
sinter_add_library(made made.hlo)'
refused 'sinter_add_library(smooth): two models or targets are called smooth' 'add_custom_target(smooth)
sinter_add_library(smooth smooth.hlo)'
refused 'sinter_add_library(smooth): WEIGHTS_FILE: no file of weights is written' \
  'sinter_add_library(smooth smooth.hlo WEIGHTS CALLER WEIGHTS_FILE file)'
# What Sinter itself says stays as it is, lines and columns.
refused "sinter_add_library(wrong): $work/project/wrong.hlo:" 'sinter_add_library(wrong wrong.hlo)'
grep -q '^ *^$' "$work/log" && says "unknown opcode 'adds'" || { cat "$work/log"; fail "where an opcode is unknown is not shown"; }
refused 'sinter_add_test(service): not a library of sinter_add_library' \
  'add_custom_target(service)
sinter_add_test(service INPUTS in.safetensors EXPECT in.safetensors)'
refused 'sinter_add_test(none): not a library of sinter_add_library' \
  'sinter_add_test(none INPUTS in.safetensors EXPECT in.safetensors)'
refused 'sinter_add_sbom(none): not a library of sinter_add_library' 'sinter_add_sbom(none sbom.json)'

languages=CXX
refused 'sinter_add_library(other): two models or targets are called z' 'sinter_add_library(z z.hlo)
sinter_add_library(other smooth.hlo NAME z)'
refused_test() {  # SENTENCE ARGUMENTS
  refused "sinter_add_test(z): $1" "sinter_add_library(z z.hlo)
sinter_add_test(z $2)"
}
refused_test 'not understood: RTOOL 1e-5' 'INPUTS in.safetensors EXPECT in.safetensors RTOOL 1e-5'
refused_test 'EXPECT: none.safetensors does not exist' 'INPUTS in.safetensors EXPECT none.safetensors'
refused_test 'EXPECT is missing' 'INPUTS in.safetensors'
refused_test 'ENTRY is for libraries of several programs' 'ENTRY one INPUTS in.safetensors EXPECT in.safetensors'
refused 'sinter_add_test(both): ENTRY says which program is run: one of z, smooth' 'sinter_add_library(both z.hlo smooth.hlo)
sinter_add_test(both ENTRY one INPUTS in.safetensors EXPECT in.safetensors)'

# Expected values may be made by the build. Plans of several programs are in the order of their texts.
project CXX 'add_custom_command(OUTPUT "${CMAKE_CURRENT_SOURCE_DIR}/made.safetensors" COMMAND touch made.safetensors)
sinter_add_library(committed z.hlo NAME z EMIT_DIR emitted)
sinter_add_test(committed INPUTS in.safetensors EXPECT made.safetensors)
sinter_add_library(both smooth.hlo classify.hlo EXPLAIN plans)
foreach(plan IN LISTS plans)
  file(RELATIVE_PATH plan "${CMAKE_CURRENT_BINARY_DIR}/sinter/both/emitted" "${plan}")
  file(APPEND "${CMAKE_CURRENT_BINARY_DIR}/plans" "${plan} ")
endforeach()'
run cmake -S "$work/project" -B "$work/build" -G Ninja
[ "$(cat "$work/build/plans")" = "both_smooth/fusion.json both_classify/fusion.json " ] || fail "plans: $(cat "$work/build/plans")"

run ctest --test-dir "$work/build" -R committed_fresh
sed -i 's/constant(0.25)/constant(0.125)/' "$work/project/z.hlo"
if ctest --test-dir "$work/build" -R committed_fresh -V >"$work/log" 2>&1; then fail "sources of another text are fresh"; fi
says "cmake --build $work/build --target committed_emit"
run cmake --build "$work/build" --target committed_emit
run ctest --test-dir "$work/build" -R committed_fresh
# Edits of what is committed are kept: the command that is named merges them.
git -C "$work/project" init -q
git -C "$work/project" add .
git -C "$work/project" -c user.name=service -c user.email=service@localhost commit -qm committed
echo '// edited' >>"$work/project/emitted/info.cpp"
sed -i 's/constant(0.125)/constant(0.0625)/' "$work/project/z.hlo"
if cmake --build "$work/build" --target committed_emit >"$work/log" 2>&1; then fail "an edit is lost"; fi
says 'sinter_add_library(committed): where edits by hand would be lost, this keeps them'
merge=$(grep -F ' merge ' "$work/log" | tail -n 1)
run $merge
grep -q '// edited' "$work/project/emitted/info.cpp" || fail "the command merges nothing"
