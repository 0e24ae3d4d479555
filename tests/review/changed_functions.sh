#!/usr/bin/env bash
# What `sinter diff` says where a function of the user's own is another and everything was compiled again: the program's
# text and the folders' module.hlo are the same then, and the results are not. $1: sinter
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
sinter=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com

mkdir kernels
cat >kernels/half_of.hpp <<'CUDA'
#pragma once
inline __device__ float half_of(float x) { return 0.5f * x; }
CUDA
cat >kernels/acts.cuh <<'CUDA'
#pragma once
#include "half_of.hpp"
namespace my {
inline __device__ float act(float x) {
  const float half = half_of(x);
  const float bent = x > 2.0f ? x : tanhf(half);
  return x * bent;
}
inline __device__ float other(float x) { return x + 1.0f; }
}  // namespace my
CUDA
cat >kernels/rows.cuh <<'CUDA'
#pragma once
#include "device/block_reduce.cuh"
#include "device/combine.cuh"
// sinter: row
template <int kThreads>
__device__ void less_sum(const float* x, float* y, float factor, int x_size) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < x_size; i += kThreads) sum += x[i];
  sum = block_reduce<kThreads>(sum, Add());
  for (int i = threadIdx.x; i < x_size; i += kThreads) y[i] = x[i] - factor * sum;
}
CUDA
cat >functions.txt <<'TEXT'
device act = kernels/acts.cuh:my::act
device less = kernels/rows.cuh:less_sum
TEXT
cat >act.hlo <<'HLO'
HloModule act

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT sum = f32[] add(a, b)
}

ENTRY main {
  x = f32[64,256] parameter(0)
  y = f32[64,256] custom-call(x), custom_call_target="act", api_version=API_VERSION_TYPED_FFI
  zero = f32[] constant(0)
  ROOT root = f32[64] reduce(y, zero), dimensions={1}, to_apply=add
}
HLO
cat >less.hlo <<'HLO'
HloModule less

ENTRY main {
  x = f32[64,256] parameter(0)
  ROOT y = f32[64,256] custom-call(x), custom_call_target="less", api_version=API_VERSION_TYPED_FFI, backend_config={factor = 5.000000e-01 : f32}
}
HLO
for program in act less; do
  "$sinter" compile $program.hlo --functions functions.txt -o emitted/$program >/dev/null 2>&1
done
git init -q .
git add .
git commit -qm before

# edited PROGRAM VERDICT FILE OLD NEW SAID...: with OLD as NEW in the file, folders and texts have the verdict, and
# --fail-on computation exits with 1 for computation alone; both say SAID.
edited() {
  local program=$1 verdict=$2 file=$3 old=$4 new=$5 status=0
  shift 5
  grep -qF -- "$old" "$file" || fail "$file has no $old"
  OLD=$old NEW=$new perl -0pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/' "$file"
  "$sinter" compile $program.hlo --functions functions.txt -o emitted/$program >/dev/null 2>&1
  for path in emitted/$program $program.hlo; do
    status=0
    "$sinter" diff HEAD:$path $path --functions functions.txt --fail-on computation >said 2>&1 || status=$?
    grep -q "^$program: $verdict\." said || fail "$old -> $new, $path: no $verdict: $(cat said)"
    [ $verdict = text ] || grep -q "^  $program  *$verdict" said || fail "$old -> $new, $path: the kernel has no $verdict: $(cat said)"
    [ $status = $([ "$verdict" = computation ] && echo 1 || echo 0) ] || fail "$old -> $new, $path: exits with $status"
    for text in "$@"; do
      grep -qF -- "$text" said || fail "$old -> $new, $path: no \"$text\": $(cat said)"
    done
  done
  git checkout -q -- .
}
acts=kernels/acts.cuh rows=kernels/rows.cuh
edited act computation $acts 'tanhf(half)' 'sinf(half)' "kernels/acts.cuh" "- kernels/acts.cuh:6:" "+ kernels/acts.cuh:6:" "tanhf(half)" "sinf(half)"
edited act computation $acts 'x > 2.0f' 'x >= 2.0f' "+ kernels/acts.cuh:6:"
edited act computation $acts 'x * bent' 'bent'
edited act constants $acts '2.0f' '3.0f' "2.0f -> 3.0f"
edited act constants kernels/half_of.hpp '0.5f' '0.25f' "0.5f -> 0.25f"
edited act computation kernels/half_of.hpp '0.5f * x' '0.5f * fabsf(x)' "kernels/half_of.hpp"
edited less computation $rows '- factor * sum' '+ factor * sum'
edited less computation $rows 'x[i] - factor' '-factor'
edited less constants $rows 'sum = 0.0f' 'sum = 1.0f' "0.0f -> 1.0f"
edited less computation $rows 'block_reduce<kThreads>(sum, Add())' 'sum'

# What a header includes from elsewhere is a part of it.
mkdir tables
cat >tables/up.h <<'CUDA'
#include "two.inc"
inline __device__ float up(float x) { return x + kTwo; }
CUDA
echo 'constexpr float kTwo = 2.0f;' >tables/two.inc
sed -i 's|#pragma once|#pragma once\n#include "../tables/up.h"|; s|half_of(x)|up(x)|' kernels/acts.cuh
"$sinter" compile act.hlo --functions functions.txt -o emitted/act >/dev/null 2>&1
git add . && git commit -qm "more headers"
edited act computation tables/up.h 'x + kTwo' 'x - kTwo' "tables/up.h"
edited act constants tables/two.inc '2.0f' '3.0f' "2.0f -> 3.0f"

# What changes nothing of a function that is called: its names, comments, and functions beside it.
edited act text $acts 'const float half = up(x);
  const float bent = x > 2.0f ? x : tanhf(half);' 'const float h = up(x);  // half
  const float bent = x > 2.0f ? x : tanhf(h);'
edited_beside() {
  OLD=$2 NEW=$3 perl -0pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/' "$1"
  "$sinter" compile act.hlo --functions functions.txt -o emitted/act >/dev/null 2>&1
  "$sinter" diff HEAD:emitted/act emitted/act >said 2>&1
  grep -qE "^act: (text|identical)\." said || fail "$2 -> $3: $(cat said)"
  git checkout -q -- .
}
edited_beside $acts 'x + 1.0f' 'x - 1.0f'

# The kernel is run otherwise, and the function is the same: in other words, too.
sed -i 's/f32\[64,256\] parameter/f32[64,256]{1,0} parameter/' act.hlo
"$sinter" compile act.hlo --functions functions.txt -o emitted/act --no-fma >/dev/null 2>&1
"$sinter" diff HEAD:emitted/act emitted/act --fail-on computation >said || fail "--no-fma: $(cat said)"

# The function is another, and what is around it, too: both are said.
sed -i 's/ROOT root = f32\[64\] reduce(y, zero)/twice = f32[64,256] add(y, x)\n  ROOT root = f32[64] reduce(twice, zero)/' act.hlo
sed -i 's/tanhf(half)/sinf(half)/' $acts
"$sinter" compile act.hlo --functions functions.txt -o emitted/act >/dev/null 2>&1
"$sinter" diff HEAD:emitted/act emitted/act >said || true
for text in "act  computation" "+ twice = f32[64,256] add(y, x)" "kernels/acts.cuh"; do
  grep -qF -- "$text" said || fail "both: no \"$text\": $(cat said)"
done
echo "changed functions: as expected"
