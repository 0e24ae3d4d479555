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
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <vector>

#include "cpu/grid_state.h"

inline namespace sinter_helpers {

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
    const bool shuffled = settings().order.kind == Order::Kind::kShuffled;
    if (shuffled) order_threads(block);
    bool ran = false, held = false;
    for (const uint16_t t : block.order) {
      State& state = block.state[t];
      if (state != State::kReady && state != State::kSpinning) continue;
      if (shuffled && state == State::kReady && (block.lagging >> t / kWarpSize & 1) != 0) {
        held = true;
        continue;
      }
      // One that spins may wait for a warp that is held.
      if (state == State::kReady) ran = progress_ = true;
      state = State::kRunning;
      begin_thread(block, t);
      enter(*block.waiter[t].worker);
      if (!failure_.empty()) return;
    }
    if (held) {
      progress_ = true;
      if (!ran) choose_lagging(block);
    }
  }

  // Other warps stay behind; or the whole block does, for long enough that the others come to the
  // next barrier of the grid.
  void choose_lagging(Block& block) {
    constexpr uint32_t kAll = ~uint32_t{0};
    if (block.lagging == kAll && ++block.held < 200) return;
    block.held = 0;
    block.lagging = random() % 4 == 0 ? kAll : static_cast<uint32_t>(random());
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

}  // namespace sinter_helpers
