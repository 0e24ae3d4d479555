// CUDA for the host compiler: what emitted kernels and launchers need to be built as plain C++20,
// without nvcc and without a GPU (`g++ -std=c++20 -x c++ -DSINTER_CPU kernel.cu`).
//
// Kernels run on one CPU thread, deterministically, with the meaning they have on a GPU: barriers,
// shuffles, votes, atomics, shared memory, cooperative grids. It is a tool for correctness and for
// small deployments; no claims of speed are made. Memory fences order nothing here that program
// order does not, so an error of the memory model shows on a GPU only. `#pragma unroll` is unknown
// to g++: build with -Wno-unknown-pragmas.
//
// SINTER_CPU_ORDER=forward|reverse|<seed>   the order in which threads and blocks take turns
// SINTER_CPU_BLOCKS=<n>                     how many blocks of a cooperative launch fit
#pragma once


// === context.h ===
//
// Execution contexts of the CPU build: stacks, and the switch from one to another.
//
// A context switch saves the callee-saved registers on the stack it leaves and restores those of
// the stack it enters: assembly for x86-64 and, by clang, aarch64 (about 10 ns), ucontext elsewhere
// or with -DSINTER_CPU_UCONTEXT. AddressSanitizer is told of every switch. ThreadSanitizer sees
// each context as a thread of its own, and a switch as no synchronisation, so that it reports CUDA
// threads that share memory without a barrier.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

// The switch is a function of assembly alone, inline like any other: nothing at file scope that
// link-time optimisation could see twice or not at all. g++ has no such functions for aarch64.
#if !defined(SINTER_CPU_UCONTEXT) && \
    !(defined(__ELF__) && (defined(__x86_64__) || (defined(__aarch64__) && defined(__clang__))))
#define SINTER_CPU_UCONTEXT 1
#endif
#ifdef SINTER_CPU_UCONTEXT
#include <ucontext.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define SINTER_CPU_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SINTER_CPU_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define SINTER_CPU_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SINTER_CPU_TSAN 1
#endif
#endif

#ifdef SINTER_CPU_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef SINTER_CPU_TSAN
#include <sanitizer/tsan_interface.h>
extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#define SINTER_CPU_UNINSTRUMENTED __attribute__((no_sanitize("thread")))
#else
#define SINTER_CPU_UNINSTRUMENTED
#endif

inline namespace sinter_eb34b753 {

namespace sinter_cpu {

#ifdef SINTER_CPU_TSAN
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif

// The scheduler's own memory accesses are no business of ThreadSanitizer: they are ordered by the
// scheduler.
inline void hide_accesses() {
#ifdef SINTER_CPU_TSAN
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
#endif
}
inline void show_accesses() {
#ifdef SINTER_CPU_TSAN
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
#endif
}
struct HiddenAccesses {
  HiddenAccesses() { hide_accesses(); }
  ~HiddenAccesses() { show_accesses(); }
  HiddenAccesses(const HiddenAccesses&) = delete;
  HiddenAccesses& operator=(const HiddenAccesses&) = delete;
};

// What happened before a release of `token` happens before what follows an acquire of it.
inline void release(void* token) {
  (void)token;
#ifdef SINTER_CPU_TSAN
  __tsan_release(token);
#endif
}
inline void acquire(void* token) {
  (void)token;
#ifdef SINTER_CPU_TSAN
  __tsan_acquire(token);
#endif
}

#ifndef SINTER_CPU_UCONTEXT
// Leaves the current stack, whose pointer is stored in *from, for the one whose pointer is `to`. No
// caller may take its assembly for all that happens until it returns.
#ifdef __clang__
#define SINTER_CPU_ASSEMBLY __attribute__((naked, noinline))
#else
#define SINTER_CPU_ASSEMBLY __attribute__((naked, noipa))
#endif
#ifdef __x86_64__
SINTER_CPU_ASSEMBLY inline void switch_stacks(void** /*from*/, void* /*to*/) {
  asm(R"(
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
)");
}
inline constexpr int kSavedWords = 8;  // six registers, the return address, and a null one above it
inline constexpr int kReturnAddress = 6;
#else
SINTER_CPU_ASSEMBLY inline void switch_stacks(void** /*from*/, void* /*to*/) {
  asm(R"(
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
)");
}
inline constexpr int kSavedWords = 20;
inline constexpr int kReturnAddress = 11;  // x30
#endif
#endif

// A stack and the point where its execution stopped. The host's own context has no stack of ours.
class Context {
 public:
  Context() = default;  // of the host thread, filled by the first switch away from it
  explicit Context(void (*entry)()) { create_stack(), prepare(entry); }
  ~Context() { destroy_stack(); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Goes on with `to`; returns when `to` switches back here.
  void switch_to(Context& to) {
#ifdef SINTER_CPU_TSAN
    if (tsan_ == nullptr) tsan_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to.tsan_, __tsan_switch_to_fiber_no_sync);
#endif
#ifdef SINTER_CPU_ASAN
    __sanitizer_start_switch_fiber(&fake_stack_, to.stack_bottom_, to.stack_size_);
#endif
#ifdef SINTER_CPU_UCONTEXT
    swapcontext(&context_, &to.context_);
#else
    switch_stacks(&stack_pointer_, to.stack_pointer_);
#endif
    arrived(to);
  }

  // To be called first on a new stack: `from` is the context that switched here.
  void arrived(Context& from) {
    (void)from;
#ifdef SINTER_CPU_ASAN
    const void* bottom = nullptr;
    size_t size = 0;
    __sanitizer_finish_switch_fiber(fake_stack_, &bottom, &size);
    if (from.mapping_ == nullptr) from.stack_bottom_ = bottom, from.stack_size_ = size;
#endif
  }

 private:
  // Virtual memory, touched only as far as a kernel's frames reach; below it lies a page that
  // traps. ThreadSanitizer takes stacks from the heap instead, which it knows to be fresh memory
  // each time.
  static constexpr size_t kStackBytes = kThreadSanitizer ? size_t{64} << 10 : size_t{512} << 10;

  void create_stack() {
    stack_size_ = kStackBytes;
    if (kThreadSanitizer) {
      mapping_ = std::aligned_alloc(64, kStackBytes);
      if (mapping_ == nullptr) throw std::bad_alloc();
      stack_bottom_ = mapping_;
      return;
    }
    guard_size_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    mapping_ = mmap(nullptr, guard_size_ + kStackBytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping_ == MAP_FAILED) {
      mapping_ = nullptr;
      throw std::bad_alloc();
    }
    mprotect(mapping_, guard_size_, PROT_NONE);
    stack_bottom_ = static_cast<std::byte*>(mapping_) + guard_size_;
  }

  void destroy_stack() {
    if (mapping_ == nullptr) return;
#ifdef SINTER_CPU_ASAN
    __asan_unpoison_memory_region(stack_bottom_, stack_size_);
#endif
#ifdef SINTER_CPU_TSAN
    __tsan_destroy_fiber(tsan_);
#endif
    if (kThreadSanitizer) {
      std::free(mapping_);
    } else {
      munmap(mapping_, guard_size_ + stack_size_);
    }
  }

  void prepare(void (*entry)()) {
#ifdef SINTER_CPU_TSAN
    tsan_ = __tsan_create_fiber(0);
#endif
#ifdef SINTER_CPU_UCONTEXT
    getcontext(&context_);
    context_.uc_stack.ss_sp = const_cast<void*>(stack_bottom_);
    context_.uc_stack.ss_size = stack_size_;
    context_.uc_link = nullptr;
    makecontext(&context_, entry, 0);
#else
    const auto top = reinterpret_cast<uintptr_t>(stack_bottom_) + stack_size_;
    auto* words = reinterpret_cast<uintptr_t*>(top) - kSavedWords;
    for (int i = 0; i < kSavedWords; ++i) words[i] = 0;
    words[kReturnAddress] = reinterpret_cast<uintptr_t>(entry);
    stack_pointer_ = words;
#endif
  }

#ifdef SINTER_CPU_UCONTEXT
  ucontext_t context_ = {};
#else
  void* stack_pointer_ = nullptr;
#endif
  void* mapping_ = nullptr;
  const void* stack_bottom_ = nullptr;
  size_t stack_size_ = 0;
  size_t guard_size_ = 0;
  void* fake_stack_ = nullptr;
  void* tsan_ = nullptr;
};

}  // namespace sinter_cpu

}  // namespace sinter_eb34b753

// === device.h ===
//
// The CUDA C++ language on the CPU: keywords, thread coordinates, barriers, warp exchanges and
// atomics.
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>


// === scheduler.h ===
//
// Runs the grid of a kernel on one CPU thread: what a GPU's hardware scheduler does.
//
// CUDA threads are started one after another on a worker, a context with a stack of its own. A
// thread that returns without having waited leaves the worker free for the next one, so a kernel
// without barriers is a plain loop over blocks and threads. A thread that waits (for a barrier, a
// shuffle, another block) keeps its worker until it may go on, and the threads after it are started
// on another. Workers are made once and reused.
//
// Blocks run one at a time; those of a cooperative launch are all resident together, and when every
// resident thread spins for another block, one block more is brought in. The order in which threads
// and blocks take turns is a setting: a kernel whose result depends on it lacks a barrier.
//
// When no thread can go on, the launch fails and says which threads wait where.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <vector>


// === grid_state.h ===
//
// The state of a grid that the CPU build runs: its blocks, their threads, and where the running
// thread is.
#include <cstdint>
#include <vector>
#ifndef __clang__
#include <source_location>
#endif


// === settings.h ===
//
// Settings of the CPU build, by environment or function, and what it counts.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

inline namespace sinter_eb34b753 {

namespace sinter_cpu {

struct Order {
  enum class Kind { kForward, kReverse, kShuffled };
  Kind kind = Kind::kForward;
  uint64_t seed = 0;  // of kShuffled
};

// "forward", "reverse" or a number, the seed of a shuffled order.
inline Order parse_order(std::string_view text) {
  if (text.empty() || text == "forward") return {};
  if (text == "reverse") return {Order::Kind::kReverse, 0};
  return {Order::Kind::kShuffled, std::strtoull(std::string(text).c_str(), nullptr, 10)};
}

struct Settings {
  Order order;               // SINTER_CPU_ORDER=forward|reverse|<seed>
  unsigned resident_blocks;  // SINTER_CPU_BLOCKS: how many blocks a cooperative launch may have
};

inline Settings& settings() {
  static Settings value = [] {
    const char* order = std::getenv("SINTER_CPU_ORDER");
    const char* blocks = std::getenv("SINTER_CPU_BLOCKS");
    const unsigned count =
        blocks != nullptr ? static_cast<unsigned>(std::strtoul(blocks, nullptr, 10)) : 0;
    return Settings{parse_order(order != nullptr ? order : ""), count != 0 ? count : 4};
  }();
  return value;
}

struct Counters {
  int64_t launches = 0;       // kernels
  int64_t grid_barriers = 0;  // completed barriers of whole grids
  int64_t copies = 0;         // cudaMemcpy and its kin, device to device
  int64_t copied_bytes = 0;
  int64_t memsets = 0;
  int64_t set_bytes = 0;
};

// Of this host thread, since its start or the last `counters() = {}`.
inline Counters& counters() {
  thread_local Counters value;
  return value;
}

// Why the last failed launch of this host thread failed.
inline std::string& last_failure() {
  thread_local std::string text;
  return text;
}

}  // namespace sinter_cpu

}  // namespace sinter_eb34b753

inline namespace sinter_eb34b753 {

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
  unsigned size = 0;         // threads
  unsigned started = 0;      // how many of them
  unsigned live = 0;         // not exited
  unsigned at_barrier = 0;   // in state kBlockBarrier
  std::vector<State> state;  // of each thread
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

}  // namespace sinter_eb34b753

inline namespace sinter_eb34b753 {

namespace sinter_cpu {

class Scheduler {
 public:
  // The scheduler of this host thread.
  static Scheduler& get() {
    thread_local Scheduler scheduler;
    return scheduler;
  }

  // Runs `body` once for each thread of the grid. False: failed, see last_failure().
  bool run(uint3 grid, unsigned threads, bool cooperative, void (*body)(void*), void* argument) {
    grid_ = grid, cooperative_ = cooperative, body_ = body, argument_ = argument, failure_.clear();
    const uint64_t blocks = uint64_t{grid.x} * grid.y * grid.z;
    admitted_ = 0, live_ = 0, at_grid_barrier_ = 0;
    choose_block_order(blocks);
    current_index.grid_size = grid;
    current_index.block_size = {threads, 1, 1};
    release(this);
    hide_accesses();
    while (failure_.empty()) {
      while (admitted_ < blocks && (resident_.empty() || cooperative)) admit(threads);
      if (resident_.empty()) break;
      progress_ = false;
      for (auto& block : resident_) take_turns(*block);
      std::erase_if(resident_, [&](auto& block) { return block->live == 0 && retire(block); });
      if (progress_ || !failure_.empty()) continue;
      if (admitted_ < blocks && anyone_spins()) {
        admit(threads);
      } else {
        failure_ = describe_deadlock();
      }
    }
    if (!failure_.empty()) abandon();
    show_accesses();
    acquire(&end_token_);
    last_failure() = failure_;
    return failure_.empty();
  }

  // What the running thread calls.

  void block_barrier(Place place) {
    Block& block = begin_wait(State::kBlockBarrier, "__syncthreads", place);
    if (block.at_barrier == 0) {
      block.barrier_place = place;
    } else if (!same_place(block.barrier_place, place)) {
      fail_divergent(block, "__syncthreads", block.barrier_place, "__syncthreads", place);
    }
    void* token = &block.tokens[block.barriers % 2];
    release(token);
    ++block.at_barrier;
    complete_block_barrier(block);
    wait(block);
    acquire(token);
  }

  void grid_barrier(Place place) {
    Block& block = begin_wait(State::kGridBarrier, "grid_sync", place);
    if (!cooperative_) {
      failure_ = "grid_sync at " + spell(place) + ": the launch is not cooperative";
      stop();
    }
    void* token = &grid_tokens_[grid_barriers_ % 2];
    release(token);
    ++at_grid_barrier_;
    complete_grid_barrier();
    wait(block);
    acquire(token);
  }

  // Gives `value` and waits for all of `lanes`, then returns the value given by lane `source`; by
  // all of them, one bit each, where `source` is -1. The value of a lane that has exited or does
  // not take part is all ones.
  uint64_t exchange(uint32_t lanes, uint64_t value, int source, const char* call, Place place) {
    const unsigned t = current_index.thread.x;
    Block& block = begin_wait(State::kWarp, call, place);
    Waiter& self = block.waiter[t];
    self.lanes = lanes, self.value = value, self.source = source;
    if ((lanes >> t % kWarpSize & 1) == 0) {
      failure_ = std::string(call) + " at " + spell(place) + ": its mask lacks the caller";
      stop();
    }
    block.warp[t / kWarpSize].waiting |= 1u << t % kWarpSize;
    complete_exchange(block, t / kWarpSize, lanes);
    wait(block);
    return self.result;
  }

  // Waits for all of `lanes`; what they wrote before can be read after.
  void warp_barrier(uint32_t lanes, Place place) {
    Block& block = *worker_->block;
    void* token = &block.warp[current_index.thread.x / kWarpSize].token;
    release(token);
    exchange(lanes, 0, -1, "__syncwarp", place);
    acquire(token);
  }

  [[noreturn]] void trap(Place place) {
    hide_accesses();
    failure_ = "__trap at " + spell(place);
    stop();
  }

  // Lets the other threads take a turn.
  void spin(Place place) { wait(begin_wait(State::kSpinning, "spin_until", place)); }
  void spun() { progress_ = true; }

  // The block's object of a type, named by any address that is the type's own. Holds all ones at
  // first, as memory that nobody has written may hold anything.
  void* shared(const void* type, size_t size, size_t alignment) {
    HiddenAccesses hidden;
    Block& block = *worker_->block;
    for (const SharedObject& object : block.shared) {
      if (object.type == type) return object.storage;
    }
    // What aligned_alloc takes: at least a pointer's alignment, and whole multiples of it.
    const size_t aligned = std::max(alignment, sizeof(void*));
    void* storage = std::aligned_alloc(aligned, (size + aligned - 1) / aligned * aligned);
    if (storage == nullptr) throw std::bad_alloc();
    std::memset(storage, 0xff, size);
    block.shared.push_back({type, storage});
    return storage;
  }

  // Ends the launch, whose failure_ is said; the running thread does not return. It must not own
  // memory here.
  [[noreturn]] void stop() {
    Context& own = worker_->context;
    release(&end_token_);
    show_accesses();
    own.switch_to(host_);
    std::abort();  // nobody resumes an abandoned context
  }

 private:
  // --- blocks ---

  // Block number i of the launch is block (first + i * stride) % count: every block once, as stride
  // and count have no common factor.
  void choose_block_order(uint64_t count) {
    first_block_ = 0, block_stride_ = 1, block_count_ = count;
    if (count == 0) return;
    random_ = settings().order.seed * 2 + 1;
    if (settings().order.kind == Order::Kind::kReverse)
      first_block_ = count - 1, block_stride_ = count - 1;
    if (settings().order.kind == Order::Kind::kShuffled) {
      first_block_ = random() % count;
      block_stride_ = random() % count;
      while (std::gcd(block_stride_, count) != 1) ++block_stride_;
    }
  }

  void admit(unsigned threads) {
    const uint64_t number =
        (first_block_ + admitted_ % block_count_ * block_stride_) % block_count_;
    ++admitted_;
    std::unique_ptr<Block> block;
    if (idle_blocks_.empty() || kThreadSanitizer) {
      block = std::make_unique<Block>();
    } else {
      block = std::move(idle_blocks_.back());
      idle_blocks_.pop_back();
    }
    block->index = {static_cast<unsigned>(number % grid_.x),
                    static_cast<unsigned>(number / grid_.x % grid_.y),
                    static_cast<unsigned>(number / grid_.x / grid_.y)};
    block->size = block->live = threads;
    block->started = block->at_barrier = block->barriers = 0;
    block->state.assign(threads, State::kUnstarted);
    block->waiter.resize(threads);
    block->warp.assign((threads + kWarpSize - 1) / kWarpSize, Warp());
    if (threads % kWarpSize != 0) block->warp.back().exited = ~uint32_t{0} << threads % kWarpSize;
    order_threads(*block);
    live_ += threads;
    resident_.push_back(std::move(block));
  }

  bool retire(std::unique_ptr<Block>& block) {
    for (const SharedObject& object : block->shared) std::free(object.storage);
    block->shared.clear();
    idle_blocks_.push_back(std::move(block));
    return true;
  }

  // --- turns ---

  void order_threads(Block& block) {
    const Order::Kind kind = settings().order.kind;
    if (block.order.size() == block.size && kind == block.order_kind &&
        kind != Order::Kind::kShuffled)
      return;
    block.order_kind = kind;
    block.order.resize(block.size);
    for (unsigned i = 0; i < block.size; ++i) {
      block.order[i] =
          static_cast<uint16_t>(kind == Order::Kind::kReverse ? block.size - 1 - i : i);
    }
    if (kind != Order::Kind::kShuffled) return;
    for (unsigned i = block.size; i > 1; --i)
      std::swap(block.order[i - 1], block.order[random() % i]);
  }

  uint64_t random() {  // xorshift64*
    random_ ^= random_ >> 12;
    random_ ^= random_ << 25;
    random_ ^= random_ >> 27;
    return random_ * 0x2545F4914F6CDD1Dull >> 11;
  }

  // Starts all threads of a block, or lets each of those that can go on do so until it waits again.
  void take_turns(Block& block) {
    if (block.started < block.size) {
      progress_ = true;
      while (block.started < block.size && failure_.empty()) {
        Worker* worker = idle_worker();
        worker->block = &block;
        enter(*worker);
      }
      return;
    }
    if (settings().order.kind == Order::Kind::kShuffled) order_threads(block);
    for (const uint16_t t : block.order) {
      State& state = block.state[t];
      if (state != State::kReady && state != State::kSpinning) continue;
      if (state == State::kReady) progress_ = true;
      state = State::kRunning;
      begin_thread(block, t);
      enter(*block.waiter[t].worker);
      if (!failure_.empty()) return;
    }
  }

  Worker* idle_worker() {
    if (idle_workers_.empty()) {
      workers_.push_back(std::make_unique<Worker>(&Scheduler::work));
      return workers_.back().get();
    }
    Worker* worker = idle_workers_.back();
    idle_workers_.pop_back();
    return worker;
  }

  void enter(Worker& worker) {
    worker_ = &worker;
    host_.switch_to(worker.context);
    worker_ = nullptr;
    if (kThreadSanitizer && worker.block == nullptr)
      std::erase_if(workers_, [&](auto& w) { return w.get() == &worker; });
  }

  void begin_thread(const Block& block, unsigned t) {
    current_index.thread = {t, 0, 0};
    current_index.block = block.index;
  }

  // A worker: starts threads of its block while there are any, then is idle. Under ThreadSanitizer
  // each CUDA thread has a worker of its own.
  static void work() {
    Scheduler& scheduler = get();
    Worker& self = *scheduler.worker_;
    self.context.arrived(scheduler.host_);
    hide_accesses();
    for (;;) {
      Block& block = *self.block;
      do {
        const unsigned t = block.order[block.started++];
        block.state[t] = State::kRunning;
        scheduler.begin_thread(block, t);
        show_accesses();
        scheduler.body_(scheduler.argument_);
        release(&scheduler.end_token_);
        hide_accesses();
        scheduler.exit_thread(block, t);
      } while (block.started < block.size && !kThreadSanitizer);
      self.block = nullptr;
      if (kThreadSanitizer) {
        show_accesses();
      } else {
        scheduler.idle_workers_.push_back(&self);
      }
      self.context.switch_to(scheduler.host_);
    }
  }

  void exit_thread(Block& block, unsigned t) {
    block.state[t] = State::kExited;
    --block.live, --live_;
    if (block.at_barrier != 0) complete_block_barrier(block);
    if (at_grid_barrier_ != 0) complete_grid_barrier();
    Warp& warp = block.warp[t / kWarpSize];
    warp.exited |= 1u << t % kWarpSize;
    for (uint32_t rest = warp.waiting; rest != 0; rest &= warp.waiting & (rest - 1)) {
      const unsigned k = static_cast<unsigned>(std::countr_zero(rest));
      complete_exchange(block, t / kWarpSize, block.waiter[t / kWarpSize * kWarpSize + k].lanes);
    }
  }

  // --- waiting ---

  Block& begin_wait(State state, const char* call, Place place) {
    hide_accesses();
    Block& block = *worker_->block;
    const unsigned t = current_index.thread.x;
    block.state[t] = state;
    Waiter& self = block.waiter[t];
    self.worker = worker_, self.call = call, self.place = place;
    return block;
  }

  // Returns at once if what the running thread waits for is already there.
  void wait(Block& block) {
    State& state = block.state[current_index.thread.x];
    if (state == State::kReady) {
      state = State::kRunning;
      progress_ = true;
      show_accesses();
    } else {
      Context& own = worker_->context;
      release(&end_token_);  // should the launch fail, this is as far as the thread came
      show_accesses();
      own.switch_to(host_);
    }
  }

  void complete_block_barrier(Block& block) {
    if (block.at_barrier < block.live) return;
    block.at_barrier = 0, ++block.barriers;
    std::replace(block.state.begin(), block.state.end(), State::kBlockBarrier, State::kReady);
  }

  void complete_grid_barrier() {
    if (at_grid_barrier_ < live_) return;
    at_grid_barrier_ = 0, ++grid_barriers_, ++counters().grid_barriers;
    for (auto& block : resident_) {
      std::replace(block->state.begin(), block->state.end(), State::kGridBarrier, State::kReady);
    }
  }

  // Lets the exchange among `lanes` go on if all of them are there or have exited.
  void complete_exchange(Block& block, unsigned warp, uint32_t lanes) {
    Warp& state = block.warp[warp];
    if ((lanes & ~(state.waiting | state.exited)) != 0) return;
    Waiter* const waiter = &block.waiter[warp * kWarpSize];
    const uint32_t present = lanes & state.waiting;
    uint32_t ballot = 0;
    const Waiter& first = waiter[std::countr_zero(present)];
    for (uint32_t rest = present; rest != 0; rest &= rest - 1) {
      const int k = std::countr_zero(rest);
      if (waiter[k].lanes != lanes) return;  // waits for others, in an exchange of its own
      if (!same_place(waiter[k].place, first.place)) {
        fail_divergent(block, waiter[k].call, waiter[k].place, first.call, first.place);
      }
      ballot |= static_cast<uint32_t>(waiter[k].value != 0) << k;
    }
    for (uint32_t rest = present; rest != 0; rest &= rest - 1) {
      const int k = std::countr_zero(rest);
      const int source = waiter[k].source;
      const bool given = source >= 0 && (present >> source & 1) != 0;
      waiter[k].result = source < 0 ? ballot : given ? waiter[source].value : ~uint64_t{0};
      block.state[warp * kWarpSize + static_cast<unsigned>(k)] = State::kReady;
    }
    state.waiting &= ~present;
  }

  // --- failures ---

  static bool same_place(const Place& a, const Place& b) {
    return a.line() == b.line() && a.column() == b.column() &&
           (a.file_name() == b.file_name() || std::strcmp(a.file_name(), b.file_name()) == 0);
  }

  // "softmax.cu:41"
  static std::string spell(const Place& place) {
    const char* file = std::strrchr(place.file_name(), '/');
    return std::string(file != nullptr ? file + 1 : place.file_name()) + ":" +
           std::to_string(place.line());
  }

  static std::string spell(uint3 block) {
    return "block (" + std::to_string(block.x) + ", " + std::to_string(block.y) + ", " +
           std::to_string(block.z) + ")";
  }

  [[noreturn]] void fail_divergent(const Block& block, const char* call_a, Place a,
                                   const char* call_b, Place b) {
    failure_ = "threads of " + spell(block.index) + " meet at different places: " + call_a +
               " at " + spell(a) + " and " + call_b + " at " + spell(b);
    stop();
  }

  bool anyone_spins() const {
    return std::any_of(resident_.begin(), resident_.end(), [](const auto& block) {
      return std::find(block->state.begin(), block->state.end(), State::kSpinning) !=
             block->state.end();
    });
  }

  // Which threads wait where, a line for each run of threads that wait at one place; of the first
  // blocks.
  std::string describe_deadlock() const {
    constexpr size_t kBlocks = 4;
    std::string text = "deadlock: no thread can go on";
    for (size_t b = 0; b < resident_.size() && b < kBlocks; ++b) {
      const Block& block = *resident_[b];
      text += "\n  " + spell(block.index) + ":";
      for (unsigned first = 0; first < block.size;) {
        unsigned last = first;
        while (last + 1 < block.size && alike(block, first, last + 1)) ++last;
        text += "\n    threads " + std::to_string(first) + " to " + std::to_string(last);
        if (block.state[first] == State::kExited) {
          text += " have returned";
        } else {
          text += std::string(" wait in ") + block.waiter[first].call + " at " +
                  spell(block.waiter[first].place);
        }
        first = last + 1;
      }
    }
    if (resident_.size() > kBlocks)
      text += "\n  and " + std::to_string(resident_.size() - kBlocks) + " more blocks";
    return text;
  }

  static bool alike(const Block& block, unsigned a, unsigned b) {
    if (block.state[a] != block.state[b]) return false;
    return block.state[a] == State::kExited ||
           same_place(block.waiter[a].place, block.waiter[b].place);
  }

  // Forgets the threads that wait, with their stacks.
  void abandon() {
    for (auto& block : resident_) retire(block);
    resident_.clear();
    idle_blocks_.clear();
    idle_workers_.clear();
    workers_.clear();
  }

  uint3 grid_ = {};
  bool cooperative_ = false;
  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
  std::string failure_;

  uint64_t block_count_ = 0, first_block_ = 0, block_stride_ = 1, admitted_ = 0;
  uint64_t random_ = 1;
  uint64_t live_ = 0;  // threads of resident blocks
  uint64_t at_grid_barrier_ = 0;
  bool progress_ = false;
  std::vector<std::unique_ptr<Block>> resident_, idle_blocks_;

  Context host_;
  Worker* worker_ = nullptr;  // that runs
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Worker*> idle_workers_;
  char grid_tokens_[2] = {};  // as Block::tokens
  uint64_t grid_barriers_ = 0;
  char end_token_ = 0;
};

}  // namespace sinter_cpu

}  // namespace sinter_eb34b753

inline namespace sinter_eb34b753 {

#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)

#define threadIdx (sinter_cpu::thread_index())
#define blockIdx (sinter_cpu::block_index())
#define blockDim (sinter_cpu::block_size())
#define gridDim (sinter_cpu::grid_size())
inline constexpr int warpSize = sinter_cpu::kWarpSize;

// --- barriers and fences
// -------------------------------------------------------------------------------------------------

inline void __syncthreads(sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::Scheduler::get().block_barrier(place);
}

inline void __syncwarp(uint32_t lanes = 0xffffffff,
                       sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::Scheduler::get().warp_barrier(lanes, place);
}

// One CPU thread runs all CUDA threads, so the compiler alone could reorder accesses. For
// ThreadSanitizer every fence follows all earlier ones.
inline void __threadfence() {
  static char token;
  sinter_cpu::acquire(&token);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  sinter_cpu::release(&token);
}
inline void __threadfence_block() { __threadfence(); }
inline void __threadfence_system() { __threadfence(); }

[[noreturn]] inline void __trap(sinter_cpu::Place place = sinter_cpu::Place::current()) {
  sinter_cpu::Scheduler::get().trap(place);
}

inline void __nanosleep(unsigned) {}

// --- warp exchanges
// -------------------------------------------------------------------------------------------------

namespace sinter_cpu {

// A shuffle within groups of `width` lanes (a power of two); `source` is the lane read, own lane if
// out of the group.
template <class T>
T shuffle(uint32_t lanes, T value, int source, const char* call, Place place) {
  static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "shuffles move 4 or 8 bytes");
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  bits = Scheduler::get().exchange(lanes, bits, source, call, place);
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

inline int lane() { return static_cast<int>(thread_index().x % kWarpSize); }

}  // namespace sinter_cpu

template <class T>
T __shfl_sync(uint32_t lanes, T value, int source, int width = 32,
              sinter_cpu::Place place = sinter_cpu::Place::current()) {
  const int first = sinter_cpu::lane() / width * width;
  return sinter_cpu::shuffle(lanes, value, first + (source & (width - 1)), "__shfl_sync", place);
}

template <class T>
T __shfl_xor_sync(uint32_t lanes, T value, int mask, int width = 32,
                  sinter_cpu::Place place = sinter_cpu::Place::current()) {
  const int lane = sinter_cpu::lane();
  const int source = lane ^ mask;
  const bool inside = source < lane / width * width + width;  // lower groups may be read
  return sinter_cpu::shuffle(lanes, value, inside ? source : lane, "__shfl_xor_sync", place);
}

template <class T>
T __shfl_up_sync(uint32_t lanes, T value, unsigned distance, int width = 32,
                 sinter_cpu::Place place = sinter_cpu::Place::current()) {
  const int lane = sinter_cpu::lane();
  const int source = lane - static_cast<int>(distance);
  const bool inside = source >= lane / width * width;
  return sinter_cpu::shuffle(lanes, value, inside ? source : lane, "__shfl_up_sync", place);
}

template <class T>
T __shfl_down_sync(uint32_t lanes, T value, unsigned distance, int width = 32,
                   sinter_cpu::Place place = sinter_cpu::Place::current()) {
  const int lane = sinter_cpu::lane();
  const int source = lane + static_cast<int>(distance);
  const bool inside = source < lane / width * width + width;
  return sinter_cpu::shuffle(lanes, value, inside ? source : lane, "__shfl_down_sync", place);
}

inline uint32_t __ballot_sync(uint32_t lanes, int predicate,
                              sinter_cpu::Place place = sinter_cpu::Place::current()) {
  return static_cast<uint32_t>(
      sinter_cpu::Scheduler::get().exchange(lanes, predicate != 0, -1, "__ballot_sync", place));
}

inline int __any_sync(uint32_t lanes, int predicate,
                      sinter_cpu::Place place = sinter_cpu::Place::current()) {
  return sinter_cpu::Scheduler::get().exchange(lanes, predicate != 0, -1, "__any_sync", place) != 0;
}

// The lanes that have the same value, found bit by bit.
inline uint32_t __match_any_sync(uint32_t lanes, int value,
                                 sinter_cpu::Place place = sinter_cpu::Place::current()) {
  uint32_t same = lanes;
  for (int bit = 0; bit < 32; ++bit) {
    const bool set = (static_cast<uint32_t>(value) >> bit & 1) != 0;
    const auto with_bit = static_cast<uint32_t>(
        sinter_cpu::Scheduler::get().exchange(lanes, set, -1, "__match_any_sync", place));
    same &= set ? with_bit : ~with_bit;
  }
  return same;
}

// True if no lane that takes part has a false predicate.
inline int __all_sync(uint32_t lanes, int predicate,
                      sinter_cpu::Place place = sinter_cpu::Place::current()) {
  return sinter_cpu::Scheduler::get().exchange(lanes, predicate == 0, -1, "__all_sync", place) == 0;
}

// Lanes run one at a time, and each is its own company.
inline uint32_t __activemask() { return uint32_t{1} << sinter_cpu::lane(); }

// --- atomics: relaxed, and return the old value
// ----------------------------------------------------------------------

namespace sinter_cpu {

template <class T, class Change>
T atomic_change(T* address, Change change) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  static_assert(sizeof(T) == sizeof(Bits), "atomics are 4 or 8 bytes wide");
  auto* bits = reinterpret_cast<Bits __attribute__((may_alias))*>(address);
  Bits old = __atomic_load_n(bits, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(
      bits, &old, std::bit_cast<Bits>(static_cast<T>(change(std::bit_cast<T>(old)))), true,
      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return std::bit_cast<T>(old);
}

}  // namespace sinter_cpu

template <class T>
T atomicAdd(T* address, std::type_identity_t<T> value) {
  return sinter_cpu::atomic_change(address, [&](T old) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(old) +
                            static_cast<std::make_unsigned_t<T>>(value));
    } else {
      return old + value;
    }
  });
}
template <class T>
T atomicSub(T* address, std::type_identity_t<T> value) {
  static_assert(std::is_integral_v<T>);
  return atomicAdd(address, static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(value)));
}
template <class T>
T atomicMax(T* address, std::type_identity_t<T> value) {
  static_assert(std::is_integral_v<T>);
  return sinter_cpu::atomic_change(address, [&](T old) { return old < value ? value : old; });
}
template <class T>
T atomicMin(T* address, std::type_identity_t<T> value) {
  static_assert(std::is_integral_v<T>);
  return sinter_cpu::atomic_change(address, [&](T old) { return value < old ? value : old; });
}
template <class T>
T atomicAnd(T* address, std::type_identity_t<T> value) {
  return sinter_cpu::atomic_change(address, [&](T old) { return old & value; });
}
template <class T>
T atomicOr(T* address, std::type_identity_t<T> value) {
  return sinter_cpu::atomic_change(address, [&](T old) { return old | value; });
}
template <class T>
T atomicXor(T* address, std::type_identity_t<T> value) {
  return sinter_cpu::atomic_change(address, [&](T old) { return old ^ value; });
}
template <class T>
T atomicExch(T* address, std::type_identity_t<T> value) {
  return sinter_cpu::atomic_change(address, [&](T) { return value; });
}
template <class T>
T atomicCAS(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  static_assert(std::is_integral_v<T>);
  return sinter_cpu::atomic_change(address, [&](T old) { return old == expected ? desired : old; });
}
// Counts from 0 to `last` and starts again.
inline unsigned atomicInc(unsigned* address, unsigned last) {
  return sinter_cpu::atomic_change(address,
                                   [&](unsigned old) { return old >= last ? 0u : old + 1; });
}

// --- shared memory, grids, waiting
// -------------------------------------------------------------------------------------------------

namespace sinter_cpu {

// The block's object of type Shared.
template <class Shared>
Shared& block_shared() {
  static_assert(
      std::is_trivially_default_constructible_v<Shared> && std::is_trivially_destructible_v<Shared>,
      "shared memory is not initialised");
  static char type;
  return *static_cast<Shared*>(Scheduler::get().shared(&type, sizeof(Shared), alignof(Shared)));
}

// Waits until all threads of a cooperative grid are here.
inline void grid_sync(Place place = Place::current()) { Scheduler::get().grid_barrier(place); }

// Waits until `condition` holds, which another thread brings about.
template <class Condition>
void spin_until(Condition condition, Place place = Place::current()) {
  bool spun = false;
  while (!condition()) {
    Scheduler::get().spin(place);
    spun = true;
  }
  if (spun) Scheduler::get().spun();
}

}  // namespace sinter_cpu

}  // namespace sinter_eb34b753

// === host_api.h ===
//
// The part of the CUDA runtime's interface that launchers use, as operations on host memory.
// Everything is done when the call returns, so streams and events order nothing.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>


struct CUstream_st;  // the type of the CUDA headers, which emitted C interfaces declare too

inline namespace sinter_eb34b753 {

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorNotReady = 600,
  cudaErrorLaunchFailure = 719,
  cudaErrorCooperativeLaunchTooLarge = 720,
  cudaErrorNotSupported = 801,
  cudaErrorUnknown = 999,
};

inline const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorNoDevice:
      return "cudaErrorNoDevice";
    case cudaErrorInvalidDevice:
      return "cudaErrorInvalidDevice";
    case cudaErrorNotReady:
      return "cudaErrorNotReady";
    case cudaErrorLaunchFailure:
      return "cudaErrorLaunchFailure";
    case cudaErrorCooperativeLaunchTooLarge:
      return "cudaErrorCooperativeLaunchTooLarge";
    case cudaErrorNotSupported:
      return "cudaErrorNotSupported";
    case cudaErrorUnknown:
      return "cudaErrorUnknown";
  }
  return "unrecognized error code";
}

inline const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorNoDevice:
      return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    case cudaErrorNotReady:
      return "device not ready";
    case cudaErrorLaunchFailure:
      return "the kernel failed on the CPU";
    case cudaErrorCooperativeLaunchTooLarge:
      return "too many blocks in cooperative launch";
    case cudaErrorNotSupported:
      return "operation not supported";
    case cudaErrorUnknown:
      return "unknown error";
  }
  return "unrecognized error code";
}

namespace sinter_cpu {

// The last error of this host thread.
inline cudaError_t& last_error() {
  thread_local cudaError_t error = cudaSuccess;
  return error;
}
inline cudaError_t result(cudaError_t error) {
  if (error != cudaSuccess) last_error() = error;
  return error;
}

inline constexpr int kMaxSharedBytes = 227 * 1024;

// Runs `body()` once for each thread of the grid. Failures (a deadlock, a trap) are told on stderr.
template <class Body>
cudaError_t run_grid(dim3 grid, int block, int shared_bytes, bool cooperative, Body body) {
  if (block < 1 || block > static_cast<int>(kMaxThreads) || grid.x > 0x7fffffff || grid.y > 65535 ||
      grid.z > 65535) {
    return result(cudaErrorInvalidConfiguration);
  }
  if (shared_bytes < 0 || shared_bytes > kMaxSharedBytes) return result(cudaErrorInvalidValue);
  const uint64_t blocks = uint64_t{grid.x} * grid.y * grid.z;
  if (cooperative && blocks > settings().resident_blocks)
    return result(cudaErrorCooperativeLaunchTooLarge);
  ++counters().launches;
  const auto call = [](void* argument) { (*static_cast<Body*>(argument))(); };
  if (Scheduler::get().run(grid, static_cast<unsigned>(block), cooperative, call, &body))
    return cudaSuccess;
  std::fprintf(stderr, "sinter_cpu: %s\n", last_failure().c_str());
  return result(cudaErrorLaunchFailure);
}

}  // namespace sinter_cpu

inline cudaError_t cudaPeekAtLastError() { return sinter_cpu::last_error(); }
inline cudaError_t cudaGetLastError() {
  const cudaError_t error = sinter_cpu::last_error();
  sinter_cpu::last_error() = cudaSuccess;
  return error;
}

// --- devices
// -------------------------------------------------------------------------------------------------

struct cudaDeviceProp {
  char name[256];
  int major, minor;
  int multiProcessorCount;
};

inline cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
inline cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
inline cudaError_t cudaSetDevice(int device) {
  return device == 0 ? cudaSuccess : sinter_cpu::result(cudaErrorInvalidDevice);
}
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {"CPU", 0, 0, 1};
  return cudaSuccess;
}

// --- memory
// -------------------------------------------------------------------------------------------------

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault,
};

using cudaStream_t = CUstream_st*;

// Aligned to 256 bytes, and all ones at first: NaN or -1 shows what a kernel forgot to write.
inline cudaError_t cudaMalloc(void** address, size_t bytes) {
  *address = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (bytes > SIZE_MAX - 256) return sinter_cpu::result(cudaErrorMemoryAllocation);
  *address = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (*address == nullptr) return sinter_cpu::result(cudaErrorMemoryAllocation);
  std::memset(*address, 0xff, bytes);
  return cudaSuccess;
}
template <class T>
cudaError_t cudaMalloc(T** address, size_t bytes) {
  void* memory = nullptr;
  const cudaError_t error = cudaMalloc(&memory, bytes);
  *address = static_cast<T*>(memory);
  return error;
}
inline cudaError_t cudaFree(void* address) { return std::free(address), cudaSuccess; }
template <class T>
cudaError_t cudaMallocAsync(T** address, size_t bytes, cudaStream_t) {
  return cudaMalloc(address, bytes);
}
inline cudaError_t cudaFreeAsync(void* address, cudaStream_t) { return cudaFree(address); }
template <class T>
cudaError_t cudaMallocHost(T** address, size_t bytes) {
  return cudaMalloc(address, bytes);
}
inline cudaError_t cudaFreeHost(void* address) { return cudaFree(address); }

inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t = nullptr) {
  if (kind == cudaMemcpyDeviceToDevice) {
    ++sinter_cpu::counters().copies;
    sinter_cpu::counters().copied_bytes += static_cast<int64_t>(bytes);
  }
  if (bytes != 0) std::memmove(to, from, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, bytes, kind);
}
inline cudaError_t cudaMemsetAsync(void* address, int byte, size_t bytes, cudaStream_t = nullptr) {
  ++sinter_cpu::counters().memsets;
  sinter_cpu::counters().set_bytes += static_cast<int64_t>(bytes);
  if (bytes != 0) std::memset(address, byte, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemset(void* address, int byte, size_t bytes) {
  return cudaMemsetAsync(address, byte, bytes);
}

// --- streams and events
// -------------------------------------------------------------------------------------------------

inline constexpr unsigned cudaStreamDefault = 0, cudaStreamNonBlocking = 1;
inline constexpr unsigned cudaEventDefault = 0, cudaEventDisableTiming = 2;

inline cudaError_t cudaStreamCreate(cudaStream_t* stream) { return *stream = nullptr, cudaSuccess; }
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return cudaStreamCreate(stream);
}
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }

enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive };
inline cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
  return *status = cudaStreamCaptureStatusNone, cudaSuccess;
}

struct SinterCpuEvent {
  std::chrono::steady_clock::time_point time;
};
using cudaEvent_t = SinterCpuEvent*;

inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return *event = new SinterCpuEvent{std::chrono::steady_clock::now()}, cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t = nullptr) {
  event->time = std::chrono::steady_clock::now();
  return cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  *milliseconds = std::chrono::duration<float, std::milli>(to->time - from->time).count();
  return cudaSuccess;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) {
  return cudaSuccess;
}

}  // namespace sinter_eb34b753

// === math.h ===
//
// CUDA's mathematical and bit functions on the CPU, those that the C library lacks, and the 16-bit
// float types.
#include <math.h>

#include <bit>
#include <cmath>
#include <cstdint>

inline namespace sinter_eb34b753 {

// nvcc finds these in the global namespace.
using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;

// --- bits
// -------------------------------------------------------------------------------------------------

inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }

inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
// One plus the position of the lowest set bit; 0 for 0.
inline int __ffs(int x) { return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1; }
inline int __ffsll(long long x) {
  return x == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(x)) + 1;
}
inline unsigned __brev(unsigned x) {
  unsigned reversed = 0;
  for (int i = 0; i < 32; ++i) reversed = reversed << 1 | (x >> i & 1);
  return reversed;
}
// The upper (left) or lower (right) half of hi:lo shifted by n % 32.
inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n) {
  return static_cast<unsigned>(((uint64_t{hi} << 32 | lo) << (n & 31)) >> 32);
}
inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n) {
  return static_cast<unsigned>((uint64_t{hi} << 32 | lo) >> (n & 31));
}

inline int __mulhi(int a, int b) { return static_cast<int>(int64_t{a} * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(uint64_t{a} * b >> 32);
}
inline long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}

// --- arithmetic
// -------------------------------------------------------------------------------------------------

inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a < b ? b : a; }
inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned max(unsigned a, unsigned b) { return a < b ? b : a; }
inline long min(long a, long b) { return a < b ? a : b; }
inline long max(long a, long b) { return a < b ? b : a; }
inline unsigned long min(unsigned long a, unsigned long b) { return a < b ? a : b; }
inline unsigned long max(unsigned long a, unsigned long b) { return a < b ? b : a; }
inline long long min(long long a, long long b) { return a < b ? a : b; }
inline long long max(long long a, long long b) { return a < b ? b : a; }
inline unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
inline unsigned long long max(unsigned long long a, unsigned long long b) { return a < b ? b : a; }

// Rounded to nearest, and never contracted.
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline float __fsqrt_rn(float x) { return sqrtf(x); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dmul_rn(double a, double b) { return a * b; }

inline float rsqrtf(float x) { return static_cast<float>(1.0 / sqrt(static_cast<double>(x))); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float rcbrtf(float x) { return static_cast<float>(1.0 / cbrt(static_cast<double>(x))); }
inline double rcbrt(double x) { return 1.0 / cbrt(x); }

#ifndef __GLIBC__
inline void sincosf(float x, float* sine, float* cosine) { *sine = sinf(x), *cosine = cosf(x); }
inline void sincos(double x, double* sine, double* cosine) { *sine = sin(x), *cosine = cos(x); }
#endif

template <class T>
T __ldg(const T* address) {
  return *address;
}

// --- 16-bit floats: storage, and conversions that round to nearest, ties to even
// --------------------------------------

struct __half {
  uint16_t bits;
};
struct __nv_bfloat16 {
  uint16_t bits;
};

inline float __half2float(__half x) {
  const uint32_t sign = static_cast<uint32_t>(x.bits & 0x8000) << 16;
  const uint32_t exponent = x.bits >> 10 & 0x1f;
  const uint32_t mantissa = x.bits & 0x3ff;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000 | mantissa << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;  // subnormal or zero
  return sign != 0 ? -magnitude : magnitude;
}

inline __half __float2half_rn(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint32_t sign = bits >> 16 & 0x8000;
  const uint32_t magnitude = bits & 0x7fffffff;
  uint32_t result;
  if (magnitude > 0x7f800000) {
    return {0x7fff};  // every NaN becomes this one, as on a GPU
  } else if (magnitude >= 0x477ff000) {
    result = 0x7c00;  // 65520 and above
  } else if (magnitude >= 0x38800000) {
    result = (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
  } else {
    // Subnormal: adding 0.5 leaves the rounded mantissa in the low bits.
    result = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000;
  }
  return {static_cast<uint16_t>(sign | result)};
}

inline float __bfloat162float(__nv_bfloat16 x) {
  return std::bit_cast<float>(static_cast<uint32_t>(x.bits) << 16);
}

inline __nv_bfloat16 __float2bfloat16_rn(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  if ((bits & 0x7fffffff) > 0x7f800000) return {0x7fff};
  return {static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

namespace sinter_cpu {

// The float that rounds to the same 16-bit value as `x`: rounded to odd, so that the second
// rounding sees what the first one dropped.
inline float round_to_odd(double x) {
  const float nearest = static_cast<float>(x);
  if (!(std::fabs(x) < INFINITY) || nearest == x) return nearest;
  uint32_t bits = std::bit_cast<uint32_t>(nearest);
  if (std::fabs(static_cast<double>(nearest)) > std::fabs(x)) --bits;  // towards zero
  return std::bit_cast<float>(bits | 1);
}

}  // namespace sinter_cpu

// In one rounding, not by way of float.
inline __half __double2half(double x) { return __float2half_rn(sinter_cpu::round_to_odd(x)); }
inline __nv_bfloat16 __double2bfloat16(double x) {
  return __float2bfloat16_rn(sinter_cpu::round_to_odd(x));
}

}  // namespace sinter_eb34b753
