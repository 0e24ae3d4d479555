#!/usr/bin/env bash
# The paper's figure 5 again ("Operator Fusion in XLA: Analysis and Evaluation"): CartPole, 2,048 environments, 10,000
# steps; random numbers in the loop, concatenated states, separate states, and these unrolled.
#
#   bench/paper/run.sh [SINTER]         (build/sinter)
#
# With a GPU and nvcc it times our builds and JAX's (PYTHON, default python3, where it has jax with CUDA); without, our
# builds for the CPU stand in the GPU's place, so that the same command can be exercised. Times are of one run in
# milliseconds; "predicted" is the cost model's.
set -euo pipefail
cd "$(dirname "$0")/../.."
sinter=$(realpath "${1:-build/sinter}")
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$PATH:/usr/local/cuda/bin

device=cpu flags=(-DCMAKE_BUILD_TYPE=Release) repeat=1
if nvidia-smi >/dev/null 2>&1 && command -v nvcc >/dev/null; then device=cuda repeat=20; fi

# value FILE KEY: a number of a plan's top level.
value() { sed -n "s/^ \"$2\": \([0-9.]*\),*$/\1/p" "$1"; }

declare -A jax
if [ $device = cuda ]; then
  while read -r name ms kind; do jax[$name]="$ms ($kind)"; done < <("$python" bench/paper/cartpole.py 2>/dev/null || true)
fi

printf '%-14s %9s %9s %13s %13s  %s\n' variant launches XLA:GPU "predicted ms" "$device ms" "JAX ms"
# row VARIANT PROGRAM UNROLL XLA
row() {
  local out=$work/$1 cli=$2_cli ms
  "$sinter" compile "bench/programs/$2.hlo" -o "$out" --unroll "$3"
  [ $device = cuda ] || flags+=("-D${2^^}_CPU=ON")
  cmake -S "$out" -B "$out/build" -G Ninja "${flags[@]}" >/dev/null
  ninja -C "$out/build" --quiet "$cli"
  ms=$("$out/build/$cli" --random 1 --repeat $repeat | sed -n 's/.*[^0-9.]\([0-9.]*\) ms.*/\1/p' | tail -n 1)
  printf '%-14s %9s %9s %13s %13s  %s\n' "$1" "$(value "$out/fusion.json" launches)" "$4" \
    "$(awk -v us="$(value "$out/fusion.json" predicted_us)" 'BEGIN { printf "%.1f", us / 1000 }')" "$ms" "${jax[$1]:--}"
}
row rng cartpole_rng auto 90,004
row concat cartpole_concat auto 40,003
row soa_unroll1 cartpole_soa 1 20,006
row soa_unroll5 cartpole_soa 5 4,006
row soa_unroll10 cartpole_soa 10 2,006
row soa_unroll50 cartpole_soa 50 406
