// GridBarrier: all blocks of a launch wait for one another. launch_resident: a launch whose blocks
// are all on the device at the same time, so that they can.
#pragma once

#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/spin_until.cuh"

inline namespace sinter_helpers {

class GridBarrier {
 public:
  // Two counts: of blocks that have arrived, zero before and after; and of the waits there have
  // been, whatever it begins with.
  __device__ explicit GridBarrier(unsigned* counts)
      : counts_(counts), waits_(load_acquire(counts + 1)) {}

  // For all threads of all blocks, which then see what any of them has stored before.
  __device__ void wait_for_all() {
    arrives_last();
    wait_for_last();
  }

  // For all threads of a block: whether all others have arrived, and what they stored is seen. They
  // wait until this block does.
  __device__ bool arrives_last() {
    if (gridDim.x == 1) __syncthreads();
    last_ = gridDim.x == 1 || is_last_of(counts_, gridDim.x - 1);
    return last_;
  }

  __device__ void wait_for_last() {
    if (gridDim.x == 1) return __syncthreads();
#ifdef SINTER_CPU
    sinter_cpu::grid_sync(sinter_cpu::Place::current());
#else
    __syncthreads();
    if (threadIdx.x == 0 && last_) store_release(counts_ + 1, waits_ + 1);
    if (threadIdx.x == 0 && !last_) {
      spin_until([&] { return load_acquire(counts_ + 1) != waits_; });
    }
    ++waits_;
    __syncthreads();
#endif
  }

 private:
  unsigned* counts_;
  unsigned waits_;
  bool last_ = false;
};

// How many blocks of the kernel the current device holds at once; 0 where it cannot be asked, 1
// where blocks cannot wait for one another.
template <class Kernel>
inline int resident_blocks(Kernel kernel, int block, int shared_bytes = 0) {
#ifdef SINTER_CPU
  (void)kernel, (void)block, (void)shared_bytes;
  return static_cast<int>(sinter_cpu::settings().resident_blocks);
#else
  int device = 0, together = 0, processors = 0, blocks_each = 0;
  const size_t dynamic = static_cast<size_t>(shared_bytes);
  // Helpers have some beside it, so that it is asked for below kStaticSharedBytes, too.
  if (shared_bytes > 0 &&
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes) !=
          cudaSuccess) {
    return 0;
  }
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&together, cudaDevAttrCooperativeLaunch, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess ||
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, kernel, block, dynamic) !=
          cudaSuccess) {
    return 0;
  }
  return together == 0 && blocks_each > 0 ? 1 : processors * blocks_each;
#endif
}

// Runs the kernel with as many blocks as the device holds at once, config.grid.x of them at most.
template <class... Parameters, class... Arguments>
cudaError_t launch_resident(void (*kernel)(Parameters...), LaunchConfig config, cudaStream_t stream,
                            const Arguments&... arguments) {
  const int resident = resident_blocks(kernel, config.block, config.shared_bytes);
  if (resident == 0) return cudaErrorCooperativeLaunchTooLarge;
  if (config.grid.x > static_cast<unsigned>(resident)) {
    config.grid.x = static_cast<unsigned>(resident);
  }
  config.cooperative = config.grid.x > 1;
  return launch(kernel, config, stream, arguments...);
}

// All threads of the launch together: to[i] = from[i] of `count` elements. Element i is the same
// thread's in every such call, of a launch, and of clear_elements.
template <class T>
__device__ void copy_elements(const T* from, T* to, long long count) {
  const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += threads) {
    to[i] = from[i];
  }
}

// The same with zeros, of all bits.
template <class T>
__device__ void clear_elements(T* to, long long count) {
  const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += threads) {
    to[i] = T{};
  }
}

template <class T>
__device__ void swap_pointers(T*& a, T*& b) {
  T* const was = a;
  a = b;
  b = was;
}

}  // namespace sinter_helpers
