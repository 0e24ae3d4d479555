#!/usr/bin/env bash
# Two models in one program whose helpers differ, as those of different versions of Sinter do: another member in a class
# of the CPU runtime. They share no function of it, and run, whichever is linked first.
#   link_two_versions.sh SINTER SERVICE
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "link_two_versions: $1"; exit 1; }

for model in classify smooth; do
  "$1" compile "$2/$model.hlo" -o "$work/$model" --no-verify
done
# What the version after ours may look like.
version=$(grep -ohE 'sinter_[0-9a-f]{8}' "$work/smooth/cpu/sinter_cpu.h" | head -n 1)
grep -q '^struct Block {$' "$work/smooth/cpu/sinter_cpu.h" || fail "the CPU runtime has no struct Block"
grep -rl "$version" "$work/smooth" | xargs sed -i -e "s/$version/sinter_00000000/g" -e 's/^struct Block {$/&\n  char more[4096] = {};/'
for model in classify smooth; do
  sources=("$work/$model"/kernels/*.cu "$work/$model/$model.cu")
  [ ! -f "$work/$model/constants.cpp" ] || sources+=("$work/$model/constants.cpp")
  for source in "${sources[@]}"; do
    c++ -std=c++20 -O1 -DSINTER_CPU -ffp-contract=off -frounding-math -fwrapv -Wno-unknown-pragmas -I "$work/$model" -I "$work/$model/include" \
      -x c++ -c "$source" -o "$source.o"
  done
done
symbols() { find "$work/$1" -name '*.o' -exec nm -C --defined-only {} + | awk '$2 ~ /[WVu]/' | grep -E 'sinter|warp_reduce|launch' | cut -d' ' -f3- | sort -u; }
common=$(comm -12 <(symbols classify) <(symbols smooth))
[ -z "$common" ] || fail "the models share $common"
c++ -std=c++20 -I "$work/classify/include" -I "$work/smooth/include" -c "$2/service.cpp" -o "$work/service.o"
objects() { find "$work/$1" -name '*.o' | sort; }
for order in "classify smooth" "smooth classify"; do
  # shellcheck disable=SC2046,SC2086
  c++ "$work/service.o" $(for model in $order; do objects $model; done) -o "$work/service"
  "$work/service"
done
