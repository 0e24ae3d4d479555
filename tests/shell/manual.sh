#!/usr/bin/env bash
# `sinter man` is a page that man takes without a warning, and that has every option of every command.
#   manual.sh SINTER
set -euo pipefail
sinter=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "manual: $1"; exit 1; }

"$sinter" man >"$work/sinter.1"
if command -v groff >/dev/null; then
  groff -ww -man -Tascii -P-cbu "$work/sinter.1" >"$work/text" 2>"$work/warnings" || fail "groff does not take the page"
  [ ! -s "$work/warnings" ] || fail "$(head -n 5 "$work/warnings")"
  LC_ALL=C.UTF-8 grep -q "sinter compile FILE" "$work/text" || fail "the page says nothing of compile"
fi
# Without its escapes.
sed 's/\\f[BIR]//g; s/\\-/-/g' "$work/sinter.1" >"$work/plain"
for command in $("$sinter" --help | sed '1,/^Options/d; /^Exit/,$d' | sed -n 's/^  \([a-z][a-z-]*\).*/\1/p'); do
  sed -n "/^\.SS \"sinter $command[ \"]/,/^\.S[SH]/p" "$work/plain" >"$work/section"
  [ -s "$work/section" ] || fail "it has no section of $command"
  for option in $("$sinter" "$command" --help | sed -n 's/^  \(-[^ ]*\).*/\1/p' | sed 's/^-.,//; s/,.*//'); do
    grep -q -e "$option" "$work/section" || fail "it does not say that $command has $option"
    grep -A1 '^\.TP' "$work/plain" | grep -q -e "$option" || fail "it does not say what $option is"
  done
done
# What is asked of the environment is documented.
for variable in CXX CXXFLAGS CUDACXX XDG_CACHE_HOME NO_COLOR; do
  grep -q "^$variable\$" "$work/plain" || fail "it does not say what $variable is for"
done
