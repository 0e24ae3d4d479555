// Bytes for mma.sync out of a matrix whose neighbours in memory differ in the row or column, not in
// k: ldmatrix_x4_trans (device/ldmatrix.cuh) takes pairs of them for elements of 16 bits.
//
//   uint32_t pair[4];
//   ldmatrix_x4_trans(pair, &tile[k + row_of_bytes(lane)][column]);    16 columns of 32 along k
//   unzip_bytes(pair[0], pair[1], even, odd);                          k = 0 to 15
//   unzip_bytes(pair[2], pair[3], even, odd);                          k = 16 to 31
//
// A lane then has column 2 * (lane / 4) in `even` and the next in `odd`, each with the four k from
// 4 * (lane % 4) on, as mma.sync wants them.
#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

// Which k a lane's row is: those of a lane's first two of four k in one matrix, of the other two in
// the next one.
__device__ __forceinline__ int row_of_bytes(int lane) {
  return lane / 16 * 16 + lane % 8 / 2 * 4 + lane / 8 % 2 * 2 + lane % 2;
}

__device__ __forceinline__ void unzip_bytes(uint32_t first, uint32_t second, uint32_t& even,
                                            uint32_t& odd) {
#ifdef SINTER_CPU
  const auto pair = [](uint32_t x, int shift) {
    return (x >> shift & 0xff) | (x >> (shift + 16) & 0xff) << 8;
  };
  even = pair(first, 0) | pair(second, 0) << 16;
  odd = pair(first, 8) | pair(second, 8) << 16;
#else
  even = __byte_perm(first, second, 0x6420);
  odd = __byte_perm(first, second, 0x7531);
#endif
}

}  // namespace sinter_helpers
