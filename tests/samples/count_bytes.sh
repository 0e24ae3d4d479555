#!/usr/bin/env bash
# Launches, grid barriers and bytes that samples' emitted code counts on the CPU, beside what `sinter explain` says.
# Prints one line a sample; fails where they differ. The samples of `reads_less` may read less than explained, which is an
# upper bound where a guard (a pad, a branch) or an index that is data decides what is read. Of loops that data end one
# step is explained: counts are only printed.
#   count_bytes.sh SAMPLES SINTER
set -euo pipefail
samples=$(realpath "$1") sinter=$(realpath "$2") here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
reads_less="cartpole_concat cartpole_policy cartpole_rng cartpole_soa cartpole_unroll10 embedding_lookup fft_convolution gpt2_block
  llama_decode lstm ppo_update recurrence resnet18 token_sampling"
cxx=${CXX:-g++}
flags=(-std=c++20 -O1 -DSINTER_CPU -ffp-contract=off -frounding-math -fwrapv -w)

# explained FILE NAME
explained() { sed -n "s/^ \"$2\": \([0-9]*\),*$/\1/p" "$1"; }

failed=0
for folder in "$samples"/*/; do
  name=$(basename "$folder") out=$work/$(basename "$folder")
  [ -f "$folder/$name.hlo" ] || continue  # no sample of HLO text
  "$sinter" compile "$folder/$name.hlo" -o "$out"
  cd "$out"
  find . -name '*.cu' -o -name '*.cpp' | xargs -P "$(nproc)" -I '{}' \
    "$cxx" "${flags[@]}" -I. -Iinclude -fsanitize=thread -U__SANITIZE_THREAD__ -x c++ -c '{}' -o '{}.o'
  find . -name '*.o' -exec "$cxx" "${flags[@]}" -I. -Iinclude -o counted "$here/count_accesses.cpp" '{}' +
  ./counted "$folder/$name.inputs.safetensors" --print-launches >counts
  problem="" note=""
  if grep -q '"trip": null' fusion.json; then
    echo "$name: $(paste -sd' ' counts) (data end a loop)"
    cd "$here"
    continue
  fi
  while read -r quantity counted; do
    expected=$(explained fusion.json "$quantity")
    if [ -z "$expected" ] || [ "$counted" = "$expected" ]; then continue; fi
    if [ "$quantity" = bytes_read ] && [ "$counted" -lt "$expected" ] && grep -qw "$name" <<<"$reads_less"; then
      note=" (at most $expected)"
    else
      problem+="; WRONG: $quantity explained as $expected"
    fi
  done <counts
  echo "$name: $(paste -sd' ' counts)$note$problem"
  [ -z "$problem" ] || failed=1
  cd "$here"
done
exit $failed
