// Tiles that the hardware copies from device to shared memory by itself (TMA), and the barriers in
// shared memory that count what has arrived (mbarrier). sm_90.
//
//   make_barrier(&barrier, arrivals); ...   one thread; then made_barriers(), and __syncthreads()
//   arrive_and_expect(&barrier, bytes);     one thread, before it asks for copies of so many bytes
//   copy_tile(to, map, ..., &barrier);      what is outside of the matrix arrives as zeros
//   wait_phase(&barrier, parity);           any thread, before it reads the tiles
//
// A barrier completes a phase when as many threads have arrived as it was made for, and all bytes
// that were announced. Phases are numbered from 0; wait_phase() returns once the last phase of that
// parity has completed. Before phase 0, one of parity 1 counts as completed.
#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

// Matrices of a batch in device memory, and the tiles that are copied of them. Extents and strides
// are in elements, those of neighbours first; strides are multiples of 16 bytes.
struct TiledMatrices {
  int64_t extents[3];  // of a row, of a column, of the batch
  int64_t strides[2];  // from row to row, and from matrix to matrix
  int tile[2];         // elements of a row, 128 bytes; and rows, up to 256
};

}  // namespace sinter_helpers

#ifdef SINTER_CPU
#include "cpu/tile_copy.h"
#else

#include <cuda.h>  // types alone

inline namespace sinter_helpers {

using PhaseBarrier = uint64_t;
using TileMap = CUtensorMap;

// The driver's function that makes maps; nullptr where it has none.
inline decltype(&cuTensorMapEncodeTiled) find_encoder() {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  const cudaError_t error = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry,
                                                             12000, cudaEnableDefault, &found);
  const bool is_there = error == cudaSuccess && found == cudaDriverEntryPointSuccess;
  return is_there ? reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry) : nullptr;
}

// For the launcher. `first`: the first element, aligned to 16 bytes, of 16 bits.
template <class T>
cudaError_t make_tile_map(TileMap* map, const T* first, const TiledMatrices& matrices) {
  static_assert(sizeof(T) == 2, "rows of 64 elements are 128 bytes");
  static const auto encode = find_encoder();  // once, not at each launch
  if (encode == nullptr) return cudaErrorNotSupported;
  cuuint64_t extents[3], strides[2];
  for (int i = 0; i < 3; ++i) extents[i] = static_cast<cuuint64_t>(matrices.extents[i]);
  for (int i = 0; i < 2; ++i) strides[i] = static_cast<cuuint64_t>(matrices.strides[i]) * sizeof(T);
  const cuuint32_t tile[3] = {static_cast<cuuint32_t>(matrices.tile[0]),
                              static_cast<cuuint32_t>(matrices.tile[1]), 1};
  const cuuint32_t steps[3] = {1, 1, 1};
  // Bits are copied as they are: which type of 16 bits they have does not matter.
  const CUresult result = encode(
      map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 3, const_cast<T*>(first), extents, strides, tile,
      steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
      CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

__device__ __forceinline__ uint32_t shared_address(const void* object) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(object));
}

__device__ __forceinline__ void make_barrier(PhaseBarrier* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(arrivals)
               : "memory");
}
__device__ __forceinline__ void made_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void arrive(PhaseBarrier* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
               : "memory");
}

__device__ __forceinline__ void arrive_and_expect(PhaseBarrier* barrier, int bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
      "r"(bytes)
      : "memory");
}

__device__ __forceinline__ void wait_phase(PhaseBarrier* barrier, int parity) {
  uint32_t done = 0;
  while (done == 0) {
    asm volatile(
        "{\n.reg .pred done;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
        "selp.u32 %0, 1, 0, done;\n}"
        : "=r"(done)
        : "r"(shared_address(barrier)), "r"(parity)
        : "memory");
  }
}

// The tile whose first element is `element` of row `row`, in matrix `number` of the batch. In
// shared memory its rows are 128 bytes, eight of them aligned to 1,024; chunk c of 16 bytes of row r is at
// c ^ r % 8.
__device__ __forceinline__ void copy_tile(void* to, const TileMap& map, int element, int row,
                                          int number, PhaseBarrier* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], "
      "[%1, {%2, %3, %4}], [%5];" ::"r"(shared_address(to)),
      "l"(&map), "r"(element), "r"(row), "r"(number), "r"(shared_address(barrier))
      : "memory");
}

// Registers that a warpgroup's threads have from here on, a multiple of 8: fewer, or more.
template <int kRegisters>
__device__ __forceinline__ void give_up_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters));
}
template <int kRegisters>
__device__ __forceinline__ void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

}  // namespace sinter_helpers

#endif
