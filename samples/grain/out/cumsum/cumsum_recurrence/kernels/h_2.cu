// h_2: multiply, add over f32[8,300].
//
//   in   a           f32[8,300]
//   in   b           f32[8,300]
//   in   compose_4   f32[8,75]
//   in   compose_3   f32[8,75]
//   in   compose_6   f32[8,37]
//   in   compose_5   f32[8,37]
//   in   compose_8   f32[8,18]
//   in   compose_7   f32[8,18]
//   in   h_4         f32[8,9]
//   in   h_3         f32[8,9]
//   out  h           f32[8,300]
//
//   h_7        = pad(concatenate(compose_8[:,0], compose_9), 0, padding=0_0x0_1_1)
//   h_9        = pad(h_8, 0, padding=0_0x1_0_1)
//   compose_10 = compose_5[:,2:37:2] * (h_7 + h_9) + compose_6[:,2:37:2]
//   h_6        = pad(concatenate(compose_6[:,0], compose_10), 0, padding=0_0x0_0_1)
//   h_10       = pad(h_7 + h_9, 0, padding=0_0x1_1_1)
//   compose_11 = compose_3[:,2:75:2] * (h_6 + h_10) + compose_4[:,2:75:2]
//   h_5        = pad(concatenate(compose_4[:,0], compose_11), 0, padding=0_0x0_0_1)
//   h_11       = pad(h_6 + h_10, 0, padding=0_0x1_1_1)
//   compose_12 = (a[:,0:299:2] * a[:,1:300:2])[:,2:150:2] * (h_5 + h_11)[:,0:74]
//   h_14       = concatenate(compose[:,0], compose_12 + compose[:,2:150:2]), dimensions={1}
//   h_2        = pad(h_14, 0, padding=0_0x0_1_1)
//   h_12       = pad(h_5 + h_11, 0, padding=0_0x1_0_1)
//   h_15       = concatenate(b[:,0], a[:,2:300:2] * (h_2 + h_12)[:,0:149] + b[:,2:300:2]),
//                dimensions={1}
//   h_1        = pad(h_15, 0, padding=0_0x0_1_1)
//   h_13       = pad(h_2 + h_12, 0, padding=0_0x1_0_1)
//   h          = h_1 + h_13
//   Not shown: compose, h_8, compose_9.
//
// 75 blocks of 32 threads. Reads 28.1 kB, writes 9.6 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace cumsum_recurrence_kernels::h_2 {
namespace {

constexpr int kRows = 8;
constexpr int kColumns = 300;
constexpr int kElements = kRows * kColumns;  // 2400
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
h_2(const float* __restrict__ a,
    const float* __restrict__ b,
    const float* __restrict__ compose_4,
    const float* __restrict__ compose_3,
    const float* __restrict__ compose_6,
    const float* __restrict__ compose_5,
    const float* __restrict__ compose_8,
    const float* __restrict__ compose_7,
    const float* __restrict__ h_4,
    const float* __restrict__ h_3,
    float* __restrict__ h) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const int index_1 = row * 9 + column / 32;
  const int index_2 = row * 9 + (column + 1) / 32;
  const int index_3 = row * 9 + (column + 2) / 32;
  const int index_4 = row * 9 + (column + 3) / 32;
  const int index_5 = row * 9 + (column + 4) / 32;
  const int index_6 = row * 9 + (column + 5) / 32;
  const int index_7 = row * 9 + (column + 6) / 32;
  const int index_8 = row * 9 + (column + 7) / 32;
  const int index_9 = row * 9 + (column + 8) / 32;
  const int index_10 = row * 9 + (column + 9) / 32;
  const int index_11 = row * 9 + (column + 10) / 32;
  const int index_12 = row * 9 + (column + 11) / 32;
  const int index_13 = row * 9 + (column + 12) / 32;
  const int index_14 = row * 9 + (column + 13) / 32;
  const int index_15 = row * 9 + (column + 14) / 32;
  const int index_16 = row * 9 + (column + 15) / 32;
  const int index_17 = row * 9 + (column + 16) / 32;
  const int index_18 = row * 9 + (column + 17) / 32;
  const int index_19 = row * 9 + (column + 18) / 32;
  const int index_20 = row * 9 + (column + 19) / 32;
  const int index_21 = row * 9 + (column + 20) / 32;
  const int index_22 = row * 9 + (column + 21) / 32;
  const int index_23 = row * 9 + (column + 22) / 32;
  const int index_24 = row * 9 + (column + 23) / 32;
  const int index_25 = row * 9 + (column + 24) / 32;
  const int index_26 = row * 9 + (column + 25) / 32;
  const int index_27 = row * 9 + (column + 26) / 32;
  const int index_28 = row * 9 + (column + 27) / 32;
  const int index_29 = row * 9 + (column + 28) / 32;
  const int index_30 = row * 9 + (column + 29) / 32;
  const int index_31 = row * 9 + (column + 30) / 32;
  const int index_32 = row * 9 + (column + 31) / 32;
  const int index_33 = row * 37 + (column + 2) / 16 * 2;
  const int index_34 = row * 37 + (column + 3) / 16 * 2;
  const int index_35 = row * 37 + (column + 4) / 16 * 2;
  const int index_36 = row * 37 + (column + 5) / 16 * 2;
  const int index_37 = row * 37 + (column + 6) / 16 * 2;
  const int index_38 = row * 37 + (column + 7) / 16 * 2;
  const int index_39 = row * 37 + (column + 8) / 16 * 2;
  const int index_40 = row * 37 + (column + 9) / 16 * 2;
  const int index_41 = row * 75 + (column + 2) / 4;
  const int index_42 = row * 75 + (column + 3) / 4;
  const int index_43 = row * 75 + (column + 2) / 8 * 2;
  const int index_44 = row * 75 + (column + 3) / 8 * 2;
  const int index_45 = row * 75 + (column + 4) / 8 * 2;
  const int index_46 = row * 75 + (column + 5) / 8 * 2;
  const int index_47 = row * 150 + column / 2;
  float h_1 = 0.0f;
  if (column < kColumns - 1 && column % 2 == 0) {
    if (column / 2 == 0) {
      h_1 = b[row * 300];
    } else {
      float h_2_1 = 0.0f;
      if ((column / 2 + 1) % 2 == 0) {
        if ((column + 2) / 4 < 2) {
          h_2_1 = fmaf(a[row * 300 + 1], b[row * 300], b[row * 300 + 1]);
        } else {
          float h_5_1 = 0.0f;
          if ((column + 2) / 4 % 2 == 0) {
            if ((column + 2) / 8 < 2) {
              h_5_1 = compose_4[row * 75];
            } else {
              float h_6_1 = 0.0f;
              if ((column + 2) / 8 % 2 == 0) {
                if ((column + 2) / 16 < 2) {
                  h_6_1 = compose_6[row * 37];
                } else {
                  float h_7_1 = 0.0f;
                  if ((column + 2) / 16 % 2 == 0) {
                    if ((column + 2) / 32 < 2) {
                      h_7_1 = compose_8[row * 18];
                    } else {
                      const float h_8_1 = h_4[index_3 - 2] + h_3[index_3 - 2];

                      // compose
                      const float compose_7_value_1 = compose_7[index_3 * 2 - 2];
                      const float compose_8_value_1 = compose_8[index_3 * 2 - 2];
                      h_7_1 = fmaf(compose_7_value_1, h_8_1, compose_8_value_1);
                    }
                  }
                  const float h_9_1 = (column + 2) / 16 >= 3 && ((column + 2) / 16 + 1) % 2 == 0
                                          ? h_4[index_19 - 2] + h_3[index_19 - 2]
                                          : 0.0f;
                  h_6_1 = fmaf(compose_5[index_33 - 2], h_7_1 + h_9_1, compose_6[index_33 - 2]);
                }
              }
              float h_10_1 = 0.0f;
              if ((column + 2) / 8 >= 3 && ((column + 2) / 8 + 1) % 2 == 0) {
                float h_7_2 = 0.0f;
                if ((column + 10) / 16 < 19 && (column + 10) / 16 % 2 == 0) {
                  if ((column + 10) / 32 < 2) {
                    h_7_2 = compose_8[row * 18];
                  } else {
                    const float h_8_2 = h_4[index_11 - 2] + h_3[index_11 - 2];

                    // compose
                    const float compose_7_value_2 = compose_7[index_11 * 2 - 2];
                    const float compose_8_value_2 = compose_8[index_11 * 2 - 2];
                    h_7_2 = fmaf(compose_7_value_2, h_8_2, compose_8_value_2);
                  }
                }
                const float h_9_2 = (column + 10) / 16 >= 3 && ((column + 10) / 16 + 1) % 2 == 0
                                        ? h_4[index_27 - 2] + h_3[index_27 - 2]
                                        : 0.0f;
                h_10_1 = h_7_2 + h_9_2;
              }
              h_5_1 = fmaf(compose_3[index_43 - 2], h_6_1 + h_10_1, compose_4[index_43 - 2]);
            }
          }
          float h_11_1 = 0.0f;
          if ((column + 2) / 4 >= 3 && ((column + 2) / 4 + 1) % 2 == 0) {
            float h_6_2 = 0.0f;
            if ((column + 6) / 8 % 2 == 0) {
              if ((column + 6) / 16 < 2) {
                h_6_2 = compose_6[row * 37];
              } else {
                float h_7_3 = 0.0f;
                if ((column + 6) / 16 < 19 && (column + 6) / 16 % 2 == 0) {
                  if ((column + 6) / 32 < 2) {
                    h_7_3 = compose_8[row * 18];
                  } else {
                    const float h_8_3 = h_4[index_7 - 2] + h_3[index_7 - 2];

                    // compose
                    const float compose_7_value_3 = compose_7[index_7 * 2 - 2];
                    const float compose_8_value_3 = compose_8[index_7 * 2 - 2];
                    h_7_3 = fmaf(compose_7_value_3, h_8_3, compose_8_value_3);
                  }
                }
                const float h_9_3 = (column + 6) / 16 >= 3 && ((column + 6) / 16 + 1) % 2 == 0
                                        ? h_4[index_23 - 2] + h_3[index_23 - 2]
                                        : 0.0f;
                h_6_2 = fmaf(compose_5[index_37 - 2], h_7_3 + h_9_3, compose_6[index_37 - 2]);
              }
            }
            float h_10_2 = 0.0f;
            if ((column + 6) / 8 >= 3 && (column + 6) / 8 < 38 && ((column + 6) / 8 + 1) % 2 == 0) {
              float h_7_4 = 0.0f;
              if ((column + 14) / 16 < 19 && (column + 14) / 16 % 2 == 0) {
                if ((column + 14) / 32 < 2) {
                  h_7_4 = compose_8[row * 18];
                } else {
                  const float h_8_4 = h_4[index_15 - 2] + h_3[index_15 - 2];

                  // compose
                  const float compose_7_value_4 = compose_7[index_15 * 2 - 2];
                  const float compose_8_value_4 = compose_8[index_15 * 2 - 2];
                  h_7_4 = fmaf(compose_7_value_4, h_8_4, compose_8_value_4);
                }
              }
              const float h_9_4 = (column + 14) / 16 >= 3 && ((column + 14) / 16 + 1) % 2 == 0
                                      ? h_4[index_31 - 2] + h_3[index_31 - 2]
                                      : 0.0f;
              h_10_2 = h_7_4 + h_9_4;
            }
            h_11_1 = h_6_2 + h_10_2;
          }

          // compose
          const float a_value_1 = a[index_41 * 4 - 3];
          const float compose_1 = fmaf(a_value_1, b[index_41 * 4 - 4], b[index_41 * 4 - 3]);
          h_2_1 = fmaf(a[index_41 * 4 - 4] * a_value_1, h_5_1 + h_11_1, compose_1);
        }
      }
      float h_12_1 = 0.0f;
      if (column / 2 >= 2 && column / 2 % 2 == 0) {
        float h_5_2 = 0.0f;
        if ((column / 4 + 1) % 2 == 0) {
          if ((column + 4) / 8 < 2) {
            h_5_2 = compose_4[row * 75];
          } else {
            float h_6_3 = 0.0f;
            if ((column + 4) / 8 % 2 == 0) {
              if ((column + 4) / 16 < 2) {
                h_6_3 = compose_6[row * 37];
              } else {
                float h_7_5 = 0.0f;
                if ((column + 4) / 16 % 2 == 0) {
                  if ((column + 4) / 32 < 2) {
                    h_7_5 = compose_8[row * 18];
                  } else {
                    const float h_8_5 = h_4[index_5 - 2] + h_3[index_5 - 2];

                    // compose
                    const float compose_7_value_5 = compose_7[index_5 * 2 - 2];
                    const float compose_8_value_5 = compose_8[index_5 * 2 - 2];
                    h_7_5 = fmaf(compose_7_value_5, h_8_5, compose_8_value_5);
                  }
                }
                const float h_9_5 = (column + 4) / 16 >= 3 && ((column + 4) / 16 + 1) % 2 == 0
                                        ? h_4[index_21 - 2] + h_3[index_21 - 2]
                                        : 0.0f;
                h_6_3 = fmaf(compose_5[index_35 - 2], h_7_5 + h_9_5, compose_6[index_35 - 2]);
              }
            }
            float h_10_3 = 0.0f;
            if ((column + 4) / 8 >= 3 && ((column + 4) / 8 + 1) % 2 == 0) {
              float h_7_6 = 0.0f;
              if ((column + 12) / 16 < 19 && (column + 12) / 16 % 2 == 0) {
                if ((column + 12) / 32 < 2) {
                  h_7_6 = compose_8[row * 18];
                } else {
                  const float h_8_6 = h_4[index_13 - 2] + h_3[index_13 - 2];

                  // compose
                  const float compose_7_value_6 = compose_7[index_13 * 2 - 2];
                  const float compose_8_value_6 = compose_8[index_13 * 2 - 2];
                  h_7_6 = fmaf(compose_7_value_6, h_8_6, compose_8_value_6);
                }
              }
              const float h_9_6 = (column + 12) / 16 >= 3 && ((column + 12) / 16 + 1) % 2 == 0
                                      ? h_4[index_29 - 2] + h_3[index_29 - 2]
                                      : 0.0f;
              h_10_3 = h_7_6 + h_9_6;
            }
            h_5_2 = fmaf(compose_3[index_45 - 2], h_6_3 + h_10_3, compose_4[index_45 - 2]);
          }
        }
        float h_11_2 = 0.0f;
        if (column / 4 >= 2 && column / 4 % 2 == 0) {
          float h_6_4 = 0.0f;
          if ((column / 8 + 1) % 2 == 0) {
            if ((column + 8) / 16 < 2) {
              h_6_4 = compose_6[row * 37];
            } else {
              float h_7_7 = 0.0f;
              if ((column + 8) / 16 < 19 && (column + 8) / 16 % 2 == 0) {
                if ((column + 8) / 32 < 2) {
                  h_7_7 = compose_8[row * 18];
                } else {
                  const float h_8_7 = h_4[index_9 - 2] + h_3[index_9 - 2];

                  // compose
                  const float compose_7_value_7 = compose_7[index_9 * 2 - 2];
                  const float compose_8_value_7 = compose_8[index_9 * 2 - 2];
                  h_7_7 = fmaf(compose_7_value_7, h_8_7, compose_8_value_7);
                }
              }
              const float h_9_7 = (column + 8) / 16 >= 3 && ((column + 8) / 16 + 1) % 2 == 0
                                      ? h_4[index_25 - 2] + h_3[index_25 - 2]
                                      : 0.0f;
              h_6_4 = fmaf(compose_5[index_39 - 2], h_7_7 + h_9_7, compose_6[index_39 - 2]);
            }
          }
          float h_10_4 = 0.0f;
          if (column / 8 >= 2 && column / 8 < 37 && column / 8 % 2 == 0) {
            float h_7_8 = 0.0f;
            if (column / 16 < 18 && (column / 16 + 1) % 2 == 0) {
              if ((column + 16) / 32 < 2) {
                h_7_8 = compose_8[row * 18];
              } else {
                const float h_8_8 = h_4[index_17 - 2] + h_3[index_17 - 2];

                // compose
                const float compose_7_value_8 = compose_7[index_17 * 2 - 2];
                const float compose_8_value_8 = compose_8[index_17 * 2 - 2];
                h_7_8 = fmaf(compose_7_value_8, h_8_8, compose_8_value_8);
              }
            }
            const float h_9_8 = column / 16 >= 2 && column / 16 % 2 == 0
                                    ? h_4[index_1 - 1] + h_3[index_1 - 1]
                                    : 0.0f;
            h_10_4 = h_7_8 + h_9_8;
          }
          h_11_2 = h_6_4 + h_10_4;
        }
        h_12_1 = h_5_2 + h_11_2;
      }
      h_1 = fmaf(a[index_47 * 2], h_2_1 + h_12_1, b[index_47 * 2]);
    }
  }
  float h_13 = 0.0f;
  if (column >= 1 && (column + 1) % 2 == 0) {
    float h_2_2 = 0.0f;
    if ((column + 1) / 2 < 150 && ((column + 1) / 2 + 1) % 2 == 0) {
      if ((column + 3) / 4 < 2) {
        h_2_2 = fmaf(a[row * 300 + 1], b[row * 300], b[row * 300 + 1]);
      } else {
        float h_5_3 = 0.0f;
        if ((column + 3) / 4 % 2 == 0) {
          if ((column + 3) / 8 < 2) {
            h_5_3 = compose_4[row * 75];
          } else {
            float h_6_5 = 0.0f;
            if ((column + 3) / 8 % 2 == 0) {
              if ((column + 3) / 16 < 2) {
                h_6_5 = compose_6[row * 37];
              } else {
                float h_7_9 = 0.0f;
                if ((column + 3) / 16 % 2 == 0) {
                  if ((column + 3) / 32 < 2) {
                    h_7_9 = compose_8[row * 18];
                  } else {
                    const float h_8_9 = h_4[index_4 - 2] + h_3[index_4 - 2];

                    // compose
                    const float compose_7_value_9 = compose_7[index_4 * 2 - 2];
                    const float compose_8_value_9 = compose_8[index_4 * 2 - 2];
                    h_7_9 = fmaf(compose_7_value_9, h_8_9, compose_8_value_9);
                  }
                }
                const float h_9_9 = (column + 3) / 16 >= 3 && ((column + 3) / 16 + 1) % 2 == 0
                                        ? h_4[index_20 - 2] + h_3[index_20 - 2]
                                        : 0.0f;
                h_6_5 = fmaf(compose_5[index_34 - 2], h_7_9 + h_9_9, compose_6[index_34 - 2]);
              }
            }
            float h_10_5 = 0.0f;
            if ((column + 3) / 8 >= 3 && ((column + 3) / 8 + 1) % 2 == 0) {
              float h_7_10 = 0.0f;
              if ((column + 11) / 16 < 19 && (column + 11) / 16 % 2 == 0) {
                if ((column + 11) / 32 < 2) {
                  h_7_10 = compose_8[row * 18];
                } else {
                  const float h_8_10 = h_4[index_12 - 2] + h_3[index_12 - 2];

                  // compose
                  const float compose_7_value_10 = compose_7[index_12 * 2 - 2];
                  const float compose_8_value_10 = compose_8[index_12 * 2 - 2];
                  h_7_10 = fmaf(compose_7_value_10, h_8_10, compose_8_value_10);
                }
              }
              const float h_9_10 = (column + 11) / 16 >= 3 && ((column + 11) / 16 + 1) % 2 == 0
                                       ? h_4[index_28 - 2] + h_3[index_28 - 2]
                                       : 0.0f;
              h_10_5 = h_7_10 + h_9_10;
            }
            h_5_3 = fmaf(compose_3[index_44 - 2], h_6_5 + h_10_5, compose_4[index_44 - 2]);
          }
        }
        float h_11_3 = 0.0f;
        if ((column + 3) / 4 >= 3 && ((column + 3) / 4 + 1) % 2 == 0) {
          float h_6_6 = 0.0f;
          if ((column + 7) / 8 % 2 == 0) {
            if ((column + 7) / 16 < 2) {
              h_6_6 = compose_6[row * 37];
            } else {
              float h_7_11 = 0.0f;
              if ((column + 7) / 16 < 19 && (column + 7) / 16 % 2 == 0) {
                if ((column + 7) / 32 < 2) {
                  h_7_11 = compose_8[row * 18];
                } else {
                  const float h_8_11 = h_4[index_8 - 2] + h_3[index_8 - 2];

                  // compose
                  const float compose_7_value_11 = compose_7[index_8 * 2 - 2];
                  const float compose_8_value_11 = compose_8[index_8 * 2 - 2];
                  h_7_11 = fmaf(compose_7_value_11, h_8_11, compose_8_value_11);
                }
              }
              const float h_9_11 = (column + 7) / 16 >= 3 && ((column + 7) / 16 + 1) % 2 == 0
                                       ? h_4[index_24 - 2] + h_3[index_24 - 2]
                                       : 0.0f;
              h_6_6 = fmaf(compose_5[index_38 - 2], h_7_11 + h_9_11, compose_6[index_38 - 2]);
            }
          }
          float h_10_6 = 0.0f;
          if ((column + 7) / 8 >= 3 && (column + 7) / 8 < 38 && ((column + 7) / 8 + 1) % 2 == 0) {
            float h_7_12 = 0.0f;
            if ((column + 15) / 16 < 19 && (column + 15) / 16 % 2 == 0) {
              if ((column + 15) / 32 < 2) {
                h_7_12 = compose_8[row * 18];
              } else {
                const float h_8_12 = h_4[index_16 - 2] + h_3[index_16 - 2];

                // compose
                const float compose_7_value_12 = compose_7[index_16 * 2 - 2];
                const float compose_8_value_12 = compose_8[index_16 * 2 - 2];
                h_7_12 = fmaf(compose_7_value_12, h_8_12, compose_8_value_12);
              }
            }
            const float h_9_12 = (column + 15) / 16 >= 3 && ((column + 15) / 16 + 1) % 2 == 0
                                     ? h_4[index_32 - 2] + h_3[index_32 - 2]
                                     : 0.0f;
            h_10_6 = h_7_12 + h_9_12;
          }
          h_11_3 = h_6_6 + h_10_6;
        }

        // compose
        const float a_value_2 = a[index_42 * 4 - 3];
        const float compose_2 = fmaf(a_value_2, b[index_42 * 4 - 4], b[index_42 * 4 - 3]);
        h_2_2 = fmaf(a[index_42 * 4 - 4] * a_value_2, h_5_3 + h_11_3, compose_2);
      }
    }
    float h_12_2 = 0.0f;
    if ((column + 1) / 2 >= 2 && (column + 1) / 2 % 2 == 0) {
      float h_5_4 = 0.0f;
      if (((column + 1) / 4 + 1) % 2 == 0) {
        if ((column + 5) / 8 < 2) {
          h_5_4 = compose_4[row * 75];
        } else {
          float h_6_7 = 0.0f;
          if ((column + 5) / 8 % 2 == 0) {
            if ((column + 5) / 16 < 2) {
              h_6_7 = compose_6[row * 37];
            } else {
              float h_7_13 = 0.0f;
              if ((column + 5) / 16 < 19 && (column + 5) / 16 % 2 == 0) {
                if ((column + 5) / 32 < 2) {
                  h_7_13 = compose_8[row * 18];
                } else {
                  const float h_8_13 = h_4[index_6 - 2] + h_3[index_6 - 2];

                  // compose
                  const float compose_7_value_13 = compose_7[index_6 * 2 - 2];
                  const float compose_8_value_13 = compose_8[index_6 * 2 - 2];
                  h_7_13 = fmaf(compose_7_value_13, h_8_13, compose_8_value_13);
                }
              }
              const float h_9_13 = (column + 5) / 16 >= 3 && ((column + 5) / 16 + 1) % 2 == 0
                                       ? h_4[index_22 - 2] + h_3[index_22 - 2]
                                       : 0.0f;
              h_6_7 = fmaf(compose_5[index_36 - 2], h_7_13 + h_9_13, compose_6[index_36 - 2]);
            }
          }
          float h_10_7 = 0.0f;
          if ((column + 5) / 8 >= 3 && (column + 5) / 8 < 38 && ((column + 5) / 8 + 1) % 2 == 0) {
            float h_7_14 = 0.0f;
            if ((column + 13) / 16 < 19 && (column + 13) / 16 % 2 == 0) {
              if ((column + 13) / 32 < 2) {
                h_7_14 = compose_8[row * 18];
              } else {
                const float h_8_14 = h_4[index_14 - 2] + h_3[index_14 - 2];

                // compose
                const float compose_7_value_14 = compose_7[index_14 * 2 - 2];
                const float compose_8_value_14 = compose_8[index_14 * 2 - 2];
                h_7_14 = fmaf(compose_7_value_14, h_8_14, compose_8_value_14);
              }
            }
            const float h_9_14 = (column + 13) / 16 >= 3 && ((column + 13) / 16 + 1) % 2 == 0
                                     ? h_4[index_30 - 2] + h_3[index_30 - 2]
                                     : 0.0f;
            h_10_7 = h_7_14 + h_9_14;
          }
          h_5_4 = fmaf(compose_3[index_46 - 2], h_6_7 + h_10_7, compose_4[index_46 - 2]);
        }
      }
      float h_11_4 = 0.0f;
      if ((column + 1) / 4 >= 2 && (column + 1) / 4 < 75 && (column + 1) / 4 % 2 == 0) {
        float h_6_8 = 0.0f;
        if (((column + 1) / 8 + 1) % 2 == 0) {
          if ((column + 9) / 16 < 2) {
            h_6_8 = compose_6[row * 37];
          } else {
            float h_7_15 = 0.0f;
            if ((column + 9) / 16 < 19 && (column + 9) / 16 % 2 == 0) {
              if ((column + 9) / 32 < 2) {
                h_7_15 = compose_8[row * 18];
              } else {
                const float h_8_15 = h_4[index_10 - 2] + h_3[index_10 - 2];

                // compose
                const float compose_7_value_15 = compose_7[index_10 * 2 - 2];
                const float compose_8_value_15 = compose_8[index_10 * 2 - 2];
                h_7_15 = fmaf(compose_7_value_15, h_8_15, compose_8_value_15);
              }
            }
            const float h_9_15 = (column + 9) / 16 >= 3 && ((column + 9) / 16 + 1) % 2 == 0
                                     ? h_4[index_26 - 2] + h_3[index_26 - 2]
                                     : 0.0f;
            h_6_8 = fmaf(compose_5[index_40 - 2], h_7_15 + h_9_15, compose_6[index_40 - 2]);
          }
        }
        float h_10_8 = 0.0f;
        if ((column + 1) / 8 >= 2 && (column + 1) / 8 < 37 && (column + 1) / 8 % 2 == 0) {
          float h_7_16 = 0.0f;
          if ((column + 1) / 16 < 18 && ((column + 1) / 16 + 1) % 2 == 0) {
            if ((column + 17) / 32 < 2) {
              h_7_16 = compose_8[row * 18];
            } else {
              const float h_8_16 = h_4[index_18 - 2] + h_3[index_18 - 2];

              // compose
              const float compose_7_value_16 = compose_7[index_18 * 2 - 2];
              const float compose_8_value_16 = compose_8[index_18 * 2 - 2];
              h_7_16 = fmaf(compose_7_value_16, h_8_16, compose_8_value_16);
            }
          }
          const float h_9_16 = (column + 1) / 16 >= 2 && (column + 1) / 16 % 2 == 0
                                   ? h_4[index_2 - 1] + h_3[index_2 - 1]
                                   : 0.0f;
          h_10_8 = h_7_16 + h_9_16;
        }
        h_11_4 = h_6_8 + h_10_8;
      }
      h_12_2 = h_5_4 + h_11_4;
    }
    h_13 = h_2_2 + h_12_2;
  }

  h[element] = h_1 + h_13;
}

}  // namespace

cudaError_t
enqueue(const float* a, const float* b, const float* compose_4, const float* compose_3,
        const float* compose_6, const float* compose_5, const float* compose_8,
        const float* compose_7, const float* h_4, const float* h_3, float* h, cudaStream_t stream) {
  return launch(h_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                a, b, compose_4, compose_3, compose_6, compose_5, compose_8, compose_7, h_4, h_3,
                h);
}

}  // namespace cumsum_recurrence_kernels::h_2
