// sum_2: multiply, add over f32[8,512,4].
//
//   in   decay     f32[8,512,4]
//   in   value     f32[8,512,4]
//   in   sum_3     f32[8,32,4]
//   in   product   f32[8,32,4]
//   in   sum_5     f32[8,16,4]
//   out  sum       f32[8,512,4]
//
//   sum = padded_1 + padded_48
//   Not shown: padded_1, padded_48.
//
// 256 blocks of 64 threads. Reads 141 kB, writes 65.5 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace recurrence_kernels::sum_2 {
namespace {

constexpr int kElements = 16384;
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
  const int i = element / 2048;
  const int j = element / 4 % 512;
  const int k = element % 4;

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
  if (j < 511) {
    float padded_2 = 0.0f;
    if (j % 2 == 0) {
      if (j / 2 == 0) {
        padded_2 = value[index_18];
      } else {
        float padded_3 = 0.0f;
        if (j / 2 >= 1) {
          float padded_4 = 0.0f;
          if ((j / 2 + 1) % 2 == 0) {
            if ((j + 2) / 4 < 2) {
              padded_4 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
            } else {
              // recurrence
              float padded_5 = 0.0f;
              if ((j + 2) / 4 >= 2) {
                float padded_6 = 0.0f;
                if ((j + 2) / 4 % 2 == 0) {
                  if ((j + 2) / 8 < 2) {
                    const float decay_value_1 = decay[index_18 + 12];
                    const float sum_1 =
                        fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
                    const float sum_2 =
                        fmaf(decay_value_1, value[index_18 + 8], value[index_18 + 12]);
                    padded_6 = fmaf(decay[index_18 + 8] * decay_value_1, sum_1, sum_2);
                  } else {
                    // recurrence
                    float padded_7 = 0.0f;
                    if ((j + 2) / 8 >= 2) {
                      float padded_8 = 0.0f;
                      if ((j + 2) / 8 % 2 == 0) {
                        if ((j + 2) / 16 < 2) {
                          const float decay_value_2 = decay[index_18 + 20];
                          const float decay_value_3 = decay[index_18 + 28];
                          const float product_1 = decay[index_18 + 24] * decay_value_3;
                          const float product_2 = decay[index_18 + 16] * decay_value_2 * product_1;
                          const float decay_value_4 = decay[index_18 + 12];
                          const float sum_4 =
                              fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
                          const float sum_6 =
                              fmaf(decay_value_4, value[index_18 + 8], value[index_18 + 12]);
                          const float sum_7 =
                              fmaf(decay[index_18 + 8] * decay_value_4, sum_4, sum_6);
                          const float sum_8 =
                              fmaf(decay_value_2, value[index_18 + 16], value[index_18 + 20]);
                          const float sum_9 =
                              fmaf(decay_value_3, value[index_18 + 24], value[index_18 + 28]);
                          padded_8 = fmaf(product_2, sum_7, fmaf(product_1, sum_8, sum_9));
                        } else {
                          // recurrence
                          float padded_9 = 0.0f;
                          if ((j + 2) / 16 >= 2) {
                            float padded_10 = 0.0f;
                            if ((j + 2) / 16 % 2 == 0) {
                              if ((j + 2) / 32 < 2) {
                                padded_10 = sum_3[index_1];
                              } else {
                                const float sum_5_value_1 =
                                    sum_5[i * 64 + (j + 2) / 32 * 4 + k - 8];
                                padded_10 =
                                    fmaf(product[index_2 - 8], sum_5_value_1, sum_3[index_2 - 8]);
                              }
                            }
                            padded_9 = padded_10;
                          }
                          const float padded_11 = (j + 2) / 16 >= 3 && ((j + 2) / 16 + 1) % 2 == 0
                                                      ? sum_5[i * 64 + (j + 18) / 32 * 4 + k - 8]
                                                      : 0.0f;

                          // after
                          const float decay_value_5 = decay[index_26 - 60];
                          const float decay_value_6 = decay[index_26 - 52];
                          const float product_3 = decay[index_26 - 56] * decay_value_6;
                          const float product_4 = decay[index_26 - 64] * decay_value_5 * product_3;
                          const float decay_value_7 = decay[index_26 - 44];
                          const float decay_value_8 = decay[index_26 - 36];
                          const float product_5 = decay[index_26 - 40] * decay_value_8;
                          const float product_6 = decay[index_26 - 48] * decay_value_7 * product_5;
                          const float sum_10 =
                              fmaf(decay_value_5, value[index_26 - 64], value[index_26 - 60]);
                          const float sum_11 =
                              fmaf(decay_value_6, value[index_26 - 56], value[index_26 - 52]);
                          const float sum_12 =
                              fmaf(decay_value_7, value[index_26 - 48], value[index_26 - 44]);
                          const float sum_13 =
                              fmaf(decay_value_8, value[index_26 - 40], value[index_26 - 36]);
                          const float sum_14 = fmaf(product_6, fmaf(product_3, sum_10, sum_11),
                                                    fmaf(product_5, sum_12, sum_13));
                          padded_8 = fmaf(product_4 * product_6, padded_9 + padded_11, sum_14);
                        }
                      }
                      padded_7 = padded_8;
                    }
                    float padded_12 = 0.0f;
                    if ((j + 2) / 8 >= 3 && ((j + 2) / 8 + 1) % 2 == 0) {
                      float padded_13 = 0.0f;
                      if ((j + 10) / 16 >= 2) {
                        float padded_14 = 0.0f;
                        if ((j + 10) / 16 % 2 == 0) {
                          if ((j + 10) / 32 < 2) {
                            padded_14 = sum_3[index_1];
                          } else {
                            const float sum_5_value_2 = sum_5[i * 64 + (j + 10) / 32 * 4 + k - 8];
                            padded_14 =
                                fmaf(product[index_10 - 8], sum_5_value_2, sum_3[index_10 - 8]);
                          }
                        }
                        padded_13 = padded_14;
                      }
                      const float padded_15 = (j + 10) / 16 >= 3 && ((j + 10) / 16 + 1) % 2 == 0
                                                  ? sum_5[i * 64 + (j + 26) / 32 * 4 + k - 8]
                                                  : 0.0f;
                      padded_12 = padded_13 + padded_15;
                    }

                    // after
                    const float decay_value_9 = decay[index_22 - 28];
                    const float decay_value_10 = decay[index_22 - 20];
                    const float product_7 = decay[index_22 - 24] * decay_value_10;
                    const float product_8 = decay[index_22 - 32] * decay_value_9 * product_7;
                    const float sum_15 =
                        fmaf(decay_value_9, value[index_22 - 32], value[index_22 - 28]);
                    const float sum_16 =
                        fmaf(decay_value_10, value[index_22 - 24], value[index_22 - 20]);
                    padded_6 =
                        fmaf(product_8, padded_7 + padded_12, fmaf(product_7, sum_15, sum_16));
                  }
                }
                padded_5 = padded_6;
              }
              float padded_16 = 0.0f;
              if ((j + 2) / 4 >= 3 && ((j + 2) / 4 + 1) % 2 == 0) {
                float padded_17 = 0.0f;
                if ((j + 6) / 8 >= 2) {
                  float padded_18 = 0.0f;
                  if ((j + 6) / 8 % 2 == 0) {
                    if ((j + 6) / 16 < 2) {
                      const float decay_value_11 = decay[index_18 + 20];
                      const float decay_value_12 = decay[index_18 + 28];
                      const float product_9 = decay[index_18 + 24] * decay_value_12;
                      const float product_10 = decay[index_18 + 16] * decay_value_11 * product_9;
                      const float decay_value_13 = decay[index_18 + 12];
                      const float sum_17 =
                          fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
                      const float sum_18 =
                          fmaf(decay_value_13, value[index_18 + 8], value[index_18 + 12]);
                      const float sum_19 =
                          fmaf(decay[index_18 + 8] * decay_value_13, sum_17, sum_18);
                      const float sum_20 =
                          fmaf(decay_value_11, value[index_18 + 16], value[index_18 + 20]);
                      const float sum_21 =
                          fmaf(decay_value_12, value[index_18 + 24], value[index_18 + 28]);
                      padded_18 = fmaf(product_10, sum_19, fmaf(product_9, sum_20, sum_21));
                    } else {
                      // recurrence
                      float padded_19 = 0.0f;
                      if ((j + 6) / 16 >= 2) {
                        float padded_20 = 0.0f;
                        if ((j + 6) / 16 % 2 == 0) {
                          if ((j + 6) / 32 < 2) {
                            padded_20 = sum_3[index_1];
                          } else {
                            const float sum_5_value_3 = sum_5[i * 64 + (j + 6) / 32 * 4 + k - 8];
                            padded_20 =
                                fmaf(product[index_6 - 8], sum_5_value_3, sum_3[index_6 - 8]);
                          }
                        }
                        padded_19 = padded_20;
                      }
                      const float padded_21 = (j + 6) / 16 >= 3 && ((j + 6) / 16 + 1) % 2 == 0
                                                  ? sum_5[i * 64 + (j + 22) / 32 * 4 + k - 8]
                                                  : 0.0f;

                      // after
                      const float decay_value_14 = decay[index_30 - 60];
                      const float decay_value_15 = decay[index_30 - 52];
                      const float product_11 = decay[index_30 - 56] * decay_value_15;
                      const float product_12 = decay[index_30 - 64] * decay_value_14 * product_11;
                      const float decay_value_16 = decay[index_30 - 44];
                      const float decay_value_17 = decay[index_30 - 36];
                      const float product_13 = decay[index_30 - 40] * decay_value_17;
                      const float product_14 = decay[index_30 - 48] * decay_value_16 * product_13;
                      const float sum_22 =
                          fmaf(decay_value_14, value[index_30 - 64], value[index_30 - 60]);
                      const float sum_23 =
                          fmaf(decay_value_15, value[index_30 - 56], value[index_30 - 52]);
                      const float sum_24 =
                          fmaf(decay_value_16, value[index_30 - 48], value[index_30 - 44]);
                      const float sum_25 =
                          fmaf(decay_value_17, value[index_30 - 40], value[index_30 - 36]);
                      const float sum_26 = fmaf(product_14, fmaf(product_11, sum_22, sum_23),
                                                fmaf(product_13, sum_24, sum_25));
                      padded_18 = fmaf(product_12 * product_14, padded_19 + padded_21, sum_26);
                    }
                  }
                  padded_17 = padded_18;
                }
                float padded_22 = 0.0f;
                if ((j + 6) / 8 >= 3 && ((j + 6) / 8 + 1) % 2 == 0) {
                  float padded_23 = 0.0f;
                  if ((j + 14) / 16 >= 2) {
                    float padded_24 = 0.0f;
                    if ((j + 14) / 16 % 2 == 0) {
                      if ((j + 14) / 32 < 2) {
                        padded_24 = sum_3[index_1];
                      } else {
                        const float sum_5_value_4 = sum_5[i * 64 + (j + 14) / 32 * 4 + k - 8];
                        padded_24 = fmaf(product[index_14 - 8], sum_5_value_4, sum_3[index_14 - 8]);
                      }
                    }
                    padded_23 = padded_24;
                  }
                  const float padded_25 = (j + 14) / 16 >= 3 && ((j + 14) / 16 + 1) % 2 == 0
                                              ? sum_5[i * 64 + (j + 30) / 32 * 4 + k - 8]
                                              : 0.0f;
                  padded_22 = padded_23 + padded_25;
                }
                padded_16 = padded_17 + padded_22;
              }

              // after
              const float decay_value_18 = decay[index_20 - 12];
              const float product_15 = decay[index_20 - 16] * decay_value_18;
              const float sum_27 = fmaf(decay_value_18, value[index_20 - 16], value[index_20 - 12]);
              padded_4 = fmaf(product_15, padded_5 + padded_16, sum_27);
            }
          }
          padded_3 = padded_4;
        }
        float padded_26 = 0.0f;
        if (j / 2 >= 2 && j / 2 % 2 == 0) {
          float padded_27 = 0.0f;
          if (j / 4 >= 1) {
            float padded_28 = 0.0f;
            if ((j / 4 + 1) % 2 == 0) {
              if ((j + 4) / 8 < 2) {
                const float decay_value_19 = decay[index_18 + 12];
                const float sum_28 =
                    fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
                const float sum_29 =
                    fmaf(decay_value_19, value[index_18 + 8], value[index_18 + 12]);
                padded_28 = fmaf(decay[index_18 + 8] * decay_value_19, sum_28, sum_29);
              } else {
                // recurrence
                float padded_29 = 0.0f;
                if ((j + 4) / 8 >= 2) {
                  float padded_30 = 0.0f;
                  if ((j + 4) / 8 % 2 == 0) {
                    if ((j + 4) / 16 < 2) {
                      const float decay_value_20 = decay[index_18 + 20];
                      const float decay_value_21 = decay[index_18 + 28];
                      const float product_16 = decay[index_18 + 24] * decay_value_21;
                      const float product_17 = decay[index_18 + 16] * decay_value_20 * product_16;
                      const float decay_value_22 = decay[index_18 + 12];
                      const float sum_30 =
                          fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
                      const float sum_31 =
                          fmaf(decay_value_22, value[index_18 + 8], value[index_18 + 12]);
                      const float sum_32 =
                          fmaf(decay[index_18 + 8] * decay_value_22, sum_30, sum_31);
                      const float sum_33 =
                          fmaf(decay_value_20, value[index_18 + 16], value[index_18 + 20]);
                      const float sum_34 =
                          fmaf(decay_value_21, value[index_18 + 24], value[index_18 + 28]);
                      padded_30 = fmaf(product_17, sum_32, fmaf(product_16, sum_33, sum_34));
                    } else {
                      // recurrence
                      float padded_31 = 0.0f;
                      if ((j + 4) / 16 >= 2) {
                        float padded_32 = 0.0f;
                        if ((j + 4) / 16 % 2 == 0) {
                          if ((j + 4) / 32 < 2) {
                            padded_32 = sum_3[index_1];
                          } else {
                            const float sum_5_value_5 = sum_5[i * 64 + (j + 4) / 32 * 4 + k - 8];
                            padded_32 =
                                fmaf(product[index_4 - 8], sum_5_value_5, sum_3[index_4 - 8]);
                          }
                        }
                        padded_31 = padded_32;
                      }
                      const float padded_33 = (j + 4) / 16 >= 3 && ((j + 4) / 16 + 1) % 2 == 0
                                                  ? sum_5[i * 64 + (j + 20) / 32 * 4 + k - 8]
                                                  : 0.0f;

                      // after
                      const float decay_value_23 = decay[index_28 - 60];
                      const float decay_value_24 = decay[index_28 - 52];
                      const float product_18 = decay[index_28 - 56] * decay_value_24;
                      const float product_19 = decay[index_28 - 64] * decay_value_23 * product_18;
                      const float decay_value_25 = decay[index_28 - 44];
                      const float decay_value_26 = decay[index_28 - 36];
                      const float product_20 = decay[index_28 - 40] * decay_value_26;
                      const float product_21 = decay[index_28 - 48] * decay_value_25 * product_20;
                      const float sum_35 =
                          fmaf(decay_value_23, value[index_28 - 64], value[index_28 - 60]);
                      const float sum_36 =
                          fmaf(decay_value_24, value[index_28 - 56], value[index_28 - 52]);
                      const float sum_37 =
                          fmaf(decay_value_25, value[index_28 - 48], value[index_28 - 44]);
                      const float sum_38 =
                          fmaf(decay_value_26, value[index_28 - 40], value[index_28 - 36]);
                      const float sum_39 = fmaf(product_21, fmaf(product_18, sum_35, sum_36),
                                                fmaf(product_20, sum_37, sum_38));
                      padded_30 = fmaf(product_19 * product_21, padded_31 + padded_33, sum_39);
                    }
                  }
                  padded_29 = padded_30;
                }
                float padded_34 = 0.0f;
                if ((j + 4) / 8 >= 3 && ((j + 4) / 8 + 1) % 2 == 0) {
                  float padded_35 = 0.0f;
                  if ((j + 12) / 16 >= 2) {
                    float padded_36 = 0.0f;
                    if ((j + 12) / 16 % 2 == 0) {
                      if ((j + 12) / 32 < 2) {
                        padded_36 = sum_3[index_1];
                      } else {
                        const float sum_5_value_6 = sum_5[i * 64 + (j + 12) / 32 * 4 + k - 8];
                        padded_36 = fmaf(product[index_12 - 8], sum_5_value_6, sum_3[index_12 - 8]);
                      }
                    }
                    padded_35 = padded_36;
                  }
                  const float padded_37 = (j + 12) / 16 >= 3 && ((j + 12) / 16 + 1) % 2 == 0
                                              ? sum_5[i * 64 + (j + 28) / 32 * 4 + k - 8]
                                              : 0.0f;
                  padded_34 = padded_35 + padded_37;
                }

                // after
                const float decay_value_27 = decay[index_24 - 28];
                const float decay_value_28 = decay[index_24 - 20];
                const float product_22 = decay[index_24 - 24] * decay_value_28;
                const float product_23 = decay[index_24 - 32] * decay_value_27 * product_22;
                const float sum_40 =
                    fmaf(decay_value_27, value[index_24 - 32], value[index_24 - 28]);
                const float sum_41 =
                    fmaf(decay_value_28, value[index_24 - 24], value[index_24 - 20]);
                padded_28 =
                    fmaf(product_23, padded_29 + padded_34, fmaf(product_22, sum_40, sum_41));
              }
            }
            padded_27 = padded_28;
          }
          float padded_38 = 0.0f;
          if (j / 4 >= 2 && j / 4 % 2 == 0) {
            float padded_39 = 0.0f;
            if (j / 8 >= 1) {
              float padded_40 = 0.0f;
              if ((j / 8 + 1) % 2 == 0) {
                if ((j + 8) / 16 < 2) {
                  const float decay_value_29 = decay[index_18 + 20];
                  const float decay_value_30 = decay[index_18 + 28];
                  const float product_24 = decay[index_18 + 24] * decay_value_30;
                  const float product_25 = decay[index_18 + 16] * decay_value_29 * product_24;
                  const float decay_value_31 = decay[index_18 + 12];
                  const float sum_42 =
                      fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
                  const float sum_43 =
                      fmaf(decay_value_31, value[index_18 + 8], value[index_18 + 12]);
                  const float sum_44 = fmaf(decay[index_18 + 8] * decay_value_31, sum_42, sum_43);
                  const float sum_45 =
                      fmaf(decay_value_29, value[index_18 + 16], value[index_18 + 20]);
                  const float sum_46 =
                      fmaf(decay_value_30, value[index_18 + 24], value[index_18 + 28]);
                  padded_40 = fmaf(product_25, sum_44, fmaf(product_24, sum_45, sum_46));
                } else {
                  // recurrence
                  float padded_41 = 0.0f;
                  if ((j + 8) / 16 >= 2) {
                    float padded_42 = 0.0f;
                    if ((j + 8) / 16 % 2 == 0) {
                      if ((j + 8) / 32 < 2) {
                        padded_42 = sum_3[index_1];
                      } else {
                        const float sum_5_value_7 = sum_5[i * 64 + (j + 8) / 32 * 4 + k - 8];
                        padded_42 = fmaf(product[index_8 - 8], sum_5_value_7, sum_3[index_8 - 8]);
                      }
                    }
                    padded_41 = padded_42;
                  }
                  const float padded_43 = (j + 8) / 16 >= 3 && ((j + 8) / 16 + 1) % 2 == 0
                                              ? sum_5[i * 64 + (j + 24) / 32 * 4 + k - 8]
                                              : 0.0f;

                  // after
                  const float decay_value_32 = decay[index_32 - 60];
                  const float decay_value_33 = decay[index_32 - 52];
                  const float product_26 = decay[index_32 - 56] * decay_value_33;
                  const float product_27 = decay[index_32 - 64] * decay_value_32 * product_26;
                  const float decay_value_34 = decay[index_32 - 44];
                  const float decay_value_35 = decay[index_32 - 36];
                  const float product_28 = decay[index_32 - 40] * decay_value_35;
                  const float product_29 = decay[index_32 - 48] * decay_value_34 * product_28;
                  const float sum_47 =
                      fmaf(decay_value_32, value[index_32 - 64], value[index_32 - 60]);
                  const float sum_48 =
                      fmaf(decay_value_33, value[index_32 - 56], value[index_32 - 52]);
                  const float sum_49 =
                      fmaf(decay_value_34, value[index_32 - 48], value[index_32 - 44]);
                  const float sum_50 =
                      fmaf(decay_value_35, value[index_32 - 40], value[index_32 - 36]);
                  const float sum_51 = fmaf(product_29, fmaf(product_26, sum_47, sum_48),
                                            fmaf(product_28, sum_49, sum_50));
                  padded_40 = fmaf(product_27 * product_29, padded_41 + padded_43, sum_51);
                }
              }
              padded_39 = padded_40;
            }
            float padded_44 = 0.0f;
            if (j / 8 >= 2 && j / 8 % 2 == 0) {
              float padded_45 = 0.0f;
              if (j / 16 >= 1) {
                float padded_46 = 0.0f;
                if ((j / 16 + 1) % 2 == 0) {
                  if ((j + 16) / 32 < 2) {
                    padded_46 = sum_3[index_1];
                  } else {
                    const float sum_5_value_8 = sum_5[i * 64 + (j + 16) / 32 * 4 + k - 8];
                    padded_46 = fmaf(product[index_16 - 8], sum_5_value_8, sum_3[index_16 - 8]);
                  }
                }
                padded_45 = padded_46;
              }
              const float padded_47 =
                  j / 16 >= 2 && j / 16 % 2 == 0 ? sum_5[i * 64 + j / 32 * 4 + k - 4] : 0.0f;
              padded_44 = padded_45 + padded_47;
            }
            padded_38 = padded_39 + padded_44;
          }
          padded_26 = padded_27 + padded_38;
        }
        padded_2 = fmaf(decay[index_19], padded_3 + padded_26, value[index_19]);
      }
    }
    padded_1 = padded_2;
  }
  float padded_48 = 0.0f;
  if (j >= 1 && (j + 1) % 2 == 0) {
    float padded_49 = 0.0f;
    if ((j + 1) / 2 >= 1 && (j + 1) / 2 < 256) {
      float padded_50 = 0.0f;
      if (((j + 1) / 2 + 1) % 2 == 0) {
        if ((j + 3) / 4 < 2) {
          padded_50 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
        } else {
          // recurrence
          float padded_51 = 0.0f;
          if ((j + 3) / 4 >= 2) {
            float padded_52 = 0.0f;
            if ((j + 3) / 4 % 2 == 0) {
              if ((j + 3) / 8 < 2) {
                const float decay_value_36 = decay[index_18 + 12];
                const float sum_52 =
                    fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
                const float sum_53 =
                    fmaf(decay_value_36, value[index_18 + 8], value[index_18 + 12]);
                padded_52 = fmaf(decay[index_18 + 8] * decay_value_36, sum_52, sum_53);
              } else {
                // recurrence
                float padded_53 = 0.0f;
                if ((j + 3) / 8 >= 2) {
                  float padded_54 = 0.0f;
                  if ((j + 3) / 8 % 2 == 0) {
                    if ((j + 3) / 16 < 2) {
                      const float decay_value_37 = decay[index_18 + 20];
                      const float decay_value_38 = decay[index_18 + 28];
                      const float product_30 = decay[index_18 + 24] * decay_value_38;
                      const float product_31 = decay[index_18 + 16] * decay_value_37 * product_30;
                      const float decay_value_39 = decay[index_18 + 12];
                      const float sum_54 =
                          fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
                      const float sum_55 =
                          fmaf(decay_value_39, value[index_18 + 8], value[index_18 + 12]);
                      const float sum_56 =
                          fmaf(decay[index_18 + 8] * decay_value_39, sum_54, sum_55);
                      const float sum_57 =
                          fmaf(decay_value_37, value[index_18 + 16], value[index_18 + 20]);
                      const float sum_58 =
                          fmaf(decay_value_38, value[index_18 + 24], value[index_18 + 28]);
                      padded_54 = fmaf(product_31, sum_56, fmaf(product_30, sum_57, sum_58));
                    } else {
                      // recurrence
                      float padded_55 = 0.0f;
                      if ((j + 3) / 16 >= 2) {
                        float padded_56 = 0.0f;
                        if ((j + 3) / 16 % 2 == 0) {
                          if ((j + 3) / 32 < 2) {
                            padded_56 = sum_3[index_1];
                          } else {
                            const float sum_5_value_9 = sum_5[i * 64 + (j + 3) / 32 * 4 + k - 8];
                            padded_56 =
                                fmaf(product[index_3 - 8], sum_5_value_9, sum_3[index_3 - 8]);
                          }
                        }
                        padded_55 = padded_56;
                      }
                      const float padded_57 = (j + 3) / 16 >= 3 && ((j + 3) / 16 + 1) % 2 == 0
                                                  ? sum_5[i * 64 + (j + 19) / 32 * 4 + k - 8]
                                                  : 0.0f;

                      // after
                      const float decay_value_40 = decay[index_27 - 60];
                      const float decay_value_41 = decay[index_27 - 52];
                      const float product_32 = decay[index_27 - 56] * decay_value_41;
                      const float product_33 = decay[index_27 - 64] * decay_value_40 * product_32;
                      const float decay_value_42 = decay[index_27 - 44];
                      const float decay_value_43 = decay[index_27 - 36];
                      const float product_34 = decay[index_27 - 40] * decay_value_43;
                      const float product_35 = decay[index_27 - 48] * decay_value_42 * product_34;
                      const float sum_59 =
                          fmaf(decay_value_40, value[index_27 - 64], value[index_27 - 60]);
                      const float sum_60 =
                          fmaf(decay_value_41, value[index_27 - 56], value[index_27 - 52]);
                      const float sum_61 =
                          fmaf(decay_value_42, value[index_27 - 48], value[index_27 - 44]);
                      const float sum_62 =
                          fmaf(decay_value_43, value[index_27 - 40], value[index_27 - 36]);
                      const float sum_63 = fmaf(product_35, fmaf(product_32, sum_59, sum_60),
                                                fmaf(product_34, sum_61, sum_62));
                      padded_54 = fmaf(product_33 * product_35, padded_55 + padded_57, sum_63);
                    }
                  }
                  padded_53 = padded_54;
                }
                float padded_58 = 0.0f;
                if ((j + 3) / 8 >= 3 && ((j + 3) / 8 + 1) % 2 == 0) {
                  float padded_59 = 0.0f;
                  if ((j + 11) / 16 >= 2) {
                    float padded_60 = 0.0f;
                    if ((j + 11) / 16 % 2 == 0) {
                      if ((j + 11) / 32 < 2) {
                        padded_60 = sum_3[index_1];
                      } else {
                        const float sum_5_value_10 = sum_5[i * 64 + (j + 11) / 32 * 4 + k - 8];
                        padded_60 =
                            fmaf(product[index_11 - 8], sum_5_value_10, sum_3[index_11 - 8]);
                      }
                    }
                    padded_59 = padded_60;
                  }
                  const float padded_61 = (j + 11) / 16 >= 3 && ((j + 11) / 16 + 1) % 2 == 0
                                              ? sum_5[i * 64 + (j + 27) / 32 * 4 + k - 8]
                                              : 0.0f;
                  padded_58 = padded_59 + padded_61;
                }

                // after
                const float decay_value_44 = decay[index_23 - 28];
                const float decay_value_45 = decay[index_23 - 20];
                const float product_36 = decay[index_23 - 24] * decay_value_45;
                const float product_37 = decay[index_23 - 32] * decay_value_44 * product_36;
                const float sum_64 =
                    fmaf(decay_value_44, value[index_23 - 32], value[index_23 - 28]);
                const float sum_65 =
                    fmaf(decay_value_45, value[index_23 - 24], value[index_23 - 20]);
                padded_52 =
                    fmaf(product_37, padded_53 + padded_58, fmaf(product_36, sum_64, sum_65));
              }
            }
            padded_51 = padded_52;
          }
          float padded_62 = 0.0f;
          if ((j + 3) / 4 >= 3 && ((j + 3) / 4 + 1) % 2 == 0) {
            float padded_63 = 0.0f;
            if ((j + 7) / 8 >= 2) {
              float padded_64 = 0.0f;
              if ((j + 7) / 8 % 2 == 0) {
                if ((j + 7) / 16 < 2) {
                  const float decay_value_46 = decay[index_18 + 20];
                  const float decay_value_47 = decay[index_18 + 28];
                  const float product_38 = decay[index_18 + 24] * decay_value_47;
                  const float product_39 = decay[index_18 + 16] * decay_value_46 * product_38;
                  const float decay_value_48 = decay[index_18 + 12];
                  const float sum_66 =
                      fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
                  const float sum_67 =
                      fmaf(decay_value_48, value[index_18 + 8], value[index_18 + 12]);
                  const float sum_68 = fmaf(decay[index_18 + 8] * decay_value_48, sum_66, sum_67);
                  const float sum_69 =
                      fmaf(decay_value_46, value[index_18 + 16], value[index_18 + 20]);
                  const float sum_70 =
                      fmaf(decay_value_47, value[index_18 + 24], value[index_18 + 28]);
                  padded_64 = fmaf(product_39, sum_68, fmaf(product_38, sum_69, sum_70));
                } else {
                  // recurrence
                  float padded_65 = 0.0f;
                  if ((j + 7) / 16 >= 2) {
                    float padded_66 = 0.0f;
                    if ((j + 7) / 16 % 2 == 0) {
                      if ((j + 7) / 32 < 2) {
                        padded_66 = sum_3[index_1];
                      } else {
                        const float sum_5_value_11 = sum_5[i * 64 + (j + 7) / 32 * 4 + k - 8];
                        padded_66 = fmaf(product[index_7 - 8], sum_5_value_11, sum_3[index_7 - 8]);
                      }
                    }
                    padded_65 = padded_66;
                  }
                  const float padded_67 = (j + 7) / 16 >= 3 && ((j + 7) / 16 + 1) % 2 == 0
                                              ? sum_5[i * 64 + (j + 23) / 32 * 4 + k - 8]
                                              : 0.0f;

                  // after
                  const float decay_value_49 = decay[index_31 - 60];
                  const float decay_value_50 = decay[index_31 - 52];
                  const float product_40 = decay[index_31 - 56] * decay_value_50;
                  const float product_41 = decay[index_31 - 64] * decay_value_49 * product_40;
                  const float decay_value_51 = decay[index_31 - 44];
                  const float decay_value_52 = decay[index_31 - 36];
                  const float product_42 = decay[index_31 - 40] * decay_value_52;
                  const float product_43 = decay[index_31 - 48] * decay_value_51 * product_42;
                  const float sum_71 =
                      fmaf(decay_value_49, value[index_31 - 64], value[index_31 - 60]);
                  const float sum_72 =
                      fmaf(decay_value_50, value[index_31 - 56], value[index_31 - 52]);
                  const float sum_73 =
                      fmaf(decay_value_51, value[index_31 - 48], value[index_31 - 44]);
                  const float sum_74 =
                      fmaf(decay_value_52, value[index_31 - 40], value[index_31 - 36]);
                  const float sum_75 = fmaf(product_43, fmaf(product_40, sum_71, sum_72),
                                            fmaf(product_42, sum_73, sum_74));
                  padded_64 = fmaf(product_41 * product_43, padded_65 + padded_67, sum_75);
                }
              }
              padded_63 = padded_64;
            }
            float padded_68 = 0.0f;
            if ((j + 7) / 8 >= 3 && ((j + 7) / 8 + 1) % 2 == 0) {
              float padded_69 = 0.0f;
              if ((j + 15) / 16 >= 2) {
                float padded_70 = 0.0f;
                if ((j + 15) / 16 % 2 == 0) {
                  if ((j + 15) / 32 < 2) {
                    padded_70 = sum_3[index_1];
                  } else {
                    const float sum_5_value_12 = sum_5[i * 64 + (j + 15) / 32 * 4 + k - 8];
                    padded_70 = fmaf(product[index_15 - 8], sum_5_value_12, sum_3[index_15 - 8]);
                  }
                }
                padded_69 = padded_70;
              }
              const float padded_71 = (j + 15) / 16 >= 3 && ((j + 15) / 16 + 1) % 2 == 0
                                          ? sum_5[i * 64 + (j + 31) / 32 * 4 + k - 8]
                                          : 0.0f;
              padded_68 = padded_69 + padded_71;
            }
            padded_62 = padded_63 + padded_68;
          }

          // after
          const float decay_value_53 = decay[index_21 - 12];
          const float sum_76 = fmaf(decay_value_53, value[index_21 - 16], value[index_21 - 12]);
          padded_50 = fmaf(decay[index_21 - 16] * decay_value_53, padded_51 + padded_62, sum_76);
        }
      }
      padded_49 = padded_50;
    }
    float padded_72 = 0.0f;
    if ((j + 1) / 2 >= 2 && (j + 1) / 2 % 2 == 0) {
      float padded_73 = 0.0f;
      if ((j + 1) / 4 >= 1 && (j + 1) / 4 < 128) {
        float padded_74 = 0.0f;
        if (((j + 1) / 4 + 1) % 2 == 0) {
          if ((j + 5) / 8 < 2) {
            const float decay_value_54 = decay[index_18 + 12];
            const float sum_77 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
            const float sum_78 = fmaf(decay_value_54, value[index_18 + 8], value[index_18 + 12]);
            padded_74 = fmaf(decay[index_18 + 8] * decay_value_54, sum_77, sum_78);
          } else {
            // recurrence
            float padded_75 = 0.0f;
            if ((j + 5) / 8 >= 2) {
              float padded_76 = 0.0f;
              if ((j + 5) / 8 % 2 == 0) {
                if ((j + 5) / 16 < 2) {
                  const float decay_value_55 = decay[index_18 + 20];
                  const float decay_value_56 = decay[index_18 + 28];
                  const float product_44 = decay[index_18 + 24] * decay_value_56;
                  const float product_45 = decay[index_18 + 16] * decay_value_55 * product_44;
                  const float decay_value_57 = decay[index_18 + 12];
                  const float sum_79 =
                      fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
                  const float sum_80 =
                      fmaf(decay_value_57, value[index_18 + 8], value[index_18 + 12]);
                  const float sum_81 = fmaf(decay[index_18 + 8] * decay_value_57, sum_79, sum_80);
                  const float sum_82 =
                      fmaf(decay_value_55, value[index_18 + 16], value[index_18 + 20]);
                  const float sum_83 =
                      fmaf(decay_value_56, value[index_18 + 24], value[index_18 + 28]);
                  padded_76 = fmaf(product_45, sum_81, fmaf(product_44, sum_82, sum_83));
                } else {
                  // recurrence
                  float padded_77 = 0.0f;
                  if ((j + 5) / 16 >= 2) {
                    float padded_78 = 0.0f;
                    if ((j + 5) / 16 % 2 == 0) {
                      if ((j + 5) / 32 < 2) {
                        padded_78 = sum_3[index_1];
                      } else {
                        const float sum_5_value_13 = sum_5[i * 64 + (j + 5) / 32 * 4 + k - 8];
                        padded_78 = fmaf(product[index_5 - 8], sum_5_value_13, sum_3[index_5 - 8]);
                      }
                    }
                    padded_77 = padded_78;
                  }
                  const float padded_79 = (j + 5) / 16 >= 3 && ((j + 5) / 16 + 1) % 2 == 0
                                              ? sum_5[i * 64 + (j + 21) / 32 * 4 + k - 8]
                                              : 0.0f;

                  // after
                  const float decay_value_58 = decay[index_29 - 60];
                  const float decay_value_59 = decay[index_29 - 52];
                  const float product_46 = decay[index_29 - 56] * decay_value_59;
                  const float product_47 = decay[index_29 - 64] * decay_value_58 * product_46;
                  const float decay_value_60 = decay[index_29 - 44];
                  const float decay_value_61 = decay[index_29 - 36];
                  const float product_48 = decay[index_29 - 40] * decay_value_61;
                  const float product_49 = decay[index_29 - 48] * decay_value_60 * product_48;
                  const float sum_84 =
                      fmaf(decay_value_58, value[index_29 - 64], value[index_29 - 60]);
                  const float sum_85 =
                      fmaf(decay_value_59, value[index_29 - 56], value[index_29 - 52]);
                  const float sum_86 =
                      fmaf(decay_value_60, value[index_29 - 48], value[index_29 - 44]);
                  const float sum_87 =
                      fmaf(decay_value_61, value[index_29 - 40], value[index_29 - 36]);
                  const float sum_88 = fmaf(product_49, fmaf(product_46, sum_84, sum_85),
                                            fmaf(product_48, sum_86, sum_87));
                  padded_76 = fmaf(product_47 * product_49, padded_77 + padded_79, sum_88);
                }
              }
              padded_75 = padded_76;
            }
            float padded_80 = 0.0f;
            if ((j + 5) / 8 >= 3 && ((j + 5) / 8 + 1) % 2 == 0) {
              float padded_81 = 0.0f;
              if ((j + 13) / 16 >= 2) {
                float padded_82 = 0.0f;
                if ((j + 13) / 16 % 2 == 0) {
                  if ((j + 13) / 32 < 2) {
                    padded_82 = sum_3[index_1];
                  } else {
                    const float sum_5_value_14 = sum_5[i * 64 + (j + 13) / 32 * 4 + k - 8];
                    padded_82 = fmaf(product[index_13 - 8], sum_5_value_14, sum_3[index_13 - 8]);
                  }
                }
                padded_81 = padded_82;
              }
              const float padded_83 = (j + 13) / 16 >= 3 && ((j + 13) / 16 + 1) % 2 == 0
                                          ? sum_5[i * 64 + (j + 29) / 32 * 4 + k - 8]
                                          : 0.0f;
              padded_80 = padded_81 + padded_83;
            }

            // after
            const float decay_value_62 = decay[index_25 - 28];
            const float decay_value_63 = decay[index_25 - 20];
            const float product_50 = decay[index_25 - 24] * decay_value_63;
            const float product_51 = decay[index_25 - 32] * decay_value_62 * product_50;
            const float sum_89 = fmaf(decay_value_62, value[index_25 - 32], value[index_25 - 28]);
            const float sum_90 = fmaf(decay_value_63, value[index_25 - 24], value[index_25 - 20]);
            padded_74 = fmaf(product_51, padded_75 + padded_80, fmaf(product_50, sum_89, sum_90));
          }
        }
        padded_73 = padded_74;
      }
      float padded_84 = 0.0f;
      if ((j + 1) / 4 >= 2 && (j + 1) / 4 % 2 == 0) {
        float padded_85 = 0.0f;
        if ((j + 1) / 8 >= 1 && (j + 1) / 8 < 64) {
          float padded_86 = 0.0f;
          if (((j + 1) / 8 + 1) % 2 == 0) {
            if ((j + 9) / 16 < 2) {
              const float decay_value_64 = decay[index_18 + 20];
              const float decay_value_65 = decay[index_18 + 28];
              const float product_52 = decay[index_18 + 24] * decay_value_65;
              const float product_53 = decay[index_18 + 16] * decay_value_64 * product_52;
              const float decay_value_66 = decay[index_18 + 12];
              const float sum_91 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
              const float sum_92 = fmaf(decay_value_66, value[index_18 + 8], value[index_18 + 12]);
              const float sum_93 = fmaf(decay[index_18 + 8] * decay_value_66, sum_91, sum_92);
              const float sum_94 = fmaf(decay_value_64, value[index_18 + 16], value[index_18 + 20]);
              const float sum_95 = fmaf(decay_value_65, value[index_18 + 24], value[index_18 + 28]);
              padded_86 = fmaf(product_53, sum_93, fmaf(product_52, sum_94, sum_95));
            } else {
              // recurrence
              float padded_87 = 0.0f;
              if ((j + 9) / 16 >= 2) {
                float padded_88 = 0.0f;
                if ((j + 9) / 16 % 2 == 0) {
                  if ((j + 9) / 32 < 2) {
                    padded_88 = sum_3[index_1];
                  } else {
                    const float sum_5_value_15 = sum_5[i * 64 + (j + 9) / 32 * 4 + k - 8];
                    padded_88 = fmaf(product[index_9 - 8], sum_5_value_15, sum_3[index_9 - 8]);
                  }
                }
                padded_87 = padded_88;
              }
              const float padded_89 = (j + 9) / 16 >= 3 && ((j + 9) / 16 + 1) % 2 == 0
                                          ? sum_5[i * 64 + (j + 25) / 32 * 4 + k - 8]
                                          : 0.0f;

              // after
              const float decay_value_67 = decay[index_33 - 60];
              const float decay_value_68 = decay[index_33 - 52];
              const float product_54 = decay[index_33 - 56] * decay_value_68;
              const float product_55 = decay[index_33 - 64] * decay_value_67 * product_54;
              const float decay_value_69 = decay[index_33 - 44];
              const float decay_value_70 = decay[index_33 - 36];
              const float product_56 = decay[index_33 - 40] * decay_value_70;
              const float product_57 = decay[index_33 - 48] * decay_value_69 * product_56;
              const float sum_96 = fmaf(decay_value_67, value[index_33 - 64], value[index_33 - 60]);
              const float sum_97 = fmaf(decay_value_68, value[index_33 - 56], value[index_33 - 52]);
              const float sum_98 = fmaf(decay_value_69, value[index_33 - 48], value[index_33 - 44]);
              const float sum_99 = fmaf(decay_value_70, value[index_33 - 40], value[index_33 - 36]);
              const float sum_100 = fmaf(product_57, fmaf(product_54, sum_96, sum_97),
                                         fmaf(product_56, sum_98, sum_99));
              padded_86 = fmaf(product_55 * product_57, padded_87 + padded_89, sum_100);
            }
          }
          padded_85 = padded_86;
        }
        float padded_90 = 0.0f;
        if ((j + 1) / 8 >= 2 && (j + 1) / 8 % 2 == 0) {
          float padded_91 = 0.0f;
          if ((j + 1) / 16 >= 1 && (j + 1) / 16 < 32) {
            float padded_92 = 0.0f;
            if (((j + 1) / 16 + 1) % 2 == 0) {
              if ((j + 17) / 32 < 2) {
                padded_92 = sum_3[index_1];
              } else {
                const float sum_5_value_16 = sum_5[i * 64 + (j + 17) / 32 * 4 + k - 8];
                padded_92 = fmaf(product[index_17 - 8], sum_5_value_16, sum_3[index_17 - 8]);
              }
            }
            padded_91 = padded_92;
          }
          const float padded_93 = (j + 1) / 16 >= 2 && (j + 1) / 16 % 2 == 0
                                      ? sum_5[i * 64 + (j + 1) / 32 * 4 + k - 4]
                                      : 0.0f;
          padded_90 = padded_91 + padded_93;
        }
        padded_84 = padded_85 + padded_90;
      }
      padded_72 = padded_73 + padded_84;
    }
    padded_48 = padded_49 + padded_72;
  }

  sum[element] = padded_1 + padded_48;
}

}  // namespace

cudaError_t
enqueue(const float* decay, const float* value, const float* sum_3, const float* product,
        const float* sum_5, float* sum, cudaStream_t stream) {
  return launch(sum_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                decay, value, sum_3, product, sum_5, sum);
}

}  // namespace recurrence_kernels::sum_2
