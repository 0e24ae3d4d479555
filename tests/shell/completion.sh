#!/usr/bin/env bash
# The scripts of `sinter completion` are accepted by their shells, as far as these are installed, and complete commands,
# options and values; every option that a command's help lists is completed.
#   completion.sh SINTER
set -euo pipefail
sinter=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
wrong() { echo "completion: $1"; failures=$((failures + 1)); }

for shell in bash zsh fish; do
  "$sinter" completion "$shell" >"$work/$shell"
  if command -v "$shell" >/dev/null; then "$shell" -n "$work/$shell" || wrong "$shell does not take its script"; fi
done
# The function alone, as ~/.bashrc sources it.
source "$work/bash"
mkdir -p "$work/files/samples/softmax"
touch "$work/files/model.hlo" "$work/files/two words.hlo"
cd "$work/files"

# What bash offers where the cursor is at the end of the words.
offered() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _sinter
  printf '%s\n' "${COMPREPLY[@]}" | sort | paste -sd '|'
}

# expect OFFERED WORD...; '+' is an empty word.
expect() {
  local expected=$1 words=() got
  shift
  for word in "$@"; do words+=("${word#+}"); done
  got=$(offered "${words[@]}")
  [ "$got" = "$expected" ] || wrong "'$*' offers '$got', not '$expected'"
}
expect "compile|completion" sinter comp
expect "--help|--version" sinter --
expect "--elided|--entry" sinter compile --e
expect "--elided|--entry" sinter compile model.hlo -o out --e
expect "random|zeros" sinter compile --elided +
expect "zeros" sinter compile --elided = z
expect "random|zeros" sinter compile --elided =
expect "cpu|cuda" sinter run model.hlo --device c
expect "always|auto" sinter bench --color a
expect "absorb" sinter compile --without abso
expect "dissolve,absorb" sinter compile --without dissolve,abso
expect "h100|h200" sinter compile --gpu h
expect "simplify,simplify_conditional" sinter opt --passes simplify,simplify_c
expect "model.hlo|samples|two words.hlo" sinter compile +
expect "samples/softmax" sinter check samples/
expect "samples" sinter compile -o +
expect "two words.hlo" sinter compile --plan tw
expect "" sinter compile --name +
expect "domain-mismatch" sinter help domain-m
expect "zsh" sinter completion z

# The commands of a help text, or the options; CLI11 writes both at two spaces.
listed() { sed -n "s/^  \($1\).*/\1/p"; }
for command in $("$sinter" --help | sed '1,/^Options/d; /^Exit/,$d' | listed '[a-z][a-z-]*'); do
  expected=$("$sinter" "$command" --help | listed '-[^ ]*' | tr ',' '\n' | sort | paste -sd '|')
  got=$(offered sinter "$command" -)
  [ "$got" = "$expected" ] || wrong "$command offers '$got', its help lists '$expected'"
  commands=$((${commands:-0} + 1))
done
[ "${commands:-0}" -ge 15 ] || wrong "the help lists ${commands:-no} commands"

if command -v fish >/dev/null; then
  offered_by_fish() { HOME=$work fish -c "source $work/fish; complete -C '$1'" | cut -f 1 | paste -sd '|'; }
  expect_of_fish() {
    local got; got=$(offered_by_fish "$1")
    [ "$got" = "$2" ] || wrong "in fish, '$1' offers '$got', not '$2'"
  }
  expect_of_fish "sinter compl" "completion"
  expect_of_fish "sinter compile --elid" "--elided"
  expect_of_fish "sinter compile --elided " "random|zeros"
  expect_of_fish "sinter compile --without dissolve,abso" "dissolve,absorb"
fi
[ "$failures" = 0 ]
