// black_scholes: sqrt, log, erf, exponential, multiply, ... over f32[512].
//
//   in   spot         f32[512]
//   in   volatility   f32[512]
//   in   strike       f32[512]
//   in   years        f32[512]
//   in   rate         f32[]
//   out  value        f32[512]
//   out  delta_out    f32[512]
//   out  vega         f32[512]
//
//   deviation_1 = sqrt(years)
//   deviation_2 = volatility * deviation_1
//   d1_1        = rate + 0.5 * (volatility * volatility)
//   d1_2        = (log(spot / strike) + d1_1 * years) / deviation_2
//   delta_out   = 0.5 * (1 + erf(d1_2 / 1.4142135))
//   value_part  = strike * exponential(-rate * years)
//   cdf         = 0.5 * (1 + erf((d1_2 - deviation_2) / 1.4142135))
//   value       = spot * delta_out - value_part * cdf
//   vega_1      = spot * (exponential(-0.5 * d1_2 * d1_2) / 2.5066283)
//   vega        = vega_1 * deviation_1
//
// 16 blocks of 32 threads. Reads 8.2 kB, writes 6.1 kB.

#include "kernels.h"

#include "device/divisor.cuh"
#include "device/launch.cuh"

namespace black_scholes_kernels::black_scholes {
namespace {

constexpr int kElements = 512;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
black_scholes(const float* __restrict__ spot,
              const float* __restrict__ volatility,
              const float* __restrict__ strike,
              const float* __restrict__ years,
              const float* __restrict__ rate,
              float* __restrict__ value,
              float* __restrict__ delta_out,
              float* __restrict__ vega) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  const float years_value = years[element];
  const float deviation_1 = sqrtf(years_value);
  const float spot_value = spot[element];
  const float strike_value = strike[element];
  const float rate_value = rate[0];
  const float volatility_value = volatility[element];
  const float deviation_2 = volatility_value * deviation_1;
  const float d1_1 = fmaf(0.5f, volatility_value * volatility_value, rate_value);
  const float d1_2 = fmaf(d1_1, years_value, logf(spot_value / strike_value)) / deviation_2;
  const float value_part = strike_value * expf(-rate_value * years_value);
  const float vega_1 = spot_value * (expf(-0.5f * d1_2 * d1_2) / Divisor(2.5066283f));

  // cdf
  const float delta = 0.5f * (1.0f + erff(d1_2 / Divisor(1.4142135f)));
  const float cdf = 0.5f * (1.0f + erff((d1_2 - deviation_2) / Divisor(1.4142135f)));

  value[element] = fmaf(-value_part, cdf, spot_value * delta);
  delta_out[element] = delta;
  vega[element] = vega_1 * deviation_1;
}

}  // namespace

cudaError_t
enqueue(const float* spot, const float* volatility, const float* strike, const float* years,
        const float* rate, float* value, float* delta_out, float* vega, cudaStream_t stream) {
  return launch(black_scholes, {.grid = kElements / kThreads, .block = kThreads}, stream,
                spot, volatility, strike, years, rate, value, delta_out, vega);
}

}  // namespace black_scholes_kernels::black_scholes
