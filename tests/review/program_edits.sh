#!/usr/bin/env bash
# Edits of a program's text: what `sinter diff` says of it as a whole, and what --fail-on makes of that. $1: sinter
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
sinter=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

says() { [[ "$(cat said)" == *"$1"* ]] || fail "no \"$1\" in: $(cat said)"; }
says_not() { [[ "$(cat said)" != *"$1"* ]] || fail "\"$1\" in: $(cat said)"; }
# compared STATUS BEFORE AFTER OPTION...
compared() {
  local expected=$1 status=0
  shift
  "$sinter" diff "$@" >said 2>&1 || status=$?
  [ $status = "$expected" ] || fail "diff $* exits with $status: $(cat said)"
}

# net NAME LAYERS HIDDEN: as many products, each with tanh behind it.
net() {
  printf 'HloModule jit_%s\n\nENTRY main {\n  x0 = f32[64,%s] parameter(0)\n' "$1" "$3"
  for ((i = 1; i <= $2; ++i)); do
    printf '  w%s = f32[%s,%s] parameter(%s)\n' "$i" "$3" "$3" "$i"
    printf '  d%s = f32[64,%s] dot(x%s, w%s), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n' "$i" "$3" $((i - 1)) "$i"
    printf '  x%s = f32[64,%s] tanh(d%s)\n' "$i" "$3" "$i"
  done
  printf '  w = f32[%s,10] parameter(%s)\n' "$3" "$i"
  printf '  ROOT y = f32[64,10] dot(x%s, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n' "$2"
}
net net 2 96 >two.hlo
net net 3 96 >three.hlo
net net 2 128 >wide.hlo
net other 2 96 >other.hlo

# A layer that comes or goes is another computation, whatever becomes of the kernels.
for sides in "two.hlo three.hlo" "three.hlo two.hlo"; do
  compared 1 $sides --fail-on computation
  compared 0 $sides --json
  says '"program_verdict": "computation"'
  says_not "1 files"
done
compared 0 two.hlo two.hlo --fail-on "computation, interface, slower=5, added"
compared 2 two.hlo two.hlo --fail-on "computation; interface"

# What an added kernel computes is said of that kernel.
sorts() {
  cat <<HLO
HloModule sorts

less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = pred[] compare(a, b), direction=LT
}

ENTRY main {
  x = f32[64,97] parameter(0)
  turned = f32[64,97] negate(x)
  $1
}
HLO
}
sorts 'ROOT y = (f32[64,97]) tuple(turned)' >unsorted.hlo
sorts 'sorted = f32[64,97] sort(x), dimensions={1}, to_apply=less
  ROOT y = (f32[64,97], f32[64,97]) tuple(turned, sorted)' >sorted.hlo
for sides in "unsorted.hlo sorted.hlo" "sorted.hlo unsorted.hlo"; do
  compared 1 $sides --fail-on computation
  [ "$(grep -c "sort(x)" said)" = 1 ] || fail "not once: $(cat said)"
  grep -q "^      [-+] sorted = " said || fail "not of the kernel: $(cat said)"
done

# Another name: neither header nor functions are what callers know, and the launcher does what it did.
compared 1 two.hlo other.hlo --fail-on interface
says "interface BREAK"
says "program net -> other"
says_not "other.cu  schedule"
compared 0 two.hlo other.hlo --json
says '"interface_breaks": true'

# Whatever it is called: names are no part of the order in which launchers are compared.
for name in a time warmth net_2 the_longest; do
  sed "s/jit_net/jit_$name/" two.hlo >named.hlo
  compared 0 two.hlo named.hlo --json
  says '"interface_breaks": true'
  python3 - <<'PYTHON' || fail "jit_$name: its launcher is not text: $(cat said)"
import json
files = json.load(open("said"))["files"]
assert [file["verdict"] for file in files if file["path"].endswith(".cu")] == ["text"]
PYTHON
done

# Another hidden size: numbers that follow from it are numbers, where the result has the shape that it had, too.
compared 0 two.hlo wide.hlo --json
says_not '"verdict": "schedule"'
if grep -qE '[0-9]\.[0-9]{10}' said; then fail "a number of too many digits: $(cat said)"; fi

# What a reduction applies is another, under the name that it had.
best() {
  cat <<HLO
HloModule best

region_0 {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  first = pred[] compare(a, b), direction=$1
  value = f32[] select(first, a, b)
  place = s32[] select(first, i, j)
  ROOT both = (f32[], s32[]) tuple(value, place)
}

ENTRY main {
  x = f32[64,97] parameter(0)
  i = s32[64,97] iota(), iota_dimension=1
  worst = f32[] constant(0)
  zero = s32[] constant(0)
  both = (f32[64], s32[64]) reduce(x, i, worst, zero), dimensions={1}, to_apply=region_0
  ROOT place = s32[64] get-tuple-element(both), index=1
}
HLO
}
best LT >least.hlo
best GT >most.hlo
compared 1 least.hlo most.hlo --fail-on computation
says "direction=LT"
says "direction=GT"
echo "program edits: as expected"
