// black_scholes: log, sqrt, erf, exponential, divide, ... over f32[512].
//
//   in   spot         f32[512]
//   in   volatility   f32[512]
//   in   strike       f32[512]
//   in   years        f32[512]
//   in   rate         f32[]
//   out  sub          f32[512]
//   out  add_any_1    f32[512]
//   out  add_any_2    f32[512]
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
              float* __restrict__ sub,
              float* __restrict__ add_any_1,
              float* __restrict__ add_any_2) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  const float years_value = years[element];
  const float sqrt_value = sqrtf(years_value);
  const float spot_value = spot[element];
  const float strike_value = strike[element];
  const float div_1 = spot_value / strike_value;
  const float rate_value = rate[0];
  const float volatility_value = volatility[element];
  const float mul_1 = volatility_value * sqrt_value;
  const float add_1 = fmaf(volatility_value * volatility_value, 0.5f, rate_value);
  const float add_2 = fmaf(add_1, years_value, logf(div_1));
  const float div_2 = add_2 / mul_1;
  const float mul_2 = div_2 * 0.70710677f;
  const float abs_value_1 = fabsf(mul_2);
  const bool is_less_1 = abs_value_1 < 0.70710677f;
  const bool is_positive_1 = mul_2 > 0.0f;
  const float multiply_1 = abs_value_1 * abs_value_1;
  const float add_3 = fmaf(multiply_1, 7.8538615e-5f, -0.00080101937f);
  const float add_4 = fmaf(fmaf(add_3, multiply_1, 0.0051883277f), multiply_1, -0.026853813f);
  const float add_5 = fmaf(fmaf(add_4, multiply_1, 0.112835854f), multiply_1, -0.37612626f);
  const float subtract_1 = fmaf(-abs_value_1, fmaf(add_5, multiply_1, 1.1283791f), 1.0f);
  const float negate_1 = -multiply_1;
  const float exponential_1 = expf(negate_1);
  const float divide_1 = 1.0f / multiply_1;
  const float add_6 = fmaf(fmaf(divide_1, 0.0232682f, -0.13870394f), divide_1, 0.36874247f);
  const float add_7 = fmaf(fmaf(add_6, divide_1, -0.5824733f), divide_1, 0.62100047f);
  const float add_8 = fmaf(fmaf(add_7, divide_1, -0.49445152f), divide_1, 0.340488f);
  const float add_9 = fmaf(fmaf(add_8, divide_1, -0.2741127f), divide_1, 0.56382596f);
  const float add_10 = fmaf(fmaf(divide_1, -10.477664f, 12.9772f), divide_1, -7.4955187f);
  const float add_11 = fmaf(fmaf(add_10, divide_1, 2.921019f), divide_1, -1.0152652f);
  const float add_12 = fmaf(fmaf(add_11, divide_1, 0.42184633f), divide_1, -0.28207675f);
  const float select_1 = abs_value_1 < 2.0f ? add_9 : fmaf(add_12, divide_1, 0.5641895f);
  const float select_2 =
      negate_1 < -88.72284f ? 0.0f : exponential_1 * (1.0f / abs_value_1) * select_1;
  const float select_3 =
      abs_value_1 < 1.0f ? subtract_1 : (abs_value_1 < 0.0f ? 2.0f - select_2 : select_2);
  const float select_4 =
      is_less_1 ? erff(mul_2) + 1.0f : (is_positive_1 ? 2.0f - select_3 : select_3);
  const float mul_3 = select_4 * 0.5f;
  const float mul_4 = spot_value * 0.5f;
  const float mul_5 = (is_less_1 ? mul_4 : 0.0f) * 1.1283792f;
  const bool is_at_least_1 = mul_2 >= 0.0f;
  const float select_5 = is_less_1 ? 0.0f : mul_4;
  const float mul_6 = (is_positive_1 ? 0.0f : select_5) * -1.1283792f * exponential_1;
  const float add_any_3 =
      fmaf(-(is_positive_1 ? select_5 : 0.0f) * -1.1283792f, exponential_1, mul_6);
  const float add_any_4 = fmaf(mul_5, expf(-(mul_2 * mul_2)), is_at_least_1 ? add_any_3 : 0.0f);
  const float mul_7 = strike_value * expf(-rate_value * years_value);
  const float mul_8 = (div_2 - mul_1) * 0.70710677f;
  const float abs_value_2 = fabsf(mul_8);
  const bool is_less_2 = abs_value_2 < 0.70710677f;
  const bool is_positive_2 = mul_8 > 0.0f;
  const float multiply_2 = abs_value_2 * abs_value_2;
  const float add_13 = fmaf(multiply_2, 7.8538615e-5f, -0.00080101937f);
  const float add_14 = fmaf(fmaf(add_13, multiply_2, 0.0051883277f), multiply_2, -0.026853813f);
  const float add_15 = fmaf(fmaf(add_14, multiply_2, 0.112835854f), multiply_2, -0.37612626f);
  const float subtract_2 = fmaf(-abs_value_2, fmaf(add_15, multiply_2, 1.1283791f), 1.0f);
  const float negate_2 = -multiply_2;
  const float exponential_2 = expf(negate_2);
  const float divide_2 = 1.0f / multiply_2;
  const float add_16 = fmaf(fmaf(divide_2, 0.0232682f, -0.13870394f), divide_2, 0.36874247f);
  const float add_17 = fmaf(fmaf(add_16, divide_2, -0.5824733f), divide_2, 0.62100047f);
  const float add_18 = fmaf(fmaf(add_17, divide_2, -0.49445152f), divide_2, 0.340488f);
  const float add_19 = fmaf(fmaf(add_18, divide_2, -0.2741127f), divide_2, 0.56382596f);
  const float add_20 = fmaf(fmaf(divide_2, -10.477664f, 12.9772f), divide_2, -7.4955187f);
  const float add_21 = fmaf(fmaf(add_20, divide_2, 2.921019f), divide_2, -1.0152652f);
  const float add_22 = fmaf(fmaf(add_21, divide_2, 0.42184633f), divide_2, -0.28207675f);
  const float select_6 = abs_value_2 < 2.0f ? add_19 : fmaf(add_22, divide_2, 0.5641895f);
  const float select_7 =
      negate_2 < -88.72284f ? 0.0f : exponential_2 * (1.0f / abs_value_2) * select_6;
  const float select_8 =
      abs_value_2 < 1.0f ? subtract_2 : (abs_value_2 < 0.0f ? 2.0f - select_7 : select_7);
  const float select_9 =
      is_less_2 ? erff(mul_8) + 1.0f : (is_positive_2 ? 2.0f - select_8 : select_8);
  const float mul_9 = mul_7 * -1.0f * 0.5f;
  const float mul_10 = (is_less_2 ? mul_9 : 0.0f) * 1.1283792f;
  const bool is_at_least_2 = mul_8 >= 0.0f;
  const float select_10 = is_less_2 ? 0.0f : mul_9;
  const float mul_11 = (is_positive_2 ? 0.0f : select_10) * -1.1283792f * exponential_2;
  const float add_any_5 =
      fmaf(-(is_positive_2 ? select_10 : 0.0f) * -1.1283792f, exponential_2, mul_11);
  const float add_any_6 = fmaf(mul_10, expf(-(mul_8 * mul_8)), is_at_least_2 ? add_any_5 : 0.0f);
  const float mul_12 = (add_any_6 + -(is_at_least_2 ? 0.0f : add_any_5)) * 0.70710677f;
  const float add_any_7 =
      fmaf(add_any_4 + -(is_at_least_1 ? 0.0f : add_any_3), 0.70710677f, mul_12);
  const float div_3 = add_any_7 / mul_1;
  const float mul_13 = div_3 * years_value * 0.5f * (volatility_value * 2.0f);

  sub[element] = fmaf(-mul_7, select_9 * 0.5f, spot_value * mul_3);
  add_any_1[element] = mul_3 + div_3 / div_1 / strike_value;
  add_any_2[element] =
      fmaf(-mul_12 + -(add_any_7 * (1.0f / (mul_1 * mul_1)) * add_2), sqrt_value, mul_13);
}

}  // namespace

cudaError_t
enqueue(const float* spot,
        const float* volatility,
        const float* strike,
        const float* years,
        const float* rate,
        float* sub,
        float* add_any_1,
        float* add_any_2,
        cudaStream_t stream) {
  return launch(black_scholes, {.grid = kElements / kThreads, .block = kThreads}, stream,
                spot, volatility, strike, years, rate, sub, add_any_1, add_any_2);
}

}  // namespace black_scholes_kernels::black_scholes
