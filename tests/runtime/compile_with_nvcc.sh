#!/bin/sh
# Compiles every device helper with nvcc, alone and in kernels, without warnings: compile_with_nvcc.sh SOURCE BUILD
source=$1
build=$2
nvcc=$(command -v nvcc || ls "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" 2>/dev/null)
if [ -z "$nvcc" ]; then
  echo "skipped: there is no nvcc"
  exit 77
fi

compile() {  # ARCHITECTURE FILE FORM: -c, or -ptx for the device's side alone
  code=$([ "$3" = -ptx ] && echo compute || echo sm)
  "$nvcc" -std=c++20 -gencode "arch=compute_$1,code=${code}_$1" -fmad=false -Werror all-warnings \
    -Xcompiler -Wall,-Wextra -I"$source/templates" "$3" "$2" -o "$build/device_helpers.o" ||
    { echo "failed: $2 for sm_$1"; exit 1; }
}

for architecture in 80 90a 100; do
  compile $architecture "$source/tests/runtime/device_helpers.cu" -c
done
compile 90a "$source/tests/runtime/wgmma_helpers.cu" -c
for header in "$source"/templates/device/*.cuh; do
  echo "#include \"device/$(basename "$header")\"" > "$build/one_header.cu"
  compile 90a "$build/one_header.cu" -ptx
done
