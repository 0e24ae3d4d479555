// times t_*_linear_recurrence: x[t] = a[t] * x[t - 1] + b[t] in parts of 64 steps, four channels a thread.
//
// The first launch takes each part as if it began with 0: the product of its a, and where it ends. The second goes over
// these from part to part, in order, up to its own, and takes its steps again.
#include "bench/handwritten/yardstick.h"
#include "device/vector_access.cuh"

namespace {

using yardstick::Array;

constexpr int kThreads = 128, kWidth = 4, kSteps = 64;
using Values = Vector<float, kWidth>;

// Part blockIdx.y of four channels; a thread beyond the last channels has none.
struct Place {
  int64_t first, part, stride;
  bool inside;
  __device__ Place(int batches, int steps, int channels) {
    const int column = (blockIdx.x * kThreads + threadIdx.x) * kWidth;
    const int batch = column / channels, channel = column % channels;
    inside = batch < batches;
    first = (static_cast<int64_t>(batch) * steps + static_cast<int64_t>(blockIdx.y) * kSteps) * channels + channel;
    stride = static_cast<int64_t>(batches) * channels;
    part = blockIdx.y * stride + column;
  }
};

__global__ void __launch_bounds__(kThreads)
    part_ends(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ products,
              float* __restrict__ ends, int batches, int steps, int channels) {
  const Place own(batches, steps, channels);
  if (!own.inside) return;
  Values product = {1.0f, 1.0f, 1.0f, 1.0f}, end = {};
#pragma unroll 8
  for (int t = 0; t < kSteps; ++t) {
    const Values a_here = load_vector<kWidth>(a + own.first + t * channels);
    const Values b_here = load_vector<kWidth>(b + own.first + t * channels);
    for (int k = 0; k < kWidth; ++k) {
      product[k] *= a_here[k];
      end[k] = fmaf(a_here[k], end[k], b_here[k]);
    }
  }
  store_vector(products + own.part, product);
  store_vector(ends + own.part, end);
}

__global__ void __launch_bounds__(kThreads)
    recurrence(const float* __restrict__ a, const float* __restrict__ b, const float* __restrict__ products,
               const float* __restrict__ ends, float* __restrict__ x_out, int batches, int steps, int channels) {
  const Place own(batches, steps, channels);
  if (!own.inside) return;
  Values x = {};
#pragma unroll 4
  for (int part = static_cast<int>(blockIdx.y); part > 0; --part) {
    const Values product = load_vector<kWidth>(products + own.part - part * own.stride);
    const Values end = load_vector<kWidth>(ends + own.part - part * own.stride);
    for (int k = 0; k < kWidth; ++k) x[k] = fmaf(product[k], x[k], end[k]);
  }
#pragma unroll 8
  for (int t = 0; t < kSteps; ++t) {
    const Values a_here = load_vector<kWidth>(a + own.first + t * channels);
    const Values b_here = load_vector<kWidth>(b + own.first + t * channels);
    for (int k = 0; k < kWidth; ++k) x[k] = fmaf(a_here[k], x[k], b_here[k]);
    store_vector(x_out + own.first + t * channels, x);
  }
}

struct Sizes {
  int batches, steps, channels;
  int64_t count() const { return static_cast<int64_t>(batches) * steps * channels; }
};

cudaError_t run(const Array<float>& a, const Array<float>& b, const Array<float>& carries, const Array<float>& x,
                const Sizes& of) {
  const auto columns = static_cast<unsigned>((of.batches * of.channels / kWidth + kThreads - 1) / kThreads);
  const auto parts = static_cast<unsigned>(of.steps / kSteps);
  float* const ends = carries.get() + static_cast<int64_t>(parts) * of.batches * of.channels;
  const LaunchConfig config = {.grid = dim3(columns, parts), .block = kThreads};
  const cudaError_t error = launch(part_ends, config, nullptr, a.get(), b.get(), carries.get(), ends, of.batches,
                                   of.steps, of.channels);
  if (error != cudaSuccess) return error;
  return launch(recurrence, config, nullptr, a.get(), b.get(), carries.get(), ends, x.get(), of.batches, of.steps,
                of.channels);
}

int64_t carries_of(const Sizes& of) { return 2 * of.count() / kSteps; }

int check() {
  const Sizes of = {3, 4 * kSteps, 20};
  const Array<float> a(of.count()), b(of.count()), carries(carries_of(of)), x(of.count());
  yardstick::must(run(a, b, carries, x, of), "recurrence");
  std::vector<double> wanted(static_cast<size_t>(of.count()));
  for (int64_t i = 0; i < of.count(); ++i) {
    const bool first = i / of.channels % of.steps == 0;
    wanted[i] = b.host()[i] + (first ? 0.0 : a.host()[i] * wanted[i - of.channels]);
  }
  return yardstick::compare(x.now(), wanted, 1e-6);
}

}  // namespace

int main(int argc, char** argv) {
  const yardstick::Call call = yardstick::read_call(argc, argv);
  if (call.check) return check();
  if (call.shapes.size() != 2 || call.shapes[0].type != "f32" || call.shapes[0].dims.size() != 3 ||
      call.shapes[0].dims[1] % kSteps != 0 || call.shapes[0].dims[2] % kWidth != 0)
    return yardstick::refuse("linear_recurrence takes f32 of batches, steps that 64 divides, channels that four does");
  const std::vector<int64_t>& dims = call.shapes[0].dims;
  const Sizes of = {static_cast<int>(dims[0]), static_cast<int>(dims[1]), static_cast<int>(dims[2])};
  const Array<float> a(of.count()), b(of.count()), carries(carries_of(of)), x(of.count());
  return yardstick::print_time([&] { return run(a, b, carries, x, of); }, call.repeat);
}
