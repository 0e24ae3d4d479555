#!/bin/sh
# sinter diff --registers, with a compiler that stands in for nvcc: what it prints is what ptxas prints of as many
# registers as the kernel has columns. $1: sinter, $2: samples.
set -eu
sinter=$1 samples=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export XDG_CACHE_HOME="$folder/cache"

fail() {
  echo "$*" >&2
  exit 1
}
# said TEXT: what was said last has the line.
said() { grep -qxF -- "$1" said || { cat said >&2; fail "not said: $1"; }; }
silent() { ! grep -qF -- "$1" said || { cat said >&2; fail "said: $1"; }; }

cat >nvcc <<'CUDA'
#!/bin/sh
echo call >>"$CALLS"
for file; do :; done
columns=$(sed -n 's/^constexpr int kColumns = \([0-9]*\);/\1/p' "$file")
[ "$columns" != 51 ] || { echo "error: no such number"; exit 1; }
cat >&2 <<SAID
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z7softmax' for 'sm_90a'
ptxas info    : Function properties for _Z7softmax
    $columns bytes stack frame, $((columns - 40)) bytes spill stores, $((columns - 39)) bytes spill loads
ptxas info    : Used $columns registers, used 0 barriers
SAID
CUDA
chmod +x nvcc
export CALLS="$folder/calls"
program() { sed "s/97/$1/g" "$samples/softmax/softmax.hlo" >"$1.hlo"; }
program 40
program 50
program 51
"$sinter" compile 40.hlo -o emitted --no-verify >/dev/null

CUDACXX=$folder/nvcc "$sinter" diff emitted 50.hlo --registers >said
said '      registers 40 -> 50, 1 -> 21 bytes spilled'
[ "$(wc -l <calls)" = 2 ] || fail "$(wc -l <calls) calls of nvcc"

# Again: of what was built before. Kernels that are identical are not built.
CUDACXX=$folder/nvcc "$sinter" diff emitted 50.hlo --registers --json >said
said '   "ptxas_before": {'
said '    "spilled_bytes": 21'
CUDACXX=$folder/nvcc "$sinter" diff emitted 50.hlo --registers --html page.html >said
grep -q '40 → 50, 1 → 21 bytes spilled' page.html || fail "not in the page"
CUDACXX=$folder/nvcc "$sinter" diff emitted 40.hlo --registers >said
silent registers
CUDACXX=$folder/nvcc "$sinter" diff emitted 50.hlo >said
silent registers
[ "$(wc -l <calls)" = 2 ] || fail "$(wc -l <calls) calls of nvcc"

# One that does not build is left out, and so are all where there is no nvcc.
CUDACXX=$folder/nvcc "$sinter" diff 51.hlo emitted --registers >said
said '      registers unknown -> 40, unknown -> 1 bytes spilled'
CUDACXX=$folder/none "$sinter" diff emitted 50.hlo --registers >said
silent registers
