// Smooths signals and says which of four kinds each of them is: two models, one program. Arrays are in host memory, which
// is where a build for the CPU takes them from; for the GPU they would be cudaMalloc's.
#include <array>
#include <cstdio>
#include <exception>
#include <numeric>

#include "classify/classify.hpp"
#include "smooth/smooth.hpp"

namespace {

alignas(16) std::array<float, 16 * 34> signals;
alignas(16) std::array<float, 16 * 32> smoothed;
alignas(16) std::array<float, 16 * 4> probabilities;

}  // namespace

int main() {
  for (size_t i = 0; i < signals.size(); ++i) signals[i] = static_cast<float>(i % 7) / 7;
  try {
    smooth::Instance smoother;
    classify::Instance classifier;
    smoother.run({signals}, {smoothed});
    classifier.run({smoothed}, {probabilities});
  } catch (const std::exception& error) {  // smooth::Error, classify::Error
    return std::puts(error.what()), 1;
  }

  const float sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0f);
  std::printf("16 signals, probabilities that sum to %.3f\n", static_cast<double>(sum));
  return sum > 15.999f && sum < 16.001f ? 0 : 1;
}
