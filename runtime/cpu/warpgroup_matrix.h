// wgmma on the CPU. device/wgmma.cuh includes this after the rest of the CPU build.
//
// A product happens when it is waited for, no sooner: a wait that is missing, and an operand that
// is overwritten too early, are wrong results. Each thread makes its own sums, from operands where
// the hardware would read them. Not seen: a write to shared memory that is no copy, and is not
// fenced.
//
// SINTER_CPU_ASYNC=late|early   early: products happen at once, which shows operands that are not
//                               there yet
// SINTER_CPU_MMA                as in cpu/warp_matrix.h
#pragma once

#include "cpu/async_copy.h"
#include "cpu/warp_matrix.h"

inline namespace sinter_helpers {

template <bool kAlongK>
struct SharedOperand {
  const char* start;
  int next_bytes;  // to rows 64 elements on

  SharedOperand operator+(int steps) const {
    return {start + steps * (kAlongK ? 32 : 16 * 128), next_bytes};
  }
};
inline SharedOperand<true> along_k(const void* start) {
  return {static_cast<const char*>(start), 1024 * 8};
}
inline SharedOperand<false> across_k(const void* start, int extent) {
  return {static_cast<const char*>(start), extent * 128};
}

namespace sinter_cpu {

enum class WgmmaType : uint8_t { kBf16, kF16 };

struct Wgmma {
  float (*d)[4];
  int eights;  // of columns
  WgmmaType type;
  bool a_along_k, b_along_k;
  SharedOperand<true> a, b;
  uint32_t group;
};

// The products of one thread.
struct ThreadProducts {
  UnderWay<Wgmma, 64> under_way;
  uint32_t fenced;  // 1: d may be given
};

inline ThreadProducts& thread_products() { return of_thread<ThreadProducts>(); }

// An element of an operand: number `outer` along M or N, number `k` along K.
inline double shared_element(const Wgmma& op, const SharedOperand<true>& from, bool is_along_k,
                             int outer, int k) {
  const int row = is_along_k ? outer : k, place = is_along_k ? k : outer;
  const auto start = reinterpret_cast<uintptr_t>(from.start);
  const int offset = place / 64 * from.next_bytes + row * 128 + place % 64 * 2;
  const uintptr_t address = start + static_cast<uintptr_t>(offset);
  uint16_t bits;
  std::memcpy(&bits, reinterpret_cast<const void*>(address ^ (address >> 7 & 7) << 4), 2);
  if (op.type == WgmmaType::kF16) return static_cast<double>(__half2float({bits}));
  return static_cast<double>(__uint_as_float(static_cast<uint32_t>(bits) << 16));
}

inline void make_product(const Wgmma& op) {
  constexpr int kK = 16;
  const int thread = static_cast<int>(thread_index().x) % 128;
  const int first_row = thread / 32 * 16 + thread % 32 / 4;
  double a[2][kK];
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < kK; ++k)
      a[i][k] = shared_element(op, op.a, op.a_along_k, first_row + 8 * i, k);
  }
  for (int j = 0; j < op.eights; ++j) {
    for (int e = 0; e < 2; ++e) {
      double b[kK], product[kK];
      for (int k = 0; k < kK; ++k)
        b[k] = shared_element(op, op.b, op.b_along_k, 8 * j + thread % 4 * 2 + e, k);
      for (int i = 0; i < 2; ++i) {
        float& d = op.d[j][2 * i + e];
        double sum = static_cast<double>(d);
        for (int k = 0; k < kK; ++k) product[k] = a[i][k] * b[k];
        if (truncates_sums()) {
          sum = truncated_sum(sum, product, kK, kK);
        } else {
          for (int k = 0; k < kK; ++k) sum += product[k];
        }
        d = static_cast<float>(sum);
      }
    }
  }
  if (thread % 32 == 0) ++matrix_counters().products;
}

template <int N, bool kA, bool kB>
void start_product(WgmmaType type, float (&d)[N][4], const SharedOperand<kA>& a,
                   const SharedOperand<kB>& b, Place place) {
  ThreadProducts& own = thread_products();
  if (own.fenced != 1 || thread_copies().unfenced == 1) Scheduler::get().trap(place);
  const Wgmma op = {
      d, N, type, kA, kB, {a.start, a.next_bytes}, {b.start, b.next_bytes}, own.under_way.groups};
  if (copies_at_once()) return make_product(op);
  own.under_way.add(op, make_product);
}

}  // namespace sinter_cpu

inline void fence_async_proxy() { sinter_cpu::thread_copies().unfenced = 0; }
inline void wgmma_fence() { sinter_cpu::thread_products().fenced = 1; }
inline void wgmma_commit() {
  sinter_cpu::thread_products().fenced = 0;
  ++sinter_cpu::thread_products().under_way.groups;
}
// The lanes of a warp wait together.
template <int kGroupsLeft>
void wgmma_wait(sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::thread_products().under_way.finish(kGroupsLeft, sinter_cpu::make_product);
  sinter_cpu::Scheduler::get().warp_barrier(0xffffffffu, place);
}

template <int N, bool kA, bool kB>
void wgmma_bf16(float (&d)[N][4], SharedOperand<kA> a, SharedOperand<kB> b,
                sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::start_product(sinter_cpu::WgmmaType::kBf16, d, a, b, place);
}
template <int N, bool kA, bool kB>
void wgmma_f16(float (&d)[N][4], SharedOperand<kA> a, SharedOperand<kB> b,
               sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::start_product(sinter_cpu::WgmmaType::kF16, d, a, b, place);
}

}  // namespace sinter_helpers
