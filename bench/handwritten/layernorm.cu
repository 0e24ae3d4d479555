// times t_*_layernorm: a row a block, read once and written once; the variance is of what is left of the mean.
#include "bench/handwritten/row.cuh"
#include "bench/handwritten/yardstick.h"

namespace {

using yardstick::Array;

constexpr float kEpsilon = 1e-5f;

struct Shared {
  float sum[kRowThreads / 32], squares[kRowThreads / 32];
};

template <int kFours>
__global__ void __launch_bounds__(kRowThreads)
    layernorm(const float* __restrict__ x, const float* __restrict__ weight, const float* __restrict__ bias,
              float* __restrict__ y, int columns) {
  Shared& shared = block_shared<Shared>();
  const Four* const from = reinterpret_cast<const Four*>(x + static_cast<int64_t>(blockIdx.x) * columns);
  Four* const to = reinterpret_cast<Four*>(y + static_cast<int64_t>(blockIdx.x) * columns);
  const int fours = columns / 4;

  Four values[kFours];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kFours; ++k) {
    const int four = k * kRowThreads + static_cast<int>(threadIdx.x);
    if (four >= fours) continue;
    values[k] = from[four];
    for (const float value : values[k].at) sum += value;
  }
  const float mean = combine_block(sum, Plus(), shared.sum) / static_cast<float>(columns);

  float squares = 0;
#pragma unroll
  for (int k = 0; k < kFours; ++k) {
    if (k * kRowThreads + static_cast<int>(threadIdx.x) >= fours) continue;
    for (float& value : values[k].at) {
      value -= mean;
      squares += value * value;
    }
  }
  const float variance = combine_block(squares, Plus(), shared.squares) / static_cast<float>(columns);

  const float scale = rsqrtf(variance + kEpsilon);
#pragma unroll
  for (int k = 0; k < kFours; ++k) {
    const int four = k * kRowThreads + static_cast<int>(threadIdx.x);
    if (four >= fours) continue;
    const Four w = reinterpret_cast<const Four*>(weight)[four], b = reinterpret_cast<const Four*>(bias)[four];
    for (int i = 0; i < 4; ++i) values[k].at[i] = fmaf(values[k].at[i] * scale, w.at[i], b.at[i]);
    to[four] = values[k];
  }
}

cudaError_t run(const Array<float>& x, const Array<float>& weight, const Array<float>& bias, const Array<float>& y,
                int rows, int columns) {
  cudaError_t error = cudaErrorInvalidValue;
  with_fours(columns, [&](auto fours) {
    error = launch(layernorm<fours()>, {.grid = static_cast<unsigned>(rows), .block = kRowThreads}, nullptr, x.get(),
                   weight.get(), bias.get(), y.get(), columns);
  });
  return error;
}

int check() {
  constexpr int kRows = 3, kColumns = 1204;
  const Array<float> x(kRows * kColumns, 3), y(kRows * kColumns), weight(kColumns), bias(kColumns);
  yardstick::must(run(x, weight, bias, y, kRows, kColumns), "layernorm");
  std::vector<double> wanted;
  for (int row = 0; row < kRows; ++row) {
    const auto at = [&](int i) { return static_cast<double>(x.host()[row * kColumns + i]); };
    double mean = 0, variance = 0;
    for (int i = 0; i < kColumns; ++i) mean += at(i) / kColumns;
    for (int i = 0; i < kColumns; ++i) variance += (at(i) - mean) * (at(i) - mean) / kColumns;
    for (int i = 0; i < kColumns; ++i) {
      wanted.push_back((at(i) - mean) / std::sqrt(variance + kEpsilon) * weight.host()[i] + bias.host()[i]);
    }
  }
  return yardstick::compare(y.now(), wanted, 1e-6);
}

}  // namespace

int main(int argc, char** argv) {
  const yardstick::Call call = yardstick::read_call(argc, argv);
  if (call.check) return check();
  if (call.shapes.size() != 3 || call.shapes[0].type != "f32" || call.shapes[0].dims.size() != 2 ||
      !with_fours(call.shapes[0].dims[1], [](auto) {})) {
    return yardstick::refuse("layernorm takes rows of f32 that four divides and a block holds");
  }
  const int rows = static_cast<int>(call.shapes[0].dims[0]), columns = static_cast<int>(call.shapes[0].dims[1]);
  const Array<float> x(call.shapes[0].count()), y(call.shapes[0].count()), weight(columns), bias(columns);
  return yardstick::print_time([&] { return run(x, weight, bias, y, rows, columns); }, call.repeat);
}
