// Put before emitted code that is built for the CPU: of each launch only the blocks run that have chosen elements, in
// equal parts of an array, and their neighbours; of small launches all. Stands in the namespace of emitted helpers,
// which has the name of their version there.
#pragma once

#include "cpu/sinter_cpu.h"

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

inline namespace sinter_helpers {
namespace sinter_cpu {

inline std::vector<std::pair<int64_t, int64_t>> chosen;  // an element, of so many
inline uint3 chosen_block = {0, 0, 0}, whole_grid = {1, 1, 1};

template <class Body>
cudaError_t run_chosen(dim3 grid, int block, int shared_bytes, bool, Body body) {
  constexpr int64_t kFew = 64;
  const auto blocks = static_cast<int64_t>(uint64_t{grid.x} * grid.y * grid.z);
  std::set<int64_t> numbers;
  for (int64_t number = 0; number < blocks && blocks <= kFew; ++number) numbers.insert(number);
  for (const auto& [element, count] : chosen) {
    const auto near = static_cast<int64_t>(static_cast<long double>(element) * blocks / count);
    for (int64_t number = near - 1; number <= near + 1; ++number) {
      if (number >= 0 && number < blocks) numbers.insert(number);
    }
  }
  whole_grid = {grid.x, grid.y, grid.z};
  for (const int64_t number : numbers) {
    const auto n = static_cast<uint64_t>(number);
    chosen_block = {static_cast<unsigned>(n % grid.x), static_cast<unsigned>(n / grid.x % grid.y),
                    static_cast<unsigned>(n / grid.x / grid.y)};
    const cudaError_t error = run_grid({1, 1, 1}, block, shared_bytes, false, body);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace sinter_cpu
}  // namespace sinter_helpers

extern "C" void choose_element(int64_t element, int64_t count) { sinter_cpu::chosen.emplace_back(element, count); }

#undef blockIdx
#undef gridDim
#define blockIdx (sinter_cpu::chosen_block)
#define gridDim (sinter_cpu::whole_grid)
#define run_grid run_chosen
