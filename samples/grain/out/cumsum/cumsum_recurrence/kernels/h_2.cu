// h_2: multiply, add over f32[8,300].
//
//   in   a           f32[8,300]
//   in   b           f32[8,300]
//   in   compose_3   f32[8,75]
//   in   compose_2   f32[8,75]
//   in   compose_5   f32[8,37]
//   in   compose_4   f32[8,37]
//   in   compose_6   f32[8,18]
//   in   compose     f32[8,18]
//   in   h_3         f32[8,9]
//   in   h_2_in      f32[8,9]
//   out  h           f32[8,300]
//
//   h_10       = pad(concatenate(compose_6[:,0], compose_8), 0, padding=0_0x0_1_1)
//   h_13       = pad(h_12, 0, padding=0_0x1_0_1)
//   compose_9  = compose_4[:,2:37:2] * (h_10 + h_13) + compose_5[:,2:37:2]
//   h_8        = pad(concatenate(compose_5[:,0], compose_9), 0, padding=0_0x0_0_1)
//   h_14       = pad(h_10 + h_13, 0, padding=0_0x1_1_1)
//   compose_10 = compose_2[:,2:75:2] * (h_8 + h_14) + compose_3[:,2:75:2]
//   h_6        = pad(concatenate(compose_3[:,0], compose_10), 0, padding=0_0x0_0_1)
//   h_19       = pad(h_8 + h_14, 0, padding=0_0x1_1_1)
//   compose_11 = (a[:,0:299:2] * a[:,1:300:2])[:,2:150:2] * (h_6 + h_19)[:,0:74]
//   h_111      = concatenate(compose_1[:,0], compose_11 + compose_1[:,2:150:2]), dimensions={1}
//   h_4        = pad(h_111, 0, padding=0_0x0_1_1)
//   h_31       = pad(h_6 + h_19, 0, padding=0_0x1_0_1)
//   h_112      = concatenate(b[:,0], a[:,2:300:2] * (h_4 + h_31)[:,0:149] + b[:,2:300:2]),
//                dimensions={1}
//   h_1        = pad(h_112, 0, padding=0_0x0_1_1)
//   h_57       = pad(h_4 + h_31, 0, padding=0_0x1_0_1)
//   h          = h_1 + h_57
//   Not shown: compose_1, h_12, compose_8.
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
    const float* __restrict__ compose_3,
    const float* __restrict__ compose_2,
    const float* __restrict__ compose_5,
    const float* __restrict__ compose_4,
    const float* __restrict__ compose_6,
    const float* __restrict__ compose,
    const float* __restrict__ h_3,
    const float* __restrict__ h_2_in,
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
  if (column < 299) {
    float h_2 = 0.0f;
    if (column % 2 == 0) {
      if (column / 2 == 0) {
        h_2 = b[row * 300];
      } else {
        float h_4 = 0.0f;
        if (column / 2 >= 1) {
          float h_5 = 0.0f;
          if ((column / 2 + 1) % 2 == 0) {
            if ((column + 2) / 4 < 2) {
              h_5 = fmaf(a[row * 300 + 1], b[row * 300], b[row * 300 + 1]);
            } else {
              // recurrence
              float h_6 = 0.0f;
              if ((column + 2) / 4 >= 2) {
                float h_7 = 0.0f;
                if ((column + 2) / 4 % 2 == 0) {
                  if ((column + 2) / 8 < 2) {
                    h_7 = compose_3[row * 75];
                  } else {
                    float h_8 = 0.0f;
                    if ((column + 2) / 8 >= 2) {
                      float h_9 = 0.0f;
                      if ((column + 2) / 8 % 2 == 0) {
                        if ((column + 2) / 16 < 2) {
                          h_9 = compose_5[row * 37];
                        } else {
                          float h_10 = 0.0f;
                          if ((column + 2) / 16 >= 2) {
                            float h_11 = 0.0f;
                            if ((column + 2) / 16 % 2 == 0) {
                              if ((column + 2) / 32 < 2) {
                                h_11 = compose_6[row * 18];
                              } else {
                                // recurrence
                                const float h_12 = h_3[index_3 - 2] + h_2_in[index_3 - 2];

                                // compose
                                const float compose_6_value_1 = compose_6[index_3 * 2 - 2];
                                h_11 = fmaf(compose[index_3 * 2 - 2], h_12, compose_6_value_1);
                              }
                            }
                            h_10 = h_11;
                          }
                          const float h_13 = (column + 2) / 16 >= 3 &&
                                                     ((column + 2) / 16 + 1) % 2 == 0
                                                 ? h_3[index_19 - 2] + h_2_in[index_19 - 2]
                                                 : 0.0f;
                          h_9 = fmaf(compose_4[index_33 - 2], h_10 + h_13, compose_5[index_33 - 2]);
                        }
                      }
                      h_8 = h_9;
                    }
                    float h_14 = 0.0f;
                    if ((column + 2) / 8 >= 3 && ((column + 2) / 8 + 1) % 2 == 0) {
                      float h_15 = 0.0f;
                      if ((column + 10) / 16 >= 2 && (column + 10) / 16 < 19) {
                        float h_16 = 0.0f;
                        if ((column + 10) / 16 % 2 == 0) {
                          if ((column + 10) / 32 < 2) {
                            h_16 = compose_6[row * 18];
                          } else {
                            // recurrence
                            const float h_17 = h_3[index_11 - 2] + h_2_in[index_11 - 2];

                            // compose
                            const float compose_6_value_2 = compose_6[index_11 * 2 - 2];
                            h_16 = fmaf(compose[index_11 * 2 - 2], h_17, compose_6_value_2);
                          }
                        }
                        h_15 = h_16;
                      }
                      const float h_18 = (column + 10) / 16 >= 3 &&
                                                 ((column + 10) / 16 + 1) % 2 == 0
                                             ? h_3[index_27 - 2] + h_2_in[index_27 - 2]
                                             : 0.0f;
                      h_14 = h_15 + h_18;
                    }
                    h_7 = fmaf(compose_2[index_43 - 2], h_8 + h_14, compose_3[index_43 - 2]);
                  }
                }
                h_6 = h_7;
              }
              float h_19 = 0.0f;
              if ((column + 2) / 4 >= 3 && ((column + 2) / 4 + 1) % 2 == 0) {
                float h_20 = 0.0f;
                if ((column + 6) / 8 >= 2) {
                  float h_21 = 0.0f;
                  if ((column + 6) / 8 % 2 == 0) {
                    if ((column + 6) / 16 < 2) {
                      h_21 = compose_5[row * 37];
                    } else {
                      float h_22 = 0.0f;
                      if ((column + 6) / 16 >= 2 && (column + 6) / 16 < 19) {
                        float h_23 = 0.0f;
                        if ((column + 6) / 16 % 2 == 0) {
                          if ((column + 6) / 32 < 2) {
                            h_23 = compose_6[row * 18];
                          } else {
                            // recurrence
                            const float h_24 = h_3[index_7 - 2] + h_2_in[index_7 - 2];

                            // compose
                            const float compose_6_value_3 = compose_6[index_7 * 2 - 2];
                            h_23 = fmaf(compose[index_7 * 2 - 2], h_24, compose_6_value_3);
                          }
                        }
                        h_22 = h_23;
                      }
                      const float h_25 = (column + 6) / 16 >= 3 && ((column + 6) / 16 + 1) % 2 == 0
                                             ? h_3[index_23 - 2] + h_2_in[index_23 - 2]
                                             : 0.0f;
                      h_21 = fmaf(compose_4[index_37 - 2], h_22 + h_25, compose_5[index_37 - 2]);
                    }
                  }
                  h_20 = h_21;
                }
                float h_26 = 0.0f;
                if ((column + 6) / 8 >= 3 && (column + 6) / 8 < 38 &&
                    ((column + 6) / 8 + 1) % 2 == 0) {
                  float h_27 = 0.0f;
                  if ((column + 14) / 16 >= 2 && (column + 14) / 16 < 19) {
                    float h_28 = 0.0f;
                    if ((column + 14) / 16 % 2 == 0) {
                      if ((column + 14) / 32 < 2) {
                        h_28 = compose_6[row * 18];
                      } else {
                        // recurrence
                        const float h_29 = h_3[index_15 - 2] + h_2_in[index_15 - 2];

                        // compose
                        const float compose_6_value_4 = compose_6[index_15 * 2 - 2];
                        h_28 = fmaf(compose[index_15 * 2 - 2], h_29, compose_6_value_4);
                      }
                    }
                    h_27 = h_28;
                  }
                  const float h_30 = (column + 14) / 16 >= 3 && ((column + 14) / 16 + 1) % 2 == 0
                                         ? h_3[index_31 - 2] + h_2_in[index_31 - 2]
                                         : 0.0f;
                  h_26 = h_27 + h_30;
                }
                h_19 = h_20 + h_26;
              }

              // compose
              const float a_value_1 = a[index_41 * 4 - 3];
              const float compose_1 = fmaf(a_value_1, b[index_41 * 4 - 4], b[index_41 * 4 - 3]);
              h_5 = fmaf(a[index_41 * 4 - 4] * a_value_1, h_6 + h_19, compose_1);
            }
          }
          h_4 = h_5;
        }
        float h_31 = 0.0f;
        if (column / 2 >= 2 && column / 2 % 2 == 0) {
          float h_32 = 0.0f;
          if (column / 4 >= 1) {
            float h_33 = 0.0f;
            if ((column / 4 + 1) % 2 == 0) {
              if ((column + 4) / 8 < 2) {
                h_33 = compose_3[row * 75];
              } else {
                float h_34 = 0.0f;
                if ((column + 4) / 8 >= 2) {
                  float h_35 = 0.0f;
                  if ((column + 4) / 8 % 2 == 0) {
                    if ((column + 4) / 16 < 2) {
                      h_35 = compose_5[row * 37];
                    } else {
                      float h_36 = 0.0f;
                      if ((column + 4) / 16 >= 2) {
                        float h_37 = 0.0f;
                        if ((column + 4) / 16 % 2 == 0) {
                          if ((column + 4) / 32 < 2) {
                            h_37 = compose_6[row * 18];
                          } else {
                            // recurrence
                            const float h_38 = h_3[index_5 - 2] + h_2_in[index_5 - 2];

                            // compose
                            const float compose_6_value_5 = compose_6[index_5 * 2 - 2];
                            h_37 = fmaf(compose[index_5 * 2 - 2], h_38, compose_6_value_5);
                          }
                        }
                        h_36 = h_37;
                      }
                      const float h_39 = (column + 4) / 16 >= 3 && ((column + 4) / 16 + 1) % 2 == 0
                                             ? h_3[index_21 - 2] + h_2_in[index_21 - 2]
                                             : 0.0f;
                      h_35 = fmaf(compose_4[index_35 - 2], h_36 + h_39, compose_5[index_35 - 2]);
                    }
                  }
                  h_34 = h_35;
                }
                float h_40 = 0.0f;
                if ((column + 4) / 8 >= 3 && ((column + 4) / 8 + 1) % 2 == 0) {
                  float h_41 = 0.0f;
                  if ((column + 12) / 16 >= 2 && (column + 12) / 16 < 19) {
                    float h_42 = 0.0f;
                    if ((column + 12) / 16 % 2 == 0) {
                      if ((column + 12) / 32 < 2) {
                        h_42 = compose_6[row * 18];
                      } else {
                        // recurrence
                        const float h_43 = h_3[index_13 - 2] + h_2_in[index_13 - 2];

                        // compose
                        const float compose_6_value_6 = compose_6[index_13 * 2 - 2];
                        h_42 = fmaf(compose[index_13 * 2 - 2], h_43, compose_6_value_6);
                      }
                    }
                    h_41 = h_42;
                  }
                  const float h_44 = (column + 12) / 16 >= 3 && ((column + 12) / 16 + 1) % 2 == 0
                                         ? h_3[index_29 - 2] + h_2_in[index_29 - 2]
                                         : 0.0f;
                  h_40 = h_41 + h_44;
                }
                h_33 = fmaf(compose_2[index_45 - 2], h_34 + h_40, compose_3[index_45 - 2]);
              }
            }
            h_32 = h_33;
          }
          float h_45 = 0.0f;
          if (column / 4 >= 2 && column / 4 % 2 == 0) {
            float h_46 = 0.0f;
            if (column / 8 >= 1) {
              float h_47 = 0.0f;
              if ((column / 8 + 1) % 2 == 0) {
                if ((column + 8) / 16 < 2) {
                  h_47 = compose_5[row * 37];
                } else {
                  float h_48 = 0.0f;
                  if ((column + 8) / 16 >= 2 && (column + 8) / 16 < 19) {
                    float h_49 = 0.0f;
                    if ((column + 8) / 16 % 2 == 0) {
                      if ((column + 8) / 32 < 2) {
                        h_49 = compose_6[row * 18];
                      } else {
                        // recurrence
                        const float h_50 = h_3[index_9 - 2] + h_2_in[index_9 - 2];

                        // compose
                        const float compose_6_value_7 = compose_6[index_9 * 2 - 2];
                        h_49 = fmaf(compose[index_9 * 2 - 2], h_50, compose_6_value_7);
                      }
                    }
                    h_48 = h_49;
                  }
                  const float h_51 = (column + 8) / 16 >= 3 && ((column + 8) / 16 + 1) % 2 == 0
                                         ? h_3[index_25 - 2] + h_2_in[index_25 - 2]
                                         : 0.0f;
                  h_47 = fmaf(compose_4[index_39 - 2], h_48 + h_51, compose_5[index_39 - 2]);
                }
              }
              h_46 = h_47;
            }
            float h_52 = 0.0f;
            if (column / 8 >= 2 && column / 8 < 37 && column / 8 % 2 == 0) {
              float h_53 = 0.0f;
              if (column / 16 >= 1 && column / 16 < 18) {
                float h_54 = 0.0f;
                if ((column / 16 + 1) % 2 == 0) {
                  if ((column + 16) / 32 < 2) {
                    h_54 = compose_6[row * 18];
                  } else {
                    // recurrence
                    const float h_55 = h_3[index_17 - 2] + h_2_in[index_17 - 2];

                    // compose
                    const float compose_6_value_8 = compose_6[index_17 * 2 - 2];
                    h_54 = fmaf(compose[index_17 * 2 - 2], h_55, compose_6_value_8);
                  }
                }
                h_53 = h_54;
              }
              const float h_56 = column / 16 >= 2 && column / 16 % 2 == 0
                                     ? h_3[index_1 - 1] + h_2_in[index_1 - 1]
                                     : 0.0f;
              h_52 = h_53 + h_56;
            }
            h_45 = h_46 + h_52;
          }
          h_31 = h_32 + h_45;
        }
        h_2 = fmaf(a[index_47 * 2], h_4 + h_31, b[index_47 * 2]);
      }
    }
    h_1 = h_2;
  }
  float h_57 = 0.0f;
  if (column >= 1 && (column + 1) % 2 == 0) {
    float h_58 = 0.0f;
    if ((column + 1) / 2 >= 1 && (column + 1) / 2 < 150) {
      float h_59 = 0.0f;
      if (((column + 1) / 2 + 1) % 2 == 0) {
        if ((column + 3) / 4 < 2) {
          h_59 = fmaf(a[row * 300 + 1], b[row * 300], b[row * 300 + 1]);
        } else {
          // recurrence
          float h_60 = 0.0f;
          if ((column + 3) / 4 >= 2) {
            float h_61 = 0.0f;
            if ((column + 3) / 4 % 2 == 0) {
              if ((column + 3) / 8 < 2) {
                h_61 = compose_3[row * 75];
              } else {
                float h_62 = 0.0f;
                if ((column + 3) / 8 >= 2) {
                  float h_63 = 0.0f;
                  if ((column + 3) / 8 % 2 == 0) {
                    if ((column + 3) / 16 < 2) {
                      h_63 = compose_5[row * 37];
                    } else {
                      float h_64 = 0.0f;
                      if ((column + 3) / 16 >= 2) {
                        float h_65 = 0.0f;
                        if ((column + 3) / 16 % 2 == 0) {
                          if ((column + 3) / 32 < 2) {
                            h_65 = compose_6[row * 18];
                          } else {
                            // recurrence
                            const float h_66 = h_3[index_4 - 2] + h_2_in[index_4 - 2];

                            // compose
                            const float compose_6_value_9 = compose_6[index_4 * 2 - 2];
                            h_65 = fmaf(compose[index_4 * 2 - 2], h_66, compose_6_value_9);
                          }
                        }
                        h_64 = h_65;
                      }
                      const float h_67 = (column + 3) / 16 >= 3 && ((column + 3) / 16 + 1) % 2 == 0
                                             ? h_3[index_20 - 2] + h_2_in[index_20 - 2]
                                             : 0.0f;
                      h_63 = fmaf(compose_4[index_34 - 2], h_64 + h_67, compose_5[index_34 - 2]);
                    }
                  }
                  h_62 = h_63;
                }
                float h_68 = 0.0f;
                if ((column + 3) / 8 >= 3 && ((column + 3) / 8 + 1) % 2 == 0) {
                  float h_69 = 0.0f;
                  if ((column + 11) / 16 >= 2 && (column + 11) / 16 < 19) {
                    float h_70 = 0.0f;
                    if ((column + 11) / 16 % 2 == 0) {
                      if ((column + 11) / 32 < 2) {
                        h_70 = compose_6[row * 18];
                      } else {
                        // recurrence
                        const float h_71 = h_3[index_12 - 2] + h_2_in[index_12 - 2];

                        // compose
                        const float compose_6_value_10 = compose_6[index_12 * 2 - 2];
                        h_70 = fmaf(compose[index_12 * 2 - 2], h_71, compose_6_value_10);
                      }
                    }
                    h_69 = h_70;
                  }
                  const float h_72 = (column + 11) / 16 >= 3 && ((column + 11) / 16 + 1) % 2 == 0
                                         ? h_3[index_28 - 2] + h_2_in[index_28 - 2]
                                         : 0.0f;
                  h_68 = h_69 + h_72;
                }
                h_61 = fmaf(compose_2[index_44 - 2], h_62 + h_68, compose_3[index_44 - 2]);
              }
            }
            h_60 = h_61;
          }
          float h_73 = 0.0f;
          if ((column + 3) / 4 >= 3 && ((column + 3) / 4 + 1) % 2 == 0) {
            float h_74 = 0.0f;
            if ((column + 7) / 8 >= 2) {
              float h_75 = 0.0f;
              if ((column + 7) / 8 % 2 == 0) {
                if ((column + 7) / 16 < 2) {
                  h_75 = compose_5[row * 37];
                } else {
                  float h_76 = 0.0f;
                  if ((column + 7) / 16 >= 2 && (column + 7) / 16 < 19) {
                    float h_77 = 0.0f;
                    if ((column + 7) / 16 % 2 == 0) {
                      if ((column + 7) / 32 < 2) {
                        h_77 = compose_6[row * 18];
                      } else {
                        // recurrence
                        const float h_78 = h_3[index_8 - 2] + h_2_in[index_8 - 2];

                        // compose
                        const float compose_6_value_11 = compose_6[index_8 * 2 - 2];
                        h_77 = fmaf(compose[index_8 * 2 - 2], h_78, compose_6_value_11);
                      }
                    }
                    h_76 = h_77;
                  }
                  const float h_79 = (column + 7) / 16 >= 3 && ((column + 7) / 16 + 1) % 2 == 0
                                         ? h_3[index_24 - 2] + h_2_in[index_24 - 2]
                                         : 0.0f;
                  h_75 = fmaf(compose_4[index_38 - 2], h_76 + h_79, compose_5[index_38 - 2]);
                }
              }
              h_74 = h_75;
            }
            float h_80 = 0.0f;
            if ((column + 7) / 8 >= 3 && (column + 7) / 8 < 38 && ((column + 7) / 8 + 1) % 2 == 0) {
              float h_81 = 0.0f;
              if ((column + 15) / 16 >= 2 && (column + 15) / 16 < 19) {
                float h_82 = 0.0f;
                if ((column + 15) / 16 % 2 == 0) {
                  if ((column + 15) / 32 < 2) {
                    h_82 = compose_6[row * 18];
                  } else {
                    // recurrence
                    const float h_83 = h_3[index_16 - 2] + h_2_in[index_16 - 2];

                    // compose
                    const float compose_6_value_12 = compose_6[index_16 * 2 - 2];
                    h_82 = fmaf(compose[index_16 * 2 - 2], h_83, compose_6_value_12);
                  }
                }
                h_81 = h_82;
              }
              const float h_84 = (column + 15) / 16 >= 3 && ((column + 15) / 16 + 1) % 2 == 0
                                     ? h_3[index_32 - 2] + h_2_in[index_32 - 2]
                                     : 0.0f;
              h_80 = h_81 + h_84;
            }
            h_73 = h_74 + h_80;
          }

          // compose
          const float a_value_2 = a[index_42 * 4 - 3];
          const float compose_7 = fmaf(a_value_2, b[index_42 * 4 - 4], b[index_42 * 4 - 3]);
          h_59 = fmaf(a[index_42 * 4 - 4] * a_value_2, h_60 + h_73, compose_7);
        }
      }
      h_58 = h_59;
    }
    float h_85 = 0.0f;
    if ((column + 1) / 2 >= 2 && (column + 1) / 2 % 2 == 0) {
      float h_86 = 0.0f;
      if ((column + 1) / 4 >= 1) {
        float h_87 = 0.0f;
        if (((column + 1) / 4 + 1) % 2 == 0) {
          if ((column + 5) / 8 < 2) {
            h_87 = compose_3[row * 75];
          } else {
            float h_88 = 0.0f;
            if ((column + 5) / 8 >= 2) {
              float h_89 = 0.0f;
              if ((column + 5) / 8 % 2 == 0) {
                if ((column + 5) / 16 < 2) {
                  h_89 = compose_5[row * 37];
                } else {
                  float h_90 = 0.0f;
                  if ((column + 5) / 16 >= 2 && (column + 5) / 16 < 19) {
                    float h_91 = 0.0f;
                    if ((column + 5) / 16 % 2 == 0) {
                      if ((column + 5) / 32 < 2) {
                        h_91 = compose_6[row * 18];
                      } else {
                        // recurrence
                        const float h_92 = h_3[index_6 - 2] + h_2_in[index_6 - 2];

                        // compose
                        const float compose_6_value_13 = compose_6[index_6 * 2 - 2];
                        h_91 = fmaf(compose[index_6 * 2 - 2], h_92, compose_6_value_13);
                      }
                    }
                    h_90 = h_91;
                  }
                  const float h_93 = (column + 5) / 16 >= 3 && ((column + 5) / 16 + 1) % 2 == 0
                                         ? h_3[index_22 - 2] + h_2_in[index_22 - 2]
                                         : 0.0f;
                  h_89 = fmaf(compose_4[index_36 - 2], h_90 + h_93, compose_5[index_36 - 2]);
                }
              }
              h_88 = h_89;
            }
            float h_94 = 0.0f;
            if ((column + 5) / 8 >= 3 && (column + 5) / 8 < 38 && ((column + 5) / 8 + 1) % 2 == 0) {
              float h_95 = 0.0f;
              if ((column + 13) / 16 >= 2 && (column + 13) / 16 < 19) {
                float h_96 = 0.0f;
                if ((column + 13) / 16 % 2 == 0) {
                  if ((column + 13) / 32 < 2) {
                    h_96 = compose_6[row * 18];
                  } else {
                    // recurrence
                    const float h_97 = h_3[index_14 - 2] + h_2_in[index_14 - 2];

                    // compose
                    const float compose_6_value_14 = compose_6[index_14 * 2 - 2];
                    h_96 = fmaf(compose[index_14 * 2 - 2], h_97, compose_6_value_14);
                  }
                }
                h_95 = h_96;
              }
              const float h_98 = (column + 13) / 16 >= 3 && ((column + 13) / 16 + 1) % 2 == 0
                                     ? h_3[index_30 - 2] + h_2_in[index_30 - 2]
                                     : 0.0f;
              h_94 = h_95 + h_98;
            }
            h_87 = fmaf(compose_2[index_46 - 2], h_88 + h_94, compose_3[index_46 - 2]);
          }
        }
        h_86 = h_87;
      }
      float h_99 = 0.0f;
      if ((column + 1) / 4 >= 2 && (column + 1) / 4 < 75 && (column + 1) / 4 % 2 == 0) {
        float h_100 = 0.0f;
        if ((column + 1) / 8 >= 1) {
          float h_101 = 0.0f;
          if (((column + 1) / 8 + 1) % 2 == 0) {
            if ((column + 9) / 16 < 2) {
              h_101 = compose_5[row * 37];
            } else {
              float h_102 = 0.0f;
              if ((column + 9) / 16 >= 2 && (column + 9) / 16 < 19) {
                float h_103 = 0.0f;
                if ((column + 9) / 16 % 2 == 0) {
                  if ((column + 9) / 32 < 2) {
                    h_103 = compose_6[row * 18];
                  } else {
                    // recurrence
                    const float h_104 = h_3[index_10 - 2] + h_2_in[index_10 - 2];

                    // compose
                    const float compose_6_value_15 = compose_6[index_10 * 2 - 2];
                    h_103 = fmaf(compose[index_10 * 2 - 2], h_104, compose_6_value_15);
                  }
                }
                h_102 = h_103;
              }
              const float h_105 = (column + 9) / 16 >= 3 && ((column + 9) / 16 + 1) % 2 == 0
                                      ? h_3[index_26 - 2] + h_2_in[index_26 - 2]
                                      : 0.0f;
              h_101 = fmaf(compose_4[index_40 - 2], h_102 + h_105, compose_5[index_40 - 2]);
            }
          }
          h_100 = h_101;
        }
        float h_106 = 0.0f;
        if ((column + 1) / 8 >= 2 && (column + 1) / 8 < 37 && (column + 1) / 8 % 2 == 0) {
          float h_107 = 0.0f;
          if ((column + 1) / 16 >= 1 && (column + 1) / 16 < 18) {
            float h_108 = 0.0f;
            if (((column + 1) / 16 + 1) % 2 == 0) {
              if ((column + 17) / 32 < 2) {
                h_108 = compose_6[row * 18];
              } else {
                // recurrence
                const float h_109 = h_3[index_18 - 2] + h_2_in[index_18 - 2];

                // compose
                const float compose_6_value_16 = compose_6[index_18 * 2 - 2];
                h_108 = fmaf(compose[index_18 * 2 - 2], h_109, compose_6_value_16);
              }
            }
            h_107 = h_108;
          }
          const float h_110 = (column + 1) / 16 >= 2 && (column + 1) / 16 % 2 == 0
                                  ? h_3[index_2 - 1] + h_2_in[index_2 - 1]
                                  : 0.0f;
          h_106 = h_107 + h_110;
        }
        h_99 = h_100 + h_106;
      }
      h_85 = h_86 + h_99;
    }
    h_57 = h_58 + h_85;
  }

  h[element] = h_1 + h_57;
}

}  // namespace

cudaError_t
enqueue(const float* a, const float* b, const float* compose_3, const float* compose_2,
        const float* compose_5, const float* compose_4, const float* compose_6,
        const float* compose, const float* h_3, const float* h_2_in, float* h,
        cudaStream_t stream) {
  return launch(h_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                a, b, compose_3, compose_2, compose_5, compose_4, compose_6, compose, h_3, h_2_in,
                h);
}

}  // namespace cumsum_recurrence_kernels::h_2
