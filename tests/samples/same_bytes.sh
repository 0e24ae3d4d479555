#!/usr/bin/env bash
# Two builds of sinter, each started in a folder of its own, write the same bytes for every sample.
#   same_bytes.sh SAMPLES SINTER OTHER_SINTER
set -euo pipefail
samples=$(realpath "$1") first=$(realpath "$2") second=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/first" "$work/second"
count=0
for file in "$samples"/*/*.hlo; do
  name=$(basename "$file" .hlo)
  (cd "$work/first" && "$first" compile "$file" -o "$name")
  (cd "$work/second" && "$second" compile "$file" -o "$name")
  count=$((count + 1))
done
diff -r "$work/first" "$work/second"
echo "$count samples: the same bytes"
