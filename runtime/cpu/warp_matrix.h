// mma.sync and ldmatrix on the CPU. device/mma.cuh and device/ldmatrix.cuh include this after the
// rest of the CPU build.
//
// The lanes of a warp put down their registers and meet; the first that goes on computes for all of
// them. ldmatrix reads a lane's row before the lanes meet, so that data which another lane has yet
// to store is missed here as it may be on a GPU.
//
// SINTER_CPU_MMA=exact|truncated   how products are summed: without error, and rounded once; or as
//                                  tensor cores have been found to do it: some products and the
//                                  accumulator are aligned to the largest of them, cut off one bit
//                                  below a float's last, and so is their sum
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "cpu/shared_banks.h"

inline namespace sinter_helpers {

namespace sinter_cpu {

inline bool& truncates_sums() {
  static bool value = [] {
    const char* text = std::getenv("SINTER_CPU_MMA");
    return text != nullptr && std::string_view(text) == "truncated";
  }();
  return value;
}

// Of this host thread, since its start or the last `matrix_counters() = {}`.
struct MatrixCounters {
  int64_t products = 0;   // mma.sync of a warp
  int64_t loads = 0;      // ldmatrix of a warp
  int64_t conflicts = 0;  // turns that shared memory takes for these beyond one for each matrix
};
inline MatrixCounters& matrix_counters() {
  thread_local MatrixCounters value;
  return value;
}

// What the lanes of a warp put down, and what they find when they have met.
struct WarpMatrices {
  uint32_t a[kWarpSize][4], b[kWarpSize][2];
  union {
    float d[kWarpSize][4];
    uint32_t integer[kWarpSize][4];  // wraps
  };
  double wide_a[kWarpSize][4], wide_b[kWarpSize][2], wide_d[kWarpSize][4];
  uint8_t row[kWarpSize][16];
  uintptr_t address[kWarpSize];
  uint32_t multiplied;  // the number of the instruction whose result is in `d`
};

// Used in turns, as no lane is further ahead than one instruction. All ones at first: what counts
// starts there, and wraps.
struct WarpMatrixState {
  WarpMatrices turn[2];
  uint32_t number[kWarpSize];
};

inline WarpMatrixState& warp_matrix_state() {
  static char type;
  const size_t warps = (block_size().x + kWarpSize - 1) / kWarpSize;
  return static_cast<WarpMatrixState*>(Scheduler::get().shared(
      &type, warps * sizeof(WarpMatrixState), 64))[thread_index().x / kWarpSize];
}

// The lanes of a warp: `give` puts down a lane's part, `take` finds the parts of all. On a GPU that
// orders no memory accesses.
template <class Give, class Take>
void collectively(const char* call, Place place, Give give, Take take) {
  WarpMatrixState& state = warp_matrix_state();
  const uint32_t number = ++state.number[lane()];
  WarpMatrices& warp = state.turn[number % 2];
  {
    HiddenAccesses hidden;
    give(warp);
  }
  Scheduler::get().exchange(0xffffffff, 0, -1, call, place);
  HiddenAccesses hidden;
  take(warp, number);
}

// --- mma.sync
// -------------------------------------------------------------------------------------------------

// sum + the products, `together` of them at a time, as tensor cores add them.
inline double truncated_sum(double sum, const double* product, int count, int together) {
  for (int first = 0; first < count; first += together) {
    double largest = std::fabs(sum), whole = sum;
    for (int k = first; k < first + together; ++k) {
      largest = std::fmax(largest, std::fabs(product[k]));
      whole += product[k];
    }
    if (largest == 0.0 || !std::isfinite(whole)) {
      sum = whole;
      continue;
    }
    const double unit = std::ldexp(1.0, std::ilogb(largest) - 24);  // a float's last bit is 2^-23
    double units = std::trunc(sum / unit);
    for (int k = first; k < first + together; ++k) units += std::trunc(product[k] / unit);
    sum = units * unit;
    float cut = static_cast<float>(sum);
    if (std::fabs(static_cast<double>(cut)) > std::fabs(sum)) cut = std::nextafterf(cut, 0.0f);
    sum = static_cast<double>(cut);
  }
  return sum;
}

// D += A B, where a register has E elements, and `decode(register, e)` is one of them.
template <int E, class Decode>
void multiply(WarpMatrices& warp, Decode decode) {
  constexpr int kK = 8 * E;
  double a[16][kK], b[kK][8], d[16][8];
  for (int i = 0; i < static_cast<int>(kWarpSize); ++i) {
    const int group = i / 4, quad = i % 4;
    for (int e = 0; e < E; ++e) {
      for (int r = 0; r < 4; ++r)
        a[group + 8 * (r % 2)][E * quad + e + 4 * E * (r / 2)] = decode(warp.a[i][r], e);
      for (int r = 0; r < 2; ++r) b[E * quad + e + 4 * E * r][group] = decode(warp.b[i][r], e);
    }
    for (int r = 0; r < 4; ++r)
      d[group + 8 * (r / 2)][2 * quad + r % 2] = static_cast<double>(warp.d[i][r]);
  }
  for (int row = 0; row < 16; ++row) {
    if (!truncates_sums()) {
      for (int k = 0; k < kK; ++k) {
        for (int column = 0; column < 8; ++column) d[row][column] += a[row][k] * b[k][column];
      }
      continue;
    }
    for (int column = 0; column < 8; ++column) {
      double product[kK];
      for (int k = 0; k < kK; ++k) product[k] = a[row][k] * b[k][column];
      d[row][column] = truncated_sum(d[row][column], product, kK, 4 * E);
    }
  }
  for (int i = 0; i < static_cast<int>(kWarpSize); ++i) {
    for (int r = 0; r < 4; ++r)
      warp.d[i][r] = static_cast<float>(d[i / 4 + 8 * (r / 2)][2 * (i % 4) + r % 2]);
  }
  ++matrix_counters().products;
}

// The same of bytes, in integers.
template <class Byte>
void multiply_bytes(WarpMatrices& warp) {
  int a[16][32], b[32][8];
  for (int i = 0; i < static_cast<int>(kWarpSize); ++i) {
    const int group = i / 4, quad = i % 4;
    const auto byte = [](uint32_t bits, int e) {
      return static_cast<int>(static_cast<Byte>(bits >> 8 * e));
    };
    for (int e = 0; e < 4; ++e) {
      for (int r = 0; r < 4; ++r)
        a[group + 8 * (r % 2)][4 * quad + e + 16 * (r / 2)] = byte(warp.a[i][r], e);
      for (int r = 0; r < 2; ++r) b[4 * quad + e + 16 * r][group] = byte(warp.b[i][r], e);
    }
  }
  for (int i = 0; i < static_cast<int>(kWarpSize); ++i) {
    for (int r = 0; r < 4; ++r) {
      const int row = i / 4 + 8 * (r / 2), column = 2 * (i % 4) + r % 2;
      for (int k = 0; k < 32; ++k)
        warp.integer[i][r] += static_cast<uint32_t>(a[row][k] * b[k][column]);
    }
  }
  ++matrix_counters().products;
}

// The same of doubles, where each sum is one fma after the other.
inline void multiply_doubles(WarpMatrices& warp) {
  double a[16][8], b[8][8];
  for (int i = 0; i < static_cast<int>(kWarpSize); ++i) {
    const int group = i / 4, quad = i % 4;
    for (int r = 0; r < 4; ++r) a[group + 8 * (r % 2)][quad + 4 * (r / 2)] = warp.wide_a[i][r];
    for (int r = 0; r < 2; ++r) b[quad + 4 * r][group] = warp.wide_b[i][r];
  }
  for (int i = 0; i < static_cast<int>(kWarpSize); ++i) {
    for (int r = 0; r < 4; ++r) {
      const int row = i / 4 + 8 * (r / 2), column = 2 * (i % 4) + r % 2;
      double& sum = warp.wide_d[i][r];
      for (int k = 0; k < 8; ++k) sum = std::fma(a[row][k], b[k][column], sum);
    }
  }
  ++matrix_counters().products;
}

// `multiply_all` makes one of the above of what all lanes have put down.
template <class Sum, class Multiply>
void multiply_together(Sum (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2],
                       Multiply multiply_all, const char* call, Place place) {
  const int self = lane();
  const auto give = [&](WarpMatrices& warp) {
    std::memcpy(warp.a[self], a, sizeof(a));
    std::memcpy(warp.b[self], b, sizeof(b));
    std::memcpy(warp.d[self], d, sizeof(d));
  };
  const auto take = [&](WarpMatrices& warp, uint32_t number) {
    if (warp.multiplied != number) multiply_all(warp);
    warp.multiplied = number;
    std::memcpy(d, warp.d[self], sizeof(d));
  };
  collectively(call, place, give, take);
}

// --- ldmatrix
// -------------------------------------------------------------------------------------------------

template <int N>
void load_together(uint32_t (&r)[N], const void* row, bool transposed, const char* call,
                   Place place) {
  const int self = lane();
  uint8_t bytes[16] = {};
  if (self < 8 * N) std::memcpy(bytes, row, 16);  // the lane's own read of shared memory
  const auto give = [&](WarpMatrices& warp) {
    std::memcpy(warp.row[self], bytes, 16);
    warp.address[self] = reinterpret_cast<uintptr_t>(row);
  };
  const auto take = [&](const WarpMatrices& warp, uint32_t) {
    for (int m = 0; m < N; ++m) {
      uint16_t pair[2];
      for (int e = 0; e < 2; ++e) {
        const int i = transposed ? 2 * (self % 4) + e : self / 4;
        const int j = transposed ? self / 4 : 2 * (self % 4) + e;
        std::memcpy(&pair[e], &warp.row[8 * m + i][2 * j], 2);
      }
      std::memcpy(&r[m], pair, 4);
      if (self != 0) continue;
      const int conflicts = bank_conflicts(&warp.address[8 * m], 8);
      if (conflicts > 0 && checks_banks()) Scheduler::get().trap(place);
      matrix_counters().conflicts += conflicts;
    }
    matrix_counters().loads += self == 0 ? 1 : 0;
  };
  collectively(call, place, give, take);
}

}  // namespace sinter_cpu

inline void mma_bf16(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2],
                     sinter_cpu::Place place = sinter_cpu::Place::current()) {
  const auto decode = [](uint32_t bits, int e) {
    return static_cast<double>(__bfloat162float({static_cast<uint16_t>(bits >> 16 * e)}));
  };
  const auto multiply = [&](sinter_cpu::WarpMatrices& warp) {
    sinter_cpu::multiply<2>(warp, decode);
  };
  sinter_cpu::multiply_together(d, a, b, multiply, "mma_bf16", place);
}

inline void mma_f16(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2],
                    sinter_cpu::Place place = sinter_cpu::Place::current()) {
  const auto decode = [](uint32_t bits, int e) {
    return static_cast<double>(__half2float({static_cast<uint16_t>(bits >> 16 * e)}));
  };
  const auto multiply = [&](sinter_cpu::WarpMatrices& warp) {
    sinter_cpu::multiply<2>(warp, decode);
  };
  sinter_cpu::multiply_together(d, a, b, multiply, "mma_f16", place);
}

inline void mma_tf32(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2],
                     sinter_cpu::Place place = sinter_cpu::Place::current()) {
  const auto decode = [](uint32_t bits, int) {
    return static_cast<double>(__uint_as_float(bits & 0xffffe000));
  };
  const auto multiply = [&](sinter_cpu::WarpMatrices& warp) {
    sinter_cpu::multiply<1>(warp, decode);
  };
  sinter_cpu::multiply_together(d, a, b, multiply, "mma_tf32", place);
}

inline void mma_s8(int (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2],
                   sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::multiply_together(d, a, b, sinter_cpu::multiply_bytes<int8_t>, "mma_s8", place);
}
inline void mma_u8(int (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2],
                   sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::multiply_together(d, a, b, sinter_cpu::multiply_bytes<uint8_t>, "mma_u8", place);
}

inline void mma_f64(double (&d)[4], const double (&a)[4], const double (&b)[2],
                    sinter_cpu::Place place = sinter_cpu::Place::current()) {
  const int self = sinter_cpu::lane();
  const auto give = [&](sinter_cpu::WarpMatrices& warp) {
    std::memcpy(warp.wide_a[self], a, sizeof(a));
    std::memcpy(warp.wide_b[self], b, sizeof(b));
    std::memcpy(warp.wide_d[self], d, sizeof(d));
  };
  const auto take = [&](sinter_cpu::WarpMatrices& warp, uint32_t number) {
    if (warp.multiplied != number) sinter_cpu::multiply_doubles(warp);
    warp.multiplied = number;
    std::memcpy(d, warp.wide_d[self], sizeof(d));
  };
  sinter_cpu::collectively("mma_f64", place, give, take);
}

inline void ldmatrix_x4(uint32_t (&r)[4], const void* row,
                        sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::load_together(r, row, false, "ldmatrix_x4", place);
}
inline void ldmatrix_x4_trans(uint32_t (&r)[4], const void* row,
                              sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::load_together(r, row, true, "ldmatrix_x4_trans", place);
}

}  // namespace sinter_helpers
