// times t_*_cartpole_soa, t_*_cartpole_unroll10: 10,000 steps of each environment in one thread, its state in registers.
#include "bench/handwritten/yardstick.h"

namespace {

using yardstick::Array;

constexpr int kSteps = 10'000, kThreads = 32, kUnroll = 10;
constexpr float kGravity = 9.8f, kMassPole = 0.1f, kTotalMass = 1.1f, kLength = 0.5f, kForce = 10.0f, kTau = 0.02f;
constexpr float kPoleMassLength = kMassPole * kLength, kXLimit = 2.4f, kThetaLimit = 0.20943951f;

struct State {
  float x, x_dot, theta, theta_dot;
};

// The state of all environments, or their starts at each step of the pool.
struct Arrays {
  float *x, *x_dot, *theta, *theta_dot;
  __device__ State load(int64_t i) const { return {x[i], x_dot[i], theta[i], theta_dot[i]}; }
  __device__ void store(int64_t i, const State& state) const {
    x[i] = state.x, x_dot[i] = state.x_dot, theta[i] = state.theta, theta_dot[i] = state.theta_dot;
  }
};

// An Euler step of the cart and the pole.
template <class Real>
__host__ __device__ inline void euler(Real& x, Real& x_dot, Real& theta, Real& theta_dot, Real force, Real sine, Real cosine) {
  const Real temp = (force + Real(kPoleMassLength) * theta_dot * theta_dot * sine) / Real(kTotalMass);
  const Real theta_acc = (Real(kGravity) * sine - cosine * temp) /
                         (Real(kLength) * (Real(4.0f / 3.0f) - Real(kMassPole) * cosine * cosine / Real(kTotalMass)));
  const Real x_acc = temp - Real(kPoleMassLength) * theta_acc * cosine / Real(kTotalMass);
  x += Real(kTau) * x_dot;
  x_dot += Real(kTau) * x_acc;
  theta += Real(kTau) * theta_dot;
  theta_dot += Real(kTau) * theta_acc;
}

__global__ void __launch_bounds__(kThreads)
cartpole(Arrays in, const int* __restrict__ actions, Arrays starts, Arrays out, int* __restrict__ episodes, int n, int pool,
         int steps) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  State state = in.load(i);
  int ended = 0, row = 0;
#pragma unroll kUnroll
  for (int t = 0; t < steps; ++t) {
    const int64_t at = static_cast<int64_t>(row) * n + i;
    row = row + 1 == pool ? 0 : row + 1;
    const float force = actions[at] == 1 ? kForce : -kForce;
    float sine, cosine;
    sincosf(state.theta, &sine, &cosine);
    euler(state.x, state.x_dot, state.theta, state.theta_dot, force, sine, cosine);
    if (fabsf(state.x) > kXLimit || fabsf(state.theta) > kThetaLimit) {
      state = starts.load(at);
      ++ended;
    }
  }
  out.store(i, state);
  episodes[i] = ended;
}

struct Buffers {
  int n, pool;
  Array<float> x, x_dot, theta, theta_dot, start_x, start_x_dot, start_theta, start_theta_dot, out_x, out_x_dot, out_theta,
      out_theta_dot;
  Array<int> actions, episodes;
  Buffers(int environments, int pool_steps)
      : n(environments), pool(pool_steps), x(n, 0.05), x_dot(n, 0.05), theta(n, 0.05), theta_dot(n, 0.05),
        start_x(size(), 0.05), start_x_dot(size(), 0.05), start_theta(size(), 0.05), start_theta_dot(size(), 0.05), out_x(n),
        out_x_dot(n), out_theta(n), out_theta_dot(n), actions(size()), episodes(n) {}
  int64_t size() const { return static_cast<int64_t>(n) * pool; }
  cudaError_t run(int steps) const {
    const Arrays in = {x.get(), x_dot.get(), theta.get(), theta_dot.get()};
    const Arrays starts = {start_x.get(), start_x_dot.get(), start_theta.get(), start_theta_dot.get()};
    const Arrays out = {out_x.get(), out_x_dot.get(), out_theta.get(), out_theta_dot.get()};
    return launch(cartpole, {.grid = static_cast<unsigned>((n + kThreads - 1) / kThreads), .block = kThreads}, nullptr, in,
                  actions.get(), starts, out, episodes.get(), n, pool, steps);
  }
};

// A few steps, before rounding makes episodes end at other steps.
int check() {
  constexpr int kFew = 8;
  const Buffers buffers(40, 5);
  yardstick::must(buffers.run(kFew), "cartpole");
  std::vector<double> wanted;
  for (int i = 0; i < buffers.n; ++i) {
    double x = buffers.x.host()[i], x_dot = buffers.x_dot.host()[i], theta = buffers.theta.host()[i];
    double theta_dot = buffers.theta_dot.host()[i];
    for (int t = 0; t < kFew; ++t) {
      const double force = buffers.actions.host()[t % buffers.pool * buffers.n + i] == 1 ? kForce : -kForce;
      euler<double>(x, x_dot, theta, theta_dot, force, std::sin(theta), std::cos(theta));
    }
    wanted.push_back(theta_dot);
  }
  return yardstick::compare(buffers.out_theta_dot.now(), wanted, 1e-5);
}

}  // namespace

int main(int argc, char** argv) {
  const yardstick::Call call = yardstick::read_call(argc, argv);
  if (call.check) return check();
  if (call.shapes.size() != 9 || call.shapes[4].dims.size() != 2) {
    return yardstick::refuse("cartpole takes four arrays of state, the actions and four arrays of starts");
  }
  const Buffers buffers(static_cast<int>(call.shapes[4].dims[1]), static_cast<int>(call.shapes[4].dims[0]));
  return yardstick::print_time([&] { return buffers.run(kSteps); }, call.repeat);
}
