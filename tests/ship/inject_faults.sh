#!/usr/bin/env bash
# What launchers make of everything that can go wrong (faults.cpp.in): models with one kernel; a loop of the host; several
# kernels, constants, weights and a condition that the host reads; counts of blocks; loops and branches that may be nodes of a
# graph, and one that may not; branches of a graph. Under AddressSanitizer, which finds leaks too;
# two threads under ThreadSanitizer.
#   inject_faults.sh SINTER SAMPLES
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
sinter=$1
samples=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() {  # MODEL PROGRAM SANITIZERS
  c++ -std=c++20 -O0 -DSINTER_CPU -ffp-contract=off -frounding-math -fwrapv -Wno-unknown-pragmas -fsanitize="$3" \
    -fno-sanitize-recover=all -I "$work/$1" -I "$work/$1/include" "$work/$1/all.cpp" -o "$work/$1/$2" -pthread
}
try() {  # MODEL HLO INPUTS [OPTION ...]
  local name=$1
  "$sinter" compile "$2" -o "$work/$name" --name "$name" --no-verify "${@:4}" >/dev/null
  # Those in the library are copied for an instance that is given none.
  local weights=0
  if [ -f "$work/$name/weights.cpp" ]; then weights=1; fi
  local forks=false
  if grep -q 'Branches<' "$work/$name/$name.cu"; then forks=true; fi
  type=$(grep -oE '[A-Za-z0-9]+Instance;$' "$work/$name/include/$name/$name.h" | head -n 1)
  sed "s/@name@/$name/g; s/@Name@/${type%Instance;}/g; s/@NAME@/${name^^}/g; s/@weights@/$weights/g; s/@forks@/$forks/g" "$here/faults.cpp.in" >"$work/$name/faults.cpp"
  (cd "$work/$name" && printf '#include "%s"\n' kernels/*.cu "$name.cu" info.cpp faults.cpp >all.cpp)
  for source in constants weights read_weights; do
    if [ -f "$work/$name/$source.cpp" ]; then echo "#include \"$source.cpp\"" >>"$work/$name/all.cpp"; fi
  done
  build "$name" faults address
  # With its own settings: sinter's may be those of a build with sanitizers, which know of no leaks, nor of new stacks.
  env -u ASAN_OPTIONS "$work/$name/faults" "$3" all
}
try ripple "$here/ripple.hlo" -
try twice "$here/twice.hlo" -
try advance "$here/advance.hlo" -
try layers "$here/layers.hlo" - --weights embed
for name in kmeans option_paths sort_argsort; do
  try "$name" "$samples/$name/$name.hlo" "$samples/$name/$name.inputs.safetensors"
done
try fibonacci "$here/../stages/grid/programs/fibonacci.hlo" - --without grid-loops
try arms "$here/../stages/graphs/programs/arms.hlo" -
try places "$here/../stages/graphs/programs/places.hlo" - --without grid-loops
for name in twice layers; do  # the latter with weights of its own
  build $name threads thread
  "$work/$name/threads" - threads
done
