// cp.async on the CPU. device/async_copy.cuh includes this after the rest of the CPU build.
//
// A copy is made when it is waited for, no sooner, and until then its target holds all ones, which
// are NaNs: a wait or a barrier that is missing, and a target that is still read, are wrong
// results.
//
// SINTER_CPU_ASYNC=late|early   early: copies are made at once, which shows targets overwritten too
//                               early by what they hold then
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "cpu/shared_banks.h"

inline namespace sinter_helpers {

namespace sinter_cpu {

inline bool& copies_at_once() {
  static bool value = [] {
    const char* text = std::getenv("SINTER_CPU_ASYNC");
    return text != nullptr && std::string_view(text) == "early";
  }();
  return value;
}

// Of this host thread, since its start or the last `async_counters() = {}`.
struct AsyncCounters {
  int64_t copies = 0;     // of a warp
  int64_t conflicts = 0;  // turns that shared memory takes for them beyond one for each 128 bytes
};
inline AsyncCounters& async_counters() {
  thread_local AsyncCounters value;
  return value;
}

// What a thread has asked for, in groups, and not waited for: it is made as late as a wait allows.
// In shared memory, which is all ones at first: what counts starts there, and wraps.
template <class Item, uint32_t kMost>  // of more, the oldest is made
struct UnderWay {
  Item item[kMost];
  uint32_t first, end;  // numbers of the oldest one and of the next one
  uint32_t groups;      // committed

  template <class Make>
  void add(const Item& next, const Make& make) {
    if (end - first == kMost) make(item[first++ % kMost]);
    item[end++ % kMost] = next;
  }

  // All groups but so many of the last.
  template <class Make>
  void finish(uint32_t groups_left, const Make& make) {
    for (; first != end && groups - item[first % kMost].group > groups_left; ++first)
      make(item[first % kMost]);
  }
};

// What each thread of the block has of a type, in shared memory.
template <class Own>
Own& of_thread() {
  static char type;
  const size_t size = block_size().x * sizeof(Own);
  return static_cast<Own*>(Scheduler::get().shared(&type, size, 64))[thread_index().x];
}

struct AsyncCopy {
  void* to;
  const void* from;  // nullptr: zeros
  uint32_t bytes;
  uint32_t group;
};

// The copies of one thread.
struct ThreadCopies {
  UnderWay<AsyncCopy, 256> under_way;
  uint32_t issued;    // since the last commit
  uint32_t unfenced;  // 1: waited for, but tensor cores may not see it (device/wgmma.cuh)
};

// Where the lanes of a warp copy to, for the counters: what all of them copy as their n-th of a
// group is one instruction.
struct WarpCopies {
  static constexpr uint32_t kLogged = 256, kOfGroup = 32;
  uintptr_t to[kLogged][kWarpSize];
  uint32_t lanes[kLogged];
  uint32_t number[kLogged];
};

inline ThreadCopies& thread_copies() { return of_thread<ThreadCopies>(); }

inline void count_copy(uint32_t group, uint32_t of_group, const void* to, uint32_t bytes,
                       Place place) {
  static char type;
  const size_t warps = (block_size().x + kWarpSize - 1) / kWarpSize;
  WarpCopies& warp = static_cast<WarpCopies*>(
      Scheduler::get().shared(&type, warps * sizeof(WarpCopies), 64))[thread_index().x / kWarpSize];
  const uint32_t slot = (group * WarpCopies::kOfGroup + of_group) % WarpCopies::kLogged;
  const uint32_t number = (group << 16) + of_group;
  if (warp.number[slot] != number) warp.lanes[slot] = 0;
  warp.number[slot] = number;
  warp.to[slot][lane()] = reinterpret_cast<uintptr_t>(to);
  if (++warp.lanes[slot] != kWarpSize) return;
  ++async_counters().copies;
  const unsigned at_once = 128 / bytes;  // at most a warp
  for (unsigned first = 0; first < kWarpSize; first += at_once) {
    const int conflicts = bank_conflicts(&warp.to[slot][first], at_once, bytes);
    if (conflicts > 0 && checks_banks()) Scheduler::get().trap(place);
    async_counters().conflicts += conflicts;
  }
}

inline void make_copy(const AsyncCopy& copy) {
  if (copy.from != nullptr) {
    std::memcpy(copy.to, copy.from, copy.bytes);
  } else {
    std::memset(copy.to, 0, copy.bytes);
  }
}

inline void start_copy(void* to, const void* from, uint32_t bytes, Place place) {
  ThreadCopies& own = thread_copies();
  const uintptr_t addresses = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from);
  if (addresses % bytes != 0) Scheduler::get().trap(place);
  {
    HiddenAccesses hidden;
    count_copy(own.under_way.groups, ++own.issued, to, bytes, place);
  }
  const AsyncCopy copy = {to, from, bytes, own.under_way.groups};
  if (copies_at_once()) return make_copy(copy);
  own.under_way.add(copy, make_copy);
  std::memset(to, 0xff, bytes);
}

inline void finish_copies(uint32_t groups_left) {
  ThreadCopies& own = thread_copies();
  own.unfenced = 1;
  own.under_way.finish(groups_left, make_copy);
}

}  // namespace sinter_cpu

template <uint32_t kBytes = 16>
void copy_async(void* to, const void* from, bool inside,
                sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::start_copy(to, inside ? from : nullptr, kBytes, place);
}
template <uint32_t kBytes = 16>
void copy_async(void* to, const void* from,
                sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::start_copy(to, from, kBytes, place);
}
inline void commit_copies() {
  sinter_cpu::ThreadCopies& own = sinter_cpu::thread_copies();
  ++own.under_way.groups;
  own.issued = 0;
}
template <int kGroupsLeft>
void wait_copies() {
  sinter_cpu::finish_copies(kGroupsLeft);
}

}  // namespace sinter_helpers
