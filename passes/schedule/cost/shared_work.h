// Which stored arrays are computed from the same values: an index, so that each array's values are looked through once,
// not for every other array.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ir/module/module.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace sinter {

class SharedWork {
 public:
  // The numbers of the values of at least so many elements that an array is computed from, the nearest first.
  using WorkBelow = std::function<std::vector<int>(const Instruction* array, int64_t elements)>;
  explicit SharedWork(WorkBelow work_below) : work_below_(std::move(work_below)) {}

  // A kernel that computes so many elements stores the arrays. Again when it comes to store more, or another kernel
  // takes its place.
  void add(int kernel, int64_t elements, const std::vector<const Instruction*>& arrays);
  // The kernels of so many elements that store an array computed from what `array` is, by number: those that share what
  // is nearest to it, if they are many. Only those that `usable` says.
  std::vector<int> sharing(const Instruction* array, int64_t elements, const std::function<bool(int)>& usable);

 private:
  using Arrays = llvm::SmallVector<int, 4>;  // by their numbers in `kernel_of_`
  struct Index {
    std::vector<const Instruction*> waiting;  // arrays that are not looked through yet
    std::set<const Instruction*> seen;        // arrays
    llvm::DenseMap<int, Arrays> arrays;       // by a value they are computed from
  };

  WorkBelow work_below_;
  std::map<int64_t, Index> indices_;                 // by the kernels' elements
  llvm::DenseMap<const Instruction*, int> numbers_;  // of stored arrays
  std::vector<int> kernel_of_;                       // by the number of an array
  std::vector<int64_t> elements_;                    // by the number of a kernel
};

}  // namespace sinter
