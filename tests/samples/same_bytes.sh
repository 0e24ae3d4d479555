#!/usr/bin/env bash
# Two builds of sinter, each started in a folder of its own, write the same bytes, or the same errors, for every module
# of HLO text and every entry of a Grain file in the folders. Of a text test, what is before the expected text counts.
#   same_bytes.sh SINTER OTHER_SINTER FOLDER...
set -euo pipefail
first=$(realpath "$1") second=$(realpath "$2")
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/first" "$work/second"
export first second work

# compile_twice FILE [ENTRY]
compile_twice() {
  local build name=${1//\//_}${2:+.$2}
  for build in first second; do
    (cd "$work/$build" && "${!build}" compile "$work/inputs$1" ${2:+--entry "$2"} -o "$name" >"$name.errors" 2>&1) || true
  done
}
export -f compile_twice

# Writes what is to be compiled, and prints a line a compilation: FILE [ENTRY]. A Grain file without entries is refused,
# in the same words.
compilations() {
  local file entries entry
  realpath "$@" | xargs -I{} find {} -name '*.hlo' -o -name '*.grain' | sort | while read -r file; do
    mkdir -p "$work/inputs${file%/*}"
    sed '/^\/\/ ==== /Q' "$file" >"$work/inputs$file"
    entries=""
    [ "${file##*.}" != grain ] || entries=$(sed -n 's/^entry *\([A-Za-z_0-9]*\).*/\1/p' "$file")
    for entry in ${entries:-""}; do echo "$file${entry:+ $entry}"; done
  done
}

compilations "$@" >"$work/compilations"
xargs -P "$(nproc)" -L 1 bash -c 'compile_twice "$@"' compile_twice <"$work/compilations"
diff -r "$work/first" "$work/second"
echo "$(wc -l <"$work/compilations") compilations, $(ls -d "$work"/first/*/ | wc -l) of them accepted: the same bytes"
