#!/bin/sh
# What sinter diff says of folders that were compiled with other texts of headers of the user's own. $1: sinter.
set -eu
sinter=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export XDG_CACHE_HOME="$folder/cache"

fail() {
  echo "$*" >&2
  exit 1
}

cat >program.hlo <<'HLO'
HloModule program

ENTRY main {
  x = f32[30,7] parameter(0)
  y = f32[30,7] custom-call(x), custom_call_target="f", api_version=API_VERSION_TYPED_FFI
  ROOT root = f32[30,7] add(y, x)
}
HLO

# headers SIDE: its files follow, each a line "== NAME" and its text.
headers() {
  rm -rf "$1"
  mkdir "$1"
  awk -v side="$1" '/^== / { file = side "/" $2; next } { print >file }'
}
# becomes FILE SCRIPT SAYS: before, with FILE edited by sed, is after, of which diff says so.
becomes() {
  rm -rf after
  cp -r before after
  sed -i "$2" "after/$1"
  if cmp -s "before/$1" "after/$1"; then fail "$1: $2 changes nothing"; fi
  for side in before after; do
    (cd $side && "$sinter" compile ../program.hlo "--device-function=f=$main:f" -o emitted >said 2>&1) ||
      { cat $side/said; fail "$1: $2 does not compile"; }
  done
  "$sinter" diff before/emitted after/emitted >said 2>&1 || true
  grep -qF -- "$3" said || { cat said >&2; fail "$1: $2 does not say: $3"; }
}

main=f.cuh
headers before <<'CUDA'
== f.cuh
#pragma once
#include <angled.cuh>
#include "quoted.hpp"
#ifdef NDEBUG
#include "release.cuh"
#else
constexpr float kFactor = 1.0f;
#endif
inline __device__ float f(float x) { return kFactor * angled(x) + quoted(x); }
== angled.cuh
#pragma once
inline __device__ float angled(float x) { return x * 2.0f; }
== quoted.hpp
#pragma once
#include "deep.cuh"
== deep.cuh
#pragma once
inline __device__ float quoted(float x) { return x + 3.0f; }
== release.cuh
#pragma once
#ifdef __FAST_MATH__
#include "fast.cuh"
#else
constexpr float kFactor = 1.0f;
#endif
== fast.cuh
constexpr float kFactor = 0.5f;
CUDA
becomes f.cuh 's/float x/float y/; s/(x)/(y)/g' '1 identical'
becomes angled.cuh 's/2.0f/4.0f/' 'program  constants  functions of angled.cuh; 2.0f -> 4.0f'
becomes angled.cuh 's/ \* / + /' 'program  computation  functions of angled.cuh'
becomes deep.cuh 's/ + / - /' 'program  computation  functions of deep.cuh'
becomes release.cuh 's/1.0f/2.0f/' 'program  constants  with NDEBUG; 1.0f -> 2.0f'
becomes fast.cuh 's/0.5f/0.25f/' 'program  constants  with NDEBUG, with __FAST_MATH__; 0.5f -> 0.25f'
becomes fast.cuh 's/.*/constexpr float kFactor = 0.5f;  \/\/ half/' '1 identical'
if "$sinter" diff before/emitted after/emitted --fail-on computation >/dev/null; then :; else fail "a comment is a computation"; fi

# However a line includes it, or asks for it.
cp -r before plain
for line in '#define QUOTED "quoted.hpp"\n#include QUOTED' '/* here */ #include "quoted.hpp"' \
    '# /* there */ include /* it is */ "quoted.hpp"' '#inclu\\\nde "quoted.hpp"' '%:include "quoted.hpp"' \
    '#import "quoted.hpp"' '#if __has_include("quoted.hpp")\n#include "quoted.hpp"\n#endif'; do
  rm -rf before
  cp -r plain before
  sed -i "s|#include \"quoted.hpp\"|$line|" before/f.cuh
  becomes deep.cuh 's/ + / - /' 'program  computation  functions of deep.cuh'
done
rm -rf before
mv plain before

# A folder of the user's own that is called as one of ours.
mkdir -p before/mine/launcher
mv before/deep.cuh before/mine/launcher/
sed -i 's|deep.cuh|mine/launcher/deep.cuh|' before/quoted.hpp
becomes mine/launcher/deep.cuh 's/ + / - /' 'program  computation  functions of mine/launcher/deep.cuh'
mv before/mine/launcher/deep.cuh before/
sed -i 's|mine/launcher/deep.cuh|deep.cuh|' before/quoted.hpp

# A header that is called otherwise.
main=f.hpp
mv before/f.cuh before/f.hpp
becomes deep.cuh 's/ + / * /' 'program  computation  functions of deep.cuh'
if "$sinter" diff before/emitted after/emitted --fail-on computation >/dev/null; then fail "a product for a sum is no computation"; fi
