// failure.cuh: what a launcher says of a call that failed: a status, and a sentence.

#pragma once

#include <cstdio>
#include <type_traits>

#include "device/launch.cuh"
#include "launcher/steps.cuh"

inline namespace sinter_helpers {

// The status of a call: that of each program's interface, whose numbers are these. Nothing failed
// if it is false.
struct Failure {
  enum Kind {
    kNone = 0,
    kInvalidArgument = 1,
    kOutOfMemory = 2,
    kCudaError = 3,
    kOtherInterface = 4,
    kOtherDevice = 5,
    kInvalidWeights = 6,
    kCannotCapture = 7,
  };
  Kind kind = kNone;

  explicit operator bool() const { return kind != kNone; }
  template <class Status, class = std::enable_if_t<std::is_enum_v<Status>>>
  operator Status() const {
    return static_cast<Status>(kind);
  }
};

// What a status means, whichever call gives it.
constexpr const char* status_text(int status) {
  switch (status) {
    case Failure::kNone:
      return "no error";
    case Failure::kInvalidArgument:
      return "an argument is null, misaligned, or overlaps another";
    case Failure::kOutOfMemory:
      return "out of memory";
    case Failure::kCudaError:
      return "a call of the CUDA runtime failed";
    case Failure::kOtherInterface:
      return "the caller was compiled with a header of another interface";
    case Failure::kOtherDevice:
      return "not built for this device, or not the instance's device";
    case Failure::kInvalidWeights:
      return "the weights are missing, damaged, or of another program";
    case Failure::kCannotCapture:
      return "a run of this program cannot be a CUDA graph";
  }
  return "unknown status";
}

// While it lives, errors of calls that only end something are nobody's.
class Ending {
 public:
  Ending() : clean_(cudaPeekAtLastError() == cudaSuccess) {}
  Ending(const Ending&) = delete;
  ~Ending() {
    if (clean_) cudaGetLastError();
  }

 private:
  bool clean_;
};

// Why the last call of a thread failed; empty if it did not.
class LastError {
 public:
  constexpr explicit LastError(const char* program) : program_(program) {}

  const char* text() const { return text_; }
  void clear() { text_[0] = '\0'; }

  Failure say(Failure::Kind kind, const char* sentence) { return say(kind, "%s", sentence); }
  // The sentence is a format of printf.
  template <class... Values>
  Failure say(Failure::Kind kind, const char* format, const Values&... values) {
    const int begin = std::snprintf(text_, sizeof text_, "%s: ", program_);
    std::snprintf(text_ + begin, sizeof text_ - static_cast<size_t>(begin), format, values...);
    return {kind};
  }

  // A call of CUDA that failed. Its error is told here, and not by the caller's next check.
  Failure say(const char* what, cudaError_t error, const char* reason = nullptr) {
    cudaGetLastError();
    if (reason == nullptr) reason = cudaGetErrorString(error);
    const bool memory = error == cudaErrorMemoryAllocation;
    return say(memory ? Failure::kOutOfMemory : Failure::kCudaError, "%s: %s", what, reason);
  }

  // True if a step of a run did not succeed.
  bool failed(const char* what, cudaError_t error, const char* reason = nullptr) {
    if (error == cudaSuccess) error = tell_step(what);
    return error != cudaSuccess && say(what, error, reason);
  }

 private:
  const char* program_;
  char text_[320] = "";
};

}  // namespace sinter_helpers
