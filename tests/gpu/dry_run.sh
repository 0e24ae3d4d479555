#!/usr/bin/env bash
# Every part of `./dev gpu` on few programs, with the CPU build in the GPU's place; and what a kernel gives that is made to
# give a wrong number is told as that kernel's.
#   dry_run.sh BUILD
set -euo pipefail
cd "$(dirname "$0")/../.."
export SINTER_BUILD=$1
bundle=$1/gpu/short results=$1/gpu/short-results
rm -rf "$results"
gpu() { python3 bench/gpu/gpu.py "$@" --dry --bundle "$bundle"; }
gpu prepare --short
for kernel in softmax layernorm adamw cartpole linear_recurrence life; do "$bundle/handwritten/$kernel" --check; done
gpu all --results "$results" --jobs 2 --seconds 200
for part in right sanitize stress time fit; do [ -s "$results/$part.txt" ]; done
grep -q '"measured"' "$results/h200.json"
# Made-up inputs keep numbers near one; and what a micro-kernel's step repeats stays written out.
if grep "results are NaN" "$results/time.txt"; then exit 1; fi
fmafs=$("$1/sinter" compile "$1/gpu/micro/f32_64.hlo" --without roll_repeats --no-verify --print kernels | grep -c fmaf)
[ "$fmafs" -ge 8 ]

# wrong PROGRAM KERNEL: the first launch of KERNEL gives a wrong number, which later kernels go on with.
wrong() {
  rm -rf "$results/wrong"
  ! SINTER_GPU_FAULT=wrong:$1/$2 gpu right --only "$1" --results "$results/wrong" || return 1
  grep -q "WRONG $1 in $2: " "$results/wrong/right.txt"
}
for program in s_sample_softmax s_sample_lstm s_sample_gpt2_block s_sample_ppo_update; do
  wrong "$program" "$(python3 - "$bundle" "$program" <<'PYTHON'
import json, sys
programs = json.load(open(sys.argv[1] + "/programs.json"))["programs"]
kernels = next(p for p in programs if p["name"] == sys.argv[2])["kernels"]
print(kernels[len(kernels) // 2]["name"])
PYTHON
)"
done
