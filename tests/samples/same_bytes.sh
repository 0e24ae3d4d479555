#!/usr/bin/env bash
# Two builds of sinter, each started in a folder of its own, write the same bytes, or the same errors, for every module
# in the folders.
#   same_bytes.sh SINTER OTHER_SINTER FOLDER...
set -euo pipefail
first=$(realpath "$1") second=$(realpath "$2")
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/first" "$work/second"
count=0
while read -r file; do
  name=${file//\//_}
  (cd "$work/first" && "$first" compile "$file" -o "$name" >"$name.errors" 2>&1) || true
  (cd "$work/second" && "$second" compile "$file" -o "$name" >"$name.errors" 2>&1) || true
  count=$((count + 1))
done < <(realpath "$@" | xargs -I{} find {} -name '*.hlo' | sort)
diff -r "$work/first" "$work/second"
echo "$count modules: the same bytes"
