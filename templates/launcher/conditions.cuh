// conditions.cuh: loops that data ends, and branches that data chooses. The host waits for the
// stream and reads what decides. Where the stream is captured they are conditional nodes of its
// graph instead, and nobody waits.

#pragma once

#include <cstdint>

#include "device/launch.cuh"
#include "launcher/conditional_nodes.cuh"

inline namespace sinter_helpers {

// Waits for the stream and reads a condition, or the number of a branch's arm, by way of `pinned`
// memory.
template <class Value>
cudaError_t read_back(void* pinned, const Value* value, cudaStream_t stream, Value* read) {
  cudaError_t error = cudaMemcpyAsync(pinned, value, sizeof *value, cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  if (error == cudaSuccess) *read = *static_cast<const Value*>(pinned);
  return error;
}

// Which of its arms a branch chooses: true is the first of two; the last where a number is none.
__host__ __device__ inline int arm_of(bool selector, int) { return selector ? 0 : 1; }
__host__ __device__ inline int arm_of(int selector, int arms) {
  return selector >= 0 && selector < arms ? selector : arms - 1;
}

// One thread: whether the node of an arm does something, which is for a kernel to say.
template <class Selector>
__global__ void choose_arm(NodeCondition condition, const Selector* selector, int arm, int arms) {
  set_condition(condition, arm_of(*selector, arms) == arm);
}

inline bool is_recorded(cudaStream_t stream) {
  return is_captured(stream) && has_conditional_nodes();
}

//   DataLoop loop(pinned, stream);
//   for (;;) {
//     ...  // what decides, on loop.stream
//     if (loop.ask(more, &goes_on) != cudaSuccess) ...
//     if (!goes_on) break;
//     ...  // a step, on loop.stream
//   }
//
// Recorded, the host passes here one and a half times: it asks, and opens the node; asks, and closes
// it.
class DataLoop {
 public:
  DataLoop(void* pinned, cudaStream_t around)
      : stream(around), recorded(is_recorded(around)), pinned_(pinned), around_(around) {}

  cudaStream_t stream;
  const bool recorded;  // one step stands for all: arrays must be where they were before it

  cudaError_t ask(const bool* condition, bool* goes_on) {
    if (!recorded) return read_back(pinned_, condition, stream, goes_on);
    const bool ends = body_.is_open();
    cudaError_t error = ends ? cudaSuccess : create_condition(stream, &condition_);
    if (error == cudaSuccess)
      error = launch(choose_arm<bool>, {.grid = 1, .block = 1}, stream, condition_, condition,
                     /*arm=*/0, /*arms=*/2);
    if (error != cudaSuccess) return error;
    error = ends ? body_.close() : body_.open(around_, condition_, NodeKind::kWhile);
    stream = ends ? around_ : body_.stream;
    *goes_on = !ends;
    return error;
  }

  // Recorded, before its first step: the array goes to where its steps leave it.
  template <class Element>
  cudaError_t start_at(Element* place, const Element** array, int64_t bytes) const {
    const Element* from = *array;
    *array = place;
    if (from == place) return cudaSuccess;
    return cudaMemcpyAsync(place, from, static_cast<size_t>(bytes), cudaMemcpyDeviceToDevice,
                           stream);
  }
  template <class Element>
  cudaError_t start_at(Element* place, Element** array, int64_t bytes) const {
    const Element* from = *array;
    *array = place;
    return start_at(place, &from, bytes);
  }

 private:
  void* pinned_;
  cudaStream_t around_;
  NodeBody body_;
  NodeCondition condition_ = 0;
};

//   DataBranch<bool, 2> branch(pinned, selector, stream);
//   for (;;) {
//     if (branch.ask(&arm) != cudaSuccess) ...
//     if (arm == branch.kNone) break;
//     ...  // of this arm, on branch.stream
//   }
//
// The chosen arm, and then none; recorded, each arm as a node of its own.
template <class Selector, int kArms>
class DataBranch {
 public:
  DataBranch(void* pinned, const Selector* selector, cudaStream_t around)
      : stream(around),
        recorded_(is_recorded(around)),
        pinned_(pinned),
        selector_(selector),
        around_(around) {}

  static constexpr int kNone = -1;
  cudaStream_t stream;

  cudaError_t ask(int* arm) {
    *arm = kNone;
    if (!recorded_) return ask_device(arm);
    const cudaError_t closed = next_ == 0 ? choose_arms() : body_.close();
    stream = around_;
    if (closed != cudaSuccess || next_ == kArms) return closed;
    const cudaError_t error = body_.open(around_, conditions_[next_], NodeKind::kIf);
    if (error != cudaSuccess) return error;
    stream = body_.stream;
    *arm = next_++;
    return cudaSuccess;
  }

 private:
  cudaError_t ask_device(int* arm) {
    if (next_ != 0) return cudaSuccess;
    next_ = kArms;
    Selector read = {};
    const cudaError_t error = read_back(pinned_, selector_, stream, &read);
    if (error == cudaSuccess) *arm = arm_of(read, kArms);
    return error;
  }

  // All before the first of them, which may write over the selector.
  cudaError_t choose_arms() {
    cudaError_t error = cudaSuccess;
    for (int arm = 0; arm < kArms && error == cudaSuccess; ++arm) {
      error = create_condition(stream, &conditions_[arm]);
      if (error == cudaSuccess)
        error = launch(choose_arm<Selector>, {.grid = 1, .block = 1}, stream, conditions_[arm],
                       selector_, arm, kArms);
    }
    return error;
  }

  const bool recorded_;
  void* pinned_;
  const Selector* selector_;
  cudaStream_t around_;
  NodeBody body_;
  NodeCondition conditions_[kArms] = {};
  int next_ = 0;
};

}  // namespace sinter_helpers
