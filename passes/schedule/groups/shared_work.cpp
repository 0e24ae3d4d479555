#include "passes/schedule/groups/shared_work.h"

#include "llvm/ADT/DenseSet.h"

namespace sinter {

namespace {

constexpr size_t kMostKernels = 16;  // that a result may become one with, each a trial

}  // namespace

void SharedWork::add(int kernel, int64_t elements, const std::vector<const Instruction*>& arrays) {
  elements_[kernel] = elements;
  Index& index = indices_[elements];
  for (const Instruction* array : arrays) {
    kernel_of_[array] = kernel;
    if (index.seen.insert(array).second) index.waiting.push_back(array);
  }
}

std::vector<int> SharedWork::sharing(const Instruction* array, int64_t elements,
                                     const std::function<bool(int)>& usable) {
  const auto found = indices_.find(elements);
  if (found == indices_.end()) return {};
  Index& index = found->second;
  for (const Instruction* stored : index.waiting) {
    for (const int value : work_below_(stored, elements)) {
      llvm::SmallVector<const Instruction*, 2>& others = index.arrays[value];
      // One array of a kernel will do.
      if (others.empty() || kernel_of_.at(others.back()) != kernel_of_.at(stored)) others.push_back(stored);
    }
  }
  index.waiting.clear();
  std::set<int> kernels;
  llvm::SmallDenseSet<int, 32> asked;
  const llvm::SmallVector<const Instruction*, 2>* last = nullptr;
  for (const int value : work_below_(array, elements)) {
    const auto others = index.arrays.find(value);
    if (others == index.arrays.end()) continue;
    // Values that stand one behind another are mostly shared by the same.
    if (last != nullptr && *last == others->second) continue;
    last = &others->second;
    for (const Instruction* other : others->second) {
      const int kernel = kernel_of_.at(other);
      if (!asked.insert(kernel).second || elements_.at(kernel) != elements || !usable(kernel)) continue;
      kernels.insert(kernel);
      if (kernels.size() == kMostKernels) return {kernels.begin(), kernels.end()};
    }
  }
  return {kernels.begin(), kernels.end()};
}

}  // namespace sinter
