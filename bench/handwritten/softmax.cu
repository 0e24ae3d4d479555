// times t_*_softmax: a row a block, read once and written once.
#include "bench/handwritten/row.cuh"
#include "bench/handwritten/yardstick.h"

namespace {

using yardstick::Array;

struct Shared {
  float largest[kRowThreads / 32], sum[kRowThreads / 32];
};

template <int kFours>
__global__ void __launch_bounds__(kRowThreads)
    softmax(const float* __restrict__ x, float* __restrict__ y, int columns) {
  Shared& shared = block_shared<Shared>();
  const Four* const from = reinterpret_cast<const Four*>(x + static_cast<int64_t>(blockIdx.x) * columns);
  Four* const to = reinterpret_cast<Four*>(y + static_cast<int64_t>(blockIdx.x) * columns);
  const int fours = columns / 4;

  Four values[kFours];
  float largest = -INFINITY;
#pragma unroll
  for (int k = 0; k < kFours; ++k) {
    const int four = k * kRowThreads + static_cast<int>(threadIdx.x);
    if (four >= fours) continue;
    values[k] = from[four];
    for (const float value : values[k].at) largest = fmaxf(largest, value);
  }
  largest = combine_block(largest, Largest(), shared.largest);

  float sum = 0;
#pragma unroll
  for (int k = 0; k < kFours; ++k) {
    if (k * kRowThreads + static_cast<int>(threadIdx.x) >= fours) continue;
    for (float& value : values[k].at) sum += value = expf(value - largest);
  }
  sum = combine_block(sum, Plus(), shared.sum);

  const float factor = 1.0f / sum;
#pragma unroll
  for (int k = 0; k < kFours; ++k) {
    const int four = k * kRowThreads + static_cast<int>(threadIdx.x);
    if (four >= fours) continue;
    for (float& value : values[k].at) value *= factor;
    to[four] = values[k];
  }
}

cudaError_t run(const Array<float>& x, const Array<float>& y, int rows, int columns) {
  cudaError_t error = cudaErrorInvalidValue;
  with_fours(columns, [&](auto fours) {
    error = launch(softmax<fours()>, {.grid = static_cast<unsigned>(rows), .block = kRowThreads}, nullptr, x.get(),
                   y.get(), columns);
  });
  return error;
}

int check() {
  constexpr int kRows = 3, kColumns = 1204;
  const Array<float> x(kRows * kColumns, 3), y(kRows * kColumns);
  yardstick::must(run(x, y, kRows, kColumns), "softmax");
  std::vector<double> wanted;
  for (int row = 0; row < kRows; ++row) {
    double sum = 0;
    for (int i = 0; i < kColumns; ++i) sum += std::exp(static_cast<double>(x.host()[row * kColumns + i]));
    for (int i = 0; i < kColumns; ++i)
      wanted.push_back(std::exp(static_cast<double>(x.host()[row * kColumns + i])) / sum);
  }
  return yardstick::compare(y.now(), wanted, 1e-6);
}

}  // namespace

int main(int argc, char** argv) {
  const yardstick::Call call = yardstick::read_call(argc, argv);
  if (call.check) return check();
  if (call.shapes.size() != 1 || call.shapes[0].type != "f32" || call.shapes[0].dims.size() != 2 ||
      !with_fours(call.shapes[0].dims[1], [](auto) {})) {
    return yardstick::refuse("softmax takes rows of f32 that four divides and a block holds");
  }
  const int rows = static_cast<int>(call.shapes[0].dims[0]), columns = static_cast<int>(call.shapes[0].dims[1]);
  const Array<float> x(call.shapes[0].count(), 3), y(call.shapes[0].count());
  return yardstick::print_time([&] { return run(x, y, rows, columns); }, call.repeat);
}
