#!/usr/bin/env bash
# Host time of a run of models of one launch, beside that launch written by hand (<<<...>>> and a check of the error),
# under a CUDA runtime whose calls do nothing (null_cuda.c): nanoseconds, the least of ten times a million.
#   host_time.sh SINTER SAMPLES
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
[ -x "$(command -v nvcc)" ] || PATH=$PATH:/usr/local/cuda/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

try() {  # MODEL MODEL'S_TYPES
  "$1" compile "$2/$3/$3.hlo" -o "$work/$3" --no-verify
  kernel=$(basename "$work/$3"/kernels/*.cu .cu)
  cat >"$work/$3/all.cu" <<CODE
#include <chrono>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>
#include "kernels/$kernel.cu"
#include "$3.cu"
#include "info.cpp"

template <class Call>
double nanoseconds(const Call& call) {
  double least = 1e30;
  for (int time = 0; time < 10; ++time) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 1000000; ++i) call();
    const std::chrono::duration<double, std::nano> all = std::chrono::steady_clock::now() - begin;
    least = all.count() < least * 1e6 ? all.count() / 1e6 : least;
  }
  return least;
}

template <class... Parameters, size_t... i>
void launch_by_hand(void (*kernel)(Parameters...), const std::vector<float*>& arrays, std::index_sequence<i...>) {
  kernel<<<16, 128>>>(reinterpret_cast<Parameters>(arrays[i])...);
  if (cudaGetLastError() != cudaSuccess) std::abort();
}
template <class... Parameters>
void launch_by_hand(void (*kernel)(Parameters...), const std::vector<float*>& arrays) {
  launch_by_hand(kernel, arrays, std::make_index_sequence<sizeof...(Parameters)>());
}

int main() {
  std::vector<float*> arrays;
  const auto add = [&](const $4Tensor* table) {
    for (; table->name != nullptr; ++table) {
      void* memory;
      cudaMalloc(&memory, table->bytes);
      arrays.push_back(static_cast<float*>(memory));
    }
  };
  add(k$4InputTable);
  add(k$4OutputTable);
  $4Inputs in;
  $4Outputs out;
  std::memcpy(&in, arrays.data(), sizeof in);
  std::memcpy(&out, arrays.data() + k$4InputCount, sizeof out);
  $4Instance* instance;
  if ($3_create(&instance) != k$4Ok) return 1;
  const double run = nanoseconds([&] { if ($3_run(instance, &in, &out, nullptr) != k$4Ok) std::abort(); });
  const double hand = nanoseconds([&] { launch_by_hand($3_kernels::$kernel::$kernel, arrays); });
  const double create = nanoseconds([&] {
    $4Instance* other;
    if ($3_create(&other) != k$4Ok) std::abort();
    $3_destroy(other);
  });
  std::printf("| $3 | %zu | %.0f | %.0f | %.0f |\n", arrays.size(), run, hand, create);
}
CODE
  gcc -O2 -w -c "$here/null_cuda.c" -o "$work/null_cuda.o"
  nvcc -std=c++20 -O3 -fmad=false -arch=sm_90a -cudart none -DSINTER_ARCHITECTURES='"90a"' -I "$work/$3" -I "$work/$3/include" \
    "$work/$3/all.cu" "$work/null_cuda.o" -o "$work/$3/time"
  "$work/$3/time"
}
echo "| model | arrays | run ns | by hand ns | create and destroy ns |"
echo "|---|---|---|---|---|"
try "$1" "$2" softmax Softmax
try "$1" "$2" layernorm Layernorm
try "$1" "$2" cartpole_soa CartpoleSoa
