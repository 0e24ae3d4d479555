#!/usr/bin/env bash
# Every part of `./dev gpu` on few programs, with the CPU build in the GPU's place.
#   dry_run.sh BUILD
set -euo pipefail
cd "$(dirname "$0")/../.."
export SINTER_BUILD=$1
bundle=$1/gpu/short results=$1/gpu/short-results
rm -rf "$results"
python3 bench/gpu/gpu.py prepare --dry --short --bundle "$bundle"
python3 bench/gpu/gpu.py all --dry --bundle "$bundle" --results "$results" --jobs 2 --seconds 200
for part in right sanitize stress time fit; do [ -s "$results/$part.txt" ]; done
grep -q '"measured"' "$results/h200.json"
