// black_scholes.cu: the launcher. What runs, in which order, on which buffers.
//
// No value between kernels is in device memory.

#include "black_scholes/black_scholes.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include "kernels.h"
#include "launcher/arguments.cuh"
#include "launcher/steps.cuh"

namespace kernels = black_scholes_kernels;

struct BlackScholesInstance {
  int device = 0;  // that was current in create
};

extern const BlackScholesTensor kBlackScholesInputTable[] = {
    {"spot", "f32", 1, kBlackScholesInSpot, 2048},
    {"volatility", "f32", 1, kBlackScholesInVolatility, 2048},
    {"strike", "f32", 1, kBlackScholesInStrike, 2048},
    {"years", "f32", 1, kBlackScholesInYears, 2048},
    {"rate", "f32", 0, nullptr, 4},
    {nullptr, nullptr, 0, nullptr, 0},
};

extern const BlackScholesTensor kBlackScholesOutputTable[] = {
    {"difference", "f32", 1, kBlackScholesOutDifference, 2048},
    {"cdf", "f32", 1, kBlackScholesOutCdf, 2048},
    {"vega", "f32", 1, kBlackScholesOutVega, 2048},
    {nullptr, nullptr, 0, nullptr, 0},
};

namespace {

thread_local char last_error[256] = "";

BlackScholesStatus refuse(const char* what, const char* name = "", const char* other = "") {
  const char* separator = *other == '\0' ? "" : ", ";
  std::snprintf(last_error, sizeof last_error, "black_scholes: %s%s%s%s",
                what, name, separator, other);
  return kBlackScholesInvalidArgument;
}

// True if the call did not succeed; then black_scholes_last_error() says why.
bool failed(const char* what, cudaError_t error) {
  if (error == cudaSuccess) error = tell_step(what);
  if (error == cudaSuccess) return false;
  cudaGetLastError();  // told here, not by the caller's next check
  const char* reason = cudaGetErrorString(error);
  std::snprintf(last_error, sizeof last_error, "black_scholes: %s: %s", what, reason);
  return true;
}

bool is_current(int device) {
  int current = -1;
  if (cudaGetDevice(&current) == cudaSuccess) return current == device;
  cudaGetLastError();
  return false;
}

}  // namespace

BlackScholesStatus black_scholes_create(BlackScholesInstance** instance) {
  if (instance == nullptr) return refuse("no place for the instance");
  *instance = nullptr;
  BlackScholesInstance* created = new (std::nothrow) BlackScholesInstance;
  if (created == nullptr) {
    refuse("out of host memory");
    return kBlackScholesOutOfMemory;
  }
  cudaError_t error = cudaGetDevice(&created->device);
  if (failed("create", error)) {
    black_scholes_destroy(created);
    if (error == cudaErrorMemoryAllocation) return kBlackScholesOutOfMemory;
    return kBlackScholesCudaError;
  }
  *instance = created;
  return kBlackScholesOk;
}

BlackScholesStatus black_scholes_run(BlackScholesInstance* instance, const BlackScholesInputs* in,
                                     const BlackScholesOutputs* out, cudaStream_t stream) {
  if (instance == nullptr || in == nullptr || out == nullptr) return refuse("null argument of run");
  if (!is_current(instance->device)) return refuse("run on another device than create");
  const ArgumentProblem wrong = argument_problem(
      *in, kBlackScholesInputTable, *out, kBlackScholesOutputTable, nullptr);
  if (wrong.what != nullptr) return refuse(wrong.what, wrong.name, wrong.other);

  // value, delta, vega  (black_scholes.grain:13)
  if (failed("black_scholes", kernels::black_scholes::enqueue(in->spot, in->volatility, in->strike,
                                                              in->years, in->rate, out->difference,
                                                              out->cdf, out->vega, stream))) {
    return kBlackScholesCudaError;
  }

  return kBlackScholesOk;
}

void black_scholes_destroy(BlackScholesInstance* instance) {
  delete instance;
}

const char* black_scholes_last_error() { return last_error; }
