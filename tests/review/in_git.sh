#!/usr/bin/env bash
# Emitted folders in a git repository: the diff driver, REV:PATH, a hook, and the merge that finds what was emitted there.
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

# An edit by hand is merged with what git has from before it.
sed -i '1i // sinter: keep\n// By hand.' emitted/two/kernels/two.cu
git commit -qam "by hand"
program two 0.125 negate >two.hlo
says "$("$sinter" merge emitted/two two.hlo)" "kernels/two.cu: merged"
grep -q "By hand" emitted/two/kernels/two.cu || fail "the edit is gone"
grep -q "0.125f" emitted/two/kernels/two.cu || fail "the new constant is not there"
says "$(git diff)" "emitted/two/kernels/two.cu: constants  0.5f -> 0.125f"
echo "in git: as expected"
