#include "passes/schedule/cost/shared_work.h"

namespace sinter {

namespace {

constexpr size_t kMostKernels = 16;  // that a result may become one with, each a trial

}  // namespace

void SharedWork::add(int kernel, int64_t elements, const std::vector<const Instruction*>& arrays) {
  if (elements_.size() <= static_cast<size_t>(kernel)) elements_.resize(kernel + 1);
  elements_[kernel] = elements;
  Index& index = indices_[elements];
  for (const Instruction* array : arrays) {
    const auto [number, fresh] = numbers_.try_emplace(array, static_cast<int>(kernel_of_.size()));
    if (fresh) kernel_of_.push_back(kernel);
    kernel_of_[number->second] = kernel;
    if (index.seen.insert(array).second) index.waiting.push_back(array);
  }
}

std::vector<int> SharedWork::sharing(const Instruction* array, int64_t elements,
                                     const std::function<bool(int)>& usable) {
  const auto found = indices_.find(elements);
  if (found == indices_.end()) return {};
  Index& index = found->second;
  for (const Instruction* stored : index.waiting) {
    const int number = numbers_.at(stored);
    for (const int value : work_below_(stored, elements)) {
      Arrays& others = index.arrays[value];
      // One array of a kernel will do.
      if (others.empty() || kernel_of_[others.back()] != kernel_of_[number]) others.push_back(number);
    }
  }
  index.waiting.clear();
  std::set<int> kernels;
  std::vector<bool> asked(elements_.size());  // of kernels
  const Arrays* last = nullptr;
  for (const int value : work_below_(array, elements)) {
    const auto others = index.arrays.find(value);
    if (others == index.arrays.end()) continue;
    // Values that stand one behind another are mostly shared by the same.
    if (last != nullptr && *last == others->second) continue;
    last = &others->second;
    for (const int other : others->second) {
      const int kernel = kernel_of_[other];
      if (asked[kernel]) continue;
      asked[kernel] = true;
      if (elements_[kernel] != elements || !usable(kernel)) continue;
      kernels.insert(kernel);
      if (kernels.size() == kMostKernels) return {kernels.begin(), kernels.end()};
    }
  }
  return {kernels.begin(), kernels.end()};
}

}  // namespace sinter
