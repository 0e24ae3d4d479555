#!/usr/bin/env bash
# Every command's help has an example, and each does what it shows: run as they stand where the files are that they name.
#   examples.sh SINTER SAMPLES
set -euo pipefail
sinter=$1 samples=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
wrong() { echo "examples: $1"; failures=$((failures + 1)); }

mkdir "$work/bin" "$work/here"
ln -s "$sinter" "$work/bin/sinter"
export PATH=$work/bin:$PATH HOME=$work
mkdir -p "$work/.config/fish/completions"
cp "$samples/softmax/softmax.hlo" "$samples/grain/cartpole.grain" "$work/here"
cp "$samples/softmax/softmax.inputs.safetensors" "$work/here/in.safetensors"
cp "$samples/softmax/softmax.expected.safetensors" "$work/here/out.safetensors"
cd "$work/here"
git init -q .
sinter compile softmax.hlo -o softmax --no-verify
for entry in n1 n8; do cp softmax.hlo $entry.hlo; done
sinter compile n1.hlo n8.hlo --name policy -o policy --no-verify
git add softmax policy
git -c user.name=a -c user.email=a commit -q -m a

for command in $(sinter --help | sed '1,/^Options/d; /^Exit/,$d' | sed -n 's/^  \([a-z][a-z-]*\).*/\1/p'); do
  sinter "$command" --help | sed '1,/^Example:/d' >"$work/examples"
  # lsp waits for an editor, and git calls git-diff.
  if [[ ! -s $work/examples && $command != lsp && $command != git-diff ]]; then wrong "$command has no example"; fi
  while read -r line; do
    [[ $line != *"| man"* ]] || command -v man >/dev/null || continue
    bash -eo pipefail -c "$line" </dev/null >"$work/log" 2>&1 || wrong "'$line' fails: $(head -n 3 "$work/log")"
  done <"$work/examples"
done
[ "$failures" = 0 ]
