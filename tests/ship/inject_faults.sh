#!/usr/bin/env bash
# What launchers make of everything that can go wrong (faults.cpp.in): models with one kernel, several, constants, a loop
# of the host, a loop whose condition it reads, and counts of blocks; under AddressSanitizer, which finds leaks too. Two
# threads under ThreadSanitizer.
#   inject_faults.sh SINTER SAMPLES
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() {  # MODEL PROGRAM SANITIZERS
  c++ -std=c++20 -O0 -DSINTER_CPU -ffp-contract=off -frounding-math -fwrapv -Wno-unknown-pragmas -fsanitize="$3" \
    -fno-sanitize-recover=all -I "$work/$1" -I "$work/$1/include" "$work/$1/all.cpp" -o "$work/$1/$2" -pthread
}
for model in softmax service/classify boids kmeans option_paths; do
  name=${model##*/}
  folder=$2/${model%/*}
  "$1" compile "$folder/$name.hlo" -o "$work/$name" --no-verify >/dev/null
  type=$(grep -oE '[A-Za-z0-9]+Instance;$' "$work/$name/include/$name/$name.h" | head -n 1)
  sed "s/@name@/$name/g; s/@Name@/${type%Instance;}/g; s/@NAME@/${name^^}/g" "$here/faults.cpp.in" >"$work/$name/faults.cpp"
  (cd "$work/$name" && printf '#include "%s"\n' kernels/*.cu "$name.cu" info.cpp faults.cpp >all.cpp)
  if [ -f "$work/$name/weights.cpp" ]; then echo '#include "weights.cpp"' >>"$work/$name/all.cpp"; fi
  build "$name" faults address,undefined
  "$work/$name/faults" "$folder/$name.inputs.safetensors" all
done
build classify threads thread
"$work/classify/threads" "$2/service/classify.inputs.safetensors" threads
