// sum_2: multiply, add over f32[8,512,4].
//
//   in   decay   f32[8,512,4]
//   in   value   f32[8,512,4]
//   in   sum_4   f32[8,16,4]
//   out  sum     f32[8,512,4]
//
//   sum = padded_1 + padded_10
//   Not shown: padded_1, padded_10.
//
// 256 blocks of 64 threads. Reads 133 kB, writes 65.5 kB.

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
      const float* __restrict__ sum_4,
      float* __restrict__ sum) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int i = element / (kJ * kK);
  const int j = element / kK % kJ;
  const int k = element % kK;

  const int index_1 = i * 2048 + k;
  const int index_2 = i * 2048 + j / 2 * 8 + k;
  const int index_3 = i * 2048 + (j + 2) / 4 * 16 + k;
  const int index_4 = i * 2048 + (j + 3) / 4 * 16 + k;
  const int index_5 = i * 2048 + (j + 2) / 8 * 32 + k;
  const int index_6 = i * 2048 + (j + 3) / 8 * 32 + k;
  const int index_7 = i * 2048 + (j + 4) / 8 * 32 + k;
  const int index_8 = i * 2048 + (j + 5) / 8 * 32 + k;
  const int index_9 = i * 2048 + (j + 2) / 16 * 64 + k;
  const int index_10 = i * 2048 + (j + 3) / 16 * 64 + k;
  const int index_11 = i * 2048 + (j + 4) / 16 * 64 + k;
  const int index_12 = i * 2048 + (j + 5) / 16 * 64 + k;
  const int index_13 = i * 2048 + (j + 6) / 16 * 64 + k;
  const int index_14 = i * 2048 + (j + 7) / 16 * 64 + k;
  const int index_15 = i * 2048 + (j + 8) / 16 * 64 + k;
  const int index_16 = i * 2048 + (j + 9) / 16 * 64 + k;
  const int index_17 = i * 2048 + (j + 2) / 32 * 128 + k;
  const int index_18 = i * 2048 + (j + 3) / 32 * 128 + k;
  const int index_19 = i * 2048 + (j + 4) / 32 * 128 + k;
  const int index_20 = i * 2048 + (j + 5) / 32 * 128 + k;
  const int index_21 = i * 2048 + (j + 6) / 32 * 128 + k;
  const int index_22 = i * 2048 + (j + 7) / 32 * 128 + k;
  const int index_23 = i * 2048 + (j + 8) / 32 * 128 + k;
  const int index_24 = i * 2048 + (j + 9) / 32 * 128 + k;
  const int index_25 = i * 2048 + (j + 10) / 32 * 128 + k;
  const int index_26 = i * 2048 + (j + 11) / 32 * 128 + k;
  const int index_27 = i * 2048 + (j + 12) / 32 * 128 + k;
  const int index_28 = i * 2048 + (j + 13) / 32 * 128 + k;
  const int index_29 = i * 2048 + (j + 14) / 32 * 128 + k;
  const int index_30 = i * 2048 + (j + 15) / 32 * 128 + k;
  const int index_31 = i * 2048 + (j + 16) / 32 * 128 + k;
  const int index_32 = i * 2048 + (j + 17) / 32 * 128 + k;
  float padded_1 = 0.0f;
  if (j < kJ - 1 && j % 2 == 0) {
    if (j / 2 == 0) {
      padded_1 = value[index_1];
    } else {
      float padded_2_1 = 0.0f;
      if ((j / 2 + 1) % 2 == 0) {
        if ((j + 2) / 4 < 2) {
          padded_2_1 = fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
        } else {
          float padded_3_1 = 0.0f;
          if ((j + 2) / 4 % 2 == 0) {
            if ((j + 2) / 8 < 2) {
              const float decay_value_1 = decay[index_1 + 12];
              const float sum_1_1 = fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
              const float sum_1_2 = fmaf(decay_value_1, value[index_1 + 8], value[index_1 + 12]);
              padded_3_1 = fmaf(decay[index_1 + 8] * decay_value_1, sum_1_1, sum_1_2);
            } else {
              float padded_4_1 = 0.0f;
              if ((j + 2) / 8 % 2 == 0) {
                if ((j + 2) / 16 < 2) {
                  const float decay_value_2 = decay[index_1 + 20];
                  const float decay_value_3 = decay[index_1 + 28];
                  const float product_1_1 = decay[index_1 + 24] * decay_value_3;
                  const float product_2_1 = decay[index_1 + 16] * decay_value_2 * product_1_1;
                  const float decay_value_4 = decay[index_1 + 12];
                  const float sum_1_3 =
                      fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                  const float sum_1_4 =
                      fmaf(decay_value_4, value[index_1 + 8], value[index_1 + 12]);
                  const float sum_2_1 = fmaf(decay[index_1 + 8] * decay_value_4, sum_1_3, sum_1_4);
                  const float sum_1_5 =
                      fmaf(decay_value_2, value[index_1 + 16], value[index_1 + 20]);
                  const float sum_1_6 =
                      fmaf(decay_value_3, value[index_1 + 24], value[index_1 + 28]);
                  padded_4_1 = fmaf(product_2_1, sum_2_1, fmaf(product_1_1, sum_1_5, sum_1_6));
                } else {
                  float padded_5_1 = 0.0f;
                  if ((j + 2) / 16 % 2 == 0) {
                    if ((j + 2) / 32 < 2) {
                      const float decay_value_5 = decay[index_1 + 36];
                      const float product_1_2 = decay[index_1 + 32] * decay_value_5;
                      const float decay_value_6 = decay[index_1 + 44];
                      const float product_1_3 = decay[index_1 + 40] * decay_value_6;
                      const float decay_value_7 = decay[index_1 + 52];
                      const float product_1_4 = decay[index_1 + 48] * decay_value_7;
                      const float decay_value_8 = decay[index_1 + 60];
                      const float product_1_5 = decay[index_1 + 56] * decay_value_8;
                      const float product_2_2 = product_1_4 * product_1_5;
                      const float product_3_1 = product_1_2 * product_1_3 * product_2_2;
                      const float decay_value_9 = decay[index_1 + 20];
                      const float product_1_6 = decay[index_1 + 16] * decay_value_9;
                      const float decay_value_10 = decay[index_1 + 28];
                      const float product_1_7 = decay[index_1 + 24] * decay_value_10;
                      const float decay_value_11 = decay[index_1 + 12];
                      const float product_1_8 = decay[index_1 + 8] * decay_value_11;
                      const float sum_1_7 =
                          fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                      const float sum_1_8 =
                          fmaf(decay_value_11, value[index_1 + 8], value[index_1 + 12]);
                      const float sum_1_9 =
                          fmaf(decay_value_9, value[index_1 + 16], value[index_1 + 20]);
                      const float sum_1_10 =
                          fmaf(decay_value_10, value[index_1 + 24], value[index_1 + 28]);
                      const float sum_3_1 = fmaf(product_1_6 * product_1_7,
                                                 fmaf(product_1_8, sum_1_7, sum_1_8),
                                                 fmaf(product_1_7, sum_1_9, sum_1_10));
                      const float sum_1_11 =
                          fmaf(decay_value_5, value[index_1 + 32], value[index_1 + 36]);
                      const float sum_1_12 =
                          fmaf(decay_value_6, value[index_1 + 40], value[index_1 + 44]);
                      const float sum_1_13 =
                          fmaf(decay_value_7, value[index_1 + 48], value[index_1 + 52]);
                      const float sum_1_14 =
                          fmaf(decay_value_8, value[index_1 + 56], value[index_1 + 60]);
                      const float sum_3_2 = fmaf(product_2_2, fmaf(product_1_3, sum_1_11, sum_1_12),
                                                 fmaf(product_1_5, sum_1_13, sum_1_14));
                      padded_5_1 = fmaf(product_3_1, sum_3_1, sum_3_2);
                    } else {
                      const float sum_4_value_1 = sum_4[i * 64 + (j + 2) / 32 * kK + k - 8];

                      // after
                      const float decay_value_12 = decay[index_17 - 124];
                      const float product_1_9 = decay[index_17 - 128] * decay_value_12;
                      const float decay_value_13 = decay[index_17 - 116];
                      const float product_1_10 = decay[index_17 - 120] * decay_value_13;
                      const float decay_value_14 = decay[index_17 - 108];
                      const float product_1_11 = decay[index_17 - 112] * decay_value_14;
                      const float decay_value_15 = decay[index_17 - 100];
                      const float product_1_12 = decay[index_17 - 104] * decay_value_15;
                      const float product_2_3 = product_1_11 * product_1_12;
                      const float decay_value_16 = decay[index_17 - 92];
                      const float product_1_13 = decay[index_17 - 96] * decay_value_16;
                      const float decay_value_17 = decay[index_17 - 84];
                      const float product_1_14 = decay[index_17 - 88] * decay_value_17;
                      const float decay_value_18 = decay[index_17 - 76];
                      const float product_1_15 = decay[index_17 - 80] * decay_value_18;
                      const float decay_value_19 = decay[index_17 - 68];
                      const float product_1_16 = decay[index_17 - 72] * decay_value_19;
                      const float product_2_4 = product_1_15 * product_1_16;
                      const float product_3_2 = product_1_13 * product_1_14 * product_2_4;
                      const float product_4_1 =
                          product_1_9 * product_1_10 * product_2_3 * product_3_2;
                      const float sum_1_15 =
                          fmaf(decay_value_12, value[index_17 - 128], value[index_17 - 124]);
                      const float sum_1_16 =
                          fmaf(decay_value_13, value[index_17 - 120], value[index_17 - 116]);
                      const float sum_1_17 =
                          fmaf(decay_value_14, value[index_17 - 112], value[index_17 - 108]);
                      const float sum_1_18 =
                          fmaf(decay_value_15, value[index_17 - 104], value[index_17 - 100]);
                      const float sum_3_3 = fmaf(product_2_3,
                                                 fmaf(product_1_10, sum_1_15, sum_1_16),
                                                 fmaf(product_1_12, sum_1_17, sum_1_18));
                      const float sum_1_19 =
                          fmaf(decay_value_16, value[index_17 - 96], value[index_17 - 92]);
                      const float sum_1_20 =
                          fmaf(decay_value_17, value[index_17 - 88], value[index_17 - 84]);
                      const float sum_1_21 =
                          fmaf(decay_value_18, value[index_17 - 80], value[index_17 - 76]);
                      const float sum_1_22 =
                          fmaf(decay_value_19, value[index_17 - 72], value[index_17 - 68]);
                      const float sum_3_4 = fmaf(product_2_4,
                                                 fmaf(product_1_14, sum_1_19, sum_1_20),
                                                 fmaf(product_1_16, sum_1_21, sum_1_22));
                      padded_5_1 =
                          fmaf(product_4_1, sum_4_value_1, fmaf(product_3_2, sum_3_3, sum_3_4));
                    }
                  }
                  const float padded_6_1 = (j + 2) / 16 >= 3 && ((j + 2) / 16 + 1) % 2 == 0
                                               ? sum_4[i * 64 + (j + 18) / 32 * kK + k - 8]
                                               : 0.0f;

                  // after
                  const float decay_value_20 = decay[index_9 - 60];
                  const float decay_value_21 = decay[index_9 - 52];
                  const float product_1_17 = decay[index_9 - 56] * decay_value_21;
                  const float product_2_5 = decay[index_9 - 64] * decay_value_20 * product_1_17;
                  const float decay_value_22 = decay[index_9 - 44];
                  const float decay_value_23 = decay[index_9 - 36];
                  const float product_1_18 = decay[index_9 - 40] * decay_value_23;
                  const float product_2_6 = decay[index_9 - 48] * decay_value_22 * product_1_18;
                  const float sum_1_23 =
                      fmaf(decay_value_20, value[index_9 - 64], value[index_9 - 60]);
                  const float sum_1_24 =
                      fmaf(decay_value_21, value[index_9 - 56], value[index_9 - 52]);
                  const float sum_1_25 =
                      fmaf(decay_value_22, value[index_9 - 48], value[index_9 - 44]);
                  const float sum_1_26 =
                      fmaf(decay_value_23, value[index_9 - 40], value[index_9 - 36]);
                  const float sum_3_5 = fmaf(product_2_6, fmaf(product_1_17, sum_1_23, sum_1_24),
                                             fmaf(product_1_18, sum_1_25, sum_1_26));
                  padded_4_1 = fmaf(product_2_5 * product_2_6, padded_5_1 + padded_6_1, sum_3_5);
                }
              }
              float padded_7_1 = 0.0f;
              if ((j + 2) / 8 >= 3 && ((j + 2) / 8 + 1) % 2 == 0) {
                float padded_5_2 = 0.0f;
                if ((j + 10) / 16 % 2 == 0) {
                  if ((j + 10) / 32 < 2) {
                    const float decay_value_24 = decay[index_1 + 36];
                    const float decay_value_25 = decay[index_1 + 44];
                    const float product_1_19 = decay[index_1 + 40] * decay_value_25;
                    const float product_2_7 = decay[index_1 + 32] * decay_value_24 * product_1_19;
                    const float decay_value_26 = decay[index_1 + 52];
                    const float decay_value_27 = decay[index_1 + 60];
                    const float product_1_20 = decay[index_1 + 56] * decay_value_27;
                    const float product_2_8 = decay[index_1 + 48] * decay_value_26 * product_1_20;
                    const float decay_value_28 = decay[index_1 + 20];
                    const float decay_value_29 = decay[index_1 + 28];
                    const float product_1_21 = decay[index_1 + 24] * decay_value_29;
                    const float product_2_9 = decay[index_1 + 16] * decay_value_28 * product_1_21;
                    const float decay_value_30 = decay[index_1 + 12];
                    const float product_1_22 = decay[index_1 + 8] * decay_value_30;
                    const float sum_1_27 =
                        fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                    const float sum_1_28 =
                        fmaf(decay_value_30, value[index_1 + 8], value[index_1 + 12]);
                    const float sum_1_29 =
                        fmaf(decay_value_28, value[index_1 + 16], value[index_1 + 20]);
                    const float sum_1_30 =
                        fmaf(decay_value_29, value[index_1 + 24], value[index_1 + 28]);
                    const float sum_3_6 = fmaf(product_2_9, fmaf(product_1_22, sum_1_27, sum_1_28),
                                               fmaf(product_1_21, sum_1_29, sum_1_30));
                    const float sum_1_31 =
                        fmaf(decay_value_24, value[index_1 + 32], value[index_1 + 36]);
                    const float sum_1_32 =
                        fmaf(decay_value_25, value[index_1 + 40], value[index_1 + 44]);
                    const float sum_1_33 =
                        fmaf(decay_value_26, value[index_1 + 48], value[index_1 + 52]);
                    const float sum_1_34 =
                        fmaf(decay_value_27, value[index_1 + 56], value[index_1 + 60]);
                    const float sum_3_7 = fmaf(product_2_8, fmaf(product_1_19, sum_1_31, sum_1_32),
                                               fmaf(product_1_20, sum_1_33, sum_1_34));
                    padded_5_2 = fmaf(product_2_7 * product_2_8, sum_3_6, sum_3_7);
                  } else {
                    const float sum_4_value_2 = sum_4[i * 64 + (j + 10) / 32 * kK + k - 8];

                    // after
                    const float decay_value_31 = decay[index_25 - 124];
                    const float product_1_23 = decay[index_25 - 128] * decay_value_31;
                    const float decay_value_32 = decay[index_25 - 116];
                    const float product_1_24 = decay[index_25 - 120] * decay_value_32;
                    const float decay_value_33 = decay[index_25 - 108];
                    const float product_1_25 = decay[index_25 - 112] * decay_value_33;
                    const float decay_value_34 = decay[index_25 - 100];
                    const float product_1_26 = decay[index_25 - 104] * decay_value_34;
                    const float product_2_10 = product_1_25 * product_1_26;
                    const float decay_value_35 = decay[index_25 - 92];
                    const float decay_value_36 = decay[index_25 - 84];
                    const float product_1_27 = decay[index_25 - 88] * decay_value_36;
                    const float product_2_11 = decay[index_25 - 96] * decay_value_35 * product_1_27;
                    const float decay_value_37 = decay[index_25 - 76];
                    const float decay_value_38 = decay[index_25 - 68];
                    const float product_1_28 = decay[index_25 - 72] * decay_value_38;
                    const float product_2_12 = decay[index_25 - 80] * decay_value_37 * product_1_28;
                    const float product_3_3 = product_2_11 * product_2_12;
                    const float product_4_2 =
                        product_1_23 * product_1_24 * product_2_10 * product_3_3;
                    const float sum_1_35 =
                        fmaf(decay_value_31, value[index_25 - 128], value[index_25 - 124]);
                    const float sum_1_36 =
                        fmaf(decay_value_32, value[index_25 - 120], value[index_25 - 116]);
                    const float sum_1_37 =
                        fmaf(decay_value_33, value[index_25 - 112], value[index_25 - 108]);
                    const float sum_1_38 =
                        fmaf(decay_value_34, value[index_25 - 104], value[index_25 - 100]);
                    const float sum_3_8 = fmaf(product_2_10, fmaf(product_1_24, sum_1_35, sum_1_36),
                                               fmaf(product_1_26, sum_1_37, sum_1_38));
                    const float sum_1_39 =
                        fmaf(decay_value_35, value[index_25 - 96], value[index_25 - 92]);
                    const float sum_1_40 =
                        fmaf(decay_value_36, value[index_25 - 88], value[index_25 - 84]);
                    const float sum_1_41 =
                        fmaf(decay_value_37, value[index_25 - 80], value[index_25 - 76]);
                    const float sum_1_42 =
                        fmaf(decay_value_38, value[index_25 - 72], value[index_25 - 68]);
                    const float sum_3_9 = fmaf(product_2_12, fmaf(product_1_27, sum_1_39, sum_1_40),
                                               fmaf(product_1_28, sum_1_41, sum_1_42));
                    padded_5_2 =
                        fmaf(product_4_2, sum_4_value_2, fmaf(product_3_3, sum_3_8, sum_3_9));
                  }
                }
                const float padded_6_2 = (j + 10) / 16 >= 3 && ((j + 10) / 16 + 1) % 2 == 0
                                             ? sum_4[i * 64 + (j + 26) / 32 * kK + k - 8]
                                             : 0.0f;
                padded_7_1 = padded_5_2 + padded_6_2;
              }

              // after
              const float decay_value_39 = decay[index_5 - 28];
              const float decay_value_40 = decay[index_5 - 20];
              const float product_1_29 = decay[index_5 - 24] * decay_value_40;
              const float product_2_13 = decay[index_5 - 32] * decay_value_39 * product_1_29;
              const float sum_1_43 = fmaf(decay_value_39, value[index_5 - 32], value[index_5 - 28]);
              const float sum_1_44 = fmaf(decay_value_40, value[index_5 - 24], value[index_5 - 20]);
              padded_3_1 = fmaf(product_2_13, padded_4_1 + padded_7_1,
                                fmaf(product_1_29, sum_1_43, sum_1_44));
            }
          }
          float padded_8_1 = 0.0f;
          if ((j + 2) / 4 >= 3 && ((j + 2) / 4 + 1) % 2 == 0) {
            float padded_4_2 = 0.0f;
            if ((j + 6) / 8 % 2 == 0) {
              if ((j + 6) / 16 < 2) {
                const float decay_value_41 = decay[index_1 + 20];
                const float decay_value_42 = decay[index_1 + 28];
                const float product_1_30 = decay[index_1 + 24] * decay_value_42;
                const float product_2_14 = decay[index_1 + 16] * decay_value_41 * product_1_30;
                const float decay_value_43 = decay[index_1 + 12];
                const float sum_1_45 = fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                const float sum_1_46 =
                    fmaf(decay_value_43, value[index_1 + 8], value[index_1 + 12]);
                const float sum_2_2 = fmaf(decay[index_1 + 8] * decay_value_43, sum_1_45, sum_1_46);
                const float sum_1_47 =
                    fmaf(decay_value_41, value[index_1 + 16], value[index_1 + 20]);
                const float sum_1_48 =
                    fmaf(decay_value_42, value[index_1 + 24], value[index_1 + 28]);
                padded_4_2 = fmaf(product_2_14, sum_2_2, fmaf(product_1_30, sum_1_47, sum_1_48));
              } else {
                float padded_5_3 = 0.0f;
                if ((j + 6) / 16 % 2 == 0) {
                  if ((j + 6) / 32 < 2) {
                    const float decay_value_44 = decay[index_1 + 36];
                    const float decay_value_45 = decay[index_1 + 44];
                    const float product_1_31 = decay[index_1 + 40] * decay_value_45;
                    const float product_2_15 = decay[index_1 + 32] * decay_value_44 * product_1_31;
                    const float decay_value_46 = decay[index_1 + 52];
                    const float decay_value_47 = decay[index_1 + 60];
                    const float product_1_32 = decay[index_1 + 56] * decay_value_47;
                    const float product_2_16 = decay[index_1 + 48] * decay_value_46 * product_1_32;
                    const float decay_value_48 = decay[index_1 + 20];
                    const float decay_value_49 = decay[index_1 + 28];
                    const float product_1_33 = decay[index_1 + 24] * decay_value_49;
                    const float product_2_17 = decay[index_1 + 16] * decay_value_48 * product_1_33;
                    const float decay_value_50 = decay[index_1 + 12];
                    const float product_1_34 = decay[index_1 + 8] * decay_value_50;
                    const float sum_1_49 =
                        fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                    const float sum_1_50 =
                        fmaf(decay_value_50, value[index_1 + 8], value[index_1 + 12]);
                    const float sum_1_51 =
                        fmaf(decay_value_48, value[index_1 + 16], value[index_1 + 20]);
                    const float sum_1_52 =
                        fmaf(decay_value_49, value[index_1 + 24], value[index_1 + 28]);
                    const float sum_3_10 = fmaf(product_2_17,
                                                fmaf(product_1_34, sum_1_49, sum_1_50),
                                                fmaf(product_1_33, sum_1_51, sum_1_52));
                    const float sum_1_53 =
                        fmaf(decay_value_44, value[index_1 + 32], value[index_1 + 36]);
                    const float sum_1_54 =
                        fmaf(decay_value_45, value[index_1 + 40], value[index_1 + 44]);
                    const float sum_1_55 =
                        fmaf(decay_value_46, value[index_1 + 48], value[index_1 + 52]);
                    const float sum_1_56 =
                        fmaf(decay_value_47, value[index_1 + 56], value[index_1 + 60]);
                    const float sum_3_11 = fmaf(product_2_16,
                                                fmaf(product_1_31, sum_1_53, sum_1_54),
                                                fmaf(product_1_32, sum_1_55, sum_1_56));
                    padded_5_3 = fmaf(product_2_15 * product_2_16, sum_3_10, sum_3_11);
                  } else {
                    const float sum_4_value_3 = sum_4[i * 64 + (j + 6) / 32 * kK + k - 8];

                    // after
                    const float decay_value_51 = decay[index_21 - 124];
                    const float product_1_35 = decay[index_21 - 128] * decay_value_51;
                    const float decay_value_52 = decay[index_21 - 116];
                    const float product_1_36 = decay[index_21 - 120] * decay_value_52;
                    const float decay_value_53 = decay[index_21 - 108];
                    const float product_1_37 = decay[index_21 - 112] * decay_value_53;
                    const float decay_value_54 = decay[index_21 - 100];
                    const float product_1_38 = decay[index_21 - 104] * decay_value_54;
                    const float product_2_18 = product_1_37 * product_1_38;
                    const float decay_value_55 = decay[index_21 - 92];
                    const float decay_value_56 = decay[index_21 - 84];
                    const float product_1_39 = decay[index_21 - 88] * decay_value_56;
                    const float product_2_19 = decay[index_21 - 96] * decay_value_55 * product_1_39;
                    const float decay_value_57 = decay[index_21 - 76];
                    const float decay_value_58 = decay[index_21 - 68];
                    const float product_1_40 = decay[index_21 - 72] * decay_value_58;
                    const float product_2_20 = decay[index_21 - 80] * decay_value_57 * product_1_40;
                    const float product_3_4 = product_2_19 * product_2_20;
                    const float product_4_3 =
                        product_1_35 * product_1_36 * product_2_18 * product_3_4;
                    const float sum_1_57 =
                        fmaf(decay_value_51, value[index_21 - 128], value[index_21 - 124]);
                    const float sum_1_58 =
                        fmaf(decay_value_52, value[index_21 - 120], value[index_21 - 116]);
                    const float sum_1_59 =
                        fmaf(decay_value_53, value[index_21 - 112], value[index_21 - 108]);
                    const float sum_1_60 =
                        fmaf(decay_value_54, value[index_21 - 104], value[index_21 - 100]);
                    const float sum_3_12 = fmaf(product_2_18,
                                                fmaf(product_1_36, sum_1_57, sum_1_58),
                                                fmaf(product_1_38, sum_1_59, sum_1_60));
                    const float sum_1_61 =
                        fmaf(decay_value_55, value[index_21 - 96], value[index_21 - 92]);
                    const float sum_1_62 =
                        fmaf(decay_value_56, value[index_21 - 88], value[index_21 - 84]);
                    const float sum_1_63 =
                        fmaf(decay_value_57, value[index_21 - 80], value[index_21 - 76]);
                    const float sum_1_64 =
                        fmaf(decay_value_58, value[index_21 - 72], value[index_21 - 68]);
                    const float sum_3_13 = fmaf(product_2_20,
                                                fmaf(product_1_39, sum_1_61, sum_1_62),
                                                fmaf(product_1_40, sum_1_63, sum_1_64));
                    padded_5_3 =
                        fmaf(product_4_3, sum_4_value_3, fmaf(product_3_4, sum_3_12, sum_3_13));
                  }
                }
                const float padded_6_3 = (j + 6) / 16 >= 3 && ((j + 6) / 16 + 1) % 2 == 0
                                             ? sum_4[i * 64 + (j + 22) / 32 * kK + k - 8]
                                             : 0.0f;

                // after
                const float decay_value_59 = decay[index_13 - 60];
                const float decay_value_60 = decay[index_13 - 52];
                const float product_1_41 = decay[index_13 - 56] * decay_value_60;
                const float product_2_21 = decay[index_13 - 64] * decay_value_59 * product_1_41;
                const float decay_value_61 = decay[index_13 - 44];
                const float decay_value_62 = decay[index_13 - 36];
                const float product_1_42 = decay[index_13 - 40] * decay_value_62;
                const float product_2_22 = decay[index_13 - 48] * decay_value_61 * product_1_42;
                const float sum_1_65 =
                    fmaf(decay_value_59, value[index_13 - 64], value[index_13 - 60]);
                const float sum_1_66 =
                    fmaf(decay_value_60, value[index_13 - 56], value[index_13 - 52]);
                const float sum_1_67 =
                    fmaf(decay_value_61, value[index_13 - 48], value[index_13 - 44]);
                const float sum_1_68 =
                    fmaf(decay_value_62, value[index_13 - 40], value[index_13 - 36]);
                const float sum_3_14 = fmaf(product_2_22, fmaf(product_1_41, sum_1_65, sum_1_66),
                                            fmaf(product_1_42, sum_1_67, sum_1_68));
                padded_4_2 = fmaf(product_2_21 * product_2_22, padded_5_3 + padded_6_3, sum_3_14);
              }
            }
            float padded_7_2 = 0.0f;
            if ((j + 6) / 8 >= 3 && ((j + 6) / 8 + 1) % 2 == 0) {
              float padded_5_4 = 0.0f;
              if ((j + 14) / 16 % 2 == 0) {
                if ((j + 14) / 32 < 2) {
                  const float decay_value_63 = decay[index_1 + 36];
                  const float decay_value_64 = decay[index_1 + 44];
                  const float product_1_43 = decay[index_1 + 40] * decay_value_64;
                  const float product_2_23 = decay[index_1 + 32] * decay_value_63 * product_1_43;
                  const float decay_value_65 = decay[index_1 + 52];
                  const float decay_value_66 = decay[index_1 + 60];
                  const float product_1_44 = decay[index_1 + 56] * decay_value_66;
                  const float product_2_24 = decay[index_1 + 48] * decay_value_65 * product_1_44;
                  const float decay_value_67 = decay[index_1 + 20];
                  const float decay_value_68 = decay[index_1 + 28];
                  const float product_1_45 = decay[index_1 + 24] * decay_value_68;
                  const float product_2_25 = decay[index_1 + 16] * decay_value_67 * product_1_45;
                  const float decay_value_69 = decay[index_1 + 12];
                  const float product_1_46 = decay[index_1 + 8] * decay_value_69;
                  const float sum_1_69 =
                      fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                  const float sum_1_70 =
                      fmaf(decay_value_69, value[index_1 + 8], value[index_1 + 12]);
                  const float sum_1_71 =
                      fmaf(decay_value_67, value[index_1 + 16], value[index_1 + 20]);
                  const float sum_1_72 =
                      fmaf(decay_value_68, value[index_1 + 24], value[index_1 + 28]);
                  const float sum_3_15 = fmaf(product_2_25, fmaf(product_1_46, sum_1_69, sum_1_70),
                                              fmaf(product_1_45, sum_1_71, sum_1_72));
                  const float sum_1_73 =
                      fmaf(decay_value_63, value[index_1 + 32], value[index_1 + 36]);
                  const float sum_1_74 =
                      fmaf(decay_value_64, value[index_1 + 40], value[index_1 + 44]);
                  const float sum_1_75 =
                      fmaf(decay_value_65, value[index_1 + 48], value[index_1 + 52]);
                  const float sum_1_76 =
                      fmaf(decay_value_66, value[index_1 + 56], value[index_1 + 60]);
                  const float sum_3_16 = fmaf(product_2_24, fmaf(product_1_43, sum_1_73, sum_1_74),
                                              fmaf(product_1_44, sum_1_75, sum_1_76));
                  padded_5_4 = fmaf(product_2_23 * product_2_24, sum_3_15, sum_3_16);
                } else {
                  const float sum_4_value_4 = sum_4[i * 64 + (j + 14) / 32 * kK + k - 8];

                  // after
                  const float decay_value_70 = decay[index_29 - 124];
                  const float decay_value_71 = decay[index_29 - 116];
                  const float product_1_47 = decay[index_29 - 120] * decay_value_71;
                  const float product_2_26 = decay[index_29 - 128] * decay_value_70 * product_1_47;
                  const float decay_value_72 = decay[index_29 - 108];
                  const float decay_value_73 = decay[index_29 - 100];
                  const float product_1_48 = decay[index_29 - 104] * decay_value_73;
                  const float product_2_27 = decay[index_29 - 112] * decay_value_72 * product_1_48;
                  const float decay_value_74 = decay[index_29 - 92];
                  const float decay_value_75 = decay[index_29 - 84];
                  const float product_1_49 = decay[index_29 - 88] * decay_value_75;
                  const float product_2_28 = decay[index_29 - 96] * decay_value_74 * product_1_49;
                  const float decay_value_76 = decay[index_29 - 76];
                  const float decay_value_77 = decay[index_29 - 68];
                  const float product_1_50 = decay[index_29 - 72] * decay_value_77;
                  const float product_2_29 = decay[index_29 - 80] * decay_value_76 * product_1_50;
                  const float product_3_5 = product_2_28 * product_2_29;
                  const float product_4_4 = product_2_26 * product_2_27 * product_3_5;
                  const float sum_1_77 =
                      fmaf(decay_value_70, value[index_29 - 128], value[index_29 - 124]);
                  const float sum_1_78 =
                      fmaf(decay_value_71, value[index_29 - 120], value[index_29 - 116]);
                  const float sum_1_79 =
                      fmaf(decay_value_72, value[index_29 - 112], value[index_29 - 108]);
                  const float sum_1_80 =
                      fmaf(decay_value_73, value[index_29 - 104], value[index_29 - 100]);
                  const float sum_3_17 = fmaf(product_2_27, fmaf(product_1_47, sum_1_77, sum_1_78),
                                              fmaf(product_1_48, sum_1_79, sum_1_80));
                  const float sum_1_81 =
                      fmaf(decay_value_74, value[index_29 - 96], value[index_29 - 92]);
                  const float sum_1_82 =
                      fmaf(decay_value_75, value[index_29 - 88], value[index_29 - 84]);
                  const float sum_1_83 =
                      fmaf(decay_value_76, value[index_29 - 80], value[index_29 - 76]);
                  const float sum_1_84 =
                      fmaf(decay_value_77, value[index_29 - 72], value[index_29 - 68]);
                  const float sum_3_18 = fmaf(product_2_29, fmaf(product_1_49, sum_1_81, sum_1_82),
                                              fmaf(product_1_50, sum_1_83, sum_1_84));
                  padded_5_4 =
                      fmaf(product_4_4, sum_4_value_4, fmaf(product_3_5, sum_3_17, sum_3_18));
                }
              }
              const float padded_6_4 = (j + 14) / 16 >= 3 && ((j + 14) / 16 + 1) % 2 == 0
                                           ? sum_4[i * 64 + (j + 30) / 32 * kK + k - 8]
                                           : 0.0f;
              padded_7_2 = padded_5_4 + padded_6_4;
            }
            padded_8_1 = padded_4_2 + padded_7_2;
          }

          // after
          const float decay_value_78 = decay[index_3 - 12];
          const float product_1_51 = decay[index_3 - 16] * decay_value_78;
          const float sum_1_85 = fmaf(decay_value_78, value[index_3 - 16], value[index_3 - 12]);
          padded_2_1 = fmaf(product_1_51, padded_3_1 + padded_8_1, sum_1_85);
        }
      }
      float padded_9_1 = 0.0f;
      if (j / 2 >= 2 && j / 2 % 2 == 0) {
        float padded_3_2 = 0.0f;
        if ((j / 4 + 1) % 2 == 0) {
          if ((j + 4) / 8 < 2) {
            const float decay_value_79 = decay[index_1 + 12];
            const float sum_1_86 = fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
            const float sum_1_87 = fmaf(decay_value_79, value[index_1 + 8], value[index_1 + 12]);
            padded_3_2 = fmaf(decay[index_1 + 8] * decay_value_79, sum_1_86, sum_1_87);
          } else {
            float padded_4_3 = 0.0f;
            if ((j + 4) / 8 % 2 == 0) {
              if ((j + 4) / 16 < 2) {
                const float decay_value_80 = decay[index_1 + 20];
                const float decay_value_81 = decay[index_1 + 28];
                const float product_1_52 = decay[index_1 + 24] * decay_value_81;
                const float product_2_30 = decay[index_1 + 16] * decay_value_80 * product_1_52;
                const float decay_value_82 = decay[index_1 + 12];
                const float sum_1_88 = fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                const float sum_1_89 =
                    fmaf(decay_value_82, value[index_1 + 8], value[index_1 + 12]);
                const float sum_2_3 = fmaf(decay[index_1 + 8] * decay_value_82, sum_1_88, sum_1_89);
                const float sum_1_90 =
                    fmaf(decay_value_80, value[index_1 + 16], value[index_1 + 20]);
                const float sum_1_91 =
                    fmaf(decay_value_81, value[index_1 + 24], value[index_1 + 28]);
                padded_4_3 = fmaf(product_2_30, sum_2_3, fmaf(product_1_52, sum_1_90, sum_1_91));
              } else {
                float padded_5_5 = 0.0f;
                if ((j + 4) / 16 % 2 == 0) {
                  if ((j + 4) / 32 < 2) {
                    const float decay_value_83 = decay[index_1 + 36];
                    const float decay_value_84 = decay[index_1 + 44];
                    const float product_1_53 = decay[index_1 + 40] * decay_value_84;
                    const float product_2_31 = decay[index_1 + 32] * decay_value_83 * product_1_53;
                    const float decay_value_85 = decay[index_1 + 52];
                    const float decay_value_86 = decay[index_1 + 60];
                    const float product_1_54 = decay[index_1 + 56] * decay_value_86;
                    const float product_2_32 = decay[index_1 + 48] * decay_value_85 * product_1_54;
                    const float decay_value_87 = decay[index_1 + 20];
                    const float decay_value_88 = decay[index_1 + 28];
                    const float product_1_55 = decay[index_1 + 24] * decay_value_88;
                    const float product_2_33 = decay[index_1 + 16] * decay_value_87 * product_1_55;
                    const float decay_value_89 = decay[index_1 + 12];
                    const float product_1_56 = decay[index_1 + 8] * decay_value_89;
                    const float sum_1_92 =
                        fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                    const float sum_1_93 =
                        fmaf(decay_value_89, value[index_1 + 8], value[index_1 + 12]);
                    const float sum_1_94 =
                        fmaf(decay_value_87, value[index_1 + 16], value[index_1 + 20]);
                    const float sum_1_95 =
                        fmaf(decay_value_88, value[index_1 + 24], value[index_1 + 28]);
                    const float sum_3_19 = fmaf(product_2_33,
                                                fmaf(product_1_56, sum_1_92, sum_1_93),
                                                fmaf(product_1_55, sum_1_94, sum_1_95));
                    const float sum_1_96 =
                        fmaf(decay_value_83, value[index_1 + 32], value[index_1 + 36]);
                    const float sum_1_97 =
                        fmaf(decay_value_84, value[index_1 + 40], value[index_1 + 44]);
                    const float sum_1_98 =
                        fmaf(decay_value_85, value[index_1 + 48], value[index_1 + 52]);
                    const float sum_1_99 =
                        fmaf(decay_value_86, value[index_1 + 56], value[index_1 + 60]);
                    const float sum_3_20 = fmaf(product_2_32,
                                                fmaf(product_1_53, sum_1_96, sum_1_97),
                                                fmaf(product_1_54, sum_1_98, sum_1_99));
                    padded_5_5 = fmaf(product_2_31 * product_2_32, sum_3_19, sum_3_20);
                  } else {
                    const float sum_4_value_5 = sum_4[i * 64 + (j + 4) / 32 * kK + k - 8];

                    // after
                    const float decay_value_90 = decay[index_19 - 124];
                    const float product_1_57 = decay[index_19 - 128] * decay_value_90;
                    const float decay_value_91 = decay[index_19 - 116];
                    const float product_1_58 = decay[index_19 - 120] * decay_value_91;
                    const float decay_value_92 = decay[index_19 - 108];
                    const float product_1_59 = decay[index_19 - 112] * decay_value_92;
                    const float decay_value_93 = decay[index_19 - 100];
                    const float product_1_60 = decay[index_19 - 104] * decay_value_93;
                    const float product_2_34 = product_1_59 * product_1_60;
                    const float decay_value_94 = decay[index_19 - 92];
                    const float decay_value_95 = decay[index_19 - 84];
                    const float product_1_61 = decay[index_19 - 88] * decay_value_95;
                    const float product_2_35 = decay[index_19 - 96] * decay_value_94 * product_1_61;
                    const float decay_value_96 = decay[index_19 - 76];
                    const float decay_value_97 = decay[index_19 - 68];
                    const float product_1_62 = decay[index_19 - 72] * decay_value_97;
                    const float product_2_36 = decay[index_19 - 80] * decay_value_96 * product_1_62;
                    const float product_3_6 = product_2_35 * product_2_36;
                    const float product_4_5 =
                        product_1_57 * product_1_58 * product_2_34 * product_3_6;
                    const float sum_1_100 =
                        fmaf(decay_value_90, value[index_19 - 128], value[index_19 - 124]);
                    const float sum_1_101 =
                        fmaf(decay_value_91, value[index_19 - 120], value[index_19 - 116]);
                    const float sum_1_102 =
                        fmaf(decay_value_92, value[index_19 - 112], value[index_19 - 108]);
                    const float sum_1_103 =
                        fmaf(decay_value_93, value[index_19 - 104], value[index_19 - 100]);
                    const float sum_3_21 = fmaf(product_2_34,
                                                fmaf(product_1_58, sum_1_100, sum_1_101),
                                                fmaf(product_1_60, sum_1_102, sum_1_103));
                    const float sum_1_104 =
                        fmaf(decay_value_94, value[index_19 - 96], value[index_19 - 92]);
                    const float sum_1_105 =
                        fmaf(decay_value_95, value[index_19 - 88], value[index_19 - 84]);
                    const float sum_1_106 =
                        fmaf(decay_value_96, value[index_19 - 80], value[index_19 - 76]);
                    const float sum_1_107 =
                        fmaf(decay_value_97, value[index_19 - 72], value[index_19 - 68]);
                    const float sum_3_22 = fmaf(product_2_36,
                                                fmaf(product_1_61, sum_1_104, sum_1_105),
                                                fmaf(product_1_62, sum_1_106, sum_1_107));
                    padded_5_5 =
                        fmaf(product_4_5, sum_4_value_5, fmaf(product_3_6, sum_3_21, sum_3_22));
                  }
                }
                const float padded_6_5 = (j + 4) / 16 >= 3 && ((j + 4) / 16 + 1) % 2 == 0
                                             ? sum_4[i * 64 + (j + 20) / 32 * kK + k - 8]
                                             : 0.0f;

                // after
                const float decay_value_98 = decay[index_11 - 60];
                const float decay_value_99 = decay[index_11 - 52];
                const float product_1_63 = decay[index_11 - 56] * decay_value_99;
                const float product_2_37 = decay[index_11 - 64] * decay_value_98 * product_1_63;
                const float decay_value_100 = decay[index_11 - 44];
                const float decay_value_101 = decay[index_11 - 36];
                const float product_1_64 = decay[index_11 - 40] * decay_value_101;
                const float product_2_38 = decay[index_11 - 48] * decay_value_100 * product_1_64;
                const float sum_1_108 =
                    fmaf(decay_value_98, value[index_11 - 64], value[index_11 - 60]);
                const float sum_1_109 =
                    fmaf(decay_value_99, value[index_11 - 56], value[index_11 - 52]);
                const float sum_1_110 =
                    fmaf(decay_value_100, value[index_11 - 48], value[index_11 - 44]);
                const float sum_1_111 =
                    fmaf(decay_value_101, value[index_11 - 40], value[index_11 - 36]);
                const float sum_3_23 = fmaf(product_2_38, fmaf(product_1_63, sum_1_108, sum_1_109),
                                            fmaf(product_1_64, sum_1_110, sum_1_111));
                padded_4_3 = fmaf(product_2_37 * product_2_38, padded_5_5 + padded_6_5, sum_3_23);
              }
            }
            float padded_7_3 = 0.0f;
            if ((j + 4) / 8 >= 3 && ((j + 4) / 8 + 1) % 2 == 0) {
              float padded_5_6 = 0.0f;
              if ((j + 12) / 16 % 2 == 0) {
                if ((j + 12) / 32 < 2) {
                  const float decay_value_102 = decay[index_1 + 36];
                  const float decay_value_103 = decay[index_1 + 44];
                  const float product_1_65 = decay[index_1 + 40] * decay_value_103;
                  const float product_2_39 = decay[index_1 + 32] * decay_value_102 * product_1_65;
                  const float decay_value_104 = decay[index_1 + 52];
                  const float decay_value_105 = decay[index_1 + 60];
                  const float product_1_66 = decay[index_1 + 56] * decay_value_105;
                  const float product_2_40 = decay[index_1 + 48] * decay_value_104 * product_1_66;
                  const float decay_value_106 = decay[index_1 + 20];
                  const float decay_value_107 = decay[index_1 + 28];
                  const float product_1_67 = decay[index_1 + 24] * decay_value_107;
                  const float product_2_41 = decay[index_1 + 16] * decay_value_106 * product_1_67;
                  const float decay_value_108 = decay[index_1 + 12];
                  const float product_1_68 = decay[index_1 + 8] * decay_value_108;
                  const float sum_1_112 =
                      fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                  const float sum_1_113 =
                      fmaf(decay_value_108, value[index_1 + 8], value[index_1 + 12]);
                  const float sum_1_114 =
                      fmaf(decay_value_106, value[index_1 + 16], value[index_1 + 20]);
                  const float sum_1_115 =
                      fmaf(decay_value_107, value[index_1 + 24], value[index_1 + 28]);
                  const float sum_3_24 = fmaf(product_2_41,
                                              fmaf(product_1_68, sum_1_112, sum_1_113),
                                              fmaf(product_1_67, sum_1_114, sum_1_115));
                  const float sum_1_116 =
                      fmaf(decay_value_102, value[index_1 + 32], value[index_1 + 36]);
                  const float sum_1_117 =
                      fmaf(decay_value_103, value[index_1 + 40], value[index_1 + 44]);
                  const float sum_1_118 =
                      fmaf(decay_value_104, value[index_1 + 48], value[index_1 + 52]);
                  const float sum_1_119 =
                      fmaf(decay_value_105, value[index_1 + 56], value[index_1 + 60]);
                  const float sum_3_25 = fmaf(product_2_40,
                                              fmaf(product_1_65, sum_1_116, sum_1_117),
                                              fmaf(product_1_66, sum_1_118, sum_1_119));
                  padded_5_6 = fmaf(product_2_39 * product_2_40, sum_3_24, sum_3_25);
                } else {
                  const float sum_4_value_6 = sum_4[i * 64 + (j + 12) / 32 * kK + k - 8];

                  // after
                  const float decay_value_109 = decay[index_27 - 124];
                  const float decay_value_110 = decay[index_27 - 116];
                  const float product_1_69 = decay[index_27 - 120] * decay_value_110;
                  const float product_2_42 = decay[index_27 - 128] * decay_value_109 * product_1_69;
                  const float decay_value_111 = decay[index_27 - 108];
                  const float decay_value_112 = decay[index_27 - 100];
                  const float product_1_70 = decay[index_27 - 104] * decay_value_112;
                  const float product_2_43 = decay[index_27 - 112] * decay_value_111 * product_1_70;
                  const float decay_value_113 = decay[index_27 - 92];
                  const float decay_value_114 = decay[index_27 - 84];
                  const float product_1_71 = decay[index_27 - 88] * decay_value_114;
                  const float product_2_44 = decay[index_27 - 96] * decay_value_113 * product_1_71;
                  const float decay_value_115 = decay[index_27 - 76];
                  const float decay_value_116 = decay[index_27 - 68];
                  const float product_1_72 = decay[index_27 - 72] * decay_value_116;
                  const float product_2_45 = decay[index_27 - 80] * decay_value_115 * product_1_72;
                  const float product_3_7 = product_2_44 * product_2_45;
                  const float product_4_6 = product_2_42 * product_2_43 * product_3_7;
                  const float sum_1_120 =
                      fmaf(decay_value_109, value[index_27 - 128], value[index_27 - 124]);
                  const float sum_1_121 =
                      fmaf(decay_value_110, value[index_27 - 120], value[index_27 - 116]);
                  const float sum_1_122 =
                      fmaf(decay_value_111, value[index_27 - 112], value[index_27 - 108]);
                  const float sum_1_123 =
                      fmaf(decay_value_112, value[index_27 - 104], value[index_27 - 100]);
                  const float sum_3_26 = fmaf(product_2_43,
                                              fmaf(product_1_69, sum_1_120, sum_1_121),
                                              fmaf(product_1_70, sum_1_122, sum_1_123));
                  const float sum_1_124 =
                      fmaf(decay_value_113, value[index_27 - 96], value[index_27 - 92]);
                  const float sum_1_125 =
                      fmaf(decay_value_114, value[index_27 - 88], value[index_27 - 84]);
                  const float sum_1_126 =
                      fmaf(decay_value_115, value[index_27 - 80], value[index_27 - 76]);
                  const float sum_1_127 =
                      fmaf(decay_value_116, value[index_27 - 72], value[index_27 - 68]);
                  const float sum_3_27 = fmaf(product_2_45,
                                              fmaf(product_1_71, sum_1_124, sum_1_125),
                                              fmaf(product_1_72, sum_1_126, sum_1_127));
                  padded_5_6 =
                      fmaf(product_4_6, sum_4_value_6, fmaf(product_3_7, sum_3_26, sum_3_27));
                }
              }
              const float padded_6_6 = (j + 12) / 16 >= 3 && ((j + 12) / 16 + 1) % 2 == 0
                                           ? sum_4[i * 64 + (j + 28) / 32 * kK + k - 8]
                                           : 0.0f;
              padded_7_3 = padded_5_6 + padded_6_6;
            }

            // after
            const float decay_value_117 = decay[index_7 - 28];
            const float decay_value_118 = decay[index_7 - 20];
            const float product_1_73 = decay[index_7 - 24] * decay_value_118;
            const float product_2_46 = decay[index_7 - 32] * decay_value_117 * product_1_73;
            const float sum_1_128 = fmaf(decay_value_117, value[index_7 - 32], value[index_7 - 28]);
            const float sum_1_129 = fmaf(decay_value_118, value[index_7 - 24], value[index_7 - 20]);
            padded_3_2 = fmaf(product_2_46, padded_4_3 + padded_7_3,
                              fmaf(product_1_73, sum_1_128, sum_1_129));
          }
        }
        float padded_8_2 = 0.0f;
        if (j / 4 >= 2 && j / 4 % 2 == 0) {
          float padded_4_4 = 0.0f;
          if ((j / 8 + 1) % 2 == 0) {
            if ((j + 8) / 16 < 2) {
              const float decay_value_119 = decay[index_1 + 20];
              const float decay_value_120 = decay[index_1 + 28];
              const float product_1_74 = decay[index_1 + 24] * decay_value_120;
              const float product_2_47 = decay[index_1 + 16] * decay_value_119 * product_1_74;
              const float decay_value_121 = decay[index_1 + 12];
              const float sum_1_130 = fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
              const float sum_1_131 =
                  fmaf(decay_value_121, value[index_1 + 8], value[index_1 + 12]);
              const float sum_2_4 =
                  fmaf(decay[index_1 + 8] * decay_value_121, sum_1_130, sum_1_131);
              const float sum_1_132 =
                  fmaf(decay_value_119, value[index_1 + 16], value[index_1 + 20]);
              const float sum_1_133 =
                  fmaf(decay_value_120, value[index_1 + 24], value[index_1 + 28]);
              padded_4_4 = fmaf(product_2_47, sum_2_4, fmaf(product_1_74, sum_1_132, sum_1_133));
            } else {
              float padded_5_7 = 0.0f;
              if ((j + 8) / 16 % 2 == 0) {
                if ((j + 8) / 32 < 2) {
                  const float decay_value_122 = decay[index_1 + 36];
                  const float decay_value_123 = decay[index_1 + 44];
                  const float product_1_75 = decay[index_1 + 40] * decay_value_123;
                  const float product_2_48 = decay[index_1 + 32] * decay_value_122 * product_1_75;
                  const float decay_value_124 = decay[index_1 + 52];
                  const float decay_value_125 = decay[index_1 + 60];
                  const float product_1_76 = decay[index_1 + 56] * decay_value_125;
                  const float product_2_49 = decay[index_1 + 48] * decay_value_124 * product_1_76;
                  const float decay_value_126 = decay[index_1 + 20];
                  const float decay_value_127 = decay[index_1 + 28];
                  const float product_1_77 = decay[index_1 + 24] * decay_value_127;
                  const float product_2_50 = decay[index_1 + 16] * decay_value_126 * product_1_77;
                  const float decay_value_128 = decay[index_1 + 12];
                  const float product_1_78 = decay[index_1 + 8] * decay_value_128;
                  const float sum_1_134 =
                      fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                  const float sum_1_135 =
                      fmaf(decay_value_128, value[index_1 + 8], value[index_1 + 12]);
                  const float sum_1_136 =
                      fmaf(decay_value_126, value[index_1 + 16], value[index_1 + 20]);
                  const float sum_1_137 =
                      fmaf(decay_value_127, value[index_1 + 24], value[index_1 + 28]);
                  const float sum_3_28 = fmaf(product_2_50,
                                              fmaf(product_1_78, sum_1_134, sum_1_135),
                                              fmaf(product_1_77, sum_1_136, sum_1_137));
                  const float sum_1_138 =
                      fmaf(decay_value_122, value[index_1 + 32], value[index_1 + 36]);
                  const float sum_1_139 =
                      fmaf(decay_value_123, value[index_1 + 40], value[index_1 + 44]);
                  const float sum_1_140 =
                      fmaf(decay_value_124, value[index_1 + 48], value[index_1 + 52]);
                  const float sum_1_141 =
                      fmaf(decay_value_125, value[index_1 + 56], value[index_1 + 60]);
                  const float sum_3_29 = fmaf(product_2_49,
                                              fmaf(product_1_75, sum_1_138, sum_1_139),
                                              fmaf(product_1_76, sum_1_140, sum_1_141));
                  padded_5_7 = fmaf(product_2_48 * product_2_49, sum_3_28, sum_3_29);
                } else {
                  const float sum_4_value_7 = sum_4[i * 64 + (j + 8) / 32 * kK + k - 8];

                  // after
                  const float decay_value_129 = decay[index_23 - 124];
                  const float decay_value_130 = decay[index_23 - 116];
                  const float product_1_79 = decay[index_23 - 120] * decay_value_130;
                  const float product_2_51 = decay[index_23 - 128] * decay_value_129 * product_1_79;
                  const float decay_value_131 = decay[index_23 - 108];
                  const float decay_value_132 = decay[index_23 - 100];
                  const float product_1_80 = decay[index_23 - 104] * decay_value_132;
                  const float product_2_52 = decay[index_23 - 112] * decay_value_131 * product_1_80;
                  const float decay_value_133 = decay[index_23 - 92];
                  const float decay_value_134 = decay[index_23 - 84];
                  const float product_1_81 = decay[index_23 - 88] * decay_value_134;
                  const float product_2_53 = decay[index_23 - 96] * decay_value_133 * product_1_81;
                  const float decay_value_135 = decay[index_23 - 76];
                  const float decay_value_136 = decay[index_23 - 68];
                  const float product_1_82 = decay[index_23 - 72] * decay_value_136;
                  const float product_2_54 = decay[index_23 - 80] * decay_value_135 * product_1_82;
                  const float product_3_8 = product_2_53 * product_2_54;
                  const float product_4_7 = product_2_51 * product_2_52 * product_3_8;
                  const float sum_1_142 =
                      fmaf(decay_value_129, value[index_23 - 128], value[index_23 - 124]);
                  const float sum_1_143 =
                      fmaf(decay_value_130, value[index_23 - 120], value[index_23 - 116]);
                  const float sum_1_144 =
                      fmaf(decay_value_131, value[index_23 - 112], value[index_23 - 108]);
                  const float sum_1_145 =
                      fmaf(decay_value_132, value[index_23 - 104], value[index_23 - 100]);
                  const float sum_3_30 = fmaf(product_2_52,
                                              fmaf(product_1_79, sum_1_142, sum_1_143),
                                              fmaf(product_1_80, sum_1_144, sum_1_145));
                  const float sum_1_146 =
                      fmaf(decay_value_133, value[index_23 - 96], value[index_23 - 92]);
                  const float sum_1_147 =
                      fmaf(decay_value_134, value[index_23 - 88], value[index_23 - 84]);
                  const float sum_1_148 =
                      fmaf(decay_value_135, value[index_23 - 80], value[index_23 - 76]);
                  const float sum_1_149 =
                      fmaf(decay_value_136, value[index_23 - 72], value[index_23 - 68]);
                  const float sum_3_31 = fmaf(product_2_54,
                                              fmaf(product_1_81, sum_1_146, sum_1_147),
                                              fmaf(product_1_82, sum_1_148, sum_1_149));
                  padded_5_7 =
                      fmaf(product_4_7, sum_4_value_7, fmaf(product_3_8, sum_3_30, sum_3_31));
                }
              }
              const float padded_6_7 = (j + 8) / 16 >= 3 && ((j + 8) / 16 + 1) % 2 == 0
                                           ? sum_4[i * 64 + (j + 24) / 32 * kK + k - 8]
                                           : 0.0f;

              // after
              const float decay_value_137 = decay[index_15 - 60];
              const float decay_value_138 = decay[index_15 - 52];
              const float product_1_83 = decay[index_15 - 56] * decay_value_138;
              const float product_2_55 = decay[index_15 - 64] * decay_value_137 * product_1_83;
              const float decay_value_139 = decay[index_15 - 44];
              const float decay_value_140 = decay[index_15 - 36];
              const float product_1_84 = decay[index_15 - 40] * decay_value_140;
              const float product_2_56 = decay[index_15 - 48] * decay_value_139 * product_1_84;
              const float sum_1_150 =
                  fmaf(decay_value_137, value[index_15 - 64], value[index_15 - 60]);
              const float sum_1_151 =
                  fmaf(decay_value_138, value[index_15 - 56], value[index_15 - 52]);
              const float sum_1_152 =
                  fmaf(decay_value_139, value[index_15 - 48], value[index_15 - 44]);
              const float sum_1_153 =
                  fmaf(decay_value_140, value[index_15 - 40], value[index_15 - 36]);
              const float sum_3_32 = fmaf(product_2_56, fmaf(product_1_83, sum_1_150, sum_1_151),
                                          fmaf(product_1_84, sum_1_152, sum_1_153));
              padded_4_4 = fmaf(product_2_55 * product_2_56, padded_5_7 + padded_6_7, sum_3_32);
            }
          }
          float padded_7_4 = 0.0f;
          if (j / 8 >= 2 && j / 8 % 2 == 0) {
            float padded_5_8 = 0.0f;
            if ((j / 16 + 1) % 2 == 0) {
              if ((j + 16) / 32 < 2) {
                const float decay_value_141 = decay[index_1 + 36];
                const float decay_value_142 = decay[index_1 + 44];
                const float product_1_85 = decay[index_1 + 40] * decay_value_142;
                const float product_2_57 = decay[index_1 + 32] * decay_value_141 * product_1_85;
                const float decay_value_143 = decay[index_1 + 52];
                const float decay_value_144 = decay[index_1 + 60];
                const float product_1_86 = decay[index_1 + 56] * decay_value_144;
                const float product_2_58 = decay[index_1 + 48] * decay_value_143 * product_1_86;
                const float decay_value_145 = decay[index_1 + 20];
                const float decay_value_146 = decay[index_1 + 28];
                const float product_1_87 = decay[index_1 + 24] * decay_value_146;
                const float product_2_59 = decay[index_1 + 16] * decay_value_145 * product_1_87;
                const float decay_value_147 = decay[index_1 + 12];
                const float sum_1_154 =
                    fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                const float sum_1_155 =
                    fmaf(decay_value_147, value[index_1 + 8], value[index_1 + 12]);
                const float sum_2_5 =
                    fmaf(decay[index_1 + 8] * decay_value_147, sum_1_154, sum_1_155);
                const float sum_1_156 =
                    fmaf(decay_value_145, value[index_1 + 16], value[index_1 + 20]);
                const float sum_1_157 =
                    fmaf(decay_value_146, value[index_1 + 24], value[index_1 + 28]);
                const float sum_3_33 =
                    fmaf(product_2_59, sum_2_5, fmaf(product_1_87, sum_1_156, sum_1_157));
                const float sum_1_158 =
                    fmaf(decay_value_141, value[index_1 + 32], value[index_1 + 36]);
                const float sum_1_159 =
                    fmaf(decay_value_142, value[index_1 + 40], value[index_1 + 44]);
                const float sum_1_160 =
                    fmaf(decay_value_143, value[index_1 + 48], value[index_1 + 52]);
                const float sum_1_161 =
                    fmaf(decay_value_144, value[index_1 + 56], value[index_1 + 60]);
                const float sum_3_34 = fmaf(product_2_58, fmaf(product_1_85, sum_1_158, sum_1_159),
                                            fmaf(product_1_86, sum_1_160, sum_1_161));
                padded_5_8 = fmaf(product_2_57 * product_2_58, sum_3_33, sum_3_34);
              } else {
                const float sum_4_value_8 = sum_4[i * 64 + (j + 16) / 32 * kK + k - 8];

                // after
                const float decay_value_148 = decay[index_31 - 124];
                const float decay_value_149 = decay[index_31 - 116];
                const float product_1_88 = decay[index_31 - 120] * decay_value_149;
                const float product_2_60 = decay[index_31 - 128] * decay_value_148 * product_1_88;
                const float decay_value_150 = decay[index_31 - 108];
                const float decay_value_151 = decay[index_31 - 100];
                const float product_1_89 = decay[index_31 - 104] * decay_value_151;
                const float product_2_61 = decay[index_31 - 112] * decay_value_150 * product_1_89;
                const float decay_value_152 = decay[index_31 - 92];
                const float decay_value_153 = decay[index_31 - 84];
                const float product_1_90 = decay[index_31 - 88] * decay_value_153;
                const float product_2_62 = decay[index_31 - 96] * decay_value_152 * product_1_90;
                const float decay_value_154 = decay[index_31 - 76];
                const float decay_value_155 = decay[index_31 - 68];
                const float product_1_91 = decay[index_31 - 72] * decay_value_155;
                const float product_2_63 = decay[index_31 - 80] * decay_value_154 * product_1_91;
                const float product_3_9 = product_2_62 * product_2_63;
                const float product_4_8 = product_2_60 * product_2_61 * product_3_9;
                const float sum_1_162 =
                    fmaf(decay_value_148, value[index_31 - 128], value[index_31 - 124]);
                const float sum_1_163 =
                    fmaf(decay_value_149, value[index_31 - 120], value[index_31 - 116]);
                const float sum_1_164 =
                    fmaf(decay_value_150, value[index_31 - 112], value[index_31 - 108]);
                const float sum_1_165 =
                    fmaf(decay_value_151, value[index_31 - 104], value[index_31 - 100]);
                const float sum_3_35 = fmaf(product_2_61, fmaf(product_1_88, sum_1_162, sum_1_163),
                                            fmaf(product_1_89, sum_1_164, sum_1_165));
                const float sum_1_166 =
                    fmaf(decay_value_152, value[index_31 - 96], value[index_31 - 92]);
                const float sum_1_167 =
                    fmaf(decay_value_153, value[index_31 - 88], value[index_31 - 84]);
                const float sum_1_168 =
                    fmaf(decay_value_154, value[index_31 - 80], value[index_31 - 76]);
                const float sum_1_169 =
                    fmaf(decay_value_155, value[index_31 - 72], value[index_31 - 68]);
                const float sum_3_36 = fmaf(product_2_63, fmaf(product_1_90, sum_1_166, sum_1_167),
                                            fmaf(product_1_91, sum_1_168, sum_1_169));
                padded_5_8 =
                    fmaf(product_4_8, sum_4_value_8, fmaf(product_3_9, sum_3_35, sum_3_36));
              }
            }
            const float padded_6_8 =
                j / 16 >= 2 && j / 16 % 2 == 0 ? sum_4[i * 64 + j / 32 * kK + k - 4] : 0.0f;
            padded_7_4 = padded_5_8 + padded_6_8;
          }
          padded_8_2 = padded_4_4 + padded_7_4;
        }
        padded_9_1 = padded_3_2 + padded_8_2;
      }
      padded_1 = fmaf(decay[index_2], padded_2_1 + padded_9_1, value[index_2]);
    }
  }
  float padded_10 = 0.0f;
  if (j >= 1 && (j + 1) % 2 == 0) {
    float padded_2_2 = 0.0f;
    if ((j + 1) / 2 < 256 && ((j + 1) / 2 + 1) % 2 == 0) {
      if ((j + 3) / 4 < 2) {
        padded_2_2 = fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
      } else {
        float padded_3_3 = 0.0f;
        if ((j + 3) / 4 % 2 == 0) {
          if ((j + 3) / 8 < 2) {
            const float decay_value_156 = decay[index_1 + 12];
            const float sum_1_170 = fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
            const float sum_1_171 = fmaf(decay_value_156, value[index_1 + 8], value[index_1 + 12]);
            padded_3_3 = fmaf(decay[index_1 + 8] * decay_value_156, sum_1_170, sum_1_171);
          } else {
            float padded_4_5 = 0.0f;
            if ((j + 3) / 8 % 2 == 0) {
              if ((j + 3) / 16 < 2) {
                const float decay_value_157 = decay[index_1 + 20];
                const float decay_value_158 = decay[index_1 + 28];
                const float product_1_92 = decay[index_1 + 24] * decay_value_158;
                const float product_2_64 = decay[index_1 + 16] * decay_value_157 * product_1_92;
                const float decay_value_159 = decay[index_1 + 12];
                const float sum_1_172 =
                    fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                const float sum_1_173 =
                    fmaf(decay_value_159, value[index_1 + 8], value[index_1 + 12]);
                const float sum_2_6 =
                    fmaf(decay[index_1 + 8] * decay_value_159, sum_1_172, sum_1_173);
                const float sum_1_174 =
                    fmaf(decay_value_157, value[index_1 + 16], value[index_1 + 20]);
                const float sum_1_175 =
                    fmaf(decay_value_158, value[index_1 + 24], value[index_1 + 28]);
                padded_4_5 = fmaf(product_2_64, sum_2_6, fmaf(product_1_92, sum_1_174, sum_1_175));
              } else {
                float padded_5_9 = 0.0f;
                if ((j + 3) / 16 % 2 == 0) {
                  if ((j + 3) / 32 < 2) {
                    const float decay_value_160 = decay[index_1 + 36];
                    const float decay_value_161 = decay[index_1 + 44];
                    const float product_1_93 = decay[index_1 + 40] * decay_value_161;
                    const float product_2_65 = decay[index_1 + 32] * decay_value_160 * product_1_93;
                    const float decay_value_162 = decay[index_1 + 52];
                    const float decay_value_163 = decay[index_1 + 60];
                    const float product_1_94 = decay[index_1 + 56] * decay_value_163;
                    const float product_2_66 = decay[index_1 + 48] * decay_value_162 * product_1_94;
                    const float decay_value_164 = decay[index_1 + 20];
                    const float decay_value_165 = decay[index_1 + 28];
                    const float product_1_95 = decay[index_1 + 24] * decay_value_165;
                    const float product_2_67 = decay[index_1 + 16] * decay_value_164 * product_1_95;
                    const float decay_value_166 = decay[index_1 + 12];
                    const float product_1_96 = decay[index_1 + 8] * decay_value_166;
                    const float sum_1_176 =
                        fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                    const float sum_1_177 =
                        fmaf(decay_value_166, value[index_1 + 8], value[index_1 + 12]);
                    const float sum_1_178 =
                        fmaf(decay_value_164, value[index_1 + 16], value[index_1 + 20]);
                    const float sum_1_179 =
                        fmaf(decay_value_165, value[index_1 + 24], value[index_1 + 28]);
                    const float sum_3_37 = fmaf(product_2_67,
                                                fmaf(product_1_96, sum_1_176, sum_1_177),
                                                fmaf(product_1_95, sum_1_178, sum_1_179));
                    const float sum_1_180 =
                        fmaf(decay_value_160, value[index_1 + 32], value[index_1 + 36]);
                    const float sum_1_181 =
                        fmaf(decay_value_161, value[index_1 + 40], value[index_1 + 44]);
                    const float sum_1_182 =
                        fmaf(decay_value_162, value[index_1 + 48], value[index_1 + 52]);
                    const float sum_1_183 =
                        fmaf(decay_value_163, value[index_1 + 56], value[index_1 + 60]);
                    const float sum_3_38 = fmaf(product_2_66,
                                                fmaf(product_1_93, sum_1_180, sum_1_181),
                                                fmaf(product_1_94, sum_1_182, sum_1_183));
                    padded_5_9 = fmaf(product_2_65 * product_2_66, sum_3_37, sum_3_38);
                  } else {
                    const float sum_4_value_9 = sum_4[i * 64 + (j + 3) / 32 * kK + k - 8];

                    // after
                    const float decay_value_167 = decay[index_18 - 124];
                    const float product_1_97 = decay[index_18 - 128] * decay_value_167;
                    const float decay_value_168 = decay[index_18 - 116];
                    const float product_1_98 = decay[index_18 - 120] * decay_value_168;
                    const float decay_value_169 = decay[index_18 - 108];
                    const float product_1_99 = decay[index_18 - 112] * decay_value_169;
                    const float decay_value_170 = decay[index_18 - 100];
                    const float product_1_100 = decay[index_18 - 104] * decay_value_170;
                    const float product_2_68 = product_1_99 * product_1_100;
                    const float decay_value_171 = decay[index_18 - 92];
                    const float decay_value_172 = decay[index_18 - 84];
                    const float product_1_101 = decay[index_18 - 88] * decay_value_172;
                    const float product_2_69 =
                        decay[index_18 - 96] * decay_value_171 * product_1_101;
                    const float decay_value_173 = decay[index_18 - 76];
                    const float decay_value_174 = decay[index_18 - 68];
                    const float product_1_102 = decay[index_18 - 72] * decay_value_174;
                    const float product_2_70 =
                        decay[index_18 - 80] * decay_value_173 * product_1_102;
                    const float product_3_10 = product_2_69 * product_2_70;
                    const float product_4_9 =
                        product_1_97 * product_1_98 * product_2_68 * product_3_10;
                    const float sum_1_184 =
                        fmaf(decay_value_167, value[index_18 - 128], value[index_18 - 124]);
                    const float sum_1_185 =
                        fmaf(decay_value_168, value[index_18 - 120], value[index_18 - 116]);
                    const float sum_1_186 =
                        fmaf(decay_value_169, value[index_18 - 112], value[index_18 - 108]);
                    const float sum_1_187 =
                        fmaf(decay_value_170, value[index_18 - 104], value[index_18 - 100]);
                    const float sum_3_39 = fmaf(product_2_68,
                                                fmaf(product_1_98, sum_1_184, sum_1_185),
                                                fmaf(product_1_100, sum_1_186, sum_1_187));
                    const float sum_1_188 =
                        fmaf(decay_value_171, value[index_18 - 96], value[index_18 - 92]);
                    const float sum_1_189 =
                        fmaf(decay_value_172, value[index_18 - 88], value[index_18 - 84]);
                    const float sum_1_190 =
                        fmaf(decay_value_173, value[index_18 - 80], value[index_18 - 76]);
                    const float sum_1_191 =
                        fmaf(decay_value_174, value[index_18 - 72], value[index_18 - 68]);
                    const float sum_3_40 = fmaf(product_2_70,
                                                fmaf(product_1_101, sum_1_188, sum_1_189),
                                                fmaf(product_1_102, sum_1_190, sum_1_191));
                    padded_5_9 =
                        fmaf(product_4_9, sum_4_value_9, fmaf(product_3_10, sum_3_39, sum_3_40));
                  }
                }
                const float padded_6_9 = (j + 3) / 16 >= 3 && ((j + 3) / 16 + 1) % 2 == 0
                                             ? sum_4[i * 64 + (j + 19) / 32 * kK + k - 8]
                                             : 0.0f;

                // after
                const float decay_value_175 = decay[index_10 - 60];
                const float decay_value_176 = decay[index_10 - 52];
                const float product_1_103 = decay[index_10 - 56] * decay_value_176;
                const float product_2_71 = decay[index_10 - 64] * decay_value_175 * product_1_103;
                const float decay_value_177 = decay[index_10 - 44];
                const float decay_value_178 = decay[index_10 - 36];
                const float product_1_104 = decay[index_10 - 40] * decay_value_178;
                const float product_2_72 = decay[index_10 - 48] * decay_value_177 * product_1_104;
                const float sum_1_192 =
                    fmaf(decay_value_175, value[index_10 - 64], value[index_10 - 60]);
                const float sum_1_193 =
                    fmaf(decay_value_176, value[index_10 - 56], value[index_10 - 52]);
                const float sum_1_194 =
                    fmaf(decay_value_177, value[index_10 - 48], value[index_10 - 44]);
                const float sum_1_195 =
                    fmaf(decay_value_178, value[index_10 - 40], value[index_10 - 36]);
                const float sum_3_41 = fmaf(product_2_72, fmaf(product_1_103, sum_1_192, sum_1_193),
                                            fmaf(product_1_104, sum_1_194, sum_1_195));
                padded_4_5 = fmaf(product_2_71 * product_2_72, padded_5_9 + padded_6_9, sum_3_41);
              }
            }
            float padded_7_5 = 0.0f;
            if ((j + 3) / 8 >= 3 && ((j + 3) / 8 + 1) % 2 == 0) {
              float padded_5_10 = 0.0f;
              if ((j + 11) / 16 % 2 == 0) {
                if ((j + 11) / 32 < 2) {
                  const float decay_value_179 = decay[index_1 + 36];
                  const float decay_value_180 = decay[index_1 + 44];
                  const float product_1_105 = decay[index_1 + 40] * decay_value_180;
                  const float product_2_73 = decay[index_1 + 32] * decay_value_179 * product_1_105;
                  const float decay_value_181 = decay[index_1 + 52];
                  const float decay_value_182 = decay[index_1 + 60];
                  const float product_1_106 = decay[index_1 + 56] * decay_value_182;
                  const float product_2_74 = decay[index_1 + 48] * decay_value_181 * product_1_106;
                  const float decay_value_183 = decay[index_1 + 20];
                  const float decay_value_184 = decay[index_1 + 28];
                  const float product_1_107 = decay[index_1 + 24] * decay_value_184;
                  const float product_2_75 = decay[index_1 + 16] * decay_value_183 * product_1_107;
                  const float decay_value_185 = decay[index_1 + 12];
                  const float product_1_108 = decay[index_1 + 8] * decay_value_185;
                  const float sum_1_196 =
                      fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                  const float sum_1_197 =
                      fmaf(decay_value_185, value[index_1 + 8], value[index_1 + 12]);
                  const float sum_1_198 =
                      fmaf(decay_value_183, value[index_1 + 16], value[index_1 + 20]);
                  const float sum_1_199 =
                      fmaf(decay_value_184, value[index_1 + 24], value[index_1 + 28]);
                  const float sum_3_42 = fmaf(product_2_75,
                                              fmaf(product_1_108, sum_1_196, sum_1_197),
                                              fmaf(product_1_107, sum_1_198, sum_1_199));
                  const float sum_1_200 =
                      fmaf(decay_value_179, value[index_1 + 32], value[index_1 + 36]);
                  const float sum_1_201 =
                      fmaf(decay_value_180, value[index_1 + 40], value[index_1 + 44]);
                  const float sum_1_202 =
                      fmaf(decay_value_181, value[index_1 + 48], value[index_1 + 52]);
                  const float sum_1_203 =
                      fmaf(decay_value_182, value[index_1 + 56], value[index_1 + 60]);
                  const float sum_3_43 = fmaf(product_2_74,
                                              fmaf(product_1_105, sum_1_200, sum_1_201),
                                              fmaf(product_1_106, sum_1_202, sum_1_203));
                  padded_5_10 = fmaf(product_2_73 * product_2_74, sum_3_42, sum_3_43);
                } else {
                  const float sum_4_value_10 = sum_4[i * 64 + (j + 11) / 32 * kK + k - 8];

                  // after
                  const float decay_value_186 = decay[index_26 - 124];
                  const float decay_value_187 = decay[index_26 - 116];
                  const float product_1_109 = decay[index_26 - 120] * decay_value_187;
                  const float product_2_76 =
                      decay[index_26 - 128] * decay_value_186 * product_1_109;
                  const float decay_value_188 = decay[index_26 - 108];
                  const float decay_value_189 = decay[index_26 - 100];
                  const float product_1_110 = decay[index_26 - 104] * decay_value_189;
                  const float product_2_77 =
                      decay[index_26 - 112] * decay_value_188 * product_1_110;
                  const float decay_value_190 = decay[index_26 - 92];
                  const float decay_value_191 = decay[index_26 - 84];
                  const float product_1_111 = decay[index_26 - 88] * decay_value_191;
                  const float product_2_78 = decay[index_26 - 96] * decay_value_190 * product_1_111;
                  const float decay_value_192 = decay[index_26 - 76];
                  const float decay_value_193 = decay[index_26 - 68];
                  const float product_1_112 = decay[index_26 - 72] * decay_value_193;
                  const float product_2_79 = decay[index_26 - 80] * decay_value_192 * product_1_112;
                  const float product_3_11 = product_2_78 * product_2_79;
                  const float product_4_10 = product_2_76 * product_2_77 * product_3_11;
                  const float sum_1_204 =
                      fmaf(decay_value_186, value[index_26 - 128], value[index_26 - 124]);
                  const float sum_1_205 =
                      fmaf(decay_value_187, value[index_26 - 120], value[index_26 - 116]);
                  const float sum_1_206 =
                      fmaf(decay_value_188, value[index_26 - 112], value[index_26 - 108]);
                  const float sum_1_207 =
                      fmaf(decay_value_189, value[index_26 - 104], value[index_26 - 100]);
                  const float sum_3_44 = fmaf(product_2_77,
                                              fmaf(product_1_109, sum_1_204, sum_1_205),
                                              fmaf(product_1_110, sum_1_206, sum_1_207));
                  const float sum_1_208 =
                      fmaf(decay_value_190, value[index_26 - 96], value[index_26 - 92]);
                  const float sum_1_209 =
                      fmaf(decay_value_191, value[index_26 - 88], value[index_26 - 84]);
                  const float sum_1_210 =
                      fmaf(decay_value_192, value[index_26 - 80], value[index_26 - 76]);
                  const float sum_1_211 =
                      fmaf(decay_value_193, value[index_26 - 72], value[index_26 - 68]);
                  const float sum_3_45 = fmaf(product_2_79,
                                              fmaf(product_1_111, sum_1_208, sum_1_209),
                                              fmaf(product_1_112, sum_1_210, sum_1_211));
                  padded_5_10 =
                      fmaf(product_4_10, sum_4_value_10, fmaf(product_3_11, sum_3_44, sum_3_45));
                }
              }
              const float padded_6_10 = (j + 11) / 16 >= 3 && ((j + 11) / 16 + 1) % 2 == 0
                                            ? sum_4[i * 64 + (j + 27) / 32 * kK + k - 8]
                                            : 0.0f;
              padded_7_5 = padded_5_10 + padded_6_10;
            }

            // after
            const float decay_value_194 = decay[index_6 - 28];
            const float decay_value_195 = decay[index_6 - 20];
            const float product_1_113 = decay[index_6 - 24] * decay_value_195;
            const float product_2_80 = decay[index_6 - 32] * decay_value_194 * product_1_113;
            const float sum_1_212 = fmaf(decay_value_194, value[index_6 - 32], value[index_6 - 28]);
            const float sum_1_213 = fmaf(decay_value_195, value[index_6 - 24], value[index_6 - 20]);
            padded_3_3 = fmaf(product_2_80, padded_4_5 + padded_7_5,
                              fmaf(product_1_113, sum_1_212, sum_1_213));
          }
        }
        float padded_8_3 = 0.0f;
        if ((j + 3) / 4 >= 3 && ((j + 3) / 4 + 1) % 2 == 0) {
          float padded_4_6 = 0.0f;
          if ((j + 7) / 8 % 2 == 0) {
            if ((j + 7) / 16 < 2) {
              const float decay_value_196 = decay[index_1 + 20];
              const float decay_value_197 = decay[index_1 + 28];
              const float product_1_114 = decay[index_1 + 24] * decay_value_197;
              const float product_2_81 = decay[index_1 + 16] * decay_value_196 * product_1_114;
              const float decay_value_198 = decay[index_1 + 12];
              const float sum_1_214 = fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
              const float sum_1_215 =
                  fmaf(decay_value_198, value[index_1 + 8], value[index_1 + 12]);
              const float sum_2_7 =
                  fmaf(decay[index_1 + 8] * decay_value_198, sum_1_214, sum_1_215);
              const float sum_1_216 =
                  fmaf(decay_value_196, value[index_1 + 16], value[index_1 + 20]);
              const float sum_1_217 =
                  fmaf(decay_value_197, value[index_1 + 24], value[index_1 + 28]);
              padded_4_6 = fmaf(product_2_81, sum_2_7, fmaf(product_1_114, sum_1_216, sum_1_217));
            } else {
              float padded_5_11 = 0.0f;
              if ((j + 7) / 16 % 2 == 0) {
                if ((j + 7) / 32 < 2) {
                  const float decay_value_199 = decay[index_1 + 36];
                  const float decay_value_200 = decay[index_1 + 44];
                  const float product_1_115 = decay[index_1 + 40] * decay_value_200;
                  const float product_2_82 = decay[index_1 + 32] * decay_value_199 * product_1_115;
                  const float decay_value_201 = decay[index_1 + 52];
                  const float decay_value_202 = decay[index_1 + 60];
                  const float product_1_116 = decay[index_1 + 56] * decay_value_202;
                  const float product_2_83 = decay[index_1 + 48] * decay_value_201 * product_1_116;
                  const float decay_value_203 = decay[index_1 + 20];
                  const float decay_value_204 = decay[index_1 + 28];
                  const float product_1_117 = decay[index_1 + 24] * decay_value_204;
                  const float product_2_84 = decay[index_1 + 16] * decay_value_203 * product_1_117;
                  const float decay_value_205 = decay[index_1 + 12];
                  const float product_1_118 = decay[index_1 + 8] * decay_value_205;
                  const float sum_1_218 =
                      fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                  const float sum_1_219 =
                      fmaf(decay_value_205, value[index_1 + 8], value[index_1 + 12]);
                  const float sum_1_220 =
                      fmaf(decay_value_203, value[index_1 + 16], value[index_1 + 20]);
                  const float sum_1_221 =
                      fmaf(decay_value_204, value[index_1 + 24], value[index_1 + 28]);
                  const float sum_3_46 = fmaf(product_2_84,
                                              fmaf(product_1_118, sum_1_218, sum_1_219),
                                              fmaf(product_1_117, sum_1_220, sum_1_221));
                  const float sum_1_222 =
                      fmaf(decay_value_199, value[index_1 + 32], value[index_1 + 36]);
                  const float sum_1_223 =
                      fmaf(decay_value_200, value[index_1 + 40], value[index_1 + 44]);
                  const float sum_1_224 =
                      fmaf(decay_value_201, value[index_1 + 48], value[index_1 + 52]);
                  const float sum_1_225 =
                      fmaf(decay_value_202, value[index_1 + 56], value[index_1 + 60]);
                  const float sum_3_47 = fmaf(product_2_83,
                                              fmaf(product_1_115, sum_1_222, sum_1_223),
                                              fmaf(product_1_116, sum_1_224, sum_1_225));
                  padded_5_11 = fmaf(product_2_82 * product_2_83, sum_3_46, sum_3_47);
                } else {
                  const float sum_4_value_11 = sum_4[i * 64 + (j + 7) / 32 * kK + k - 8];

                  // after
                  const float decay_value_206 = decay[index_22 - 124];
                  const float decay_value_207 = decay[index_22 - 116];
                  const float product_1_119 = decay[index_22 - 120] * decay_value_207;
                  const float product_2_85 =
                      decay[index_22 - 128] * decay_value_206 * product_1_119;
                  const float decay_value_208 = decay[index_22 - 108];
                  const float decay_value_209 = decay[index_22 - 100];
                  const float product_1_120 = decay[index_22 - 104] * decay_value_209;
                  const float product_2_86 =
                      decay[index_22 - 112] * decay_value_208 * product_1_120;
                  const float decay_value_210 = decay[index_22 - 92];
                  const float decay_value_211 = decay[index_22 - 84];
                  const float product_1_121 = decay[index_22 - 88] * decay_value_211;
                  const float product_2_87 = decay[index_22 - 96] * decay_value_210 * product_1_121;
                  const float decay_value_212 = decay[index_22 - 76];
                  const float decay_value_213 = decay[index_22 - 68];
                  const float product_1_122 = decay[index_22 - 72] * decay_value_213;
                  const float product_2_88 = decay[index_22 - 80] * decay_value_212 * product_1_122;
                  const float product_3_12 = product_2_87 * product_2_88;
                  const float product_4_11 = product_2_85 * product_2_86 * product_3_12;
                  const float sum_1_226 =
                      fmaf(decay_value_206, value[index_22 - 128], value[index_22 - 124]);
                  const float sum_1_227 =
                      fmaf(decay_value_207, value[index_22 - 120], value[index_22 - 116]);
                  const float sum_1_228 =
                      fmaf(decay_value_208, value[index_22 - 112], value[index_22 - 108]);
                  const float sum_1_229 =
                      fmaf(decay_value_209, value[index_22 - 104], value[index_22 - 100]);
                  const float sum_3_48 = fmaf(product_2_86,
                                              fmaf(product_1_119, sum_1_226, sum_1_227),
                                              fmaf(product_1_120, sum_1_228, sum_1_229));
                  const float sum_1_230 =
                      fmaf(decay_value_210, value[index_22 - 96], value[index_22 - 92]);
                  const float sum_1_231 =
                      fmaf(decay_value_211, value[index_22 - 88], value[index_22 - 84]);
                  const float sum_1_232 =
                      fmaf(decay_value_212, value[index_22 - 80], value[index_22 - 76]);
                  const float sum_1_233 =
                      fmaf(decay_value_213, value[index_22 - 72], value[index_22 - 68]);
                  const float sum_3_49 = fmaf(product_2_88,
                                              fmaf(product_1_121, sum_1_230, sum_1_231),
                                              fmaf(product_1_122, sum_1_232, sum_1_233));
                  padded_5_11 =
                      fmaf(product_4_11, sum_4_value_11, fmaf(product_3_12, sum_3_48, sum_3_49));
                }
              }
              const float padded_6_11 = (j + 7) / 16 >= 3 && ((j + 7) / 16 + 1) % 2 == 0
                                            ? sum_4[i * 64 + (j + 23) / 32 * kK + k - 8]
                                            : 0.0f;

              // after
              const float decay_value_214 = decay[index_14 - 60];
              const float decay_value_215 = decay[index_14 - 52];
              const float product_1_123 = decay[index_14 - 56] * decay_value_215;
              const float product_2_89 = decay[index_14 - 64] * decay_value_214 * product_1_123;
              const float decay_value_216 = decay[index_14 - 44];
              const float decay_value_217 = decay[index_14 - 36];
              const float product_1_124 = decay[index_14 - 40] * decay_value_217;
              const float product_2_90 = decay[index_14 - 48] * decay_value_216 * product_1_124;
              const float sum_1_234 =
                  fmaf(decay_value_214, value[index_14 - 64], value[index_14 - 60]);
              const float sum_1_235 =
                  fmaf(decay_value_215, value[index_14 - 56], value[index_14 - 52]);
              const float sum_1_236 =
                  fmaf(decay_value_216, value[index_14 - 48], value[index_14 - 44]);
              const float sum_1_237 =
                  fmaf(decay_value_217, value[index_14 - 40], value[index_14 - 36]);
              const float sum_3_50 = fmaf(product_2_90, fmaf(product_1_123, sum_1_234, sum_1_235),
                                          fmaf(product_1_124, sum_1_236, sum_1_237));
              padded_4_6 = fmaf(product_2_89 * product_2_90, padded_5_11 + padded_6_11, sum_3_50);
            }
          }
          float padded_7_6 = 0.0f;
          if ((j + 7) / 8 >= 3 && ((j + 7) / 8 + 1) % 2 == 0) {
            float padded_5_12 = 0.0f;
            if ((j + 15) / 16 % 2 == 0) {
              if ((j + 15) / 32 < 2) {
                const float decay_value_218 = decay[index_1 + 36];
                const float decay_value_219 = decay[index_1 + 44];
                const float product_1_125 = decay[index_1 + 40] * decay_value_219;
                const float product_2_91 = decay[index_1 + 32] * decay_value_218 * product_1_125;
                const float decay_value_220 = decay[index_1 + 52];
                const float decay_value_221 = decay[index_1 + 60];
                const float product_1_126 = decay[index_1 + 56] * decay_value_221;
                const float product_2_92 = decay[index_1 + 48] * decay_value_220 * product_1_126;
                const float decay_value_222 = decay[index_1 + 20];
                const float decay_value_223 = decay[index_1 + 28];
                const float product_1_127 = decay[index_1 + 24] * decay_value_223;
                const float product_2_93 = decay[index_1 + 16] * decay_value_222 * product_1_127;
                const float decay_value_224 = decay[index_1 + 12];
                const float sum_1_238 =
                    fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                const float sum_1_239 =
                    fmaf(decay_value_224, value[index_1 + 8], value[index_1 + 12]);
                const float sum_2_8 =
                    fmaf(decay[index_1 + 8] * decay_value_224, sum_1_238, sum_1_239);
                const float sum_1_240 =
                    fmaf(decay_value_222, value[index_1 + 16], value[index_1 + 20]);
                const float sum_1_241 =
                    fmaf(decay_value_223, value[index_1 + 24], value[index_1 + 28]);
                const float sum_3_51 =
                    fmaf(product_2_93, sum_2_8, fmaf(product_1_127, sum_1_240, sum_1_241));
                const float sum_1_242 =
                    fmaf(decay_value_218, value[index_1 + 32], value[index_1 + 36]);
                const float sum_1_243 =
                    fmaf(decay_value_219, value[index_1 + 40], value[index_1 + 44]);
                const float sum_1_244 =
                    fmaf(decay_value_220, value[index_1 + 48], value[index_1 + 52]);
                const float sum_1_245 =
                    fmaf(decay_value_221, value[index_1 + 56], value[index_1 + 60]);
                const float sum_3_52 = fmaf(product_2_92, fmaf(product_1_125, sum_1_242, sum_1_243),
                                            fmaf(product_1_126, sum_1_244, sum_1_245));
                padded_5_12 = fmaf(product_2_91 * product_2_92, sum_3_51, sum_3_52);
              } else {
                const float sum_4_value_12 = sum_4[i * 64 + (j + 15) / 32 * kK + k - 8];

                // after
                const float decay_value_225 = decay[index_30 - 124];
                const float decay_value_226 = decay[index_30 - 116];
                const float product_1_128 = decay[index_30 - 120] * decay_value_226;
                const float product_2_94 = decay[index_30 - 128] * decay_value_225 * product_1_128;
                const float decay_value_227 = decay[index_30 - 108];
                const float decay_value_228 = decay[index_30 - 100];
                const float product_1_129 = decay[index_30 - 104] * decay_value_228;
                const float product_2_95 = decay[index_30 - 112] * decay_value_227 * product_1_129;
                const float decay_value_229 = decay[index_30 - 92];
                const float decay_value_230 = decay[index_30 - 84];
                const float product_1_130 = decay[index_30 - 88] * decay_value_230;
                const float product_2_96 = decay[index_30 - 96] * decay_value_229 * product_1_130;
                const float decay_value_231 = decay[index_30 - 76];
                const float decay_value_232 = decay[index_30 - 68];
                const float product_1_131 = decay[index_30 - 72] * decay_value_232;
                const float product_2_97 = decay[index_30 - 80] * decay_value_231 * product_1_131;
                const float product_3_13 = product_2_96 * product_2_97;
                const float product_4_12 = product_2_94 * product_2_95 * product_3_13;
                const float sum_1_246 =
                    fmaf(decay_value_225, value[index_30 - 128], value[index_30 - 124]);
                const float sum_1_247 =
                    fmaf(decay_value_226, value[index_30 - 120], value[index_30 - 116]);
                const float sum_1_248 =
                    fmaf(decay_value_227, value[index_30 - 112], value[index_30 - 108]);
                const float sum_1_249 =
                    fmaf(decay_value_228, value[index_30 - 104], value[index_30 - 100]);
                const float sum_3_53 = fmaf(product_2_95, fmaf(product_1_128, sum_1_246, sum_1_247),
                                            fmaf(product_1_129, sum_1_248, sum_1_249));
                const float sum_1_250 =
                    fmaf(decay_value_229, value[index_30 - 96], value[index_30 - 92]);
                const float sum_1_251 =
                    fmaf(decay_value_230, value[index_30 - 88], value[index_30 - 84]);
                const float sum_1_252 =
                    fmaf(decay_value_231, value[index_30 - 80], value[index_30 - 76]);
                const float sum_1_253 =
                    fmaf(decay_value_232, value[index_30 - 72], value[index_30 - 68]);
                const float sum_3_54 = fmaf(product_2_97, fmaf(product_1_130, sum_1_250, sum_1_251),
                                            fmaf(product_1_131, sum_1_252, sum_1_253));
                padded_5_12 =
                    fmaf(product_4_12, sum_4_value_12, fmaf(product_3_13, sum_3_53, sum_3_54));
              }
            }
            const float padded_6_12 = (j + 15) / 16 >= 3 && ((j + 15) / 16 + 1) % 2 == 0
                                          ? sum_4[i * 64 + (j + 31) / 32 * kK + k - 8]
                                          : 0.0f;
            padded_7_6 = padded_5_12 + padded_6_12;
          }
          padded_8_3 = padded_4_6 + padded_7_6;
        }

        // after
        const float decay_value_233 = decay[index_4 - 12];
        const float sum_1_254 = fmaf(decay_value_233, value[index_4 - 16], value[index_4 - 12]);
        padded_2_2 =
            fmaf(decay[index_4 - 16] * decay_value_233, padded_3_3 + padded_8_3, sum_1_254);
      }
    }
    float padded_9_2 = 0.0f;
    if ((j + 1) / 2 >= 2 && (j + 1) / 2 % 2 == 0) {
      float padded_3_4 = 0.0f;
      if ((j + 1) / 4 < 128 && ((j + 1) / 4 + 1) % 2 == 0) {
        if ((j + 5) / 8 < 2) {
          const float decay_value_234 = decay[index_1 + 12];
          const float sum_1_255 = fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
          const float sum_1_256 = fmaf(decay_value_234, value[index_1 + 8], value[index_1 + 12]);
          padded_3_4 = fmaf(decay[index_1 + 8] * decay_value_234, sum_1_255, sum_1_256);
        } else {
          float padded_4_7 = 0.0f;
          if ((j + 5) / 8 % 2 == 0) {
            if ((j + 5) / 16 < 2) {
              const float decay_value_235 = decay[index_1 + 20];
              const float decay_value_236 = decay[index_1 + 28];
              const float product_1_132 = decay[index_1 + 24] * decay_value_236;
              const float product_2_98 = decay[index_1 + 16] * decay_value_235 * product_1_132;
              const float decay_value_237 = decay[index_1 + 12];
              const float sum_1_257 = fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
              const float sum_1_258 =
                  fmaf(decay_value_237, value[index_1 + 8], value[index_1 + 12]);
              const float sum_2_9 =
                  fmaf(decay[index_1 + 8] * decay_value_237, sum_1_257, sum_1_258);
              const float sum_1_259 =
                  fmaf(decay_value_235, value[index_1 + 16], value[index_1 + 20]);
              const float sum_1_260 =
                  fmaf(decay_value_236, value[index_1 + 24], value[index_1 + 28]);
              padded_4_7 = fmaf(product_2_98, sum_2_9, fmaf(product_1_132, sum_1_259, sum_1_260));
            } else {
              float padded_5_13 = 0.0f;
              if ((j + 5) / 16 % 2 == 0) {
                if ((j + 5) / 32 < 2) {
                  const float decay_value_238 = decay[index_1 + 36];
                  const float decay_value_239 = decay[index_1 + 44];
                  const float product_1_133 = decay[index_1 + 40] * decay_value_239;
                  const float product_2_99 = decay[index_1 + 32] * decay_value_238 * product_1_133;
                  const float decay_value_240 = decay[index_1 + 52];
                  const float decay_value_241 = decay[index_1 + 60];
                  const float product_1_134 = decay[index_1 + 56] * decay_value_241;
                  const float product_2_100 = decay[index_1 + 48] * decay_value_240 * product_1_134;
                  const float decay_value_242 = decay[index_1 + 20];
                  const float decay_value_243 = decay[index_1 + 28];
                  const float product_1_135 = decay[index_1 + 24] * decay_value_243;
                  const float product_2_101 = decay[index_1 + 16] * decay_value_242 * product_1_135;
                  const float decay_value_244 = decay[index_1 + 12];
                  const float product_1_136 = decay[index_1 + 8] * decay_value_244;
                  const float sum_1_261 =
                      fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                  const float sum_1_262 =
                      fmaf(decay_value_244, value[index_1 + 8], value[index_1 + 12]);
                  const float sum_1_263 =
                      fmaf(decay_value_242, value[index_1 + 16], value[index_1 + 20]);
                  const float sum_1_264 =
                      fmaf(decay_value_243, value[index_1 + 24], value[index_1 + 28]);
                  const float sum_3_55 = fmaf(product_2_101,
                                              fmaf(product_1_136, sum_1_261, sum_1_262),
                                              fmaf(product_1_135, sum_1_263, sum_1_264));
                  const float sum_1_265 =
                      fmaf(decay_value_238, value[index_1 + 32], value[index_1 + 36]);
                  const float sum_1_266 =
                      fmaf(decay_value_239, value[index_1 + 40], value[index_1 + 44]);
                  const float sum_1_267 =
                      fmaf(decay_value_240, value[index_1 + 48], value[index_1 + 52]);
                  const float sum_1_268 =
                      fmaf(decay_value_241, value[index_1 + 56], value[index_1 + 60]);
                  const float sum_3_56 = fmaf(product_2_100,
                                              fmaf(product_1_133, sum_1_265, sum_1_266),
                                              fmaf(product_1_134, sum_1_267, sum_1_268));
                  padded_5_13 = fmaf(product_2_99 * product_2_100, sum_3_55, sum_3_56);
                } else {
                  const float sum_4_value_13 = sum_4[i * 64 + (j + 5) / 32 * kK + k - 8];

                  // after
                  const float decay_value_245 = decay[index_20 - 124];
                  const float decay_value_246 = decay[index_20 - 116];
                  const float product_1_137 = decay[index_20 - 120] * decay_value_246;
                  const float product_2_102 =
                      decay[index_20 - 128] * decay_value_245 * product_1_137;
                  const float decay_value_247 = decay[index_20 - 108];
                  const float decay_value_248 = decay[index_20 - 100];
                  const float product_1_138 = decay[index_20 - 104] * decay_value_248;
                  const float product_2_103 =
                      decay[index_20 - 112] * decay_value_247 * product_1_138;
                  const float decay_value_249 = decay[index_20 - 92];
                  const float decay_value_250 = decay[index_20 - 84];
                  const float product_1_139 = decay[index_20 - 88] * decay_value_250;
                  const float product_2_104 =
                      decay[index_20 - 96] * decay_value_249 * product_1_139;
                  const float decay_value_251 = decay[index_20 - 76];
                  const float decay_value_252 = decay[index_20 - 68];
                  const float product_1_140 = decay[index_20 - 72] * decay_value_252;
                  const float product_2_105 =
                      decay[index_20 - 80] * decay_value_251 * product_1_140;
                  const float product_3_14 = product_2_104 * product_2_105;
                  const float product_4_13 = product_2_102 * product_2_103 * product_3_14;
                  const float sum_1_269 =
                      fmaf(decay_value_245, value[index_20 - 128], value[index_20 - 124]);
                  const float sum_1_270 =
                      fmaf(decay_value_246, value[index_20 - 120], value[index_20 - 116]);
                  const float sum_1_271 =
                      fmaf(decay_value_247, value[index_20 - 112], value[index_20 - 108]);
                  const float sum_1_272 =
                      fmaf(decay_value_248, value[index_20 - 104], value[index_20 - 100]);
                  const float sum_3_57 = fmaf(product_2_103,
                                              fmaf(product_1_137, sum_1_269, sum_1_270),
                                              fmaf(product_1_138, sum_1_271, sum_1_272));
                  const float sum_1_273 =
                      fmaf(decay_value_249, value[index_20 - 96], value[index_20 - 92]);
                  const float sum_1_274 =
                      fmaf(decay_value_250, value[index_20 - 88], value[index_20 - 84]);
                  const float sum_1_275 =
                      fmaf(decay_value_251, value[index_20 - 80], value[index_20 - 76]);
                  const float sum_1_276 =
                      fmaf(decay_value_252, value[index_20 - 72], value[index_20 - 68]);
                  const float sum_3_58 = fmaf(product_2_105,
                                              fmaf(product_1_139, sum_1_273, sum_1_274),
                                              fmaf(product_1_140, sum_1_275, sum_1_276));
                  padded_5_13 =
                      fmaf(product_4_13, sum_4_value_13, fmaf(product_3_14, sum_3_57, sum_3_58));
                }
              }
              const float padded_6_13 = (j + 5) / 16 >= 3 && ((j + 5) / 16 + 1) % 2 == 0
                                            ? sum_4[i * 64 + (j + 21) / 32 * kK + k - 8]
                                            : 0.0f;

              // after
              const float decay_value_253 = decay[index_12 - 60];
              const float decay_value_254 = decay[index_12 - 52];
              const float product_1_141 = decay[index_12 - 56] * decay_value_254;
              const float product_2_106 = decay[index_12 - 64] * decay_value_253 * product_1_141;
              const float decay_value_255 = decay[index_12 - 44];
              const float decay_value_256 = decay[index_12 - 36];
              const float product_1_142 = decay[index_12 - 40] * decay_value_256;
              const float product_2_107 = decay[index_12 - 48] * decay_value_255 * product_1_142;
              const float sum_1_277 =
                  fmaf(decay_value_253, value[index_12 - 64], value[index_12 - 60]);
              const float sum_1_278 =
                  fmaf(decay_value_254, value[index_12 - 56], value[index_12 - 52]);
              const float sum_1_279 =
                  fmaf(decay_value_255, value[index_12 - 48], value[index_12 - 44]);
              const float sum_1_280 =
                  fmaf(decay_value_256, value[index_12 - 40], value[index_12 - 36]);
              const float sum_3_59 = fmaf(product_2_107, fmaf(product_1_141, sum_1_277, sum_1_278),
                                          fmaf(product_1_142, sum_1_279, sum_1_280));
              padded_4_7 = fmaf(product_2_106 * product_2_107, padded_5_13 + padded_6_13, sum_3_59);
            }
          }
          float padded_7_7 = 0.0f;
          if ((j + 5) / 8 >= 3 && ((j + 5) / 8 + 1) % 2 == 0) {
            float padded_5_14 = 0.0f;
            if ((j + 13) / 16 % 2 == 0) {
              if ((j + 13) / 32 < 2) {
                const float decay_value_257 = decay[index_1 + 36];
                const float decay_value_258 = decay[index_1 + 44];
                const float product_1_143 = decay[index_1 + 40] * decay_value_258;
                const float product_2_108 = decay[index_1 + 32] * decay_value_257 * product_1_143;
                const float decay_value_259 = decay[index_1 + 52];
                const float decay_value_260 = decay[index_1 + 60];
                const float product_1_144 = decay[index_1 + 56] * decay_value_260;
                const float product_2_109 = decay[index_1 + 48] * decay_value_259 * product_1_144;
                const float decay_value_261 = decay[index_1 + 20];
                const float decay_value_262 = decay[index_1 + 28];
                const float product_1_145 = decay[index_1 + 24] * decay_value_262;
                const float product_2_110 = decay[index_1 + 16] * decay_value_261 * product_1_145;
                const float decay_value_263 = decay[index_1 + 12];
                const float sum_1_281 =
                    fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                const float sum_1_282 =
                    fmaf(decay_value_263, value[index_1 + 8], value[index_1 + 12]);
                const float sum_2_10 =
                    fmaf(decay[index_1 + 8] * decay_value_263, sum_1_281, sum_1_282);
                const float sum_1_283 =
                    fmaf(decay_value_261, value[index_1 + 16], value[index_1 + 20]);
                const float sum_1_284 =
                    fmaf(decay_value_262, value[index_1 + 24], value[index_1 + 28]);
                const float sum_3_60 =
                    fmaf(product_2_110, sum_2_10, fmaf(product_1_145, sum_1_283, sum_1_284));
                const float sum_1_285 =
                    fmaf(decay_value_257, value[index_1 + 32], value[index_1 + 36]);
                const float sum_1_286 =
                    fmaf(decay_value_258, value[index_1 + 40], value[index_1 + 44]);
                const float sum_1_287 =
                    fmaf(decay_value_259, value[index_1 + 48], value[index_1 + 52]);
                const float sum_1_288 =
                    fmaf(decay_value_260, value[index_1 + 56], value[index_1 + 60]);
                const float sum_3_61 = fmaf(product_2_109,
                                            fmaf(product_1_143, sum_1_285, sum_1_286),
                                            fmaf(product_1_144, sum_1_287, sum_1_288));
                padded_5_14 = fmaf(product_2_108 * product_2_109, sum_3_60, sum_3_61);
              } else {
                const float sum_4_value_14 = sum_4[i * 64 + (j + 13) / 32 * kK + k - 8];

                // after
                const float decay_value_264 = decay[index_28 - 124];
                const float decay_value_265 = decay[index_28 - 116];
                const float product_1_146 = decay[index_28 - 120] * decay_value_265;
                const float product_2_111 = decay[index_28 - 128] * decay_value_264 * product_1_146;
                const float decay_value_266 = decay[index_28 - 108];
                const float decay_value_267 = decay[index_28 - 100];
                const float product_1_147 = decay[index_28 - 104] * decay_value_267;
                const float product_2_112 = decay[index_28 - 112] * decay_value_266 * product_1_147;
                const float decay_value_268 = decay[index_28 - 92];
                const float decay_value_269 = decay[index_28 - 84];
                const float product_1_148 = decay[index_28 - 88] * decay_value_269;
                const float product_2_113 = decay[index_28 - 96] * decay_value_268 * product_1_148;
                const float decay_value_270 = decay[index_28 - 76];
                const float decay_value_271 = decay[index_28 - 68];
                const float product_1_149 = decay[index_28 - 72] * decay_value_271;
                const float product_2_114 = decay[index_28 - 80] * decay_value_270 * product_1_149;
                const float product_3_15 = product_2_113 * product_2_114;
                const float product_4_14 = product_2_111 * product_2_112 * product_3_15;
                const float sum_1_289 =
                    fmaf(decay_value_264, value[index_28 - 128], value[index_28 - 124]);
                const float sum_1_290 =
                    fmaf(decay_value_265, value[index_28 - 120], value[index_28 - 116]);
                const float sum_1_291 =
                    fmaf(decay_value_266, value[index_28 - 112], value[index_28 - 108]);
                const float sum_1_292 =
                    fmaf(decay_value_267, value[index_28 - 104], value[index_28 - 100]);
                const float sum_3_62 = fmaf(product_2_112,
                                            fmaf(product_1_146, sum_1_289, sum_1_290),
                                            fmaf(product_1_147, sum_1_291, sum_1_292));
                const float sum_1_293 =
                    fmaf(decay_value_268, value[index_28 - 96], value[index_28 - 92]);
                const float sum_1_294 =
                    fmaf(decay_value_269, value[index_28 - 88], value[index_28 - 84]);
                const float sum_1_295 =
                    fmaf(decay_value_270, value[index_28 - 80], value[index_28 - 76]);
                const float sum_1_296 =
                    fmaf(decay_value_271, value[index_28 - 72], value[index_28 - 68]);
                const float sum_3_63 = fmaf(product_2_114,
                                            fmaf(product_1_148, sum_1_293, sum_1_294),
                                            fmaf(product_1_149, sum_1_295, sum_1_296));
                padded_5_14 =
                    fmaf(product_4_14, sum_4_value_14, fmaf(product_3_15, sum_3_62, sum_3_63));
              }
            }
            const float padded_6_14 = (j + 13) / 16 >= 3 && ((j + 13) / 16 + 1) % 2 == 0
                                          ? sum_4[i * 64 + (j + 29) / 32 * kK + k - 8]
                                          : 0.0f;
            padded_7_7 = padded_5_14 + padded_6_14;
          }

          // after
          const float decay_value_272 = decay[index_8 - 28];
          const float decay_value_273 = decay[index_8 - 20];
          const float product_1_150 = decay[index_8 - 24] * decay_value_273;
          const float product_2_115 = decay[index_8 - 32] * decay_value_272 * product_1_150;
          const float sum_1_297 = fmaf(decay_value_272, value[index_8 - 32], value[index_8 - 28]);
          const float sum_1_298 = fmaf(decay_value_273, value[index_8 - 24], value[index_8 - 20]);
          padded_3_4 = fmaf(product_2_115, padded_4_7 + padded_7_7,
                            fmaf(product_1_150, sum_1_297, sum_1_298));
        }
      }
      float padded_8_4 = 0.0f;
      if ((j + 1) / 4 >= 2 && (j + 1) / 4 % 2 == 0) {
        float padded_4_8 = 0.0f;
        if ((j + 1) / 8 < 64 && ((j + 1) / 8 + 1) % 2 == 0) {
          if ((j + 9) / 16 < 2) {
            const float decay_value_274 = decay[index_1 + 20];
            const float decay_value_275 = decay[index_1 + 28];
            const float product_1_151 = decay[index_1 + 24] * decay_value_275;
            const float product_2_116 = decay[index_1 + 16] * decay_value_274 * product_1_151;
            const float decay_value_276 = decay[index_1 + 12];
            const float sum_1_299 = fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
            const float sum_1_300 = fmaf(decay_value_276, value[index_1 + 8], value[index_1 + 12]);
            const float sum_2_11 = fmaf(decay[index_1 + 8] * decay_value_276, sum_1_299, sum_1_300);
            const float sum_1_301 = fmaf(decay_value_274, value[index_1 + 16], value[index_1 + 20]);
            const float sum_1_302 = fmaf(decay_value_275, value[index_1 + 24], value[index_1 + 28]);
            padded_4_8 = fmaf(product_2_116, sum_2_11, fmaf(product_1_151, sum_1_301, sum_1_302));
          } else {
            float padded_5_15 = 0.0f;
            if ((j + 9) / 16 % 2 == 0) {
              if ((j + 9) / 32 < 2) {
                const float decay_value_277 = decay[index_1 + 36];
                const float decay_value_278 = decay[index_1 + 44];
                const float product_1_152 = decay[index_1 + 40] * decay_value_278;
                const float product_2_117 = decay[index_1 + 32] * decay_value_277 * product_1_152;
                const float decay_value_279 = decay[index_1 + 52];
                const float decay_value_280 = decay[index_1 + 60];
                const float product_1_153 = decay[index_1 + 56] * decay_value_280;
                const float product_2_118 = decay[index_1 + 48] * decay_value_279 * product_1_153;
                const float decay_value_281 = decay[index_1 + 20];
                const float decay_value_282 = decay[index_1 + 28];
                const float product_1_154 = decay[index_1 + 24] * decay_value_282;
                const float product_2_119 = decay[index_1 + 16] * decay_value_281 * product_1_154;
                const float decay_value_283 = decay[index_1 + 12];
                const float sum_1_303 =
                    fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
                const float sum_1_304 =
                    fmaf(decay_value_283, value[index_1 + 8], value[index_1 + 12]);
                const float sum_2_12 =
                    fmaf(decay[index_1 + 8] * decay_value_283, sum_1_303, sum_1_304);
                const float sum_1_305 =
                    fmaf(decay_value_281, value[index_1 + 16], value[index_1 + 20]);
                const float sum_1_306 =
                    fmaf(decay_value_282, value[index_1 + 24], value[index_1 + 28]);
                const float sum_3_64 =
                    fmaf(product_2_119, sum_2_12, fmaf(product_1_154, sum_1_305, sum_1_306));
                const float sum_1_307 =
                    fmaf(decay_value_277, value[index_1 + 32], value[index_1 + 36]);
                const float sum_1_308 =
                    fmaf(decay_value_278, value[index_1 + 40], value[index_1 + 44]);
                const float sum_1_309 =
                    fmaf(decay_value_279, value[index_1 + 48], value[index_1 + 52]);
                const float sum_1_310 =
                    fmaf(decay_value_280, value[index_1 + 56], value[index_1 + 60]);
                const float sum_3_65 = fmaf(product_2_118,
                                            fmaf(product_1_152, sum_1_307, sum_1_308),
                                            fmaf(product_1_153, sum_1_309, sum_1_310));
                padded_5_15 = fmaf(product_2_117 * product_2_118, sum_3_64, sum_3_65);
              } else {
                const float sum_4_value_15 = sum_4[i * 64 + (j + 9) / 32 * kK + k - 8];

                // after
                const float decay_value_284 = decay[index_24 - 124];
                const float decay_value_285 = decay[index_24 - 116];
                const float product_1_155 = decay[index_24 - 120] * decay_value_285;
                const float product_2_120 = decay[index_24 - 128] * decay_value_284 * product_1_155;
                const float decay_value_286 = decay[index_24 - 108];
                const float decay_value_287 = decay[index_24 - 100];
                const float product_1_156 = decay[index_24 - 104] * decay_value_287;
                const float product_2_121 = decay[index_24 - 112] * decay_value_286 * product_1_156;
                const float decay_value_288 = decay[index_24 - 92];
                const float decay_value_289 = decay[index_24 - 84];
                const float product_1_157 = decay[index_24 - 88] * decay_value_289;
                const float product_2_122 = decay[index_24 - 96] * decay_value_288 * product_1_157;
                const float decay_value_290 = decay[index_24 - 76];
                const float decay_value_291 = decay[index_24 - 68];
                const float product_1_158 = decay[index_24 - 72] * decay_value_291;
                const float product_2_123 = decay[index_24 - 80] * decay_value_290 * product_1_158;
                const float product_3_16 = product_2_122 * product_2_123;
                const float product_4_15 = product_2_120 * product_2_121 * product_3_16;
                const float sum_1_311 =
                    fmaf(decay_value_284, value[index_24 - 128], value[index_24 - 124]);
                const float sum_1_312 =
                    fmaf(decay_value_285, value[index_24 - 120], value[index_24 - 116]);
                const float sum_1_313 =
                    fmaf(decay_value_286, value[index_24 - 112], value[index_24 - 108]);
                const float sum_1_314 =
                    fmaf(decay_value_287, value[index_24 - 104], value[index_24 - 100]);
                const float sum_3_66 = fmaf(product_2_121,
                                            fmaf(product_1_155, sum_1_311, sum_1_312),
                                            fmaf(product_1_156, sum_1_313, sum_1_314));
                const float sum_1_315 =
                    fmaf(decay_value_288, value[index_24 - 96], value[index_24 - 92]);
                const float sum_1_316 =
                    fmaf(decay_value_289, value[index_24 - 88], value[index_24 - 84]);
                const float sum_1_317 =
                    fmaf(decay_value_290, value[index_24 - 80], value[index_24 - 76]);
                const float sum_1_318 =
                    fmaf(decay_value_291, value[index_24 - 72], value[index_24 - 68]);
                const float sum_3_67 = fmaf(product_2_123,
                                            fmaf(product_1_157, sum_1_315, sum_1_316),
                                            fmaf(product_1_158, sum_1_317, sum_1_318));
                padded_5_15 =
                    fmaf(product_4_15, sum_4_value_15, fmaf(product_3_16, sum_3_66, sum_3_67));
              }
            }
            const float padded_6_15 = (j + 9) / 16 >= 3 && ((j + 9) / 16 + 1) % 2 == 0
                                          ? sum_4[i * 64 + (j + 25) / 32 * kK + k - 8]
                                          : 0.0f;

            // after
            const float decay_value_292 = decay[index_16 - 60];
            const float decay_value_293 = decay[index_16 - 52];
            const float product_1_159 = decay[index_16 - 56] * decay_value_293;
            const float product_2_124 = decay[index_16 - 64] * decay_value_292 * product_1_159;
            const float decay_value_294 = decay[index_16 - 44];
            const float decay_value_295 = decay[index_16 - 36];
            const float product_1_160 = decay[index_16 - 40] * decay_value_295;
            const float product_2_125 = decay[index_16 - 48] * decay_value_294 * product_1_160;
            const float sum_1_319 =
                fmaf(decay_value_292, value[index_16 - 64], value[index_16 - 60]);
            const float sum_1_320 =
                fmaf(decay_value_293, value[index_16 - 56], value[index_16 - 52]);
            const float sum_1_321 =
                fmaf(decay_value_294, value[index_16 - 48], value[index_16 - 44]);
            const float sum_1_322 =
                fmaf(decay_value_295, value[index_16 - 40], value[index_16 - 36]);
            const float sum_3_68 = fmaf(product_2_125, fmaf(product_1_159, sum_1_319, sum_1_320),
                                        fmaf(product_1_160, sum_1_321, sum_1_322));
            padded_4_8 = fmaf(product_2_124 * product_2_125, padded_5_15 + padded_6_15, sum_3_68);
          }
        }
        float padded_7_8 = 0.0f;
        if ((j + 1) / 8 >= 2 && (j + 1) / 8 % 2 == 0) {
          float padded_5_16 = 0.0f;
          if ((j + 1) / 16 < 32 && ((j + 1) / 16 + 1) % 2 == 0) {
            if ((j + 17) / 32 < 2) {
              const float decay_value_296 = decay[index_1 + 36];
              const float decay_value_297 = decay[index_1 + 44];
              const float product_1_161 = decay[index_1 + 40] * decay_value_297;
              const float product_2_126 = decay[index_1 + 32] * decay_value_296 * product_1_161;
              const float decay_value_298 = decay[index_1 + 52];
              const float decay_value_299 = decay[index_1 + 60];
              const float product_1_162 = decay[index_1 + 56] * decay_value_299;
              const float product_2_127 = decay[index_1 + 48] * decay_value_298 * product_1_162;
              const float decay_value_300 = decay[index_1 + 20];
              const float decay_value_301 = decay[index_1 + 28];
              const float product_1_163 = decay[index_1 + 24] * decay_value_301;
              const float product_2_128 = decay[index_1 + 16] * decay_value_300 * product_1_163;
              const float decay_value_302 = decay[index_1 + 12];
              const float sum_1_323 = fmaf(decay[index_1 + 4], value[index_1], value[index_1 + 4]);
              const float sum_1_324 =
                  fmaf(decay_value_302, value[index_1 + 8], value[index_1 + 12]);
              const float sum_2_13 =
                  fmaf(decay[index_1 + 8] * decay_value_302, sum_1_323, sum_1_324);
              const float sum_1_325 =
                  fmaf(decay_value_300, value[index_1 + 16], value[index_1 + 20]);
              const float sum_1_326 =
                  fmaf(decay_value_301, value[index_1 + 24], value[index_1 + 28]);
              const float sum_3_69 =
                  fmaf(product_2_128, sum_2_13, fmaf(product_1_163, sum_1_325, sum_1_326));
              const float sum_1_327 =
                  fmaf(decay_value_296, value[index_1 + 32], value[index_1 + 36]);
              const float sum_1_328 =
                  fmaf(decay_value_297, value[index_1 + 40], value[index_1 + 44]);
              const float sum_1_329 =
                  fmaf(decay_value_298, value[index_1 + 48], value[index_1 + 52]);
              const float sum_1_330 =
                  fmaf(decay_value_299, value[index_1 + 56], value[index_1 + 60]);
              const float sum_3_70 = fmaf(product_2_127, fmaf(product_1_161, sum_1_327, sum_1_328),
                                          fmaf(product_1_162, sum_1_329, sum_1_330));
              padded_5_16 = fmaf(product_2_126 * product_2_127, sum_3_69, sum_3_70);
            } else {
              const float sum_4_value_16 = sum_4[i * 64 + (j + 17) / 32 * kK + k - 8];

              // after
              const float decay_value_303 = decay[index_32 - 124];
              const float decay_value_304 = decay[index_32 - 116];
              const float product_1_164 = decay[index_32 - 120] * decay_value_304;
              const float product_2_129 = decay[index_32 - 128] * decay_value_303 * product_1_164;
              const float decay_value_305 = decay[index_32 - 108];
              const float decay_value_306 = decay[index_32 - 100];
              const float product_1_165 = decay[index_32 - 104] * decay_value_306;
              const float product_2_130 = decay[index_32 - 112] * decay_value_305 * product_1_165;
              const float decay_value_307 = decay[index_32 - 92];
              const float decay_value_308 = decay[index_32 - 84];
              const float product_1_166 = decay[index_32 - 88] * decay_value_308;
              const float product_2_131 = decay[index_32 - 96] * decay_value_307 * product_1_166;
              const float decay_value_309 = decay[index_32 - 76];
              const float decay_value_310 = decay[index_32 - 68];
              const float product_1_167 = decay[index_32 - 72] * decay_value_310;
              const float product_2_132 = decay[index_32 - 80] * decay_value_309 * product_1_167;
              const float product_3_17 = product_2_131 * product_2_132;
              const float product_4_16 = product_2_129 * product_2_130 * product_3_17;
              const float sum_1_331 =
                  fmaf(decay_value_303, value[index_32 - 128], value[index_32 - 124]);
              const float sum_1_332 =
                  fmaf(decay_value_304, value[index_32 - 120], value[index_32 - 116]);
              const float sum_1_333 =
                  fmaf(decay_value_305, value[index_32 - 112], value[index_32 - 108]);
              const float sum_1_334 =
                  fmaf(decay_value_306, value[index_32 - 104], value[index_32 - 100]);
              const float sum_3_71 = fmaf(product_2_130, fmaf(product_1_164, sum_1_331, sum_1_332),
                                          fmaf(product_1_165, sum_1_333, sum_1_334));
              const float sum_1_335 =
                  fmaf(decay_value_307, value[index_32 - 96], value[index_32 - 92]);
              const float sum_1_336 =
                  fmaf(decay_value_308, value[index_32 - 88], value[index_32 - 84]);
              const float sum_1_337 =
                  fmaf(decay_value_309, value[index_32 - 80], value[index_32 - 76]);
              const float sum_1_338 =
                  fmaf(decay_value_310, value[index_32 - 72], value[index_32 - 68]);
              const float sum_3_72 = fmaf(product_2_132, fmaf(product_1_166, sum_1_335, sum_1_336),
                                          fmaf(product_1_167, sum_1_337, sum_1_338));
              padded_5_16 =
                  fmaf(product_4_16, sum_4_value_16, fmaf(product_3_17, sum_3_71, sum_3_72));
            }
          }
          const float padded_6_16 = (j + 1) / 16 >= 2 && (j + 1) / 16 % 2 == 0
                                        ? sum_4[i * 64 + (j + 1) / 32 * kK + k - 4]
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
enqueue(const float* decay, const float* value, const float* sum_4, float* sum,
        cudaStream_t stream) {
  return launch(sum_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                decay, value, sum_4, sum);
}

}  // namespace recurrence_kernels::sum_2
