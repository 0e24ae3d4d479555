#!/usr/bin/env bash
# Every name of names.txt as the name of the program, of its arrays, values and functions: what is emitted builds for the
# CPU and runs.
#   build_names.sh SINTER [EVERY]        EVERY: each so many-th name only
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
sinter=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mapfile -t names < <(sed 's/#.*//' "$here/names.txt" | tr -s ' ' '\n' | sed '/^$/d' | awk -v every="${2:-1}" '(NR - 1) % every == 0')
status=0
for program in "$here"/*.hlo.in; do
  list=$work/$(basename "$program" .hlo.in)
  mkdir "$list"
  for name in "${names[@]}"; do
    sed "s/@/$name/g" "$program" >"$list/$name.hlo"
    echo "$list/$name.hlo - -" >>"$list.list"
  done
  "$sinter" run --batch "$list.list" --random 1 >"$list.log" 2>&1 || { grep -v '^ok ' "$list.log"; status=1; }
  echo "$(basename "$program"): $(tail -n 1 "$list.log")"
done
exit $status
