#!/usr/bin/env bash
# The C++ headers of models: what they take and refuse (cpp_header.cpp), with g++ and clang++, in C++17 and 20, with
# exceptions and without, free of warnings; the example at the head, as it stands there, on the inputs of a sample; and
# the heads of all samples.
#   use_cpp_header.sh SINTER SAMPLES
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
sinter=$1
samples=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "use_cpp_header: $1"; exit 1; }
warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror)
compilers=(g++)
for clang in clang++-14 clang++-19 clang++; do
  if command -v $clang >/dev/null; then compilers+=($clang); fi
done
clang=${compilers[1]:-g++}

# A model as an object: what is linked with programs that have its header.
build_model() {  # NAME HLO
  "$sinter" compile "$2" -o "$1" --no-verify >/dev/null
  (cd "$1" && printf '#include "%s"\n' kernels/*.cu "$1.cu" info.cpp >all.cpp)
  if [ -f "$1/constants.cpp" ]; then echo '#include "constants.cpp"' >>"$1/all.cpp"; fi
  g++ -std=c++20 -O0 -DSINTER_CPU -ffp-contract=off -frounding-math -fwrapv -Wno-unknown-pragmas -I"$1" -I"$1/include" \
    -c "$1/all.cpp" -o "$1.o"
}
includes=()
for name in advance kinds rising time twice; do
  build_model $name "$here/$name.hlo"
  includes+=("-I$name/include")
done
program() {  # COMPILER STANDARD OPTION ...
  "$1" -std="$2" "${warnings[@]}" "${includes[@]}" "${@:3}" "$here/cpp_header.cpp"
}
try() {
  program "$@" -c -o program.o
  g++ -fsanitize=address program.o advance.o kinds.o rising.o time.o twice.o -o program
  env -u ASAN_OPTIONS ./program || fail "$*"
}
try g++ c++17 -fsanitize=address
try g++ c++20 -fno-exceptions -fno-rtti
try "$clang" c++17 -fno-exceptions
for compiler in "${compilers[@]:1}"; do program "$compiler" c++20 -fsyntax-only; done
for wrong in 1 2 3 4; do
  for compiler in g++ "$clang"; do
    if program $compiler c++17 -fsyntax-only -DWRONG=$wrong 2>log; then fail "$compiler takes what is wrong, $wrong"; fi
    if [ $wrong -le 2 ]; then grep -q 'an array of another number of elements' log || { cat log; fail "no reason"; }; fi
  done
done

# The N-th block of code in a header's opening comment.
example() {  # HEADER N
  awk -v n="$2" '!/^\/\// { exit }
    /^\/\/   / { if (!inside) ++block; inside = 1; if (block == n) print substr($0, 6); next }
    { inside = 0 }' "$1"
}
build_model layernorm "$samples/layernorm/layernorm.hlo"
header=layernorm/include/layernorm/layernorm.hpp
for n in 1 2; do example $header $n >example_$n; done
sed -e '/@example 1@/ { r example_1
  d }' -e '/@example 2@/ { r example_2
  d }' "$here/header_example.cpp.in" >example.cpp
[ "$(grep -c 'layernorm::Instance model' example.cpp)" = 2 ] || { cat example.cpp; fail "no examples"; }
g++ -std=c++20 "${warnings[@]}" -isystem layernorm -Ilayernorm/include example.cpp layernorm.o -o example
./example "$samples"/layernorm/layernorm.{inputs,expected}.safetensors || fail "the example of layernorm"

# All heads in one program: each names the arrays of its model, which are declared here as the header has them.
includes=()
count=0
for header in "$samples"/*/out/include/*/*.hpp; do
  name=$(basename "$header" .hpp)
  includes+=("-I$(dirname "$(dirname "$header")")")
  space=$(awk '/^namespace / { print $2; exit }' "$header")
  echo "#include \"$name/$name.hpp\"" >>heads.cpp
  {
    echo "void of_$name(CUstream_st* stream) {"
    awk -v space="$space" '/^\/\/   in  / { type[$3] = "Inputs" } /^\/\/   out / { type[$3] = "Outputs" } !/^\/\// { exit }
      END { for (name in type) print "[[maybe_unused]] decltype(" space "::" type[name] "::" name ") " name ";" }' \
      "${header%pp}"
    example "$header" 1
    echo "{"  # where what the first names is there, and the model is another
    example "$header" 2
    echo "} }"
  } >>bodies.cpp
  count=$((count + 1))
done
[ $count -gt 10 ] || fail "no samples"
{ echo "#include <cstdio>"; cat bodies.cpp; } >>heads.cpp
for compiler in g++ "$clang"; do
  $compiler -std=c++17 "${warnings[@]}" -Wno-shadow "${includes[@]}" -fsyntax-only heads.cpp
done
echo "C++ headers: as they should be, $count samples"
