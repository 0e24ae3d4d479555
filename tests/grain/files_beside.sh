#!/usr/bin/env bash
# Files that a program names: weights from .npy and safetensors, imports; and both as git has them in sinter diff REV:FILE.
#   files_beside.sh SINTER
set -euo pipefail
sinter=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com

fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}
says() { [[ "$1" == *"$2"* ]] || fail "no \"$2\" in: $1"; }
# Arrays, as a file of tensors.
write() {
  printf 'entry made() -> (%s) {\n  %s\n}\n' "$2" "$3" | "$sinter" eval --grain - -o "$1"
}

mkdir models
write models/scale.npy 'a: f32[3]' 'a = [1.0, 2.0, 3.0]'
write models/both.safetensors 'a, b: f32[3]' 'a = [1.0, 2.0, 3.0]
  b[i] = -a[i]'
write in.safetensors 'x: f32[3]' 'x: f32[3] = 1'
cat >models/lib.grain <<'GRAIN'
const gain = 2.0

fn boost(x: f32) -> f32 = gain * x
GRAIN
cat >models/scaled.grain <<'GRAIN'
import boost from "lib.grain"

weights scale: f32[3] from "scale.npy"

entry scaled(x: f32[3]) -> (y: f32[3]) {
  y = boost(x) * scale
}
GRAIN
write expected.safetensors 'y: f32[3]' 'y = [2.0, 4.0, 6.0]'
says "$("$sinter" eval models/scaled.grain --inputs in.safetensors --expect expected.safetensors)" "ok, equal"

# What a .npy file cannot be.
refuses() {
  local out
  if out=$("$sinter" opt --grain - -o /dev/null 2>&1); then fail "no error: $1"; fi
  says "$out" "$1"
}
refuses 'models/scale.npy: its tensor is F32[3], and scale is f64[3]' <<'GRAIN'
weights scale: f64[3] from "models/scale.npy"
entry f(x: f64[3]) -> (y: f64[3]) { y = scale * x }
GRAIN
refuses 'models/scale.npy: a .npy file holds one tensor, not 2' <<'GRAIN'
record Two { a, b: f32[3] }
weights both: Two from "models/scale.npy"
entry f(x: f32[3]) -> (y: f32[3]) { y = both.a * x + both.b }
GRAIN

# Imports that are not there, and circles of them.
refuses "models/lib.grain has no function, record or constant 'bost'
import bost from \"models/lib.grain\"
       ^
note: did you mean 'boost'?" <<'GRAIN'
import bost from "models/lib.grain"
entry f(x: f32) -> (y: f32) { y = bost(x) }
GRAIN
cat >models/self.grain <<'GRAIN'
import other from "self.grain"
fn other(x: f32) -> f32 = x
GRAIN
refuses 'self.grain imports itself' <<'GRAIN'
import other from "models/self.grain"
entry f(x: f32) -> (y: f32) { y = other(x) }
GRAIN
cat >models/one.grain <<'GRAIN'
import two from "two.grain"
fn one(x: f32) -> f32 = two(x)
GRAIN
cat >models/two.grain <<'GRAIN'
import one from "one.grain"
fn two(x: f32) -> f32 = one(x)
GRAIN
refuses 'one.grain is imported in a circle' <<'GRAIN'
import one from "models/one.grain"
entry f(x: f32) -> (y: f32) { y = one(x) }
GRAIN

# A revision is compiled from the files that it had.
git init -q .
git add . && git commit -qm "a program and its files"
says "$("$sinter" diff HEAD:models/scaled.grain models/scaled.grain)" "scaled: identical"
sed -i 's/2\.0/3.0/' models/lib.grain
says "$("$sinter" diff HEAD:models/scaled.grain models/scaled.grain)" "2.0f -> 3.0f"
says "$(cd models && "$sinter" diff HEAD:scaled.grain scaled.grain)" "2.0f -> 3.0f"
git commit -qam "another constant"
write models/scale.npy 'a: f32[3]' 'a = [1.0, 2.0, 4.0]'
says "$("$sinter" diff HEAD:models/scaled.grain models/scaled.grain)" "+ scale = f32[3] constant"
git mv models/lib.grain models/moved.grain
sed -i 's/lib\.grain/moved.grain/' models/scaled.grain
git commit -qam "a file is called otherwise"
says "$("$sinter" diff HEAD~2:models/scaled.grain models/scaled.grain)" "2.0f -> 3.0f"
sed -i 's/moved\.grain/gone.grain/' models/scaled.grain
git commit -qam "a file that is not there"
if out=$("$sinter" diff HEAD:models/scaled.grain HEAD~1:models/scaled.grain 2>&1); then fail "gone.grain was read"; fi
says "$out" "git has no HEAD:models/gone.grain"
says "$out" "so it is in HEAD"
echo "files beside: as expected"
