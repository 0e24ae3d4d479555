// Matrices of 8 x 8 16-bit elements from shared memory to the lanes of a warp. All 32 lanes call
// each function together.
#pragma once

#include "device/launch.cuh"

#ifdef SINTER_CPU
#include "cpu/warp_matrix.h"
#else

inline namespace sinter_eb34b753 {

// Four of them. Lane i says where row i % 8 of matrix i / 8 begins: 16 bytes, aligned. r[m] of a
// lane is then row lane / 4 of matrix m, elements 2 * (lane % 4) and the next. A 32-bit element is
// two of 16 bits.
__device__ __forceinline__ void ldmatrix_x4(uint32_t (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(row)))
               : "memory");
}

// The same, transposed: r[m] is elements (2 * (lane % 4), lane / 4) and (2 * (lane % 4) + 1, lane /
// 4) of matrix m.
__device__ __forceinline__ void ldmatrix_x4_trans(uint32_t (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(row)))
               : "memory");
}

}  // namespace sinter_eb34b753

#endif
