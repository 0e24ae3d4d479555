// steps.cuh: who is told of each step of a run, right after it was put on the stream. Nobody is,
// unless a program asks for it: the runner does, to time kernels.

#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

// Told on the thread that called run. `what` is a kernel's name, "copy", ...; an error that is
// returned ends the run, as that of the step itself does.
struct StepListener {
  cudaError_t (*told)(void* self, const char* what) = nullptr;
  void* self = nullptr;
};
inline thread_local constinit StepListener step_listener;

inline cudaError_t tell_step(const char* what) {
  return step_listener.told == nullptr ? cudaSuccess
                                       : step_listener.told(step_listener.self, what);
}

}  // namespace sinter_helpers
