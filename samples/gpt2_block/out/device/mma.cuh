// Products of small matrices on tensor cores (mma.sync): D += A B of one warp, D 16 x 8 in f32.
//
// A warp's 32 lanes hold the matrices together. With group = lane / 4 and quad = lane % 4, and E
// elements of K in each 32-bit register (E = 2 for 16-bit types, 1 for TF32), lane by lane:
//
//   A, 16 x 8E       a[r], element e:  row group + 8 * (r % 2),  k = E * quad + e + 4E * (r / 2)
//   B, 8E x 8        b[r], element e:  k = E * quad + e + 4E * r,  column group
//   D, 16 x 8        d[i]:             row group + 8 * (i / 2),  column 2 * quad + i % 2
//
// Products are exact. Their sums are not rounded but cut off near a float's last bit. All 32 lanes
// call each function together.
#pragma once

#include "device/launch.cuh"

#ifdef SINTER_CPU
#include "cpu/warp_matrix.h"
#else

inline namespace sinter_eb34b753 {

// K = 16.
__device__ __forceinline__ void mma_bf16(float (&d)[4], const uint32_t (&a)[4],
                                         const uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ __forceinline__ void mma_f16(float (&d)[4], const uint32_t (&a)[4],
                                        const uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// K = 8; the operands are TF32 (device/tf32_split.cuh): floats whose last 13 bits do not count.
__device__ __forceinline__ void mma_tf32(float (&d)[4], const uint32_t (&a)[4],
                                         const uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

}  // namespace sinter_eb34b753

#endif
