// wgmma on the CPU. device/wgmma.cuh includes this after the rest of the CPU build.
//
// A product happens when it is waited for, no sooner: a wait that is missing, and an operand that
// is overwritten too early, are wrong results, or refused where it is in registers. Each thread
// makes its own sums, from operands where the hardware would read them. Not seen: a write to shared
// memory that is no copy, and is not fenced.
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
  int next_bytes;  // to rows 128 bytes on

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

enum class WgmmaType : uint8_t { kBf16, kF16, kTf32, kS8, kU8 };

// Bytes of an element, and elements along K of an instruction.
inline int wgmma_bytes(WgmmaType type) {
  return type == WgmmaType::kTf32 ? 4 : type == WgmmaType::kS8 || type == WgmmaType::kU8 ? 1 : 2;
}
inline int wgmma_k(WgmmaType type) { return 32 / wgmma_bytes(type); }

struct Wgmma {
  void* d;     // [eights][4] of float, or of int
  int eights;  // of columns
  WgmmaType type;
  bool adds;
  bool a_along_k, b_along_k;
  SharedOperand<true> a, b;
  uint32_t group;
  // Of registers in a's place: where they are, and this thread's two rows of A as they were.
  const uint32_t* registers;
  uint32_t rows[2][8];
  Place place;
};

// The products of one thread.
struct ThreadProducts {
  UnderWay<Wgmma, 64> under_way;
  uint32_t fenced;  // 1: d may be given
};

inline ThreadProducts& thread_products() { return of_thread<ThreadProducts>(); }

// An element as the tensor cores take it.
inline double wgmma_element(WgmmaType type, const void* from) {
  uint32_t bits = 0;
  std::memcpy(&bits, from, static_cast<size_t>(wgmma_bytes(type)));
  switch (type) {
    case WgmmaType::kF16:
      return static_cast<double>(__half2float({static_cast<uint16_t>(bits)}));
    case WgmmaType::kBf16:
      return static_cast<double>(__uint_as_float(bits << 16));
    case WgmmaType::kTf32:
      return static_cast<double>(__uint_as_float(bits & 0xffffe000));
    case WgmmaType::kS8:
      return static_cast<int8_t>(bits);
    default:
      return bits;
  }
}

// An element of an operand: number `outer` along M or N, number `k` along K.
inline double shared_element(const Wgmma& op, const SharedOperand<true>& from, bool is_along_k,
                             int outer, int k) {
  const int bytes = wgmma_bytes(op.type), of_row = 128 / bytes;
  const int row = is_along_k ? outer : k, place = is_along_k ? k : outer;
  const auto start = reinterpret_cast<uintptr_t>(from.start);
  const int offset = place / of_row * from.next_bytes + row * 128 + place % of_row * bytes;
  const uintptr_t address = start + static_cast<uintptr_t>(offset);
  return wgmma_element(op.type, reinterpret_cast<const void*>(address ^ (address >> 7 & 7) << 4));
}

inline bool has_integers(WgmmaType type) { return wgmma_bytes(type) == 1; }

// d + the products.
inline void add_products(const Wgmma& op, size_t at, double* product, int count) {
  if (has_integers(op.type)) {
    int& d = static_cast<int*>(op.d)[at];
    double sum = 0;  // exact
    for (int k = 0; k < count; ++k) sum += product[k];
    d = static_cast<int>(static_cast<uint32_t>(op.adds ? d : 0) +
                         static_cast<uint32_t>(static_cast<int64_t>(sum)));
    return;
  }
  float& d = static_cast<float*>(op.d)[at];
  double sum = op.adds ? static_cast<double>(d) : 0.0;
  if (truncates_sums()) {
    sum = truncated_sum(sum, product, count, count);
  } else {
    for (int k = 0; k < count; ++k) sum += product[k];
  }
  d = static_cast<float>(sum);
}

inline void make_product(const Wgmma& op) {
  constexpr int kMostK = 32;
  const int count = wgmma_k(op.type), thread = static_cast<int>(thread_index().x) % 128;
  const int quad = thread % 4, first_row = thread / 32 * 16 + thread % 32 / 4;
  double a[2][kMostK];
  if (op.registers != nullptr) {
    for (int r = 0; r < 4; ++r) {
      if (op.registers[r] != op.rows[r % 2][quad + r / 2 * 4]) Scheduler::get().trap(op.place);
    }
  }
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < count; ++k) {
      a[i][k] = op.registers != nullptr
                    ? wgmma_element(op.type, reinterpret_cast<const char*>(op.rows[i]) +
                                                 k * wgmma_bytes(op.type))
                    : shared_element(op, op.a, op.a_along_k, first_row + 8 * i, k);
    }
  }
  for (int j = 0; j < op.eights; ++j) {
    for (int e = 0; e < 2; ++e) {
      double b[kMostK], product[kMostK];
      for (int k = 0; k < count; ++k)
        b[k] = shared_element(op, op.b, op.b_along_k, 8 * j + quad * 2 + e, k);
      for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < count; ++k) product[k] = a[i][k] * b[k];
        add_products(op, static_cast<size_t>(j * 4 + 2 * i + e), product, count);
      }
    }
  }
  if (thread % 32 == 0) ++matrix_counters().products;
}

inline void start_product(const Wgmma& op) {
  ThreadProducts& own = thread_products();
  if (own.fenced != 1 || thread_copies().unfenced == 1) Scheduler::get().trap(op.place);
  if (copies_at_once()) return make_product(op);
  own.under_way.add(op, make_product);
}

template <int N, bool kA, bool kB>
void start_product(WgmmaType type, float (&d)[N][4], const SharedOperand<kA>& a,
                   const SharedOperand<kB>& b, bool adds, Place place) {
  start_product({.d = d,
                 .eights = N,
                 .type = type,
                 .adds = adds,
                 .a_along_k = kA,
                 .b_along_k = kB,
                 .a = {a.start, a.next_bytes},
                 .b = {b.start, b.next_bytes},
                 .group = thread_products().under_way.groups,
                 .place = place});
}

// Of rows in registers, which the lanes of a warp put down for each other.
template <int N, bool kB, class Sum>
void start_product(const char* call, WgmmaType type, Sum (&d)[N][4], const uint32_t (&a)[4],
                   const SharedOperand<kB>& b, bool adds, Place place) {
  Wgmma op = {.d = d,
              .eights = N,
              .type = type,
              .adds = adds,
              .b_along_k = kB,
              .b = {b.start, b.next_bytes},
              .group = thread_products().under_way.groups,
              .registers = a,
              .place = place};
  collectively(
      call, place, [&](WarpMatrices& warp) { std::memcpy(warp.a[lane()], a, sizeof(a)); },
      [&](WarpMatrices& warp, uint32_t) {
        for (unsigned quad = 0; quad < 4; ++quad) {
          for (unsigned r = 0; r < 4; ++r)
            op.rows[r % 2][quad + r / 2 * 4] = warp.a[lane() / 4 * 4 + quad][r];
        }
      });
  start_product(op);
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
  sinter_cpu::start_product(sinter_cpu::WgmmaType::kBf16, d, a, b, true, place);
}
template <int N, bool kA, bool kB>
void wgmma_bf16(float (&d)[N][4], SharedOperand<kA> a, SharedOperand<kB> b, bool adds,
                sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::start_product(sinter_cpu::WgmmaType::kBf16, d, a, b, adds, place);
}
template <int N, bool kA, bool kB>
void wgmma_f16(float (&d)[N][4], SharedOperand<kA> a, SharedOperand<kB> b,
               sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::start_product(sinter_cpu::WgmmaType::kF16, d, a, b, true, place);
}
template <int N, bool kA, bool kB>
void wgmma_f16(float (&d)[N][4], SharedOperand<kA> a, SharedOperand<kB> b, bool adds,
               sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::start_product(sinter_cpu::WgmmaType::kF16, d, a, b, adds, place);
}

template <int N, bool kB>
void wgmma_bf16(float (&d)[N][4], const uint32_t (&a)[4], SharedOperand<kB> b,
                sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::start_product("wgmma_bf16", sinter_cpu::WgmmaType::kBf16, d, a, b, true, place);
}
template <int N, bool kB>
void wgmma_f16(float (&d)[N][4], const uint32_t (&a)[4], SharedOperand<kB> b,
               sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::start_product("wgmma_f16", sinter_cpu::WgmmaType::kF16, d, a, b, true, place);
}

template <int N>
void wgmma_tf32(float (&d)[N][4], const uint32_t (&a)[4], SharedOperand<true> b, bool adds = true,
                sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::start_product("wgmma_tf32", sinter_cpu::WgmmaType::kTf32, d, a, b, adds, place);
}
template <int N>
void wgmma_s8(int (&d)[N][4], const uint32_t (&a)[4], SharedOperand<true> b, bool adds = true,
              sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::start_product("wgmma_s8", sinter_cpu::WgmmaType::kS8, d, a, b, adds, place);
}
template <int N>
void wgmma_u8(int (&d)[N][4], const uint32_t (&a)[4], SharedOperand<true> b, bool adds = true,
              sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::start_product("wgmma_u8", sinter_cpu::WgmmaType::kU8, d, a, b, adds, place);
}

}  // namespace sinter_helpers
