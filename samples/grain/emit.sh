#!/usr/bin/env bash
# Writes out/ anew: what Sinter emits for each program of samples.txt.
#   emit.sh SINTER [PROGRAM...]
set -euo pipefail
sinter=$(realpath "$1")
shift
cd "$(dirname "${BASH_SOURCE[0]}")"
grep -v '^#' samples.txt | while read -r name _ _ _ options; do
  if [ $# != 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
  rm -rf "out/$name"
  read -ra words <<<"$options"
  "$sinter" compile "$name.grain" -o "out/$name" "${words[@]}"
done
