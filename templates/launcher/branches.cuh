// branches.cuh: steps that need nothing of each other. Where the stream is captured they are branches
// of its graph, which the device may run side by side; else they follow each other.

#pragma once

#include "launcher/captured.cuh"
#include "launcher/failure.cuh"

inline namespace sinter_helpers {

//   Branches<2> branches(stream, last_error);
//   if (!branches.begin()) ...
//   ...  // steps
//   if (!branches.begin()) ...
//   ...  // others
//   if (!branches.join()) ...
//
// All of it on one stream. False: a call failed, and `last_error` says which.
template <int kBranches>
class Branches {
 public:
  Branches(cudaStream_t stream, LastError& last_error)
      : stream_(stream), is_captured_(is_captured(stream)), last_error_(last_error) {}

  [[nodiscard]] bool begin() {
    if (!is_captured_) return true;
    cudaError_t error = begun_ == 0 ? find_fork() : end_branch();
    if (error == cudaSuccess) error = go_on_after(stream_, &fork_, 1);
    ++begun_;
    return succeeded(error);
  }

  // What follows comes after all branches.
  [[nodiscard]] bool join() {
    if (!is_captured_) return true;
    cudaError_t error = end_branch();
    if (error == cudaSuccess) error = go_on_after(stream_, ends_, kBranches);
    return succeeded(error);
  }

 private:
  // One node that all branches come after.
  cudaError_t find_fork() {
    CapturePlace place;
    const cudaError_t error = find_place(stream_, &place);
    if (error != cudaSuccess) return error;
    if (place.count != 1)
      return cudaGraphAddEmptyNode(&fork_, place.graph, place.last, place.count);
    fork_ = place.last[0];
    return cudaSuccess;
  }

  // A branch ends with one node, as its steps follow each other.
  cudaError_t end_branch() {
    CapturePlace place;
    const cudaError_t error = find_place(stream_, &place);
    if (error != cudaSuccess) return error;
    if (place.count != 1) return cudaErrorStreamCaptureInvalidated;
    ends_[begun_ - 1] = place.last[0];
    return cudaSuccess;
  }

  bool succeeded(cudaError_t error) {
    return error == cudaSuccess || !last_error_.say("branches", error);
  }

  cudaStream_t stream_;
  const bool is_captured_;
  LastError& last_error_;
  int begun_ = 0;
  cudaGraphNode_t fork_ = nullptr;
  cudaGraphNode_t ends_[kBranches] = {};
};

}  // namespace sinter_helpers
