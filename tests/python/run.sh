#!/usr/bin/env bash
# A test of the Python package, from its sources.
#   run.sh SINTER TEST
set -euo pipefail
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
python=${SINTER_PYTHON:-python3}
modules=numpy
case $2 in jax_test.py | functions_test.py) modules="numpy jax" ;; esac
for module in $modules; do
  "$python" -c "import $module" 2>/dev/null || { echo "$python has no $module: not tested"; exit 77; }
done
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export SINTER_PROGRAM=$program PYTHONPATH="$here/../../python:$here" PYTHONDONTWRITEBYTECODE=1
"$python" -W error::UserWarning "$here/$2"
