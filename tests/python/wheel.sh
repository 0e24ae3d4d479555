#!/usr/bin/env bash
# The wheel, built around a given program, in a fresh venv: ten lines that export, compile, build, load, run and compare
# with JAX; where there is no JAX, the command line alone.
#   wheel.sh SINTER
set -euo pipefail
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
program=$(realpath "$1")
python=${SINTER_PYTHON:-python3}
for module in pip venv scikit_build_core numpy; do
  "$python" -c "import $module" 2>/dev/null || { echo "$python has no $module: not tested"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "wheel: $1"; exit 1; }
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "$1 failed"; }; }

# Nothing is fetched, and nothing of the environment says which sinter is run.
quietly "$python" -m pip wheel --quiet --no-deps --no-index --no-build-isolation --wheel-dir "$work" \
  --config-settings=cmake.define.SINTER_PROGRAM="$program" "$here/../../python"
quietly "$python" -m venv "$work/venv"
fresh=$work/venv/bin/python
quietly "$fresh" -m pip install --quiet --no-deps --no-index "$work"/sinter-*.whl
# What the wheel depends on, and JAX, are those of $python.
"$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
  >"$("$fresh" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/others.pth"
unset SINTER_PROGRAM PYTHONPATH
cd "$work"

[ "$("$fresh" -m sinter --version)" = "$("$program" --version)" ] || fail "python -m sinter is another sinter"
[ "$(venv/bin/sinter --version)" = "$("$program" --version)" ] || fail "the command sinter is another sinter"
"$fresh" -c 'import sinter, pathlib; assert pathlib.Path(sinter.__file__).is_relative_to(pathlib.Path.cwd())' ||
  fail "another sinter is imported"
"$fresh" -c 'import sinter, pathlib; assert (pathlib.Path(sinter.__file__).parent / "py.typed").exists()' ||
  fail "checkers of types do not read the package"
"$fresh" -c 'import jax' 2>/dev/null || { echo "$python has no jax: ten_lines.py not run"; exit 0; }
"$fresh" "$here/ten_lines.py"
