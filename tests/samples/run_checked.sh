#!/usr/bin/env bash
# Every sample on the CPU, with threads in forward, reverse and shuffled order, under AddressSanitizer and UBSan, and,
# where kernels have barriers, under ThreadSanitizer. Prints one line a sample.
#   run_checked.sh SAMPLES SINTER
set -euo pipefail
samples=$(realpath "$1") sinter=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work
export ASAN_OPTIONS=detect_leaks=0

# A number of the sample in the manifest: its line after the sample's name.
tolerance() { sed -n "/^ \"$1\": {/,/^ }/s/.*\"$2\": \([^,]*\).*/\1/p" "$samples/manifest.json"; }

# check NAME ORDER FLAGS...
check() {
  local name=$1 order=$2
  shift 2
  SINTER_CPU_ORDER=$order CXXFLAGS="$*" "$sinter" run "$samples/$name/$name.hlo" \
    --inputs "$samples/$name/$name.inputs.safetensors" --expect "$samples/$name/$name.expected.safetensors" \
    --rtol "$(tolerance "$name" rtol)" --atol "$(tolerance "$name" atol)" >"$work/log" 2>&1 && return
  echo "$name, order $order, flags '$*':"
  cat "$work/log"
  return 1
}

failed=0
for folder in "$samples"/*/; do
  name=$(basename "$folder")
  for order in forward reverse 7; do check "$name" $order || failed=1; done
  for order in forward reverse; do
    check "$name" $order -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined || failed=1
  done
  threads=""
  if grep -q '__sync' -r "$folder/out/kernels" "$folder/out/device" 2>/dev/null; then
    for order in forward reverse 7; do check "$name" $order -g1 -fsanitize=thread || failed=1; done
    threads=", ThreadSanitizer"
  fi
  echo "$name: three orders, AddressSanitizer, UBSan$threads"
done
exit $failed
