// What every kernel file needs: CUDA (or its stand-in on the CPU), launches, and the shared memory
// of a block.
#pragma once

#include <cmath>
#include <cstdint>

#ifdef SINTER_CPU
#include "cpu/sinter_cpu.h"
#else
#include <cuda_runtime.h>
#endif

inline namespace sinter_helpers {

struct LaunchConfig {
  dim3 grid;                 // blocks
  int block;                 // threads a block
  int shared_bytes = 0;      // sizeof(Shared), where that is above kStaticSharedBytes or part_shared
  bool cooperative = false;  // all blocks are resident together and may wait for one another
};

// A block may have this much shared memory without asking for it at launch.
inline constexpr int kStaticSharedBytes = 48 * 1024;

// Runs kernel(arguments...) on `stream`. An empty grid is no launch, and no error.
template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), const LaunchConfig& config, cudaStream_t stream,
                   const Arguments&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                "one argument for each parameter of the kernel");
  if (config.grid.x == 0 || config.grid.y == 0 || config.grid.z == 0) return cudaSuccess;
#ifdef SINTER_CPU
  if (sinter_cpu::is_captured(stream)) {
    if (const cudaError_t error = sinter_cpu::fault("cudaLaunchKernel")) return error;
    return sinter_cpu::record(stream, reinterpret_cast<const void*>(kernel),
                              [=] { return launch(kernel, config, nullptr, arguments...); });
  }
  return sinter_cpu::run_grid(config.grid, config.block, config.shared_bytes, config.cooperative,
                              [&] { kernel(static_cast<Parameters>(arguments)...); });
#else
  if (config.shared_bytes > kStaticSharedBytes) {
    const cudaError_t error = cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, config.shared_bytes);
    if (error != cudaSuccess) return error;
  }
  cudaLaunchAttribute cooperative = {};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  cudaLaunchConfig_t full = {};
  full.gridDim = config.grid;
  full.blockDim = dim3(static_cast<unsigned>(config.block));
  full.dynamicSmemBytes = static_cast<size_t>(config.shared_bytes);
  full.stream = stream;
  full.attrs = &cooperative;
  full.numAttrs = config.cooperative ? 1 : 0;
  return cudaLaunchKernelEx(&full, kernel, static_cast<Parameters>(arguments)...);
#endif
}

// The block's object of type Shared, uninitialised: `struct Shared { float row[1024]; };`. Above
// kStaticSharedBytes the launch says .shared_bytes = sizeof(Shared), and the kernel has only one
// such type.
template <class Shared>
__device__ __forceinline__ Shared& block_shared() {
#ifdef SINTER_CPU
  return sinter_cpu::block_shared<Shared>();
#else
  if constexpr (sizeof(Shared) <= kStaticSharedBytes) {
    __shared__ Shared shared;
    return shared;
  } else {
    extern __shared__ __align__(1024) unsigned char dynamic_shared[];
    return *reinterpret_cast<Shared*>(dynamic_shared);
  }
#endif
}

}  // namespace sinter_helpers
