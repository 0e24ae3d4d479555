// Products of matrices in shared memory on the tensor cores of sm_90a (wgmma): D += A B of a
// warpgroup, four warps, D 64 x 8N in f32, of bytes in 32-bit integers. They run while the threads
// go on.
//
//   fence_async_proxy();          what this thread has written or copied to shared memory is there
//   __syncthreads();              and what the others have
//   wgmma_fence();                what this thread has written to d comes first
//   wgmma_bf16(d, a, b); ...      in order
//   wgmma_commit();               one group
//   wgmma_wait<n>();              all groups but the last n are done, of this warp: d may be read
//   __syncthreads();              of the others too: a and b may be overwritten
//
// A warp has 16 rows of D, as mma.sync has them (device/mma.cuh), 8 columns after the other: thread
// t has in d[j][i]
//
//   row 16 * (t / 32) + t % 32 / 4 + 8 * (i / 2),  column 8 * j + 2 * (t % 4) + i % 2
//
// A and B are in rows of 128 bytes, 64 elements of 16 bits, of which eight begin at a multiple of
// 1,024 bytes. Chunk c of 16 bytes of row r is at c ^ r % 8. All 128 threads call each function
// together.
//
// A may be in registers, of TF32 and bytes it is: each warp has its 16 rows as mma.sync has them
// (device/mma.cuh), which may change once the product has been waited for. Of TF32 and bytes B is
// along K.
#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

// What the hardware is told of an operand: where it begins, how far rows 128 bytes on are, and that
// eight rows are 1,024 bytes, swizzled.
__device__ __forceinline__ uint64_t matrix_descriptor(uint64_t address, int next_bytes) {
  constexpr uint64_t kEightRows = 1024, kSwizzle128 = 1;
  return (address & 0x3ffff) >> 4 | static_cast<uint64_t>(next_bytes) >> 4 << 16 |
         kEightRows >> 4 << 32 | kSwizzle128 << 62;
}

}  // namespace sinter_helpers

#ifdef SINTER_CPU
#include "cpu/warpgroup_matrix.h"
#else

#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
#error "wgmma is of sm_90a alone: compile for it, or choose another form of the product"
#endif

inline namespace sinter_helpers {

// A or B. `kAlongK`: a row is 128 bytes along K of one row of A, or column of B; else as many rows of
// A, or columns of B, of one k.
template <bool kAlongK>
struct SharedOperand {
  uint64_t descriptor;

  // So many instructions' K on: of 16 bits each 16.
  __device__ __forceinline__ SharedOperand operator+(int steps) const {
    return {descriptor + static_cast<uint64_t>(steps * (kAlongK ? 32 : 16 * 128) / 16)};
  }
};

__device__ __forceinline__ SharedOperand<true> along_k(const void* start) {
  return {matrix_descriptor(__cvta_generic_to_shared(start), 16)};
}
// So many of K lie after one another; then come the next 64 rows of A, or columns of B.
__device__ __forceinline__ SharedOperand<false> across_k(const void* start, int extent) {
  return {matrix_descriptor(__cvta_generic_to_shared(start), extent * 128)};
}

__device__ __forceinline__ void fence_async_proxy() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ __forceinline__ void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int kGroupsLeft>
__device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kGroupsLeft) : "memory");
}

// The registers of d, and their places in the instruction's text.
#define SINTER_SUMS(j) "+f"(d[j][0]), "+f"(d[j][1]), "+f"(d[j][2]), "+f"(d[j][3])
#define SINTER_SUMS_8(j)                                                                          \
  SINTER_SUMS(j), SINTER_SUMS(j + 1), SINTER_SUMS(j + 2), SINTER_SUMS(j + 3), SINTER_SUMS(j + 4), \
      SINTER_SUMS(j + 5), SINTER_SUMS(j + 6), SINTER_SUMS(j + 7)
#define SINTER_PLACES_8                                                  \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15" \
  ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define SINTER_PLACES_16                                                             \
  SINTER_PLACES_8                                                                    \
  ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47" \
  ", %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define SINTER_PLACES_32                                                                         \
  SINTER_PLACES_16                                                                               \
  ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79"             \
  ", %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"             \
  ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111" \
  ", %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, " \
  "%127"
// The operands after them: descriptors, and which is transposed. Both signs are plus.
#define SINTER_WGMMA(instruction, places, a_at, b_at, a_turned, b_turned, ...)                   \
  asm volatile(instruction " {" places "}, " a_at ", " b_at ", 1, 1, 1, " a_turned ", " b_turned \
                           ";"                                                                   \
               : __VA_ARGS__                                                                     \
               : "l"(a.descriptor), "l"(b.descriptor), "n"(kA ? 0 : 1), "n"(kB ? 0 : 1))

template <bool kA, bool kB>
__device__ __forceinline__ void wgmma_bf16(float (&d)[8][4], SharedOperand<kA> a,
                                           SharedOperand<kB> b) {
  SINTER_WGMMA("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16", SINTER_PLACES_8, "%32",
               "%33", "%34", "%35", SINTER_SUMS_8(0));
}
template <bool kA, bool kB>
__device__ __forceinline__ void wgmma_bf16(float (&d)[16][4], SharedOperand<kA> a,
                                           SharedOperand<kB> b) {
  SINTER_WGMMA("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16", SINTER_PLACES_16, "%64",
               "%65", "%66", "%67", SINTER_SUMS_8(0), SINTER_SUMS_8(8));
}
template <bool kA, bool kB>
__device__ __forceinline__ void wgmma_bf16(float (&d)[32][4], SharedOperand<kA> a,
                                           SharedOperand<kB> b) {
  SINTER_WGMMA("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16", SINTER_PLACES_32, "%128",
               "%129", "%130", "%131", SINTER_SUMS_8(0), SINTER_SUMS_8(8), SINTER_SUMS_8(16),
               SINTER_SUMS_8(24));
}

template <bool kA, bool kB>
__device__ __forceinline__ void wgmma_f16(float (&d)[8][4], SharedOperand<kA> a,
                                          SharedOperand<kB> b) {
  SINTER_WGMMA("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16", SINTER_PLACES_8, "%32", "%33",
               "%34", "%35", SINTER_SUMS_8(0));
}
template <bool kA, bool kB>
__device__ __forceinline__ void wgmma_f16(float (&d)[16][4], SharedOperand<kA> a,
                                          SharedOperand<kB> b) {
  SINTER_WGMMA("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16", SINTER_PLACES_16, "%64",
               "%65", "%66", "%67", SINTER_SUMS_8(0), SINTER_SUMS_8(8));
}
template <bool kA, bool kB>
__device__ __forceinline__ void wgmma_f16(float (&d)[32][4], SharedOperand<kA> a,
                                          SharedOperand<kB> b) {
  SINTER_WGMMA("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16", SINTER_PLACES_32, "%128",
               "%129", "%130", "%131", SINTER_SUMS_8(0), SINTER_SUMS_8(8), SINTER_SUMS_8(16),
               SINTER_SUMS_8(24));
}

// D = A B where not `adds`.
#define SINTER_WGMMA_ADDS(instruction, places, a_at, b_at, a_turned, b_turned, adds_at, ...)       \
  asm volatile("{ .reg .pred adds; setp.ne.b32 adds, " adds_at ", 0; " instruction " {" places     \
               "}, " a_at ", " b_at ", adds, 1, 1, " a_turned ", " b_turned "; }"                  \
               : __VA_ARGS__                                                                       \
               : "l"(a.descriptor), "l"(b.descriptor), "n"(kA ? 0 : 1), "n"(kB ? 0 : 1),           \
                 "r"(static_cast<int>(adds)))

template <bool kA, bool kB>
__device__ __forceinline__ void wgmma_bf16(float (&d)[8][4], SharedOperand<kA> a,
                                           SharedOperand<kB> b, bool adds) {
  SINTER_WGMMA_ADDS("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16", SINTER_PLACES_8, "%32",
                    "%33", "%34", "%35", "%36", SINTER_SUMS_8(0));
}
template <bool kA, bool kB>
__device__ __forceinline__ void wgmma_bf16(float (&d)[16][4], SharedOperand<kA> a,
                                           SharedOperand<kB> b, bool adds) {
  SINTER_WGMMA_ADDS("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16", SINTER_PLACES_16,
                    "%64", "%65", "%66", "%67", "%68", SINTER_SUMS_8(0), SINTER_SUMS_8(8));
}
template <bool kA, bool kB>
__device__ __forceinline__ void wgmma_f16(float (&d)[8][4], SharedOperand<kA> a,
                                          SharedOperand<kB> b, bool adds) {
  SINTER_WGMMA_ADDS("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16", SINTER_PLACES_8, "%32",
                    "%33", "%34", "%35", "%36", SINTER_SUMS_8(0));
}
template <bool kA, bool kB>
__device__ __forceinline__ void wgmma_f16(float (&d)[16][4], SharedOperand<kA> a,
                                          SharedOperand<kB> b, bool adds) {
  SINTER_WGMMA_ADDS("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16", SINTER_PLACES_16, "%64",
                    "%65", "%66", "%67", "%68", SINTER_SUMS_8(0), SINTER_SUMS_8(8));
}

// A of registers.
#define SINTER_WGMMA_OF_16_BITS(instruction, places, a0, a1, a2, a3, b_at, b_turned, ...)        \
  asm volatile(instruction " {" places "}, {" a0 ", " a1 ", " a2 ", " a3 "}, " b_at             \
                           ", 1, 1, 1, " b_turned ";"                                           \
               : __VA_ARGS__                                                                    \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b.descriptor), "n"(kB ? 0 : 1))

template <bool kB>
__device__ __forceinline__ void wgmma_bf16(float (&d)[8][4], const uint32_t (&a)[4],
                                           SharedOperand<kB> b) {
  SINTER_WGMMA_OF_16_BITS("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16", SINTER_PLACES_8,
                          "%32", "%33", "%34", "%35", "%36", "%37", SINTER_SUMS_8(0));
}
template <bool kB>
__device__ __forceinline__ void wgmma_bf16(float (&d)[16][4], const uint32_t (&a)[4],
                                           SharedOperand<kB> b) {
  SINTER_WGMMA_OF_16_BITS("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16",
                          SINTER_PLACES_16, "%64", "%65", "%66", "%67", "%68", "%69",
                          SINTER_SUMS_8(0), SINTER_SUMS_8(8));
}
template <bool kB>
__device__ __forceinline__ void wgmma_f16(float (&d)[8][4], const uint32_t (&a)[4],
                                          SharedOperand<kB> b) {
  SINTER_WGMMA_OF_16_BITS("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16", SINTER_PLACES_8,
                          "%32", "%33", "%34", "%35", "%36", "%37", SINTER_SUMS_8(0));
}
template <bool kB>
__device__ __forceinline__ void wgmma_f16(float (&d)[16][4], const uint32_t (&a)[4],
                                          SharedOperand<kB> b) {
  SINTER_WGMMA_OF_16_BITS("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16", SINTER_PLACES_16,
                          "%64", "%65", "%66", "%67", "%68", "%69", SINTER_SUMS_8(0),
                          SINTER_SUMS_8(8));
}

// B along K; D = A B where not `adds`.
#define SINTER_WGMMA_OF_ROWS(instruction, places, signs, a0, a1, a2, a3, b_at, adds_at, ...)      \
  asm volatile("{ .reg .pred adds; setp.ne.b32 adds, " adds_at ", 0; " instruction " {" places     \
               "}, {" a0 ", " a1 ", " a2 ", " a3 "}, " b_at ", adds" signs "; }"                   \
               : __VA_ARGS__                                                                      \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b.descriptor),                    \
                 "r"(static_cast<int>(adds)))
#define SINTER_WGMMA_OF_ROWS_8(instruction, signs)                                             \
  SINTER_WGMMA_OF_ROWS(instruction, SINTER_PLACES_8, signs, "%32", "%33", "%34", "%35", "%36", \
                       "%37", SINTER_SUMS_8(0))
#define SINTER_WGMMA_OF_ROWS_16(instruction, signs)                                             \
  SINTER_WGMMA_OF_ROWS(instruction, SINTER_PLACES_16, signs, "%64", "%65", "%66", "%67", "%68", \
                       "%69", SINTER_SUMS_8(0), SINTER_SUMS_8(8))
#define SINTER_WGMMA_OF_ROWS_32(instruction, signs)                                                  \
  SINTER_WGMMA_OF_ROWS(instruction, SINTER_PLACES_32, signs, "%128", "%129", "%130", "%131", "%132", \
                       "%133", SINTER_SUMS_8(0), SINTER_SUMS_8(8), SINTER_SUMS_8(16),                \
                       SINTER_SUMS_8(24))

// K = 8, of floats: of each element the tensor cores take as many bits as TF32 has, and no others.
__device__ __forceinline__ void wgmma_tf32(float (&d)[8][4], const uint32_t (&a)[4],
                                           SharedOperand<true> b, bool adds = true) {
  SINTER_WGMMA_OF_ROWS_8("wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32", ", 1, 1");
}
__device__ __forceinline__ void wgmma_tf32(float (&d)[16][4], const uint32_t (&a)[4],
                                           SharedOperand<true> b, bool adds = true) {
  SINTER_WGMMA_OF_ROWS_16("wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32", ", 1, 1");
}
__device__ __forceinline__ void wgmma_tf32(float (&d)[32][4], const uint32_t (&a)[4],
                                           SharedOperand<true> b, bool adds = true) {
  SINTER_WGMMA_OF_ROWS_32("wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32", ", 1, 1");
}

#undef SINTER_SUMS
#define SINTER_SUMS(j) "+r"(d[j][0]), "+r"(d[j][1]), "+r"(d[j][2]), "+r"(d[j][3])

// K = 32, of signed bytes.
__device__ __forceinline__ void wgmma_s8(int (&d)[8][4], const uint32_t (&a)[4],
                                         SharedOperand<true> b, bool adds = true) {
  SINTER_WGMMA_OF_ROWS_8("wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.s8", "");
}
__device__ __forceinline__ void wgmma_s8(int (&d)[16][4], const uint32_t (&a)[4],
                                         SharedOperand<true> b, bool adds = true) {
  SINTER_WGMMA_OF_ROWS_16("wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8", "");
}
__device__ __forceinline__ void wgmma_s8(int (&d)[32][4], const uint32_t (&a)[4],
                                         SharedOperand<true> b, bool adds = true) {
  SINTER_WGMMA_OF_ROWS_32("wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8", "");
}

// K = 32, of bytes without sign.
__device__ __forceinline__ void wgmma_u8(int (&d)[8][4], const uint32_t (&a)[4],
                                         SharedOperand<true> b, bool adds = true) {
  SINTER_WGMMA_OF_ROWS_8("wgmma.mma_async.sync.aligned.m64n64k32.s32.u8.u8", "");
}
__device__ __forceinline__ void wgmma_u8(int (&d)[16][4], const uint32_t (&a)[4],
                                         SharedOperand<true> b, bool adds = true) {
  SINTER_WGMMA_OF_ROWS_16("wgmma.mma_async.sync.aligned.m64n128k32.s32.u8.u8", "");
}
__device__ __forceinline__ void wgmma_u8(int (&d)[32][4], const uint32_t (&a)[4],
                                         SharedOperand<true> b, bool adds = true) {
  SINTER_WGMMA_OF_ROWS_32("wgmma.mma_async.sync.aligned.m64n256k32.s32.u8.u8", "");
}

#undef SINTER_SUMS
#undef SINTER_SUMS_8
#undef SINTER_PLACES_8
#undef SINTER_PLACES_16
#undef SINTER_PLACES_32
#undef SINTER_WGMMA
#undef SINTER_WGMMA_ADDS
#undef SINTER_WGMMA_OF_16_BITS
#undef SINTER_WGMMA_OF_ROWS
#undef SINTER_WGMMA_OF_ROWS_8
#undef SINTER_WGMMA_OF_ROWS_16
#undef SINTER_WGMMA_OF_ROWS_32

}  // namespace sinter_helpers

#endif
