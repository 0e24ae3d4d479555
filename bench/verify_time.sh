#!/usr/bin/env bash
# What verification of emitted code costs: milliseconds a .cu file, on one core, the best of three compiles.
#   verify_time.sh SINTER FILE.hlo...
set -eu
sinter=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for program in "$@"; do
  best=""
  for _ in 1 2 3; do
    taskset -c 0 "$sinter" compile "$program" -o "$work/out" --force --time 2> "$work/times"
    took=$(awk '/verify emitted code/ { print $1 }' "$work/times")
    best=$(awk -v a="$took" -v b="${best:-$took}" 'BEGIN { print a < b ? a : b }')
  done
  files=$(find "$work/out" -name '*.cu' | wc -l)
  printf '%s\t%d\t%s\n' "$(basename "$program" .hlo)" "$files" "$best"
  rm -rf "$work/out"
done | awk -F '\t' '
  { printf "%-28s %4d files %8.1f ms  %6.1f ms a file\n", $1, $2, $3, $3 / $2; files += $2; all += $3 }
  END { printf "%-28s %4d files %8.1f ms  %6.1f ms a file\n", "all", files, all, all / files }'
