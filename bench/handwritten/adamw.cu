// times t_*_adamw_update: a step over all parameters, as if they were one array: what is read and written is the least.
#include "bench/handwritten/row.cuh"
#include "bench/handwritten/yardstick.h"

namespace {

using yardstick::Array;

constexpr float kRate = 3e-4f, kDecay = 0.1f, kBeta1 = 0.9f, kBeta2 = 0.999f, kEpsilon = 1e-8f;

struct Corrections {
  float first, second;  // 1 / (1 - beta^step)
};

__device__ inline void step(float& p, float g, float& m, float& v, Corrections corrections) {
  m = fmaf(kBeta1, m, (1 - kBeta1) * g);
  v = fmaf(kBeta2, v, (1 - kBeta2) * g * g);
  const float direction = m * corrections.first / (sqrtf(v * corrections.second) + kEpsilon);
  p -= kRate * fmaf(kDecay, p, direction);
}

// Four elements a thread. Parameters and moments are updated in place.
__global__ void __launch_bounds__(kRowThreads)
adamw(Four* __restrict__ params, const Four* __restrict__ grads, Four* __restrict__ m, Four* __restrict__ v, int64_t fours,
      Corrections corrections) {
  const int64_t four = static_cast<int64_t>(blockIdx.x) * kRowThreads + threadIdx.x;
  if (four >= fours) return;
  const Four g = grads[four];
  Four new_p = params[four], new_m = m[four], new_v = v[four];
  for (int i = 0; i < 4; ++i) step(new_p.at[i], g.at[i], new_m.at[i], new_v.at[i], corrections);
  params[four] = new_p;
  m[four] = new_m;
  v[four] = new_v;
}

struct State {
  Array<float> params, grads, m, v;
  explicit State(int64_t count) : params(count), grads(count), m(count), v(count, 0) {}
};

cudaError_t run(const State& state, int64_t count, int64_t steps_before) {
  const auto step_number = static_cast<double>(steps_before + 1);
  const Corrections corrections = {static_cast<float>(1 / (1 - std::pow(kBeta1, step_number))),
                                   static_cast<float>(1 / (1 - std::pow(kBeta2, step_number)))};
  const int64_t fours = count / 4;
  const auto four = [](const Array<float>& array) { return reinterpret_cast<Four*>(array.get()); };
  return launch(adamw, {.grid = static_cast<unsigned>((fours + kRowThreads - 1) / kRowThreads), .block = kRowThreads},
                nullptr, four(state.params), four(state.grads), four(state.m), four(state.v), fours, corrections);
}

int check() {
  constexpr int64_t kCount = 1000;
  const State state(kCount);
  yardstick::must(run(state, kCount, 4), "adamw");
  std::vector<double> wanted;
  for (size_t i = 0; i < kCount; ++i) {
    const double p = state.params.host()[i], g = state.grads.host()[i];
    const double m = 0.9 * state.m.host()[i] + 0.1 * g, v = 0.001 * g * g;
    const double direction = m / (1 - std::pow(0.9, 5)) / (std::sqrt(v / (1 - std::pow(0.999, 5))) + 1e-8);
    wanted.push_back(p - 3e-4 * (direction + 0.1 * p));
  }
  return yardstick::compare(state.params.now(), wanted, 1e-6);
}

}  // namespace

int main(int argc, char** argv) {
  const yardstick::Call call = yardstick::read_call(argc, argv);
  if (call.check) return check();
  // Parameters, gradients and two moments; scalars are the step's number.
  int64_t count = 0;
  for (const yardstick::Shape& shape : call.shapes) count += shape.dims.empty() ? 0 : shape.count();
  count = count / 4 / 4 * 4;
  if (count == 0) return yardstick::refuse("adamw takes the shapes of parameters, gradients and moments");
  const State state(count);
  return yardstick::print_time([&] { return run(state, count, 0); }, call.repeat);
}
