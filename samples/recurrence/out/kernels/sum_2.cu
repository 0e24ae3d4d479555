// sum_2: multiply, add over f32[8,512,4].
//
//   in   decay     f32[8,512,4]
//   in   value     f32[8,512,4]
//   in   sum_3     f32[8,32,4]
//   in   product   f32[8,32,4]
//   in   sum_5     f32[8,16,4]
//   out  sum       f32[8,512,4]
//
//   sum = padded_1 + padded_10
//   Not shown: padded_1, padded_10.
//
// 256 blocks of 64 threads. Reads 141 kB, writes 65.5 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace recurrence_kernels::sum_2 {
namespace {

constexpr int kI = 8;
constexpr int kJ = 512;
constexpr int kK = 4;
constexpr int kElements = kI * kJ * kK;  // 16384
constexpr int kThreads = 64;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
sum_2(const float* __restrict__ decay,
      const float* __restrict__ value,
      const float* __restrict__ sum_3,
      const float* __restrict__ product,
      const float* __restrict__ sum_5,
      float* __restrict__ sum) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / (kJ * kK);
  const int j = element / kK % kJ;
  const int k = element % kK;

  const int index_1 = i * 128 + k;
  const int index_2 = i * 128 + (j + 2) / 32 * 8 + k;
  const int index_3 = i * 128 + (j + 3) / 32 * 8 + k;
  const int index_4 = i * 128 + (j + 4) / 32 * 8 + k;
  const int index_5 = i * 128 + (j + 5) / 32 * 8 + k;
  const int index_6 = i * 128 + (j + 6) / 32 * 8 + k;
  const int index_7 = i * 128 + (j + 7) / 32 * 8 + k;
  const int index_8 = i * 128 + (j + 8) / 32 * 8 + k;
  const int index_9 = i * 128 + (j + 9) / 32 * 8 + k;
  const int index_10 = i * 128 + (j + 10) / 32 * 8 + k;
  const int index_11 = i * 128 + (j + 11) / 32 * 8 + k;
  const int index_12 = i * 128 + (j + 12) / 32 * 8 + k;
  const int index_13 = i * 128 + (j + 13) / 32 * 8 + k;
  const int index_14 = i * 128 + (j + 14) / 32 * 8 + k;
  const int index_15 = i * 128 + (j + 15) / 32 * 8 + k;
  const int index_16 = i * 128 + (j + 16) / 32 * 8 + k;
  const int index_17 = i * 128 + (j + 17) / 32 * 8 + k;
  const int index_18 = i * 2048 + k;
  const int index_19 = i * 2048 + j / 2 * 8 + k;
  const int index_20 = i * 2048 + (j + 2) / 4 * 16 + k;
  const int index_21 = i * 2048 + (j + 3) / 4 * 16 + k;
  const int index_22 = i * 2048 + (j + 2) / 8 * 32 + k;
  const int index_23 = i * 2048 + (j + 3) / 8 * 32 + k;
  const int index_24 = i * 2048 + (j + 4) / 8 * 32 + k;
  const int index_25 = i * 2048 + (j + 5) / 8 * 32 + k;
  const int index_26 = i * 2048 + (j + 2) / 16 * 64 + k;
  const int index_27 = i * 2048 + (j + 3) / 16 * 64 + k;
  const int index_28 = i * 2048 + (j + 4) / 16 * 64 + k;
  const int index_29 = i * 2048 + (j + 5) / 16 * 64 + k;
  const int index_30 = i * 2048 + (j + 6) / 16 * 64 + k;
  const int index_31 = i * 2048 + (j + 7) / 16 * 64 + k;
  const int index_32 = i * 2048 + (j + 8) / 16 * 64 + k;
  const int index_33 = i * 2048 + (j + 9) / 16 * 64 + k;
  float padded_1 = 0.0f;
  if (j < kJ - 1 && j % 2 == 0) {
    if (j / 2 == 0) {
      padded_1 = value[index_18];
    } else {
      float padded_2_1 = 0.0f;
      if ((j / 2 + 1) % 2 == 0) {
        if ((j + 2) / 4 < 2) {
          padded_2_1 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
        } else {
          float padded_3_1 = 0.0f;
          if ((j + 2) / 4 % 2 == 0) {
            if ((j + 2) / 8 < 2) {
              const float decay_value_1 = decay[index_18 + 12];
              const float sum_1_1 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
              const float sum_1_2 = fmaf(decay_value_1, value[index_18 + 8], value[index_18 + 12]);
              padded_3_1 = fmaf(decay[index_18 + 8] * decay_value_1, sum_1_1, sum_1_2);
            } else {
              float padded_4_1 = 0.0f;
              if ((j + 2) / 8 % 2 == 0) {
                if ((j + 2) / 16 < 2) {
                  const float decay_value_2 = decay[index_18 + 20];
                  const float decay_value_3 = decay[index_18 + 28];
                  const float product_1_1 = decay[index_18 + 24] * decay_value_3;
                  const float product_2_1 = decay[index_18 + 16] * decay_value_2 * product_1_1;
                  const float decay_value_4 = decay[index_18 + 12];
                  const float sum_1_3 =
                      fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
                  const float sum_1_4 =
                      fmaf(decay_value_4, value[index_18 + 8], value[index_18 + 12]);
                  const float sum_2_1 = fmaf(decay[index_18 + 8] * decay_value_4, sum_1_3, sum_1_4);
                  const float sum_1_5 =
                      fmaf(decay_value_2, value[index_18 + 16], value[index_18 + 20]);
                  const float sum_1_6 =
                      fmaf(decay_value_3, value[index_18 + 24], value[index_18 + 28]);
                  padded_4_1 = fmaf(product_2_1, sum_2_1, fmaf(product_1_1, sum_1_5, sum_1_6));
                } else {
                  float padded_5_1 = 0.0f;
                  if ((j + 2) / 16 % 2 == 0) {
                    if ((j + 2) / 32 < 2) {
                      padded_5_1 = sum_3[index_1];
                    } else {
                      const float sum_5_value_1 = sum_5[i * 64 + (j + 2) / 32 * kK + k - 8];
                      padded_5_1 = fmaf(product[index_2 - 8], sum_5_value_1, sum_3[index_2 - 8]);
                    }
                  }
                  const float padded_6_1 = (j + 2) / 16 >= 3 && ((j + 2) / 16 + 1) % 2 == 0
                                               ? sum_5[i * 64 + (j + 18) / 32 * kK + k - 8]
                                               : 0.0f;

                  // after
                  const float decay_value_5 = decay[index_26 - 60];
                  const float decay_value_6 = decay[index_26 - 52];
                  const float product_1_2 = decay[index_26 - 56] * decay_value_6;
                  const float product_2_2 = decay[index_26 - 64] * decay_value_5 * product_1_2;
                  const float decay_value_7 = decay[index_26 - 44];
                  const float decay_value_8 = decay[index_26 - 36];
                  const float product_1_3 = decay[index_26 - 40] * decay_value_8;
                  const float product_2_3 = decay[index_26 - 48] * decay_value_7 * product_1_3;
                  const float sum_1_7 =
                      fmaf(decay_value_5, value[index_26 - 64], value[index_26 - 60]);
                  const float sum_1_8 =
                      fmaf(decay_value_6, value[index_26 - 56], value[index_26 - 52]);
                  const float sum_1_9 =
                      fmaf(decay_value_7, value[index_26 - 48], value[index_26 - 44]);
                  const float sum_1_10 =
                      fmaf(decay_value_8, value[index_26 - 40], value[index_26 - 36]);
                  const float sum_4_1 = fmaf(product_2_3, fmaf(product_1_2, sum_1_7, sum_1_8),
                                             fmaf(product_1_3, sum_1_9, sum_1_10));
                  padded_4_1 = fmaf(product_2_2 * product_2_3, padded_5_1 + padded_6_1, sum_4_1);
                }
              }
              float padded_7_1 = 0.0f;
              if ((j + 2) / 8 >= 3 && ((j + 2) / 8 + 1) % 2 == 0) {
                float padded_5_2 = 0.0f;
                if ((j + 10) / 16 % 2 == 0) {
                  if ((j + 10) / 32 < 2) {
                    padded_5_2 = sum_3[index_1];
                  } else {
                    const float sum_5_value_2 = sum_5[i * 64 + (j + 10) / 32 * kK + k - 8];
                    padded_5_2 = fmaf(product[index_10 - 8], sum_5_value_2, sum_3[index_10 - 8]);
                  }
                }
                const float padded_6_2 = (j + 10) / 16 >= 3 && ((j + 10) / 16 + 1) % 2 == 0
                                             ? sum_5[i * 64 + (j + 26) / 32 * kK + k - 8]
                                             : 0.0f;
                padded_7_1 = padded_5_2 + padded_6_2;
              }

              // after
              const float decay_value_9 = decay[index_22 - 28];
              const float decay_value_10 = decay[index_22 - 20];
              const float product_1_4 = decay[index_22 - 24] * decay_value_10;
              const float product_2_4 = decay[index_22 - 32] * decay_value_9 * product_1_4;
              const float sum_1_11 =
                  fmaf(decay_value_9, value[index_22 - 32], value[index_22 - 28]);
              const float sum_1_12 =
                  fmaf(decay_value_10, value[index_22 - 24], value[index_22 - 20]);
              padded_3_1 =
                  fmaf(product_2_4, padded_4_1 + padded_7_1, fmaf(product_1_4, sum_1_11, sum_1_12));
            }
          }
          float padded_8_1 = 0.0f;
          if ((j + 2) / 4 >= 3 && ((j + 2) / 4 + 1) % 2 == 0) {
            float padded_4_2 = 0.0f;
            if ((j + 6) / 8 % 2 == 0) {
              if ((j + 6) / 16 < 2) {
                const float decay_value_11 = decay[index_18 + 20];
                const float decay_value_12 = decay[index_18 + 28];
                const float product_1_5 = decay[index_18 + 24] * decay_value_12;
                const float product_2_5 = decay[index_18 + 16] * decay_value_11 * product_1_5;
                const float decay_value_13 = decay[index_18 + 12];
                const float sum_1_13 =
                    fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
                const float sum_1_14 =
                    fmaf(decay_value_13, value[index_18 + 8], value[index_18 + 12]);
                const float sum_2_2 =
                    fmaf(decay[index_18 + 8] * decay_value_13, sum_1_13, sum_1_14);
                const float sum_1_15 =
                    fmaf(decay_value_11, value[index_18 + 16], value[index_18 + 20]);
                const float sum_1_16 =
                    fmaf(decay_value_12, value[index_18 + 24], value[index_18 + 28]);
                padded_4_2 = fmaf(product_2_5, sum_2_2, fmaf(product_1_5, sum_1_15, sum_1_16));
              } else {
                float padded_5_3 = 0.0f;
                if ((j + 6) / 16 % 2 == 0) {
                  if ((j + 6) / 32 < 2) {
                    padded_5_3 = sum_3[index_1];
                  } else {
                    const float sum_5_value_3 = sum_5[i * 64 + (j + 6) / 32 * kK + k - 8];
                    padded_5_3 = fmaf(product[index_6 - 8], sum_5_value_3, sum_3[index_6 - 8]);
                  }
                }
                const float padded_6_3 = (j + 6) / 16 >= 3 && ((j + 6) / 16 + 1) % 2 == 0
                                             ? sum_5[i * 64 + (j + 22) / 32 * kK + k - 8]
                                             : 0.0f;

                // after
                const float decay_value_14 = decay[index_30 - 60];
                const float decay_value_15 = decay[index_30 - 52];
                const float product_1_6 = decay[index_30 - 56] * decay_value_15;
                const float product_2_6 = decay[index_30 - 64] * decay_value_14 * product_1_6;
                const float decay_value_16 = decay[index_30 - 44];
                const float decay_value_17 = decay[index_30 - 36];
                const float product_1_7 = decay[index_30 - 40] * decay_value_17;
                const float product_2_7 = decay[index_30 - 48] * decay_value_16 * product_1_7;
                const float sum_1_17 =
                    fmaf(decay_value_14, value[index_30 - 64], value[index_30 - 60]);
                const float sum_1_18 =
                    fmaf(decay_value_15, value[index_30 - 56], value[index_30 - 52]);
                const float sum_1_19 =
                    fmaf(decay_value_16, value[index_30 - 48], value[index_30 - 44]);
                const float sum_1_20 =
                    fmaf(decay_value_17, value[index_30 - 40], value[index_30 - 36]);
                const float sum_4_2 = fmaf(product_2_7, fmaf(product_1_6, sum_1_17, sum_1_18),
                                           fmaf(product_1_7, sum_1_19, sum_1_20));
                padded_4_2 = fmaf(product_2_6 * product_2_7, padded_5_3 + padded_6_3, sum_4_2);
              }
            }
            float padded_7_2 = 0.0f;
            if ((j + 6) / 8 >= 3 && ((j + 6) / 8 + 1) % 2 == 0) {
              float padded_5_4 = 0.0f;
              if ((j + 14) / 16 % 2 == 0) {
                if ((j + 14) / 32 < 2) {
                  padded_5_4 = sum_3[index_1];
                } else {
                  const float sum_5_value_4 = sum_5[i * 64 + (j + 14) / 32 * kK + k - 8];
                  padded_5_4 = fmaf(product[index_14 - 8], sum_5_value_4, sum_3[index_14 - 8]);
                }
              }
              const float padded_6_4 = (j + 14) / 16 >= 3 && ((j + 14) / 16 + 1) % 2 == 0
                                           ? sum_5[i * 64 + (j + 30) / 32 * kK + k - 8]
                                           : 0.0f;
              padded_7_2 = padded_5_4 + padded_6_4;
            }
            padded_8_1 = padded_4_2 + padded_7_2;
          }

          // after
          const float decay_value_18 = decay[index_20 - 12];
          const float product_1_8 = decay[index_20 - 16] * decay_value_18;
          const float sum_1_21 = fmaf(decay_value_18, value[index_20 - 16], value[index_20 - 12]);
          padded_2_1 = fmaf(product_1_8, padded_3_1 + padded_8_1, sum_1_21);
        }
      }
      float padded_9_1 = 0.0f;
      if (j / 2 >= 2 && j / 2 % 2 == 0) {
        float padded_3_2 = 0.0f;
        if ((j / 4 + 1) % 2 == 0) {
          if ((j + 4) / 8 < 2) {
            const float decay_value_19 = decay[index_18 + 12];
            const float sum_1_22 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
            const float sum_1_23 = fmaf(decay_value_19, value[index_18 + 8], value[index_18 + 12]);
            padded_3_2 = fmaf(decay[index_18 + 8] * decay_value_19, sum_1_22, sum_1_23);
          } else {
            float padded_4_3 = 0.0f;
            if ((j + 4) / 8 % 2 == 0) {
              if ((j + 4) / 16 < 2) {
                const float decay_value_20 = decay[index_18 + 20];
                const float decay_value_21 = decay[index_18 + 28];
                const float product_1_9 = decay[index_18 + 24] * decay_value_21;
                const float product_2_8 = decay[index_18 + 16] * decay_value_20 * product_1_9;
                const float decay_value_22 = decay[index_18 + 12];
                const float sum_1_24 =
                    fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
                const float sum_1_25 =
                    fmaf(decay_value_22, value[index_18 + 8], value[index_18 + 12]);
                const float sum_2_3 =
                    fmaf(decay[index_18 + 8] * decay_value_22, sum_1_24, sum_1_25);
                const float sum_1_26 =
                    fmaf(decay_value_20, value[index_18 + 16], value[index_18 + 20]);
                const float sum_1_27 =
                    fmaf(decay_value_21, value[index_18 + 24], value[index_18 + 28]);
                padded_4_3 = fmaf(product_2_8, sum_2_3, fmaf(product_1_9, sum_1_26, sum_1_27));
              } else {
                float padded_5_5 = 0.0f;
                if ((j + 4) / 16 % 2 == 0) {
                  if ((j + 4) / 32 < 2) {
                    padded_5_5 = sum_3[index_1];
                  } else {
                    const float sum_5_value_5 = sum_5[i * 64 + (j + 4) / 32 * kK + k - 8];
                    padded_5_5 = fmaf(product[index_4 - 8], sum_5_value_5, sum_3[index_4 - 8]);
                  }
                }
                const float padded_6_5 = (j + 4) / 16 >= 3 && ((j + 4) / 16 + 1) % 2 == 0
                                             ? sum_5[i * 64 + (j + 20) / 32 * kK + k - 8]
                                             : 0.0f;

                // after
                const float decay_value_23 = decay[index_28 - 60];
                const float decay_value_24 = decay[index_28 - 52];
                const float product_1_10 = decay[index_28 - 56] * decay_value_24;
                const float product_2_9 = decay[index_28 - 64] * decay_value_23 * product_1_10;
                const float decay_value_25 = decay[index_28 - 44];
                const float decay_value_26 = decay[index_28 - 36];
                const float product_1_11 = decay[index_28 - 40] * decay_value_26;
                const float product_2_10 = decay[index_28 - 48] * decay_value_25 * product_1_11;
                const float sum_1_28 =
                    fmaf(decay_value_23, value[index_28 - 64], value[index_28 - 60]);
                const float sum_1_29 =
                    fmaf(decay_value_24, value[index_28 - 56], value[index_28 - 52]);
                const float sum_1_30 =
                    fmaf(decay_value_25, value[index_28 - 48], value[index_28 - 44]);
                const float sum_1_31 =
                    fmaf(decay_value_26, value[index_28 - 40], value[index_28 - 36]);
                const float sum_4_3 = fmaf(product_2_10, fmaf(product_1_10, sum_1_28, sum_1_29),
                                           fmaf(product_1_11, sum_1_30, sum_1_31));
                padded_4_3 = fmaf(product_2_9 * product_2_10, padded_5_5 + padded_6_5, sum_4_3);
              }
            }
            float padded_7_3 = 0.0f;
            if ((j + 4) / 8 >= 3 && ((j + 4) / 8 + 1) % 2 == 0) {
              float padded_5_6 = 0.0f;
              if ((j + 12) / 16 % 2 == 0) {
                if ((j + 12) / 32 < 2) {
                  padded_5_6 = sum_3[index_1];
                } else {
                  const float sum_5_value_6 = sum_5[i * 64 + (j + 12) / 32 * kK + k - 8];
                  padded_5_6 = fmaf(product[index_12 - 8], sum_5_value_6, sum_3[index_12 - 8]);
                }
              }
              const float padded_6_6 = (j + 12) / 16 >= 3 && ((j + 12) / 16 + 1) % 2 == 0
                                           ? sum_5[i * 64 + (j + 28) / 32 * kK + k - 8]
                                           : 0.0f;
              padded_7_3 = padded_5_6 + padded_6_6;
            }

            // after
            const float decay_value_27 = decay[index_24 - 28];
            const float decay_value_28 = decay[index_24 - 20];
            const float product_1_12 = decay[index_24 - 24] * decay_value_28;
            const float product_2_11 = decay[index_24 - 32] * decay_value_27 * product_1_12;
            const float sum_1_32 = fmaf(decay_value_27, value[index_24 - 32], value[index_24 - 28]);
            const float sum_1_33 = fmaf(decay_value_28, value[index_24 - 24], value[index_24 - 20]);
            padded_3_2 =
                fmaf(product_2_11, padded_4_3 + padded_7_3, fmaf(product_1_12, sum_1_32, sum_1_33));
          }
        }
        float padded_8_2 = 0.0f;
        if (j / 4 >= 2 && j / 4 % 2 == 0) {
          float padded_4_4 = 0.0f;
          if ((j / 8 + 1) % 2 == 0) {
            if ((j + 8) / 16 < 2) {
              const float decay_value_29 = decay[index_18 + 20];
              const float decay_value_30 = decay[index_18 + 28];
              const float product_1_13 = decay[index_18 + 24] * decay_value_30;
              const float product_2_12 = decay[index_18 + 16] * decay_value_29 * product_1_13;
              const float decay_value_31 = decay[index_18 + 12];
              const float sum_1_34 =
                  fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
              const float sum_1_35 =
                  fmaf(decay_value_31, value[index_18 + 8], value[index_18 + 12]);
              const float sum_2_4 = fmaf(decay[index_18 + 8] * decay_value_31, sum_1_34, sum_1_35);
              const float sum_1_36 =
                  fmaf(decay_value_29, value[index_18 + 16], value[index_18 + 20]);
              const float sum_1_37 =
                  fmaf(decay_value_30, value[index_18 + 24], value[index_18 + 28]);
              padded_4_4 = fmaf(product_2_12, sum_2_4, fmaf(product_1_13, sum_1_36, sum_1_37));
            } else {
              float padded_5_7 = 0.0f;
              if ((j + 8) / 16 % 2 == 0) {
                if ((j + 8) / 32 < 2) {
                  padded_5_7 = sum_3[index_1];
                } else {
                  const float sum_5_value_7 = sum_5[i * 64 + (j + 8) / 32 * kK + k - 8];
                  padded_5_7 = fmaf(product[index_8 - 8], sum_5_value_7, sum_3[index_8 - 8]);
                }
              }
              const float padded_6_7 = (j + 8) / 16 >= 3 && ((j + 8) / 16 + 1) % 2 == 0
                                           ? sum_5[i * 64 + (j + 24) / 32 * kK + k - 8]
                                           : 0.0f;

              // after
              const float decay_value_32 = decay[index_32 - 60];
              const float decay_value_33 = decay[index_32 - 52];
              const float product_1_14 = decay[index_32 - 56] * decay_value_33;
              const float product_2_13 = decay[index_32 - 64] * decay_value_32 * product_1_14;
              const float decay_value_34 = decay[index_32 - 44];
              const float decay_value_35 = decay[index_32 - 36];
              const float product_1_15 = decay[index_32 - 40] * decay_value_35;
              const float product_2_14 = decay[index_32 - 48] * decay_value_34 * product_1_15;
              const float sum_1_38 =
                  fmaf(decay_value_32, value[index_32 - 64], value[index_32 - 60]);
              const float sum_1_39 =
                  fmaf(decay_value_33, value[index_32 - 56], value[index_32 - 52]);
              const float sum_1_40 =
                  fmaf(decay_value_34, value[index_32 - 48], value[index_32 - 44]);
              const float sum_1_41 =
                  fmaf(decay_value_35, value[index_32 - 40], value[index_32 - 36]);
              const float sum_4_4 = fmaf(product_2_14, fmaf(product_1_14, sum_1_38, sum_1_39),
                                         fmaf(product_1_15, sum_1_40, sum_1_41));
              padded_4_4 = fmaf(product_2_13 * product_2_14, padded_5_7 + padded_6_7, sum_4_4);
            }
          }
          float padded_7_4 = 0.0f;
          if (j / 8 >= 2 && j / 8 % 2 == 0) {
            float padded_5_8 = 0.0f;
            if ((j / 16 + 1) % 2 == 0) {
              if ((j + 16) / 32 < 2) {
                padded_5_8 = sum_3[index_1];
              } else {
                const float sum_5_value_8 = sum_5[i * 64 + (j + 16) / 32 * kK + k - 8];
                padded_5_8 = fmaf(product[index_16 - 8], sum_5_value_8, sum_3[index_16 - 8]);
              }
            }
            const float padded_6_8 =
                j / 16 >= 2 && j / 16 % 2 == 0 ? sum_5[i * 64 + j / 32 * kK + k - 4] : 0.0f;
            padded_7_4 = padded_5_8 + padded_6_8;
          }
          padded_8_2 = padded_4_4 + padded_7_4;
        }
        padded_9_1 = padded_3_2 + padded_8_2;
      }
      padded_1 = fmaf(decay[index_19], padded_2_1 + padded_9_1, value[index_19]);
    }
  }
  float padded_10 = 0.0f;
  if (j >= 1 && (j + 1) % 2 == 0) {
    float padded_2_2 = 0.0f;
    if ((j + 1) / 2 < 256 && ((j + 1) / 2 + 1) % 2 == 0) {
      if ((j + 3) / 4 < 2) {
        padded_2_2 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
      } else {
        float padded_3_3 = 0.0f;
        if ((j + 3) / 4 % 2 == 0) {
          if ((j + 3) / 8 < 2) {
            const float decay_value_36 = decay[index_18 + 12];
            const float sum_1_42 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
            const float sum_1_43 = fmaf(decay_value_36, value[index_18 + 8], value[index_18 + 12]);
            padded_3_3 = fmaf(decay[index_18 + 8] * decay_value_36, sum_1_42, sum_1_43);
          } else {
            float padded_4_5 = 0.0f;
            if ((j + 3) / 8 % 2 == 0) {
              if ((j + 3) / 16 < 2) {
                const float decay_value_37 = decay[index_18 + 20];
                const float decay_value_38 = decay[index_18 + 28];
                const float product_1_16 = decay[index_18 + 24] * decay_value_38;
                const float product_2_15 = decay[index_18 + 16] * decay_value_37 * product_1_16;
                const float decay_value_39 = decay[index_18 + 12];
                const float sum_1_44 =
                    fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
                const float sum_1_45 =
                    fmaf(decay_value_39, value[index_18 + 8], value[index_18 + 12]);
                const float sum_2_5 =
                    fmaf(decay[index_18 + 8] * decay_value_39, sum_1_44, sum_1_45);
                const float sum_1_46 =
                    fmaf(decay_value_37, value[index_18 + 16], value[index_18 + 20]);
                const float sum_1_47 =
                    fmaf(decay_value_38, value[index_18 + 24], value[index_18 + 28]);
                padded_4_5 = fmaf(product_2_15, sum_2_5, fmaf(product_1_16, sum_1_46, sum_1_47));
              } else {
                float padded_5_9 = 0.0f;
                if ((j + 3) / 16 % 2 == 0) {
                  if ((j + 3) / 32 < 2) {
                    padded_5_9 = sum_3[index_1];
                  } else {
                    const float sum_5_value_9 = sum_5[i * 64 + (j + 3) / 32 * kK + k - 8];
                    padded_5_9 = fmaf(product[index_3 - 8], sum_5_value_9, sum_3[index_3 - 8]);
                  }
                }
                const float padded_6_9 = (j + 3) / 16 >= 3 && ((j + 3) / 16 + 1) % 2 == 0
                                             ? sum_5[i * 64 + (j + 19) / 32 * kK + k - 8]
                                             : 0.0f;

                // after
                const float decay_value_40 = decay[index_27 - 60];
                const float decay_value_41 = decay[index_27 - 52];
                const float product_1_17 = decay[index_27 - 56] * decay_value_41;
                const float product_2_16 = decay[index_27 - 64] * decay_value_40 * product_1_17;
                const float decay_value_42 = decay[index_27 - 44];
                const float decay_value_43 = decay[index_27 - 36];
                const float product_1_18 = decay[index_27 - 40] * decay_value_43;
                const float product_2_17 = decay[index_27 - 48] * decay_value_42 * product_1_18;
                const float sum_1_48 =
                    fmaf(decay_value_40, value[index_27 - 64], value[index_27 - 60]);
                const float sum_1_49 =
                    fmaf(decay_value_41, value[index_27 - 56], value[index_27 - 52]);
                const float sum_1_50 =
                    fmaf(decay_value_42, value[index_27 - 48], value[index_27 - 44]);
                const float sum_1_51 =
                    fmaf(decay_value_43, value[index_27 - 40], value[index_27 - 36]);
                const float sum_4_5 = fmaf(product_2_17, fmaf(product_1_17, sum_1_48, sum_1_49),
                                           fmaf(product_1_18, sum_1_50, sum_1_51));
                padded_4_5 = fmaf(product_2_16 * product_2_17, padded_5_9 + padded_6_9, sum_4_5);
              }
            }
            float padded_7_5 = 0.0f;
            if ((j + 3) / 8 >= 3 && ((j + 3) / 8 + 1) % 2 == 0) {
              float padded_5_10 = 0.0f;
              if ((j + 11) / 16 % 2 == 0) {
                if ((j + 11) / 32 < 2) {
                  padded_5_10 = sum_3[index_1];
                } else {
                  const float sum_5_value_10 = sum_5[i * 64 + (j + 11) / 32 * kK + k - 8];
                  padded_5_10 = fmaf(product[index_11 - 8], sum_5_value_10, sum_3[index_11 - 8]);
                }
              }
              const float padded_6_10 = (j + 11) / 16 >= 3 && ((j + 11) / 16 + 1) % 2 == 0
                                            ? sum_5[i * 64 + (j + 27) / 32 * kK + k - 8]
                                            : 0.0f;
              padded_7_5 = padded_5_10 + padded_6_10;
            }

            // after
            const float decay_value_44 = decay[index_23 - 28];
            const float decay_value_45 = decay[index_23 - 20];
            const float product_1_19 = decay[index_23 - 24] * decay_value_45;
            const float product_2_18 = decay[index_23 - 32] * decay_value_44 * product_1_19;
            const float sum_1_52 = fmaf(decay_value_44, value[index_23 - 32], value[index_23 - 28]);
            const float sum_1_53 = fmaf(decay_value_45, value[index_23 - 24], value[index_23 - 20]);
            padded_3_3 =
                fmaf(product_2_18, padded_4_5 + padded_7_5, fmaf(product_1_19, sum_1_52, sum_1_53));
          }
        }
        float padded_8_3 = 0.0f;
        if ((j + 3) / 4 >= 3 && ((j + 3) / 4 + 1) % 2 == 0) {
          float padded_4_6 = 0.0f;
          if ((j + 7) / 8 % 2 == 0) {
            if ((j + 7) / 16 < 2) {
              const float decay_value_46 = decay[index_18 + 20];
              const float decay_value_47 = decay[index_18 + 28];
              const float product_1_20 = decay[index_18 + 24] * decay_value_47;
              const float product_2_19 = decay[index_18 + 16] * decay_value_46 * product_1_20;
              const float decay_value_48 = decay[index_18 + 12];
              const float sum_1_54 =
                  fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
              const float sum_1_55 =
                  fmaf(decay_value_48, value[index_18 + 8], value[index_18 + 12]);
              const float sum_2_6 = fmaf(decay[index_18 + 8] * decay_value_48, sum_1_54, sum_1_55);
              const float sum_1_56 =
                  fmaf(decay_value_46, value[index_18 + 16], value[index_18 + 20]);
              const float sum_1_57 =
                  fmaf(decay_value_47, value[index_18 + 24], value[index_18 + 28]);
              padded_4_6 = fmaf(product_2_19, sum_2_6, fmaf(product_1_20, sum_1_56, sum_1_57));
            } else {
              float padded_5_11 = 0.0f;
              if ((j + 7) / 16 % 2 == 0) {
                if ((j + 7) / 32 < 2) {
                  padded_5_11 = sum_3[index_1];
                } else {
                  const float sum_5_value_11 = sum_5[i * 64 + (j + 7) / 32 * kK + k - 8];
                  padded_5_11 = fmaf(product[index_7 - 8], sum_5_value_11, sum_3[index_7 - 8]);
                }
              }
              const float padded_6_11 = (j + 7) / 16 >= 3 && ((j + 7) / 16 + 1) % 2 == 0
                                            ? sum_5[i * 64 + (j + 23) / 32 * kK + k - 8]
                                            : 0.0f;

              // after
              const float decay_value_49 = decay[index_31 - 60];
              const float decay_value_50 = decay[index_31 - 52];
              const float product_1_21 = decay[index_31 - 56] * decay_value_50;
              const float product_2_20 = decay[index_31 - 64] * decay_value_49 * product_1_21;
              const float decay_value_51 = decay[index_31 - 44];
              const float decay_value_52 = decay[index_31 - 36];
              const float product_1_22 = decay[index_31 - 40] * decay_value_52;
              const float product_2_21 = decay[index_31 - 48] * decay_value_51 * product_1_22;
              const float sum_1_58 =
                  fmaf(decay_value_49, value[index_31 - 64], value[index_31 - 60]);
              const float sum_1_59 =
                  fmaf(decay_value_50, value[index_31 - 56], value[index_31 - 52]);
              const float sum_1_60 =
                  fmaf(decay_value_51, value[index_31 - 48], value[index_31 - 44]);
              const float sum_1_61 =
                  fmaf(decay_value_52, value[index_31 - 40], value[index_31 - 36]);
              const float sum_4_6 = fmaf(product_2_21, fmaf(product_1_21, sum_1_58, sum_1_59),
                                         fmaf(product_1_22, sum_1_60, sum_1_61));
              padded_4_6 = fmaf(product_2_20 * product_2_21, padded_5_11 + padded_6_11, sum_4_6);
            }
          }
          float padded_7_6 = 0.0f;
          if ((j + 7) / 8 >= 3 && ((j + 7) / 8 + 1) % 2 == 0) {
            float padded_5_12 = 0.0f;
            if ((j + 15) / 16 % 2 == 0) {
              if ((j + 15) / 32 < 2) {
                padded_5_12 = sum_3[index_1];
              } else {
                const float sum_5_value_12 = sum_5[i * 64 + (j + 15) / 32 * kK + k - 8];
                padded_5_12 = fmaf(product[index_15 - 8], sum_5_value_12, sum_3[index_15 - 8]);
              }
            }
            const float padded_6_12 = (j + 15) / 16 >= 3 && ((j + 15) / 16 + 1) % 2 == 0
                                          ? sum_5[i * 64 + (j + 31) / 32 * kK + k - 8]
                                          : 0.0f;
            padded_7_6 = padded_5_12 + padded_6_12;
          }
          padded_8_3 = padded_4_6 + padded_7_6;
        }

        // after
        const float decay_value_53 = decay[index_21 - 12];
        const float sum_1_62 = fmaf(decay_value_53, value[index_21 - 16], value[index_21 - 12]);
        padded_2_2 = fmaf(decay[index_21 - 16] * decay_value_53, padded_3_3 + padded_8_3, sum_1_62);
      }
    }
    float padded_9_2 = 0.0f;
    if ((j + 1) / 2 >= 2 && (j + 1) / 2 % 2 == 0) {
      float padded_3_4 = 0.0f;
      if ((j + 1) / 4 < 128 && ((j + 1) / 4 + 1) % 2 == 0) {
        if ((j + 5) / 8 < 2) {
          const float decay_value_54 = decay[index_18 + 12];
          const float sum_1_63 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
          const float sum_1_64 = fmaf(decay_value_54, value[index_18 + 8], value[index_18 + 12]);
          padded_3_4 = fmaf(decay[index_18 + 8] * decay_value_54, sum_1_63, sum_1_64);
        } else {
          float padded_4_7 = 0.0f;
          if ((j + 5) / 8 % 2 == 0) {
            if ((j + 5) / 16 < 2) {
              const float decay_value_55 = decay[index_18 + 20];
              const float decay_value_56 = decay[index_18 + 28];
              const float product_1_23 = decay[index_18 + 24] * decay_value_56;
              const float product_2_22 = decay[index_18 + 16] * decay_value_55 * product_1_23;
              const float decay_value_57 = decay[index_18 + 12];
              const float sum_1_65 =
                  fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
              const float sum_1_66 =
                  fmaf(decay_value_57, value[index_18 + 8], value[index_18 + 12]);
              const float sum_2_7 = fmaf(decay[index_18 + 8] * decay_value_57, sum_1_65, sum_1_66);
              const float sum_1_67 =
                  fmaf(decay_value_55, value[index_18 + 16], value[index_18 + 20]);
              const float sum_1_68 =
                  fmaf(decay_value_56, value[index_18 + 24], value[index_18 + 28]);
              padded_4_7 = fmaf(product_2_22, sum_2_7, fmaf(product_1_23, sum_1_67, sum_1_68));
            } else {
              float padded_5_13 = 0.0f;
              if ((j + 5) / 16 % 2 == 0) {
                if ((j + 5) / 32 < 2) {
                  padded_5_13 = sum_3[index_1];
                } else {
                  const float sum_5_value_13 = sum_5[i * 64 + (j + 5) / 32 * kK + k - 8];
                  padded_5_13 = fmaf(product[index_5 - 8], sum_5_value_13, sum_3[index_5 - 8]);
                }
              }
              const float padded_6_13 = (j + 5) / 16 >= 3 && ((j + 5) / 16 + 1) % 2 == 0
                                            ? sum_5[i * 64 + (j + 21) / 32 * kK + k - 8]
                                            : 0.0f;

              // after
              const float decay_value_58 = decay[index_29 - 60];
              const float decay_value_59 = decay[index_29 - 52];
              const float product_1_24 = decay[index_29 - 56] * decay_value_59;
              const float product_2_23 = decay[index_29 - 64] * decay_value_58 * product_1_24;
              const float decay_value_60 = decay[index_29 - 44];
              const float decay_value_61 = decay[index_29 - 36];
              const float product_1_25 = decay[index_29 - 40] * decay_value_61;
              const float product_2_24 = decay[index_29 - 48] * decay_value_60 * product_1_25;
              const float sum_1_69 =
                  fmaf(decay_value_58, value[index_29 - 64], value[index_29 - 60]);
              const float sum_1_70 =
                  fmaf(decay_value_59, value[index_29 - 56], value[index_29 - 52]);
              const float sum_1_71 =
                  fmaf(decay_value_60, value[index_29 - 48], value[index_29 - 44]);
              const float sum_1_72 =
                  fmaf(decay_value_61, value[index_29 - 40], value[index_29 - 36]);
              const float sum_4_7 = fmaf(product_2_24, fmaf(product_1_24, sum_1_69, sum_1_70),
                                         fmaf(product_1_25, sum_1_71, sum_1_72));
              padded_4_7 = fmaf(product_2_23 * product_2_24, padded_5_13 + padded_6_13, sum_4_7);
            }
          }
          float padded_7_7 = 0.0f;
          if ((j + 5) / 8 >= 3 && ((j + 5) / 8 + 1) % 2 == 0) {
            float padded_5_14 = 0.0f;
            if ((j + 13) / 16 % 2 == 0) {
              if ((j + 13) / 32 < 2) {
                padded_5_14 = sum_3[index_1];
              } else {
                const float sum_5_value_14 = sum_5[i * 64 + (j + 13) / 32 * kK + k - 8];
                padded_5_14 = fmaf(product[index_13 - 8], sum_5_value_14, sum_3[index_13 - 8]);
              }
            }
            const float padded_6_14 = (j + 13) / 16 >= 3 && ((j + 13) / 16 + 1) % 2 == 0
                                          ? sum_5[i * 64 + (j + 29) / 32 * kK + k - 8]
                                          : 0.0f;
            padded_7_7 = padded_5_14 + padded_6_14;
          }

          // after
          const float decay_value_62 = decay[index_25 - 28];
          const float decay_value_63 = decay[index_25 - 20];
          const float product_1_26 = decay[index_25 - 24] * decay_value_63;
          const float product_2_25 = decay[index_25 - 32] * decay_value_62 * product_1_26;
          const float sum_1_73 = fmaf(decay_value_62, value[index_25 - 32], value[index_25 - 28]);
          const float sum_1_74 = fmaf(decay_value_63, value[index_25 - 24], value[index_25 - 20]);
          padded_3_4 =
              fmaf(product_2_25, padded_4_7 + padded_7_7, fmaf(product_1_26, sum_1_73, sum_1_74));
        }
      }
      float padded_8_4 = 0.0f;
      if ((j + 1) / 4 >= 2 && (j + 1) / 4 % 2 == 0) {
        float padded_4_8 = 0.0f;
        if ((j + 1) / 8 < 64 && ((j + 1) / 8 + 1) % 2 == 0) {
          if ((j + 9) / 16 < 2) {
            const float decay_value_64 = decay[index_18 + 20];
            const float decay_value_65 = decay[index_18 + 28];
            const float product_1_27 = decay[index_18 + 24] * decay_value_65;
            const float product_2_26 = decay[index_18 + 16] * decay_value_64 * product_1_27;
            const float decay_value_66 = decay[index_18 + 12];
            const float sum_1_75 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
            const float sum_1_76 = fmaf(decay_value_66, value[index_18 + 8], value[index_18 + 12]);
            const float sum_2_8 = fmaf(decay[index_18 + 8] * decay_value_66, sum_1_75, sum_1_76);
            const float sum_1_77 = fmaf(decay_value_64, value[index_18 + 16], value[index_18 + 20]);
            const float sum_1_78 = fmaf(decay_value_65, value[index_18 + 24], value[index_18 + 28]);
            padded_4_8 = fmaf(product_2_26, sum_2_8, fmaf(product_1_27, sum_1_77, sum_1_78));
          } else {
            float padded_5_15 = 0.0f;
            if ((j + 9) / 16 % 2 == 0) {
              if ((j + 9) / 32 < 2) {
                padded_5_15 = sum_3[index_1];
              } else {
                const float sum_5_value_15 = sum_5[i * 64 + (j + 9) / 32 * kK + k - 8];
                padded_5_15 = fmaf(product[index_9 - 8], sum_5_value_15, sum_3[index_9 - 8]);
              }
            }
            const float padded_6_15 = (j + 9) / 16 >= 3 && ((j + 9) / 16 + 1) % 2 == 0
                                          ? sum_5[i * 64 + (j + 25) / 32 * kK + k - 8]
                                          : 0.0f;

            // after
            const float decay_value_67 = decay[index_33 - 60];
            const float decay_value_68 = decay[index_33 - 52];
            const float product_1_28 = decay[index_33 - 56] * decay_value_68;
            const float product_2_27 = decay[index_33 - 64] * decay_value_67 * product_1_28;
            const float decay_value_69 = decay[index_33 - 44];
            const float decay_value_70 = decay[index_33 - 36];
            const float product_1_29 = decay[index_33 - 40] * decay_value_70;
            const float product_2_28 = decay[index_33 - 48] * decay_value_69 * product_1_29;
            const float sum_1_79 = fmaf(decay_value_67, value[index_33 - 64], value[index_33 - 60]);
            const float sum_1_80 = fmaf(decay_value_68, value[index_33 - 56], value[index_33 - 52]);
            const float sum_1_81 = fmaf(decay_value_69, value[index_33 - 48], value[index_33 - 44]);
            const float sum_1_82 = fmaf(decay_value_70, value[index_33 - 40], value[index_33 - 36]);
            const float sum_4_8 = fmaf(product_2_28, fmaf(product_1_28, sum_1_79, sum_1_80),
                                       fmaf(product_1_29, sum_1_81, sum_1_82));
            padded_4_8 = fmaf(product_2_27 * product_2_28, padded_5_15 + padded_6_15, sum_4_8);
          }
        }
        float padded_7_8 = 0.0f;
        if ((j + 1) / 8 >= 2 && (j + 1) / 8 % 2 == 0) {
          float padded_5_16 = 0.0f;
          if ((j + 1) / 16 < 32 && ((j + 1) / 16 + 1) % 2 == 0) {
            if ((j + 17) / 32 < 2) {
              padded_5_16 = sum_3[index_1];
            } else {
              const float sum_5_value_16 = sum_5[i * 64 + (j + 17) / 32 * kK + k - 8];
              padded_5_16 = fmaf(product[index_17 - 8], sum_5_value_16, sum_3[index_17 - 8]);
            }
          }
          const float padded_6_16 = (j + 1) / 16 >= 2 && (j + 1) / 16 % 2 == 0
                                        ? sum_5[i * 64 + (j + 1) / 32 * kK + k - 4]
                                        : 0.0f;
          padded_7_8 = padded_5_16 + padded_6_16;
        }
        padded_8_4 = padded_4_8 + padded_7_8;
      }
      padded_9_2 = padded_3_4 + padded_8_4;
    }
    padded_10 = padded_2_2 + padded_9_2;
  }

  sum[element] = padded_1 + padded_10;
}

}  // namespace

cudaError_t
enqueue(const float* decay, const float* value, const float* sum_3, const float* product,
        const float* sum_5, float* sum, cudaStream_t stream) {
  return launch(sum_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                decay, value, sum_3, product, sum_5, sum);
}

}  // namespace recurrence_kernels::sum_2
