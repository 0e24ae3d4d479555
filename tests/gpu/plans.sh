#!/usr/bin/env bash
# Whose plans another data file of the GPU that moves are made for changes: the samples and programs of bench/ whose schedule
# tree is another with FILE in place of templates/gpus/h200.json. sinter is built with it, and again as it was.
#   plans.sh FILE [BUILD]
set -euo pipefail
file=$(realpath "$1")
cd "$(dirname "$0")/../.."
build=${2:-build} kept=templates/gpus/h200.json
work=$(mktemp -d)
cp "$kept" "$work/h200.json"
restore() {
  cp "$work/h200.json" "$kept"
  ninja -C "$build" --quiet sinter
  rm -rf "$work"
}
trap restore EXIT

# trees FOLDER
trees() {
  mkdir "$work/$1"
  for program in samples/*/*.hlo bench/*/*.hlo; do
    name=${program//\//_}
    "$build/sinter" explain --tree "$program" >"$work/$1/${name%.hlo}" 2>/dev/null || true
  done
}
trees before
cp "$file" "$kept"
ninja -C "$build" --quiet sinter
trees after
count=$(ls "$work/before" | wc -l)
changed=$(diff -rq "$work/before" "$work/after" | awk '{ n = split($2, path, "/"); print path[n] }')
echo "$(wc -w <<<"$changed") of $count plans change"
printf '%s\n' $changed
