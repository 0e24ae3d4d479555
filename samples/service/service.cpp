// Smooths signals and says which of four kinds each of them is: two models, one program. Arrays are in host memory, which
// is where a build for the CPU takes them from; for the GPU they would be cudaMalloc's.
#include <cstdio>

#include "classify/classify.h"
#include "smooth/smooth.h"

namespace {

alignas(16) float signals[16 * 34], smoothed[16 * 32], probabilities[16 * 4];

// What failed, or nullptr.
const char* run(SmoothInstance* smooth, ClassifyInstance* classify) {
  const SmoothInputs rough = {signals};
  const SmoothOutputs fine = {smoothed};
  if (smooth_run(smooth, &rough, &fine, nullptr) != kSmoothOk) return smooth_last_error();
  const ClassifyInputs in = {smoothed};
  const ClassifyOutputs out = {probabilities};
  if (classify_run(classify, &in, &out, nullptr) != kClassifyOk) return classify_last_error();
  return nullptr;
}

}  // namespace

int main() {
  for (int i = 0; i < 16 * 34; ++i) signals[i] = static_cast<float>(i % 7) / 7;
  SmoothInstance* smooth = nullptr;
  ClassifyInstance* classify = nullptr;
  const char* problem = nullptr;
  if (smooth_create(&smooth) != kSmoothOk) problem = smooth_last_error();
  if (problem == nullptr && classify_create(&classify) != kClassifyOk) problem = classify_last_error();
  if (problem == nullptr) problem = run(smooth, classify);
  classify_destroy(classify);
  smooth_destroy(smooth);
  if (problem != nullptr) return std::puts(problem), 1;

  float sum = 0;
  for (const float p : probabilities) sum += p;
  std::printf("16 signals, probabilities that sum to %.3f\n", static_cast<double>(sum));
  return sum > 15.999f && sum < 16.001f ? 0 : 1;
}
