#!/usr/bin/env bash
# Every sample on the CPU, with threads in forward, reverse and shuffled order, under AddressSanitizer and UBSan, and,
# where kernels have barriers, under ThreadSanitizer. Prints one line a sample; as many at a time as there are cores.
#   run_checked.sh SAMPLES SINTER [NAME...]
set -euo pipefail
samples=$(realpath "$1") sinter=$(realpath "$2")
shift 2
if [ $# != 1 ]; then
  [ $# != 0 ] || set -- $(cd "$samples" && for name in */; do [ ! -f "$name${name%/}.hlo" ] || echo "${name%/}"; done)
  printf '%s\n' "$@" | xargs -P "$(nproc)" -I '{}' "$0" "$samples" "$sinter" '{}'
  exit
fi

name=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work
export ASAN_OPTIONS=detect_leaks=0

# A number of the sample in the manifest: its line after the sample's name.
tolerance() { sed -n "/^ \"$name\": {/,/^ }/s/.*\"$1\": \([^,]*\).*/\1/p" "$samples/manifest.json"; }

# check ORDER FLAGS...
check() {
  local order=$1
  shift
  SINTER_CPU_ORDER=$order CXXFLAGS="$*" "$sinter" run "$samples/$name/$name.hlo" \
    --inputs "$samples/$name/$name.inputs.safetensors" --expect "$samples/$name/$name.expected.safetensors" \
    --rtol "$(tolerance rtol)" --atol "$(tolerance atol)" >"$work/log" 2>&1 && return
  echo "$name, order $order, flags '$*':"
  cat "$work/log"
  return 1
}

failed=0
for order in forward reverse 7; do
  check $order -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined || failed=1
done
threads=""
"$sinter" compile "$samples/$name/$name.hlo" -o "$work/out" >/dev/null
if grep -q '__sync' -r "$work/out/kernels" "$work/out/device" 2>/dev/null; then
  for order in forward reverse 7; do check $order -g1 -fsanitize=thread || failed=1; done
  threads=", ThreadSanitizer"
fi
[ $failed = 1 ] || echo "$name: three orders, AddressSanitizer, UBSan$threads"
exit $failed
