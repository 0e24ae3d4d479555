// TMA and mbarrier on the CPU. device/tile_copy.cuh includes this after the rest of the CPU build.
//
// Copies are made when their barrier's phase is waited for, no sooner, and until then their target
// holds all ones, which are NaNs: a wait that is missing, and a tile that is overwritten while it
// is read, are wrong results. A wait that never ends is a deadlock, which the launch reports.
//
// SINTER_CPU_ASYNC=late|early   early: copies are made at once
#pragma once

#include "cpu/async_copy.h"

inline namespace sinter_helpers {

struct TileMap {
  const char* first;
  int element_bytes;
  TiledMatrices matrices;
};

template <class T>
cudaError_t make_tile_map(TileMap* map, const T* first, const TiledMatrices& matrices) {
  const auto is_aligned = [](uint64_t bytes) { return bytes % 16 == 0; };
  if (!is_aligned(reinterpret_cast<uintptr_t>(first))) return cudaErrorInvalidValue;
  for (const int64_t stride : matrices.strides) {
    if (stride <= 0 || !is_aligned(static_cast<uint64_t>(stride) * sizeof(T)))
      return cudaErrorInvalidValue;
  }
  if (matrices.tile[0] * static_cast<int>(sizeof(T)) != 128 || matrices.tile[1] > 256)
    return cudaErrorInvalidValue;
  *map = {reinterpret_cast<const char*>(first), static_cast<int>(sizeof(T)), matrices};
  return cudaSuccess;
}

namespace sinter_cpu {

struct TileCopy {
  char* to;
  TileMap map;
  int element, row, number;

  int bytes() const { return 128 * map.matrices.tile[1]; }

  void make() const {
    const TiledMatrices& matrices = map.matrices;
    for (int i = 0; i < matrices.tile[1]; ++i) {
      for (int e = 0; e < matrices.tile[0]; ++e) {
        const auto address = reinterpret_cast<uintptr_t>(to + i * 128 + e * map.element_bytes);
        char* target = reinterpret_cast<char*>(address ^ (address >> 7 & 7) << 4);
        const int64_t at[3] = {int64_t{element} + e, int64_t{row} + i, number};
        bool inside = true;
        for (int d = 0; d < 3; ++d) inside = inside && at[d] >= 0 && at[d] < matrices.extents[d];
        const auto bytes = static_cast<size_t>(map.element_bytes);
        if (inside) {
          const int64_t place = at[0] + at[1] * matrices.strides[0] + at[2] * matrices.strides[1];
          std::memcpy(target, map.first + place * map.element_bytes, bytes);
        } else {
          std::memset(target, 0, bytes);
        }
      }
    }
  }
};

}  // namespace sinter_cpu

// As large as it is on a GPU: the number of what a block knows of it.
using PhaseBarrier = uint64_t;

namespace sinter_cpu {

// Of a phase: what has yet to come, and the copies that were asked for.
struct BarrierState {
  static constexpr int kMostCopies = 16;
  int arrivals;  // of each phase
  int missing;   // of this one
  int bytes;     // announced, and not asked for yet
  int copies;
  uint32_t completed;  // phases
  TileCopy copy[kMostCopies];

  // Completes the phase if all have come.
  void complete() {
    if (missing > 0 || bytes != 0) return;
    for (int i = 0; i < copies; ++i) copy[i].make();
    copies = 0, missing = arrivals;
    ++completed;
  }
};

// Those of the block. In shared memory, which is all ones at first: the count starts there, and
// wraps.
struct BlockBarriers {
  static constexpr uint64_t kMost = 32;
  uint64_t last;
  BarrierState state[kMost];
};

inline BlockBarriers& block_barriers() {
  static char type;
  return *static_cast<BlockBarriers*>(Scheduler::get().shared(&type, sizeof(BlockBarriers), 64));
}
inline BarrierState& state_of(const PhaseBarrier* barrier, Place place) {
  BlockBarriers& all = block_barriers();
  if (*barrier >= BlockBarriers::kMost || *barrier > all.last) Scheduler::get().trap(place);
  return all.state[*barrier];
}

}  // namespace sinter_cpu

inline void make_barrier(PhaseBarrier* barrier, int arrivals,
                         sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::BlockBarriers& all = sinter_cpu::block_barriers();
  *barrier = ++all.last;
  sinter_cpu::HiddenAccesses hidden;
  sinter_cpu::BarrierState& state = sinter_cpu::state_of(barrier, place);
  state.arrivals = state.missing = arrivals;
  state.bytes = state.copies = 0;
  state.completed = 0;
}
inline void made_barriers() {}

inline void arrive_and_expect(PhaseBarrier* barrier, int bytes,
                              sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::release(barrier);
  sinter_cpu::HiddenAccesses hidden;
  sinter_cpu::BarrierState& state = sinter_cpu::state_of(barrier, place);
  if (state.missing == 0) sinter_cpu::Scheduler::get().trap(place);  // of the next phase already
  --state.missing;
  state.bytes += bytes;
}
inline void arrive(PhaseBarrier* barrier, sinter_cpu::Place place = sinter_cpu::Place::current()) {
  arrive_and_expect(barrier, 0, place);
  sinter_cpu::HiddenAccesses hidden;
  sinter_cpu::BarrierState& state = sinter_cpu::state_of(barrier, place);
  if (state.copies == 0) state.complete();
}

inline void wait_phase(PhaseBarrier* barrier, int parity,
                       sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::spin_until(
      [&] {
        sinter_cpu::HiddenAccesses hidden;
        sinter_cpu::BarrierState& state = sinter_cpu::state_of(barrier, place);
        state.complete();
        return (state.completed + 1) % 2 == static_cast<uint32_t>(parity);
      },
      place);
  sinter_cpu::acquire(barrier);
}

inline void copy_tile(void* to, const TileMap& map, int element, int row, int number,
                      PhaseBarrier* barrier,
                      sinter_cpu::Place place = sinter_cpu::Place::current()) {
  const sinter_cpu::TileCopy copy = {static_cast<char*>(to), map, element, row, number};
  const bool is_aligned = reinterpret_cast<uintptr_t>(to) % 1024 == 0;
  sinter_cpu::HiddenAccesses hidden;
  sinter_cpu::BarrierState& state = sinter_cpu::state_of(barrier, place);
  const bool is_full = state.copies == sinter_cpu::BarrierState::kMostCopies;
  if (!is_aligned || is_full || state.bytes < copy.bytes())
    sinter_cpu::Scheduler::get().trap(place);
  state.bytes -= copy.bytes();
  if (sinter_cpu::copies_at_once()) return copy.make();
  std::memset(to, 0xff, static_cast<size_t>(copy.bytes()));
  state.copy[state.copies++] = copy;
}

template <int kRegisters>
void give_up_registers() {}
template <int kRegisters>
void take_registers() {}

}  // namespace sinter_helpers
