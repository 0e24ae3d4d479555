// add_2: multiply, add over f32[8,512,4].
//
//   in   decay      f32[8,512,4]
//   in   value      f32[8,512,4]
//   in   add_in     f32[8,32,4]
//   in   mul        f32[8,32,4]
//   in   add_1_in   f32[8,16,4]
//   out  add_out    f32[8,512,4]
//
//   recurrence  add_out, pad_3, concatenate_3, pad_4, concatenate_4, pad_5 .. pad_7, pad_10,
//               concatenate_7, ...
//   after       concatenate_4, concatenate_3, concatenate_7, concatenate_2, concatenate_11,
//               concatenate_10, concatenate_14, concatenate_19, ...
//
// 256 blocks of 64 threads. Reads 141 kB, writes 65.5 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace recurrence_kernels::add_2 {
namespace {

constexpr int kElements = 16384;
constexpr int kThreads = 64;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
add_2(const float* __restrict__ decay,
      const float* __restrict__ value,
      const float* __restrict__ add_in,
      const float* __restrict__ mul,
      const float* __restrict__ add_1_in,
      float* __restrict__ add_out) {
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
  float pad_1 = 0.0f;
  if (j < 511 && j % 2 == 0) {
    float concatenate_1;
    if (j / 2 == 0) {
      concatenate_1 = value[index_18];
    } else {
      float pad_2 = 0.0f;
      if (j / 2 >= 1 && (j / 2 + 1) % 2 == 0) {
        float concatenate_2;
        if ((j + 2) / 4 < 2) {
          concatenate_2 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
        } else {
          // recurrence
          float pad_3 = 0.0f;
          if ((j + 2) / 4 >= 2 && (j + 2) / 4 % 2 == 0) {
            float concatenate_3;
            if ((j + 2) / 8 < 2) {
              const float decay_value_1 = decay[index_18 + 12];
              const float add_1 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
              const float add_3 = fmaf(decay_value_1, value[index_18 + 8], value[index_18 + 12]);
              concatenate_3 = fmaf(decay[index_18 + 8] * decay_value_1, add_1, add_3);
            } else {
              // recurrence
              float pad_4 = 0.0f;
              if ((j + 2) / 8 >= 2 && (j + 2) / 8 % 2 == 0) {
                float concatenate_4;
                if ((j + 2) / 16 < 2) {
                  const float decay_value_2 = decay[index_18 + 20];
                  const float decay_value_3 = decay[index_18 + 28];
                  const float mul_1 = decay[index_18 + 24] * decay_value_3;
                  const float mul_2 = decay[index_18 + 16] * decay_value_2 * mul_1;
                  const float decay_value_4 = decay[index_18 + 12];
                  const float add_4 =
                      fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
                  const float add_5 =
                      fmaf(decay_value_4, value[index_18 + 8], value[index_18 + 12]);
                  const float add_6 = fmaf(decay[index_18 + 8] * decay_value_4, add_4, add_5);
                  const float add_7 =
                      fmaf(decay_value_2, value[index_18 + 16], value[index_18 + 20]);
                  const float add_8 =
                      fmaf(decay_value_3, value[index_18 + 24], value[index_18 + 28]);
                  concatenate_4 = fmaf(mul_2, add_6, fmaf(mul_1, add_7, add_8));
                } else {
                  // recurrence
                  float pad_5 = 0.0f;
                  if ((j + 2) / 16 >= 2 && (j + 2) / 16 % 2 == 0) {
                    float concatenate_5;
                    if ((j + 2) / 32 < 2) {
                      concatenate_5 = add_in[index_1];
                    } else {
                      const float add_1_value_1 = add_1_in[i * 64 + (j + 2) / 32 * 4 + k - 8];
                      concatenate_5 = fmaf(mul[index_2 - 8], add_1_value_1, add_in[index_2 - 8]);
                    }
                    pad_5 = concatenate_5;
                  }
                  const float pad_6 = (j + 2) / 16 >= 3 && ((j + 2) / 16 + 1) % 2 == 0
                                          ? add_1_in[i * 64 + (j + 18) / 32 * 4 + k - 8]
                                          : 0.0f;

                  // after
                  const float decay_value_5 = decay[index_26 - 60];
                  const float decay_value_6 = decay[index_26 - 52];
                  const float mul_3 = decay[index_26 - 56] * decay_value_6;
                  const float decay_value_7 = decay[index_26 - 44];
                  const float decay_value_8 = decay[index_26 - 36];
                  const float mul_4 = decay[index_26 - 40] * decay_value_8;
                  const float mul_5 = decay[index_26 - 48] * decay_value_7 * mul_4;
                  const float mul_6 = decay[index_26 - 64] * decay_value_5 * mul_3 * mul_5;
                  const float add_9 =
                      fmaf(decay_value_5, value[index_26 - 64], value[index_26 - 60]);
                  const float add_10 =
                      fmaf(decay_value_6, value[index_26 - 56], value[index_26 - 52]);
                  const float add_11 =
                      fmaf(decay_value_7, value[index_26 - 48], value[index_26 - 44]);
                  const float add_12 =
                      fmaf(decay_value_8, value[index_26 - 40], value[index_26 - 36]);
                  const float add_13 =
                      fmaf(mul_5, fmaf(mul_3, add_9, add_10), fmaf(mul_4, add_11, add_12));
                  concatenate_4 = fmaf(mul_6, pad_5 + pad_6, add_13);
                }
                pad_4 = concatenate_4;
              }
              float pad_7 = 0.0f;
              if ((j + 2) / 8 >= 3 && ((j + 2) / 8 + 1) % 2 == 0) {
                float pad_8 = 0.0f;
                if ((j + 10) / 16 >= 2 && (j + 10) / 16 % 2 == 0) {
                  float concatenate_6;
                  if ((j + 10) / 32 < 2) {
                    concatenate_6 = add_in[index_1];
                  } else {
                    const float add_1_value_2 = add_1_in[i * 64 + (j + 10) / 32 * 4 + k - 8];
                    concatenate_6 = fmaf(mul[index_10 - 8], add_1_value_2, add_in[index_10 - 8]);
                  }
                  pad_8 = concatenate_6;
                }
                const float pad_9 = (j + 10) / 16 >= 3 && ((j + 10) / 16 + 1) % 2 == 0
                                        ? add_1_in[i * 64 + (j + 26) / 32 * 4 + k - 8]
                                        : 0.0f;
                pad_7 = pad_8 + pad_9;
              }

              // after
              const float decay_value_9 = decay[index_22 - 28];
              const float decay_value_10 = decay[index_22 - 20];
              const float mul_7 = decay[index_22 - 24] * decay_value_10;
              const float mul_8 = decay[index_22 - 32] * decay_value_9 * mul_7;
              const float add_14 = fmaf(decay_value_9, value[index_22 - 32], value[index_22 - 28]);
              const float add_15 = fmaf(decay_value_10, value[index_22 - 24], value[index_22 - 20]);
              concatenate_3 = fmaf(mul_8, pad_4 + pad_7, fmaf(mul_7, add_14, add_15));
            }
            pad_3 = concatenate_3;
          }
          float pad_10 = 0.0f;
          if ((j + 2) / 4 >= 3 && ((j + 2) / 4 + 1) % 2 == 0) {
            float pad_11 = 0.0f;
            if ((j + 6) / 8 >= 2 && (j + 6) / 8 % 2 == 0) {
              float concatenate_7;
              if ((j + 6) / 16 < 2) {
                const float decay_value_11 = decay[index_18 + 20];
                const float decay_value_12 = decay[index_18 + 28];
                const float mul_9 = decay[index_18 + 24] * decay_value_12;
                const float mul_10 = decay[index_18 + 16] * decay_value_11 * mul_9;
                const float decay_value_13 = decay[index_18 + 12];
                const float add_16 =
                    fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
                const float add_17 =
                    fmaf(decay_value_13, value[index_18 + 8], value[index_18 + 12]);
                const float add_18 = fmaf(decay[index_18 + 8] * decay_value_13, add_16, add_17);
                const float add_19 =
                    fmaf(decay_value_11, value[index_18 + 16], value[index_18 + 20]);
                const float add_20 =
                    fmaf(decay_value_12, value[index_18 + 24], value[index_18 + 28]);
                concatenate_7 = fmaf(mul_10, add_18, fmaf(mul_9, add_19, add_20));
              } else {
                // recurrence
                float pad_12 = 0.0f;
                if ((j + 6) / 16 >= 2 && (j + 6) / 16 % 2 == 0) {
                  float concatenate_8;
                  if ((j + 6) / 32 < 2) {
                    concatenate_8 = add_in[index_1];
                  } else {
                    const float add_1_value_3 = add_1_in[i * 64 + (j + 6) / 32 * 4 + k - 8];
                    concatenate_8 = fmaf(mul[index_6 - 8], add_1_value_3, add_in[index_6 - 8]);
                  }
                  pad_12 = concatenate_8;
                }
                const float pad_13 = (j + 6) / 16 >= 3 && ((j + 6) / 16 + 1) % 2 == 0
                                         ? add_1_in[i * 64 + (j + 22) / 32 * 4 + k - 8]
                                         : 0.0f;

                // after
                const float decay_value_14 = decay[index_30 - 60];
                const float decay_value_15 = decay[index_30 - 52];
                const float mul_11 = decay[index_30 - 56] * decay_value_15;
                const float decay_value_16 = decay[index_30 - 44];
                const float decay_value_17 = decay[index_30 - 36];
                const float mul_12 = decay[index_30 - 40] * decay_value_17;
                const float mul_13 = decay[index_30 - 48] * decay_value_16 * mul_12;
                const float mul_14 = decay[index_30 - 64] * decay_value_14 * mul_11 * mul_13;
                const float add_21 =
                    fmaf(decay_value_14, value[index_30 - 64], value[index_30 - 60]);
                const float add_22 =
                    fmaf(decay_value_15, value[index_30 - 56], value[index_30 - 52]);
                const float add_23 =
                    fmaf(decay_value_16, value[index_30 - 48], value[index_30 - 44]);
                const float add_24 =
                    fmaf(decay_value_17, value[index_30 - 40], value[index_30 - 36]);
                const float add_25 =
                    fmaf(mul_13, fmaf(mul_11, add_21, add_22), fmaf(mul_12, add_23, add_24));
                concatenate_7 = fmaf(mul_14, pad_12 + pad_13, add_25);
              }
              pad_11 = concatenate_7;
            }
            float pad_14 = 0.0f;
            if ((j + 6) / 8 >= 3 && ((j + 6) / 8 + 1) % 2 == 0) {
              float pad_15 = 0.0f;
              if ((j + 14) / 16 >= 2 && (j + 14) / 16 % 2 == 0) {
                float concatenate_9;
                if ((j + 14) / 32 < 2) {
                  concatenate_9 = add_in[index_1];
                } else {
                  const float add_1_value_4 = add_1_in[i * 64 + (j + 14) / 32 * 4 + k - 8];
                  concatenate_9 = fmaf(mul[index_14 - 8], add_1_value_4, add_in[index_14 - 8]);
                }
                pad_15 = concatenate_9;
              }
              const float pad_16 = (j + 14) / 16 >= 3 && ((j + 14) / 16 + 1) % 2 == 0
                                       ? add_1_in[i * 64 + (j + 30) / 32 * 4 + k - 8]
                                       : 0.0f;
              pad_14 = pad_15 + pad_16;
            }
            pad_10 = pad_11 + pad_14;
          }

          // after
          const float decay_value_18 = decay[index_20 - 12];
          const float add_26 = fmaf(decay_value_18, value[index_20 - 16], value[index_20 - 12]);
          concatenate_2 = fmaf(decay[index_20 - 16] * decay_value_18, pad_3 + pad_10, add_26);
        }
        pad_2 = concatenate_2;
      }
      float pad_17 = 0.0f;
      if (j / 2 >= 2 && j / 2 % 2 == 0) {
        float pad_18 = 0.0f;
        if (j / 4 >= 1 && (j / 4 + 1) % 2 == 0) {
          float concatenate_10;
          if ((j + 4) / 8 < 2) {
            const float decay_value_19 = decay[index_18 + 12];
            const float add_27 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
            const float add_28 = fmaf(decay_value_19, value[index_18 + 8], value[index_18 + 12]);
            concatenate_10 = fmaf(decay[index_18 + 8] * decay_value_19, add_27, add_28);
          } else {
            // recurrence
            float pad_19 = 0.0f;
            if ((j + 4) / 8 >= 2 && (j + 4) / 8 % 2 == 0) {
              float concatenate_11;
              if ((j + 4) / 16 < 2) {
                const float decay_value_20 = decay[index_18 + 20];
                const float decay_value_21 = decay[index_18 + 28];
                const float mul_15 = decay[index_18 + 24] * decay_value_21;
                const float mul_16 = decay[index_18 + 16] * decay_value_20 * mul_15;
                const float decay_value_22 = decay[index_18 + 12];
                const float add_29 =
                    fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
                const float add_30 =
                    fmaf(decay_value_22, value[index_18 + 8], value[index_18 + 12]);
                const float add_31 = fmaf(decay[index_18 + 8] * decay_value_22, add_29, add_30);
                const float add_32 =
                    fmaf(decay_value_20, value[index_18 + 16], value[index_18 + 20]);
                const float add_33 =
                    fmaf(decay_value_21, value[index_18 + 24], value[index_18 + 28]);
                concatenate_11 = fmaf(mul_16, add_31, fmaf(mul_15, add_32, add_33));
              } else {
                // recurrence
                float pad_20 = 0.0f;
                if ((j + 4) / 16 >= 2 && (j + 4) / 16 % 2 == 0) {
                  float concatenate_12;
                  if ((j + 4) / 32 < 2) {
                    concatenate_12 = add_in[index_1];
                  } else {
                    const float add_1_value_5 = add_1_in[i * 64 + (j + 4) / 32 * 4 + k - 8];
                    concatenate_12 = fmaf(mul[index_4 - 8], add_1_value_5, add_in[index_4 - 8]);
                  }
                  pad_20 = concatenate_12;
                }
                const float pad_21 = (j + 4) / 16 >= 3 && ((j + 4) / 16 + 1) % 2 == 0
                                         ? add_1_in[i * 64 + (j + 20) / 32 * 4 + k - 8]
                                         : 0.0f;

                // after
                const float decay_value_23 = decay[index_28 - 60];
                const float decay_value_24 = decay[index_28 - 52];
                const float mul_17 = decay[index_28 - 56] * decay_value_24;
                const float decay_value_25 = decay[index_28 - 44];
                const float decay_value_26 = decay[index_28 - 36];
                const float mul_18 = decay[index_28 - 40] * decay_value_26;
                const float mul_19 = decay[index_28 - 48] * decay_value_25 * mul_18;
                const float mul_20 = decay[index_28 - 64] * decay_value_23 * mul_17 * mul_19;
                const float add_34 =
                    fmaf(decay_value_23, value[index_28 - 64], value[index_28 - 60]);
                const float add_35 =
                    fmaf(decay_value_24, value[index_28 - 56], value[index_28 - 52]);
                const float add_36 =
                    fmaf(decay_value_25, value[index_28 - 48], value[index_28 - 44]);
                const float add_37 =
                    fmaf(decay_value_26, value[index_28 - 40], value[index_28 - 36]);
                const float add_38 =
                    fmaf(mul_19, fmaf(mul_17, add_34, add_35), fmaf(mul_18, add_36, add_37));
                concatenate_11 = fmaf(mul_20, pad_20 + pad_21, add_38);
              }
              pad_19 = concatenate_11;
            }
            float pad_22 = 0.0f;
            if ((j + 4) / 8 >= 3 && ((j + 4) / 8 + 1) % 2 == 0) {
              float pad_23 = 0.0f;
              if ((j + 12) / 16 >= 2 && (j + 12) / 16 % 2 == 0) {
                float concatenate_13;
                if ((j + 12) / 32 < 2) {
                  concatenate_13 = add_in[index_1];
                } else {
                  const float add_1_value_6 = add_1_in[i * 64 + (j + 12) / 32 * 4 + k - 8];
                  concatenate_13 = fmaf(mul[index_12 - 8], add_1_value_6, add_in[index_12 - 8]);
                }
                pad_23 = concatenate_13;
              }
              const float pad_24 = (j + 12) / 16 >= 3 && ((j + 12) / 16 + 1) % 2 == 0
                                       ? add_1_in[i * 64 + (j + 28) / 32 * 4 + k - 8]
                                       : 0.0f;
              pad_22 = pad_23 + pad_24;
            }

            // after
            const float decay_value_27 = decay[index_24 - 28];
            const float decay_value_28 = decay[index_24 - 20];
            const float mul_21 = decay[index_24 - 24] * decay_value_28;
            const float mul_22 = decay[index_24 - 32] * decay_value_27 * mul_21;
            const float add_39 = fmaf(decay_value_27, value[index_24 - 32], value[index_24 - 28]);
            const float add_40 = fmaf(decay_value_28, value[index_24 - 24], value[index_24 - 20]);
            concatenate_10 = fmaf(mul_22, pad_19 + pad_22, fmaf(mul_21, add_39, add_40));
          }
          pad_18 = concatenate_10;
        }
        float pad_25 = 0.0f;
        if (j / 4 >= 2 && j / 4 % 2 == 0) {
          float pad_26 = 0.0f;
          if (j / 8 >= 1 && (j / 8 + 1) % 2 == 0) {
            float concatenate_14;
            if ((j + 8) / 16 < 2) {
              const float decay_value_29 = decay[index_18 + 20];
              const float decay_value_30 = decay[index_18 + 28];
              const float mul_23 = decay[index_18 + 24] * decay_value_30;
              const float mul_24 = decay[index_18 + 16] * decay_value_29 * mul_23;
              const float decay_value_31 = decay[index_18 + 12];
              const float add_41 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
              const float add_42 = fmaf(decay_value_31, value[index_18 + 8], value[index_18 + 12]);
              const float add_43 = fmaf(decay[index_18 + 8] * decay_value_31, add_41, add_42);
              const float add_44 = fmaf(decay_value_29, value[index_18 + 16], value[index_18 + 20]);
              const float add_45 = fmaf(decay_value_30, value[index_18 + 24], value[index_18 + 28]);
              concatenate_14 = fmaf(mul_24, add_43, fmaf(mul_23, add_44, add_45));
            } else {
              // recurrence
              float pad_27 = 0.0f;
              if ((j + 8) / 16 >= 2 && (j + 8) / 16 % 2 == 0) {
                float concatenate_15;
                if ((j + 8) / 32 < 2) {
                  concatenate_15 = add_in[index_1];
                } else {
                  const float add_1_value_7 = add_1_in[i * 64 + (j + 8) / 32 * 4 + k - 8];
                  concatenate_15 = fmaf(mul[index_8 - 8], add_1_value_7, add_in[index_8 - 8]);
                }
                pad_27 = concatenate_15;
              }
              const float pad_28 = (j + 8) / 16 >= 3 && ((j + 8) / 16 + 1) % 2 == 0
                                       ? add_1_in[i * 64 + (j + 24) / 32 * 4 + k - 8]
                                       : 0.0f;

              // after
              const float decay_value_32 = decay[index_32 - 60];
              const float decay_value_33 = decay[index_32 - 52];
              const float mul_25 = decay[index_32 - 56] * decay_value_33;
              const float decay_value_34 = decay[index_32 - 44];
              const float decay_value_35 = decay[index_32 - 36];
              const float mul_26 = decay[index_32 - 40] * decay_value_35;
              const float mul_27 = decay[index_32 - 48] * decay_value_34 * mul_26;
              const float mul_28 = decay[index_32 - 64] * decay_value_32 * mul_25 * mul_27;
              const float add_46 = fmaf(decay_value_32, value[index_32 - 64], value[index_32 - 60]);
              const float add_47 = fmaf(decay_value_33, value[index_32 - 56], value[index_32 - 52]);
              const float add_48 = fmaf(decay_value_34, value[index_32 - 48], value[index_32 - 44]);
              const float add_49 = fmaf(decay_value_35, value[index_32 - 40], value[index_32 - 36]);
              const float add_50 =
                  fmaf(mul_27, fmaf(mul_25, add_46, add_47), fmaf(mul_26, add_48, add_49));
              concatenate_14 = fmaf(mul_28, pad_27 + pad_28, add_50);
            }
            pad_26 = concatenate_14;
          }
          float pad_29 = 0.0f;
          if (j / 8 >= 2 && j / 8 % 2 == 0) {
            float pad_30 = 0.0f;
            if (j / 16 >= 1 && (j / 16 + 1) % 2 == 0) {
              float concatenate_16;
              if ((j + 16) / 32 < 2) {
                concatenate_16 = add_in[index_1];
              } else {
                const float add_1_value_8 = add_1_in[i * 64 + (j + 16) / 32 * 4 + k - 8];
                concatenate_16 = fmaf(mul[index_16 - 8], add_1_value_8, add_in[index_16 - 8]);
              }
              pad_30 = concatenate_16;
            }
            const float pad_31 =
                j / 16 >= 2 && j / 16 % 2 == 0 ? add_1_in[i * 64 + j / 32 * 4 + k - 4] : 0.0f;
            pad_29 = pad_30 + pad_31;
          }
          pad_25 = pad_26 + pad_29;
        }
        pad_17 = pad_18 + pad_25;
      }
      concatenate_1 = fmaf(decay[index_19], pad_2 + pad_17, value[index_19]);
    }
    pad_1 = concatenate_1;
  }
  float pad_32 = 0.0f;
  if (j >= 1 && (j + 1) % 2 == 0) {
    float pad_33 = 0.0f;
    if ((j + 1) / 2 >= 1 && (j + 1) / 2 < 256 && ((j + 1) / 2 + 1) % 2 == 0) {
      float concatenate_17;
      if ((j + 3) / 4 < 2) {
        concatenate_17 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
      } else {
        // recurrence
        float pad_34 = 0.0f;
        if ((j + 3) / 4 >= 2 && (j + 3) / 4 % 2 == 0) {
          float concatenate_18;
          if ((j + 3) / 8 < 2) {
            const float decay_value_36 = decay[index_18 + 12];
            const float add_51 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
            const float add_52 = fmaf(decay_value_36, value[index_18 + 8], value[index_18 + 12]);
            concatenate_18 = fmaf(decay[index_18 + 8] * decay_value_36, add_51, add_52);
          } else {
            // recurrence
            float pad_35 = 0.0f;
            if ((j + 3) / 8 >= 2 && (j + 3) / 8 % 2 == 0) {
              float concatenate_19;
              if ((j + 3) / 16 < 2) {
                const float decay_value_37 = decay[index_18 + 20];
                const float decay_value_38 = decay[index_18 + 28];
                const float mul_29 = decay[index_18 + 24] * decay_value_38;
                const float mul_30 = decay[index_18 + 16] * decay_value_37 * mul_29;
                const float decay_value_39 = decay[index_18 + 12];
                const float add_53 =
                    fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
                const float add_54 =
                    fmaf(decay_value_39, value[index_18 + 8], value[index_18 + 12]);
                const float add_55 = fmaf(decay[index_18 + 8] * decay_value_39, add_53, add_54);
                const float add_56 =
                    fmaf(decay_value_37, value[index_18 + 16], value[index_18 + 20]);
                const float add_57 =
                    fmaf(decay_value_38, value[index_18 + 24], value[index_18 + 28]);
                concatenate_19 = fmaf(mul_30, add_55, fmaf(mul_29, add_56, add_57));
              } else {
                // recurrence
                float pad_36 = 0.0f;
                if ((j + 3) / 16 >= 2 && (j + 3) / 16 % 2 == 0) {
                  float concatenate_20;
                  if ((j + 3) / 32 < 2) {
                    concatenate_20 = add_in[index_1];
                  } else {
                    const float add_1_value_9 = add_1_in[i * 64 + (j + 3) / 32 * 4 + k - 8];
                    concatenate_20 = fmaf(mul[index_3 - 8], add_1_value_9, add_in[index_3 - 8]);
                  }
                  pad_36 = concatenate_20;
                }
                const float pad_37 = (j + 3) / 16 >= 3 && ((j + 3) / 16 + 1) % 2 == 0
                                         ? add_1_in[i * 64 + (j + 19) / 32 * 4 + k - 8]
                                         : 0.0f;

                // after
                const float decay_value_40 = decay[index_27 - 60];
                const float decay_value_41 = decay[index_27 - 52];
                const float mul_31 = decay[index_27 - 56] * decay_value_41;
                const float decay_value_42 = decay[index_27 - 44];
                const float decay_value_43 = decay[index_27 - 36];
                const float mul_32 = decay[index_27 - 40] * decay_value_43;
                const float mul_33 = decay[index_27 - 48] * decay_value_42 * mul_32;
                const float mul_34 = decay[index_27 - 64] * decay_value_40 * mul_31 * mul_33;
                const float add_58 =
                    fmaf(decay_value_40, value[index_27 - 64], value[index_27 - 60]);
                const float add_59 =
                    fmaf(decay_value_41, value[index_27 - 56], value[index_27 - 52]);
                const float add_60 =
                    fmaf(decay_value_42, value[index_27 - 48], value[index_27 - 44]);
                const float add_61 =
                    fmaf(decay_value_43, value[index_27 - 40], value[index_27 - 36]);
                const float add_62 =
                    fmaf(mul_33, fmaf(mul_31, add_58, add_59), fmaf(mul_32, add_60, add_61));
                concatenate_19 = fmaf(mul_34, pad_36 + pad_37, add_62);
              }
              pad_35 = concatenate_19;
            }
            float pad_38 = 0.0f;
            if ((j + 3) / 8 >= 3 && ((j + 3) / 8 + 1) % 2 == 0) {
              float pad_39 = 0.0f;
              if ((j + 11) / 16 >= 2 && (j + 11) / 16 % 2 == 0) {
                float concatenate_21;
                if ((j + 11) / 32 < 2) {
                  concatenate_21 = add_in[index_1];
                } else {
                  const float add_1_value_10 = add_1_in[i * 64 + (j + 11) / 32 * 4 + k - 8];
                  concatenate_21 = fmaf(mul[index_11 - 8], add_1_value_10, add_in[index_11 - 8]);
                }
                pad_39 = concatenate_21;
              }
              const float pad_40 = (j + 11) / 16 >= 3 && ((j + 11) / 16 + 1) % 2 == 0
                                       ? add_1_in[i * 64 + (j + 27) / 32 * 4 + k - 8]
                                       : 0.0f;
              pad_38 = pad_39 + pad_40;
            }

            // after
            const float decay_value_44 = decay[index_23 - 28];
            const float decay_value_45 = decay[index_23 - 20];
            const float mul_35 = decay[index_23 - 24] * decay_value_45;
            const float mul_36 = decay[index_23 - 32] * decay_value_44 * mul_35;
            const float add_63 = fmaf(decay_value_44, value[index_23 - 32], value[index_23 - 28]);
            const float add_64 = fmaf(decay_value_45, value[index_23 - 24], value[index_23 - 20]);
            concatenate_18 = fmaf(mul_36, pad_35 + pad_38, fmaf(mul_35, add_63, add_64));
          }
          pad_34 = concatenate_18;
        }
        float pad_41 = 0.0f;
        if ((j + 3) / 4 >= 3 && ((j + 3) / 4 + 1) % 2 == 0) {
          float pad_42 = 0.0f;
          if ((j + 7) / 8 >= 2 && (j + 7) / 8 % 2 == 0) {
            float concatenate_22;
            if ((j + 7) / 16 < 2) {
              const float decay_value_46 = decay[index_18 + 20];
              const float decay_value_47 = decay[index_18 + 28];
              const float mul_37 = decay[index_18 + 24] * decay_value_47;
              const float mul_38 = decay[index_18 + 16] * decay_value_46 * mul_37;
              const float decay_value_48 = decay[index_18 + 12];
              const float add_65 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
              const float add_66 = fmaf(decay_value_48, value[index_18 + 8], value[index_18 + 12]);
              const float add_67 = fmaf(decay[index_18 + 8] * decay_value_48, add_65, add_66);
              const float add_68 = fmaf(decay_value_46, value[index_18 + 16], value[index_18 + 20]);
              const float add_69 = fmaf(decay_value_47, value[index_18 + 24], value[index_18 + 28]);
              concatenate_22 = fmaf(mul_38, add_67, fmaf(mul_37, add_68, add_69));
            } else {
              // recurrence
              float pad_43 = 0.0f;
              if ((j + 7) / 16 >= 2 && (j + 7) / 16 % 2 == 0) {
                float concatenate_23;
                if ((j + 7) / 32 < 2) {
                  concatenate_23 = add_in[index_1];
                } else {
                  const float add_1_value_11 = add_1_in[i * 64 + (j + 7) / 32 * 4 + k - 8];
                  concatenate_23 = fmaf(mul[index_7 - 8], add_1_value_11, add_in[index_7 - 8]);
                }
                pad_43 = concatenate_23;
              }
              const float pad_44 = (j + 7) / 16 >= 3 && ((j + 7) / 16 + 1) % 2 == 0
                                       ? add_1_in[i * 64 + (j + 23) / 32 * 4 + k - 8]
                                       : 0.0f;

              // after
              const float decay_value_49 = decay[index_31 - 60];
              const float decay_value_50 = decay[index_31 - 52];
              const float mul_39 = decay[index_31 - 56] * decay_value_50;
              const float decay_value_51 = decay[index_31 - 44];
              const float decay_value_52 = decay[index_31 - 36];
              const float mul_40 = decay[index_31 - 40] * decay_value_52;
              const float mul_41 = decay[index_31 - 48] * decay_value_51 * mul_40;
              const float mul_42 = decay[index_31 - 64] * decay_value_49 * mul_39 * mul_41;
              const float add_70 = fmaf(decay_value_49, value[index_31 - 64], value[index_31 - 60]);
              const float add_71 = fmaf(decay_value_50, value[index_31 - 56], value[index_31 - 52]);
              const float add_72 = fmaf(decay_value_51, value[index_31 - 48], value[index_31 - 44]);
              const float add_73 = fmaf(decay_value_52, value[index_31 - 40], value[index_31 - 36]);
              const float add_74 =
                  fmaf(mul_41, fmaf(mul_39, add_70, add_71), fmaf(mul_40, add_72, add_73));
              concatenate_22 = fmaf(mul_42, pad_43 + pad_44, add_74);
            }
            pad_42 = concatenate_22;
          }
          float pad_45 = 0.0f;
          if ((j + 7) / 8 >= 3 && ((j + 7) / 8 + 1) % 2 == 0) {
            float pad_46 = 0.0f;
            if ((j + 15) / 16 >= 2 && (j + 15) / 16 % 2 == 0) {
              float concatenate_24;
              if ((j + 15) / 32 < 2) {
                concatenate_24 = add_in[index_1];
              } else {
                const float add_1_value_12 = add_1_in[i * 64 + (j + 15) / 32 * 4 + k - 8];
                concatenate_24 = fmaf(mul[index_15 - 8], add_1_value_12, add_in[index_15 - 8]);
              }
              pad_46 = concatenate_24;
            }
            const float pad_47 = (j + 15) / 16 >= 3 && ((j + 15) / 16 + 1) % 2 == 0
                                     ? add_1_in[i * 64 + (j + 31) / 32 * 4 + k - 8]
                                     : 0.0f;
            pad_45 = pad_46 + pad_47;
          }
          pad_41 = pad_42 + pad_45;
        }

        // after
        const float decay_value_53 = decay[index_21 - 12];
        const float add_75 = fmaf(decay_value_53, value[index_21 - 16], value[index_21 - 12]);
        concatenate_17 = fmaf(decay[index_21 - 16] * decay_value_53, pad_34 + pad_41, add_75);
      }
      pad_33 = concatenate_17;
    }
    float pad_48 = 0.0f;
    if ((j + 1) / 2 >= 2 && (j + 1) / 2 % 2 == 0) {
      float pad_49 = 0.0f;
      if ((j + 1) / 4 >= 1 && (j + 1) / 4 < 128 && ((j + 1) / 4 + 1) % 2 == 0) {
        float concatenate_25;
        if ((j + 5) / 8 < 2) {
          const float decay_value_54 = decay[index_18 + 12];
          const float add_76 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
          const float add_77 = fmaf(decay_value_54, value[index_18 + 8], value[index_18 + 12]);
          concatenate_25 = fmaf(decay[index_18 + 8] * decay_value_54, add_76, add_77);
        } else {
          // recurrence
          float pad_50 = 0.0f;
          if ((j + 5) / 8 >= 2 && (j + 5) / 8 % 2 == 0) {
            float concatenate_26;
            if ((j + 5) / 16 < 2) {
              const float decay_value_55 = decay[index_18 + 20];
              const float decay_value_56 = decay[index_18 + 28];
              const float mul_43 = decay[index_18 + 24] * decay_value_56;
              const float mul_44 = decay[index_18 + 16] * decay_value_55 * mul_43;
              const float decay_value_57 = decay[index_18 + 12];
              const float add_78 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
              const float add_79 = fmaf(decay_value_57, value[index_18 + 8], value[index_18 + 12]);
              const float add_80 = fmaf(decay[index_18 + 8] * decay_value_57, add_78, add_79);
              const float add_81 = fmaf(decay_value_55, value[index_18 + 16], value[index_18 + 20]);
              const float add_82 = fmaf(decay_value_56, value[index_18 + 24], value[index_18 + 28]);
              concatenate_26 = fmaf(mul_44, add_80, fmaf(mul_43, add_81, add_82));
            } else {
              // recurrence
              float pad_51 = 0.0f;
              if ((j + 5) / 16 >= 2 && (j + 5) / 16 % 2 == 0) {
                float concatenate_27;
                if ((j + 5) / 32 < 2) {
                  concatenate_27 = add_in[index_1];
                } else {
                  const float add_1_value_13 = add_1_in[i * 64 + (j + 5) / 32 * 4 + k - 8];
                  concatenate_27 = fmaf(mul[index_5 - 8], add_1_value_13, add_in[index_5 - 8]);
                }
                pad_51 = concatenate_27;
              }
              const float pad_52 = (j + 5) / 16 >= 3 && ((j + 5) / 16 + 1) % 2 == 0
                                       ? add_1_in[i * 64 + (j + 21) / 32 * 4 + k - 8]
                                       : 0.0f;

              // after
              const float decay_value_58 = decay[index_29 - 60];
              const float decay_value_59 = decay[index_29 - 52];
              const float mul_45 = decay[index_29 - 56] * decay_value_59;
              const float decay_value_60 = decay[index_29 - 44];
              const float decay_value_61 = decay[index_29 - 36];
              const float mul_46 = decay[index_29 - 40] * decay_value_61;
              const float mul_47 = decay[index_29 - 48] * decay_value_60 * mul_46;
              const float mul_48 = decay[index_29 - 64] * decay_value_58 * mul_45 * mul_47;
              const float add_83 = fmaf(decay_value_58, value[index_29 - 64], value[index_29 - 60]);
              const float add_84 = fmaf(decay_value_59, value[index_29 - 56], value[index_29 - 52]);
              const float add_85 = fmaf(decay_value_60, value[index_29 - 48], value[index_29 - 44]);
              const float add_86 = fmaf(decay_value_61, value[index_29 - 40], value[index_29 - 36]);
              const float add_87 =
                  fmaf(mul_47, fmaf(mul_45, add_83, add_84), fmaf(mul_46, add_85, add_86));
              concatenate_26 = fmaf(mul_48, pad_51 + pad_52, add_87);
            }
            pad_50 = concatenate_26;
          }
          float pad_53 = 0.0f;
          if ((j + 5) / 8 >= 3 && ((j + 5) / 8 + 1) % 2 == 0) {
            float pad_54 = 0.0f;
            if ((j + 13) / 16 >= 2 && (j + 13) / 16 % 2 == 0) {
              float concatenate_28;
              if ((j + 13) / 32 < 2) {
                concatenate_28 = add_in[index_1];
              } else {
                const float add_1_value_14 = add_1_in[i * 64 + (j + 13) / 32 * 4 + k - 8];
                concatenate_28 = fmaf(mul[index_13 - 8], add_1_value_14, add_in[index_13 - 8]);
              }
              pad_54 = concatenate_28;
            }
            const float pad_55 = (j + 13) / 16 >= 3 && ((j + 13) / 16 + 1) % 2 == 0
                                     ? add_1_in[i * 64 + (j + 29) / 32 * 4 + k - 8]
                                     : 0.0f;
            pad_53 = pad_54 + pad_55;
          }

          // after
          const float decay_value_62 = decay[index_25 - 28];
          const float decay_value_63 = decay[index_25 - 20];
          const float mul_49 = decay[index_25 - 24] * decay_value_63;
          const float mul_50 = decay[index_25 - 32] * decay_value_62 * mul_49;
          const float add_88 = fmaf(decay_value_62, value[index_25 - 32], value[index_25 - 28]);
          const float add_89 = fmaf(decay_value_63, value[index_25 - 24], value[index_25 - 20]);
          concatenate_25 = fmaf(mul_50, pad_50 + pad_53, fmaf(mul_49, add_88, add_89));
        }
        pad_49 = concatenate_25;
      }
      float pad_56 = 0.0f;
      if ((j + 1) / 4 >= 2 && (j + 1) / 4 % 2 == 0) {
        float pad_57 = 0.0f;
        if ((j + 1) / 8 >= 1 && (j + 1) / 8 < 64 && ((j + 1) / 8 + 1) % 2 == 0) {
          float concatenate_29;
          if ((j + 9) / 16 < 2) {
            const float decay_value_64 = decay[index_18 + 20];
            const float decay_value_65 = decay[index_18 + 28];
            const float mul_51 = decay[index_18 + 24] * decay_value_65;
            const float mul_52 = decay[index_18 + 16] * decay_value_64 * mul_51;
            const float decay_value_66 = decay[index_18 + 12];
            const float add_90 = fmaf(decay[index_18 + 4], value[index_18], value[index_18 + 4]);
            const float add_91 = fmaf(decay_value_66, value[index_18 + 8], value[index_18 + 12]);
            const float add_92 = fmaf(decay[index_18 + 8] * decay_value_66, add_90, add_91);
            const float add_93 = fmaf(decay_value_64, value[index_18 + 16], value[index_18 + 20]);
            const float add_94 = fmaf(decay_value_65, value[index_18 + 24], value[index_18 + 28]);
            concatenate_29 = fmaf(mul_52, add_92, fmaf(mul_51, add_93, add_94));
          } else {
            // recurrence
            float pad_58 = 0.0f;
            if ((j + 9) / 16 >= 2 && (j + 9) / 16 % 2 == 0) {
              float concatenate_30;
              if ((j + 9) / 32 < 2) {
                concatenate_30 = add_in[index_1];
              } else {
                const float add_1_value_15 = add_1_in[i * 64 + (j + 9) / 32 * 4 + k - 8];
                concatenate_30 = fmaf(mul[index_9 - 8], add_1_value_15, add_in[index_9 - 8]);
              }
              pad_58 = concatenate_30;
            }
            const float pad_59 = (j + 9) / 16 >= 3 && ((j + 9) / 16 + 1) % 2 == 0
                                     ? add_1_in[i * 64 + (j + 25) / 32 * 4 + k - 8]
                                     : 0.0f;

            // after
            const float decay_value_67 = decay[index_33 - 60];
            const float decay_value_68 = decay[index_33 - 52];
            const float mul_53 = decay[index_33 - 56] * decay_value_68;
            const float decay_value_69 = decay[index_33 - 44];
            const float decay_value_70 = decay[index_33 - 36];
            const float mul_54 = decay[index_33 - 40] * decay_value_70;
            const float mul_55 = decay[index_33 - 48] * decay_value_69 * mul_54;
            const float mul_56 = decay[index_33 - 64] * decay_value_67 * mul_53 * mul_55;
            const float add_95 = fmaf(decay_value_67, value[index_33 - 64], value[index_33 - 60]);
            const float add_96 = fmaf(decay_value_68, value[index_33 - 56], value[index_33 - 52]);
            const float add_97 = fmaf(decay_value_69, value[index_33 - 48], value[index_33 - 44]);
            const float add_98 = fmaf(decay_value_70, value[index_33 - 40], value[index_33 - 36]);
            const float add_99 =
                fmaf(mul_55, fmaf(mul_53, add_95, add_96), fmaf(mul_54, add_97, add_98));
            concatenate_29 = fmaf(mul_56, pad_58 + pad_59, add_99);
          }
          pad_57 = concatenate_29;
        }
        float pad_60 = 0.0f;
        if ((j + 1) / 8 >= 2 && (j + 1) / 8 % 2 == 0) {
          float pad_61 = 0.0f;
          if ((j + 1) / 16 >= 1 && (j + 1) / 16 < 32 && ((j + 1) / 16 + 1) % 2 == 0) {
            float concatenate_31;
            if ((j + 17) / 32 < 2) {
              concatenate_31 = add_in[index_1];
            } else {
              const float add_1_value_16 = add_1_in[i * 64 + (j + 17) / 32 * 4 + k - 8];
              concatenate_31 = fmaf(mul[index_17 - 8], add_1_value_16, add_in[index_17 - 8]);
            }
            pad_61 = concatenate_31;
          }
          const float pad_62 = (j + 1) / 16 >= 2 && (j + 1) / 16 % 2 == 0
                                   ? add_1_in[i * 64 + (j + 1) / 32 * 4 + k - 4]
                                   : 0.0f;
          pad_60 = pad_61 + pad_62;
        }
        pad_56 = pad_57 + pad_60;
      }
      pad_48 = pad_49 + pad_56;
    }
    pad_32 = pad_33 + pad_48;
  }

  add_out[element] = pad_1 + pad_32;
}

}  // namespace

cudaError_t
enqueue(const float* decay,
        const float* value,
        const float* add_in,
        const float* mul,
        const float* add_1_in,
        float* add_out,
        cudaStream_t stream) {
  return launch(add_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                decay, value, add_in, mul, add_1_in, add_out);
}

}  // namespace recurrence_kernels::add_2
