#!/usr/bin/env bash
# The paper's figure 5 again ("Operator Fusion in XLA: Analysis and Evaluation"): CartPole, 2,048 environments, 10,000
# steps; random numbers in the loop, concatenated states, separate states, and these unrolled; and CUDA written by hand.
#
#   bench/paper/run.sh [SINTER]         (build/sinter)
#
# With a GPU and nvcc it times our builds, the handwritten kernels (of SINTER_SHARED_DIR, default ../shared) and JAX's
# programs (PYTHON, default python3, where it has jax with CUDA); without, our builds for the CPU stand in the GPU's
# place, so that the same command can be exercised. Times are of one run in milliseconds; "predicted" is the cost model's.
set -euo pipefail
sinter=$(realpath "${1:-$(dirname "$0")/../../build/sinter}")
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
handwritten=${SINTER_SHARED_DIR:-../shared}/reference/handwritten
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$PATH:/usr/local/cuda/bin

device=cpu repeat=1
if nvidia-smi >/dev/null 2>&1 && command -v nvcc >/dev/null; then device=cuda repeat=20; fi

# value FILE KEY: a number of a plan's top level.
value() { sed -n "s/^ \"$2\": \([0-9.]*\),*$/\1/p" "$1"; }

# in_ms: microseconds of standard input in milliseconds.
in_ms() { awk '{ printf "%.1f", $1 / 1000 }'; }

declare -A jax by_hand
if [ $device = cuda ]; then
  while read -r name ms kind; do jax[$name]="$ms ($kind)"; done < <("$python" bench/paper/cartpole.py 2>/dev/null || true)
  if [ -d "$handwritten" ]; then
    nvcc -std=c++17 -O3 -arch=native -I "$handwritten" -o "$work/handwritten" bench/paper/handwritten.cu
    while read -r name ms; do by_hand[$name]=$ms; done < <("$work/handwritten")
  fi
fi

# line VARIANT LAUNCHES XLA PREDICTED MEASURED JAX
line() { printf '%-24s %9s %9s %13s %13s  %s\n' "$@"; }

# row VARIANT PROGRAM UNROLL XLA
row() {
  local out=$work/$1 cli=$2_cli cpu=OFF ms
  if [ $device = cpu ]; then cpu=ON; fi
  "$sinter" compile "bench/programs/$2.hlo" -o "$out" --unroll "$3"
  cmake -S "$out" -B "$out/build" -G Ninja -DCMAKE_BUILD_TYPE=Release "-D${2^^}_CPU=$cpu" >/dev/null
  ninja -C "$out/build" --quiet "$cli"
  ms=$("$out/build/$cli" --random 1 --repeat $repeat | sed -n 's/.* runs, \([0-9.]*\) us each$/\1/p' | in_ms)
  line "$1" "$(value "$out/fusion.json" launches)" "$4" "$(value "$out/fusion.json" predicted_us | in_ms)" "$ms" "${jax[$1]:--}"
}

# row_by_hand VARIANT
row_by_hand() { line "$1 by hand" 1 - - "${by_hand[$1]:--}" -; }

line variant launches XLA:GPU "predicted ms" "$device ms" "JAX ms"
row rng cartpole_rng auto 90,004
row concat cartpole_concat auto 40,003
row soa_unroll1 cartpole_soa 1 20,006
row soa_unroll5 cartpole_soa 5 4,006
row soa_unroll10 cartpole_soa 10 2,006
row soa_unroll50 cartpole_soa 50 406
if [ -d "$handwritten" ]; then
  for variant in rng concat soa_unroll10; do row_by_hand $variant; done
else
  echo "no rows by hand: $handwritten is not there (SINTER_SHARED_DIR names the folder above reference/)"
fi
