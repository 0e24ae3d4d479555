// The state of a grid that the CPU build runs: its blocks, their threads, and where the running
// thread is.
#pragma once

#include <cstdint>
#include <vector>
#ifndef __clang__
#include <source_location>
#endif

#include "cpu/context.h"
#include "cpu/settings.h"

inline namespace sinter_helpers {

struct uint3 {
  unsigned x, y, z;
};

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

namespace sinter_cpu {

// Where a call is written. clang before 16 lacks what the standard library makes its own of.
#ifdef __clang__
class Place {
 public:
  static constexpr Place current(const char* file = __builtin_FILE(),
                                 unsigned line = __builtin_LINE(),
                                 unsigned column = __builtin_COLUMN()) {
    return {file, line, column};
  }
  constexpr Place() = default;
  constexpr const char* file_name() const { return file_; }
  constexpr unsigned line() const { return line_; }
  constexpr unsigned column() const { return column_; }

 private:
  constexpr Place(const char* file, unsigned line, unsigned column)
      : file_(file), line_(line), column_(column) {}
  const char* file_ = "";
  unsigned line_ = 0, column_ = 0;
};
#else
using Place = std::source_location;
#endif

inline constexpr unsigned kWarpSize = 32;
inline constexpr unsigned kMaxThreads = 1024;

enum class State : uint8_t {
  kUnstarted,
  kRunning,
  kReady,         // may go on when its turn comes
  kSpinning,      // waits for memory to change; looks again when its turn comes
  kBlockBarrier,  // waits for the other threads of its block
  kGridBarrier,   // waits for all threads of the grid
  kWarp,          // waits for the other lanes of its warp's exchange
  kExited,
};

// A worker runs CUDA threads of `block`.
struct Worker {
  explicit Worker(void (*entry)()) : context(entry) {}
  Context context;
  struct Block* block = nullptr;
};

// A thread that waits, or did.
struct Waiter {
  Worker* worker = nullptr;    // where it was left
  const char* call = nullptr;  // what it waits in, for the report of a deadlock
  Place place;
  // kWarp: the exchange it takes part in.
  uint32_t lanes = 0;
  int source = 0;  // the lane whose value it gets; -1: the ballot of all lanes' values
  uint64_t value = 0;
  uint64_t result = 0;
};

// Shared memory of one type: the object that block_shared<T>() returns.
struct SharedObject {
  const void* type;
  void* storage;
};

struct Warp {
  uint32_t waiting = 0;  // lanes in state kWarp
  uint32_t exited = 0;   // lanes that have exited, or are beyond the block's last thread
  char token = 0;        // what threads release and acquire in __syncwarp
};

struct Block {
  uint3 index = {};
  unsigned size = 0;              // threads
  unsigned started = 0;           // how many of them
  unsigned live = 0;              // not exited
  unsigned at_barrier = 0;        // in state kBlockBarrier
  uint32_t lagging = 0x55555555;  // warps that stay behind, in shuffled order
  int held = 0;                   // turns for which nobody else could go on
  std::vector<State> state;       // of each thread
  std::vector<Waiter>
      waiter;  // of each thread; written when it waits, so that a kernel that never does stays fast
  std::vector<Warp> warp;
  std::vector<uint16_t> order;  // in which threads take turns
  Order::Kind order_kind = Order::Kind::kForward;
  std::vector<SharedObject> shared;
  Place barrier_place;    // of the threads at_barrier
  unsigned barriers = 0;  // completed
  // What threads release and acquire: at barriers of even and odd number.
  char tokens[2] = {};
};

struct Index {
  uint3 thread, block, block_size, grid_size;
};
inline constinit thread_local Index current_index = {};

SINTER_CPU_UNINSTRUMENTED inline uint3 thread_index() { return current_index.thread; }
SINTER_CPU_UNINSTRUMENTED inline uint3 block_index() { return current_index.block; }
SINTER_CPU_UNINSTRUMENTED inline uint3 block_size() { return current_index.block_size; }
SINTER_CPU_UNINSTRUMENTED inline uint3 grid_size() { return current_index.grid_size; }

}  // namespace sinter_cpu

}  // namespace sinter_helpers
