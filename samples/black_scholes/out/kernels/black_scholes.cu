// black_scholes: log, sqrt, erf, exponential, divide, ... over f32[512].
//
//   in   spot         f32[512]
//   in   volatility   f32[512]
//   in   strike       f32[512]
//   in   years        f32[512]
//   in   rate         f32[]
//   out  value        f32[512]
//   out  delta        f32[512]
//   out  vega         f32[512]
//
//   value = spot * scaled_1 - product_2 * (value_part * 0.5)
//   delta = scaled_1 + ratio / spot_over_strike / strike
//   vega  = vega_term + vega_part * sqrt_years
//   Not shown: spot_over_strike, sqrt_years, scaled_1, product_2, value_part, ratio, vega_term,
//   vega_part.
//
// 16 blocks of 32 threads. Reads 8.2 kB, writes 6.1 kB.

#include "kernels.h"

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
              float* __restrict__ delta,
              float* __restrict__ vega) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  const float years_value = years[element];
  const float sqrt_years = sqrtf(years_value);
  const float spot_value = spot[element];
  const float strike_value = strike[element];
  const float spot_over_strike = spot_value / strike_value;
  const float rate_value = rate[0];
  const float volatility_value = volatility[element];
  const float deviation = volatility_value * sqrt_years;
  const float sum_1 = fmaf(volatility_value * volatility_value, 0.5f, rate_value);
  const float sum_2 = fmaf(sum_1, years_value, logf(spot_over_strike));
  const float d1 = sum_2 / deviation;
  const float scaled_d1 = d1 * 0.70710677f;
  const float magnitude_1 = fabsf(scaled_d1);
  const bool is_less_1 = magnitude_1 < 0.70710677f;
  const bool is_positive_1 = scaled_d1 > 0.0f;
  const float square_1 = magnitude_1 * magnitude_1;
  const float sum_3 = fmaf(square_1, 7.8538615e-5f, -0.00080101937f);
  const float polynomial_1 = fmaf(fmaf(sum_3, square_1, 0.0051883277f), square_1, -0.026853813f);
  const float polynomial_2 =
      fmaf(fmaf(polynomial_1, square_1, 0.112835854f), square_1, -0.37612626f);
  const float complement_1 = fmaf(-magnitude_1, fmaf(polynomial_2, square_1, 1.1283791f), 1.0f);
  const float negated_1 = -square_1;
  const float exponential_1 = expf(negated_1);
  const float inverse_1 = 1.0f / square_1;
  const float polynomial_3 =
      fmaf(fmaf(inverse_1, 0.0232682f, -0.13870394f), inverse_1, 0.36874247f);
  const float polynomial_4 =
      fmaf(fmaf(polynomial_3, inverse_1, -0.5824733f), inverse_1, 0.62100047f);
  const float polynomial_5 =
      fmaf(fmaf(polynomial_4, inverse_1, -0.49445152f), inverse_1, 0.340488f);
  const float polynomial_6 =
      fmaf(fmaf(polynomial_5, inverse_1, -0.2741127f), inverse_1, 0.56382596f);
  const float polynomial_7 = fmaf(fmaf(inverse_1, -10.477664f, 12.9772f), inverse_1, -7.4955187f);
  const float polynomial_8 = fmaf(fmaf(polynomial_7, inverse_1, 2.921019f), inverse_1, -1.0152652f);
  const float polynomial_9 =
      fmaf(fmaf(polynomial_8, inverse_1, 0.42184633f), inverse_1, -0.28207675f);
  const float chosen_1 =
      magnitude_1 < 2.0f ? polynomial_6 : fmaf(polynomial_9, inverse_1, 0.5641895f);
  const float chosen_2 =
      negated_1 < -88.72284f ? 0.0f : exponential_1 * (1.0f / magnitude_1) * chosen_1;
  const float chosen_3 = magnitude_1 < 1.0f ? complement_1 : chosen_2;
  const float chosen_4 =
      is_less_1 ? erff(scaled_d1) + 1.0f : (is_positive_1 ? 2.0f - chosen_3 : chosen_3);
  const float scaled_1 = chosen_4 * 0.5f;
  const float half_spot = spot_value * 0.5f;
  const float scaled_2 = (is_less_1 ? half_spot : 0.0f) * 1.1283792f;
  const bool is_at_least_1 = scaled_d1 >= 0.0f;
  const float chosen_5 = is_less_1 ? 0.0f : half_spot;
  const float product_1 = (is_positive_1 ? 0.0f : chosen_5) * -1.1283792f * exponential_1;
  const float sum_4 =
      fmaf(-(is_positive_1 ? chosen_5 : 0.0f) * -1.1283792f, exponential_1, product_1);
  const float sum_5 = fmaf(scaled_2, expf(-(scaled_d1 * scaled_d1)), is_at_least_1 ? sum_4 : 0.0f);
  const float product_2 = strike_value * expf(-rate_value * years_value);
  const float scaled_3 = (d1 - deviation) * 0.70710677f;
  const float magnitude_2 = fabsf(scaled_3);
  const bool is_less_2 = magnitude_2 < 0.70710677f;
  const bool is_positive_2 = scaled_3 > 0.0f;
  const float square_2 = magnitude_2 * magnitude_2;
  const float sum_6 = fmaf(square_2, 7.8538615e-5f, -0.00080101937f);
  const float polynomial_10 = fmaf(fmaf(sum_6, square_2, 0.0051883277f), square_2, -0.026853813f);
  const float polynomial_11 =
      fmaf(fmaf(polynomial_10, square_2, 0.112835854f), square_2, -0.37612626f);
  const float complement_2 = fmaf(-magnitude_2, fmaf(polynomial_11, square_2, 1.1283791f), 1.0f);
  const float negated_2 = -square_2;
  const float exponential_2 = expf(negated_2);
  const float inverse_2 = 1.0f / square_2;
  const float polynomial_12 =
      fmaf(fmaf(inverse_2, 0.0232682f, -0.13870394f), inverse_2, 0.36874247f);
  const float polynomial_13 =
      fmaf(fmaf(polynomial_12, inverse_2, -0.5824733f), inverse_2, 0.62100047f);
  const float polynomial_14 =
      fmaf(fmaf(polynomial_13, inverse_2, -0.49445152f), inverse_2, 0.340488f);
  const float polynomial_15 =
      fmaf(fmaf(polynomial_14, inverse_2, -0.2741127f), inverse_2, 0.56382596f);
  const float polynomial_16 = fmaf(fmaf(inverse_2, -10.477664f, 12.9772f), inverse_2, -7.4955187f);
  const float polynomial_17 =
      fmaf(fmaf(polynomial_16, inverse_2, 2.921019f), inverse_2, -1.0152652f);
  const float polynomial_18 =
      fmaf(fmaf(polynomial_17, inverse_2, 0.42184633f), inverse_2, -0.28207675f);
  const float chosen_6 =
      magnitude_2 < 2.0f ? polynomial_15 : fmaf(polynomial_18, inverse_2, 0.5641895f);
  const float chosen_7 =
      negated_2 < -88.72284f ? 0.0f : exponential_2 * (1.0f / magnitude_2) * chosen_6;
  const float chosen_8 = magnitude_2 < 1.0f ? complement_2 : chosen_7;
  const float value_part =
      is_less_2 ? erff(scaled_3) + 1.0f : (is_positive_2 ? 2.0f - chosen_8 : chosen_8);
  const float scaled_4 = product_2 * -1.0f * 0.5f;
  const float scaled_5 = (is_less_2 ? scaled_4 : 0.0f) * 1.1283792f;
  const bool is_at_least_2 = scaled_3 >= 0.0f;
  const float chosen_9 = is_less_2 ? 0.0f : scaled_4;
  const float product_3 = (is_positive_2 ? 0.0f : chosen_9) * -1.1283792f * exponential_2;
  const float sum_7 =
      fmaf(-(is_positive_2 ? chosen_9 : 0.0f) * -1.1283792f, exponential_2, product_3);
  const float sum_8 = fmaf(scaled_5, expf(-(scaled_3 * scaled_3)), is_at_least_2 ? sum_7 : 0.0f);
  const float scaled_6 = (sum_8 + -(is_at_least_2 ? 0.0f : sum_7)) * 0.70710677f;
  const float sum_9 = fmaf(sum_5 + -(is_at_least_1 ? 0.0f : sum_4), 0.70710677f, scaled_6);
  const float ratio = sum_9 / deviation;
  const float vega_part = -scaled_6 + -(sum_9 * (1.0f / (deviation * deviation)) * sum_2);
  const float vega_term = ratio * years_value * 0.5f * (volatility_value * 2.0f);

  value[element] = fmaf(-product_2, value_part * 0.5f, spot_value * scaled_1);
  delta[element] = scaled_1 + ratio / spot_over_strike / strike_value;
  vega[element] = fmaf(vega_part, sqrt_years, vega_term);
}

}  // namespace

cudaError_t
enqueue(const float* spot, const float* volatility, const float* strike, const float* years,
        const float* rate, float* value, float* delta, float* vega, cudaStream_t stream) {
  return launch(black_scholes, {.grid = kElements / kThreads, .block = kThreads}, stream,
                spot, volatility, strike, years, rate, value, delta, vega);
}

}  // namespace black_scholes_kernels::black_scholes
