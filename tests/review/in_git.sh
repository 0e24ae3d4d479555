#!/usr/bin/env bash
# Emitted folders in a git repository: the diff driver, REV:PATH, the merge that finds what was emitted there, and the
# hook and the CI recipes as docs/review.md has them.
#   in_git.sh SINTER REVIEW.MD GRAIN_SAMPLES
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
sinter=$1
documents=$2
grain=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com

says() { [[ "$1" == *"$2"* ]] || fail "no \"$2\" in: $1"; }
program() {
  cat <<HLO
HloModule jit_$1, entry_computation_layout={(f32[64]{0})->f32[64]{0}}

ENTRY %main (x: f32[64]) -> f32[64] {
  %x = f32[64]{0} parameter(0)
  %bias = f32[] constant($2)
  %all = f32[64]{0} broadcast(%bias), dimensions={}
  %sum = f32[64]{0} add(%x, %all)
  ROOT %y = f32[64]{0} $3(%sum)
}
HLO
}
git init -q .
for model in one two three; do
  program $model 0.5 negate >$model.hlo
  "$sinter" compile $model.hlo -o emitted/$model
done
git add . && git commit -qm "three models"

# What docs/review.md says to call once.
git config diff.sinter.command "$sinter git-diff"
program one 0.25 negate >one.hlo
"$sinter" compile one.hlo -o emitted/one
diff=$(git diff)
says "$diff" "emitted/one/kernels/one.cu: constants  0.5f -> 0.25f"
says "$diff" "Binary files a/emitted/one/manifest.json and b/emitted/one/manifest.json differ"
[[ "$diff" != *emitted/two* ]] || fail "two has not changed"
says "$("$sinter" diff HEAD:emitted/one emitted/one)" "one: constants"
git config diff.hlo.textconv "$sinter opt --passes=none --no-metadata"
echo '*.hlo diff=hlo' >.gitattributes
says "$(git diff)" "+  %bias = f32[] constant(0.25)"
rm .gitattributes
git commit -qam "another constant"

# Renamed, removed and broken files are no trouble for git.
sed -i 's/float y/flout y/; s/-(/(/; s/__global__/__globe__/' emitted/two/kernels/two.cu
git rm -q --cached emitted/three/kernels/three.cu
diff=$(git diff HEAD)
says "$diff" "emitted/two/kernels/two.cu: unknown"
says "$diff" "emitted/three/kernels/three.cu"
git reset -q --hard

# A common edit: the function, and with it the helper that the kernel had then.
relu() {
  cat <<HLO
HloModule jit_act

ENTRY %main (x: f32[64]) -> f32[64] {
  %x = f32[64]{0} parameter(0)
  %zero = f32[] constant(0)
  %zeros = f32[64]{0} broadcast(%zero), dimensions={}
  ROOT %y = f32[64]{0} $1
}
HLO
}
relu 'maximum(%x, %zeros)' >act.hlo
"$sinter" compile act.hlo -o emitted/act
ls emitted/act/device | grep -q maximum || fail "no helper"
git add . && git commit -qm relu
relu 'tanh(%x)' >act.hlo
"$sinter" compile act.hlo -o emitted/act
if ls emitted/act/device | grep -q maximum; then fail "the helper is there still"; fi
expect_act() {
  says "$1" "emitted/act/kernels/act.cu: computation"
  says "$1" "  - "
  says "$1" "  + y = f32[64] tanh(x)"
  says "$1" "more by: $2"
}
expect_act "$(git diff)" "sinter diff HEAD:emitted/act emitted/act"
expect_act "$(git diff HEAD)" "sinter diff HEAD:emitted/act emitted/act"
expect_act "$(env -C emitted git diff)" "sinter diff HEAD:act act"
expect_act "$(env -C emitted/act/kernels git diff)" "sinter diff HEAD:.. .."
says "$(env -C emitted "$sinter" diff HEAD:act act)" "act  computation"
says "$(env -C emitted/act "$sinter" diff HEAD:. .)" "act  computation"
git add .
says "$(git diff --cached)" "emitted/act/kernels/act.cu: computation"
sed -i 's/tanhf/sinf/' emitted/act/kernels/act.cu
says "$(git diff)" "emitted/act/kernels/act.cu: hand-edited"
git checkout -q -- emitted/act
git commit -qm tanh
git commit -q --allow-empty -m nothing
revision=$(git rev-parse --short HEAD~2)
expect_act "$(git diff HEAD~2 HEAD~1)" "sinter diff "
says "$(git show --ext-diff HEAD~1)" "emitted/act/kernels/act.cu: computation"
command=$(git diff HEAD~2 HEAD~1 | sed -n 's/.*more by: sinter //p')
says "$("$sinter" $command)" "act  computation"
says "$(git diff HEAD~1 HEAD~2)" "  - y = f32[64] tanh(x)"

# Another name, another mode, and a reader who has enough.
git mv emitted/act/kernels/act.cu emitted/act/kernels/acts.cu
says "$(git diff -M HEAD)" "emitted/act/kernels/act.cu => emitted/act/kernels/acts.cu: "
git reset -q --hard
chmod +x emitted/act/kernels/act.cu
says "$(git diff HEAD)" "emitted/act/kernels/act.cu: identical  mode 100644 -> 100755"
git reset -q --hard
for model in one two three; do sed -i 's/64/32/' emitted/$model/kernels/$model.cu; done
git diff 2>errors | head -1 >/dev/null || true
[ ! -s errors ] || fail "$(cat errors)"
git reset -q --hard
git diff --no-ext-diff --binary HEAD~2 HEAD~1 >patch
git apply --check -R patch || fail "no patch"

# An edit by hand is merged with what git has from before it.
sed -i '1i // sinter: keep\n// By hand.' emitted/two/kernels/two.cu
git commit -qam "by hand"
program two 0.125 negate >two.hlo
says "$("$sinter" merge emitted/two two.hlo)" "kernels/two.cu: merged"
grep -q "By hand" emitted/two/kernels/two.cu || fail "the edit is gone"
grep -q "0.125f" emitted/two/kernels/two.cu || fail "the new constant is not there"
says "$(git diff)" "emitted/two/kernels/two.cu: constants  0.5f -> 0.125f"
git commit -qam "another constant, with the edit"

# A Grain file of a revision, with what it imports and its weights as they were then.
git checkout -q -b grain
mkdir grain
cp "$grain"/{classifier,nn}.grain "$grain/classifier.safetensors" grain
git add grain && git commit -qm "a program in Grain"
says "$("$sinter" diff HEAD:grain/classifier.grain grain/classifier.grain)" "classifier: identical"
says "$(env -C grain "$sinter" diff HEAD:classifier.grain classifier.grain)" "classifier: identical"
sed -i 's/max(x, 0)/max(x, 0.5)/' grain/nn.grain
! cmp -s grain/nn.grain "$grain/nn.grain" || fail "nn.grain is the same"
says "$(env -C grain "$sinter" diff HEAD:classifier.grain classifier.grain)" "classifier: constants"
git checkout -q -- grain
printf '\1' | dd of=grain/classifier.safetensors bs=1 seek=1000 conv=notrunc status=none
says "$(env -C grain "$sinter" diff HEAD:classifier.grain classifier.grain)" "constants.bin  constants"
git rm -q --cached grain/nn.grain && git commit -qm "without what it imports"
if env -C grain "$sinter" diff HEAD:classifier.grain classifier.grain >grain.log 2>&1; then fail "nn.grain is not in git"; fi
says "$(cat grain.log)" "nn.grain"
git checkout -qf -

# A block of docs/review.md: the first that has the text.
block() {
  awk -v text="$1" '/^```./ { inside = 1; block = ""; next }
    /^```$/ { if (inside && index(block, text)) { printf "%s", block; exit } inside = 0 }
    inside { block = block $0 "\n" }' "$documents"
}
mkdir bin
ln -s "$sinter" bin/sinter
export PATH="$work/bin:$PATH"
git branch -M main

# The hook: what is committed was compiled from what is committed, whatever lies in the folder.
mkdir models
git mv one.hlo two.hlo three.hlo act.hlo models/
git commit -qm "models"
block "checkout-index" >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
expect_refused() {
  local out
  if out=$(git commit -qam "$1" 2>&1); then fail "committed: $1"; fi
  says "$out" "$2"
}
program three 0.75 negate >models/three.hlo
expect_refused "a model without its kernels" "emitted/three: call sinter compile"
"$sinter" compile models/three.hlo -o emitted/three
git add models
if git commit -qm "the model alone" >hook.log 2>&1; then fail "the folder was looked at, not what is committed"; fi
git add emitted
says "$(git commit -qm "another constant" 2>&1)" "three: constants"
sed -i 's/0\.75f/0.7f/' emitted/three/kernels/three.cu
expect_refused "an edit" "kernels/three.cu (changed)"
expect_refused "an edit" "begins with the line // sinter: keep"
git checkout -q emitted
git rm -q models/two.hlo
expect_refused "no model" "emitted/two: models/two.hlo is gone"
git reset -q --hard

# A header of a function is committed with the kernels that were compiled with it, whatever the folder has of it.
mkdir h
echo 'inline __device__ float act(float x) { return tanhf(x); }' >h/acts.cuh
cat >models/called.hlo <<'HLO'
HloModule jit_called

ENTRY main {
  x = f32[64] parameter(0)
  ROOT y = f32[64] custom-call(x), custom_call_target="act"
}
HLO
"$sinter" compile models/called.hlo -o emitted/called --device-function act=h/acts.cuh:act
git add h models emitted
git commit -qm "a function" >hook.log 2>&1 || fail "a function: $(cat hook.log)"
sed -i 's/tanhf/sinf/' h/acts.cuh
expect_refused "a header" "h/acts.cuh (changed)"
"$sinter" compile models/called.hlo -o emitted/called --device-function act=h/acts.cuh:act
git add emitted
if git commit -qm "the folder alone" >hook.log 2>&1; then fail "the header was looked at, not what is committed"; fi
git reset -q --hard

# CI: the recipes run as they stand; what would call a service says how it is called.
block "verdicts.sh BASE" >verdicts.sh
chmod +x verdicts.sh
git add verdicts.sh && git commit -qm "verdicts"
for service in gh curl; do
  printf '#!/bin/sh\necho "%s $*" >>"%s/calls"\n' $service "$work" >bin/$service
  chmod +x bin/$service
done
block "gh pr comment" | awk '/run: \|/ { inside = 1; next } inside && !/^          / { exit } inside' >github.sh
block "VERDICTS_TOKEN" | awk '/^  script:/ { inside = 1; next } /^  artifacts:/ { exit }
  inside { folded = folded && /^      /; sub(/^ +(- )?/, ""); if (/^>-$/) { folded = 1; printf "\n"; next }
    printf folded ? "%s " : "\n%s", $0 } END { printf "\n" }' >gitlab.sh
git clone -q "$work" "$work.clone"
trap 'rm -rf "$work" "$work.clone"' EXIT
cp github.sh gitlab.sh "$work.clone"
cd "$work.clone"
# Runs a recipe and expects its status and what it comments.
recipe() {
  local rc=0
  rm -f "$work/calls"
  env GITHUB_BASE_REF=main GITHUB_STEP_SUMMARY="$PWD/summary" REQUEST=7 CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main \
    VERDICTS_TOKEN=t CI_API_V4_URL=https://a CI_PROJECT_ID=1 CI_MERGE_REQUEST_IID=2 sh -e "$1" >log 2>&1 || rc=$?
  [ "$rc" = "$2" ] || fail "$1 exits with $rc: $(cat log)"
}
for script in github.sh gitlab.sh; do
  recipe $script 0
  [ ! -e "$work/calls" ] || fail "$script comments on nothing: $(cat "$work/calls")"
done
program one 0.125 negate >models/one.hlo
"$sinter" compile models/one.hlo -o emitted/one
git commit -qam "a constant"
for script in github.sh gitlab.sh; do
  recipe $script 0
  says "$(cat verdicts.md)" "one: constants"
done
program four 0.5 negate >models/four.hlo
"$sinter" compile models/four.hlo -o emitted/four
git rm -qr emitted/two models/two.hlo
git add models emitted && git commit -qm "a model, and one less"
for script in github.sh gitlab.sh; do
  recipe $script 1
  says "$(cat verdicts.md)" "one: constants"
  says "$(cat verdicts.md)" "### emitted/four
is new"
  says "$(cat verdicts.md)" "### emitted/two
is gone: callers break"
  [ -s verdicts/one.html ] || fail "no page"
done
says "$(cat summary)" "one: constants"
says "$(cat "$work/calls")" "https://a/projects/1/merge_requests/2/notes"
program one 0.125 abs >models/one.hlo
"$sinter" compile models/one.hlo -o emitted/one
git checkout -q origin/main -- emitted/two models/two.hlo
git commit -qam "another function"
sed -i 's/tanhf/sinf/' h/acts.cuh
git commit -qam "another function, and a header alone"
recipe gitlab.sh 1
recipe github.sh 1
says "$(cat verdicts.md)" "### emitted/called"
says "$(cat verdicts.md)" "negate"
says "$(cat "$work/calls")" "gh pr comment 7 --edit-last"
echo "in git: as expected"
