#!/usr/bin/env bash
# `sinter doctor` on machines that are made up: programs that only say their versions, and a driver's library that does.
# What it says of each is tests/shell/doctor/NAME.txt; SINTER_BLESS=1 writes them.
#   doctor.sh SINTER
set -euo pipefail
sinter=$1
expected=$(realpath "$(dirname "${BASH_SOURCE[0]}")")/doctor
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# program NAME STATUS LINE...: says the lines to --version, and ends with the status, saying "error", otherwise.
program() {
  local file=$work/bin/$1 status=$2
  shift 2
  {
    echo '#!/bin/sh'
    echo 'if [ "$1" = --version ]; then'
    printf "  echo '%s'\n" "$@"
    echo '  exit 0'
    echo 'fi'
    [ "$status" = 0 ] || echo "echo 'error: it does not work'"
    echo "exit $status"
  } >"$file"
  chmod +x "$file"
}

# A machine with nothing.
machine() {
  rm -rf "$work/bin" "$work/lib"
  mkdir "$work/bin" "$work/lib"
  ln -s "$(command -v env)" "$work/bin/env"
  : >"$work/lib/libcuda.so.1"  # no library, before that of this machine
}

# driver VERSION: one that runs CUDA up to it.
driver() {
  echo "extern \"C\" int cuDriverGetVersion(int* version) { return *version = $1, 0; }" |
    c++ -shared -fPIC -x c++ - -o "$work/lib/libcuda.so.1"
}

# expect NAME STATUS [OPTION...]
expect() {
  local name=$1 status=$2 got=0
  shift 2
  env -u CXX -u CXXFLAGS -u CUDACXX PATH="$work/bin" LD_LIBRARY_PATH="$work/lib" XDG_CACHE_HOME="$work/cache" \
    "$sinter" doctor "$@" >"$work/out" 2>&1 || got=$?
  sed "1d; s|$work|WORK|g; s|version [0-9.]*, in sinter|version N, in sinter|" "$work/out" >"$work/text"
  [ -z "${SINTER_BLESS:-}" ] || cp "$work/text" "$expected/$name.txt"
  if [ "$got" != "$status" ]; then
    echo "doctor: $name ends with $got, not $status"
    failures=$((failures + 1))
  fi
  diff -u "$expected/$name.txt" "$work/text" || failures=$((failures + 1))
}

machine
expect nothing 1

program c++ 0 "g++ (Debian 12.2.0-14) 12.2.0"
expect compiler_alone 0

program cmake 0 "cmake version 3.25.1"
program ninja 0 "1.11.1"
program git 0 "git version 2.39.5"
program nvcc 0 "nvcc: NVIDIA (R) Cuda compiler driver" "Cuda compilation tools, release 13.0, V13.0.88"
program ptxas 0 "ptxas: NVIDIA (R) Ptx optimizing assembler" "Cuda compilation tools, release 13.0, V13.0.88"
expect no_gpu 0 --arch 80

driver 13000
cat >"$work/bin/nvidia-smi" <<'TEXT'
#!/bin/sh
echo "NVIDIA H100 80GB HBM3, 9.0, 81559 MiB, 580.65.06"
echo "NVIDIA Quadro GV100, 7.0, 32508 MiB, 580.65.06"
TEXT
chmod +x "$work/bin/nvidia-smi"
expect all 0

# What is there, and not as it is needed.
driver 12040
program c++ 1 "g++ (Debian 8.3.0-6) 8.3.0"
program nvcc 1 "Cuda compilation tools, release 13.0, V13.0.88"
program nvidia-smi 9 ""
expect unusable 1
[ "$failures" = 0 ]
