// How large the demand graph of a kernel of elements or rows can become when it computes more values, without building
// it for each: an upper bound, from a graph built before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "passes/demand/demand.h"

namespace sinter {

class GroupRoom {
 public:
  GroupRoom() = default;
  // Of a kernel of so many values.
  GroupRoom(const DemandGraph& graph, size_t values);

  // Values of the kernel, as far as was told; when it was built.
  size_t values() const { return values_; }
  size_t values_built() const { return values_built_; }
  // Nodes at most once the kernel computes `value` too, which it reads now; INT64_MAX if that is not known.
  int64_t nodes_with(const Instruction& value) const;
  // The kernel computes it.
  void add(const Instruction& value);

  // Of the same kernel in another module: the arrays that it reads, by `of_other`; nullopt: there is not each of them.
  std::optional<GroupRoom> of_other(llvm::function_ref<const Instruction*(const Instruction*)> of_other) const;

 private:
  bool is_known_ = false;
  size_t values_ = 0, values_built_ = 0;
  int64_t nodes_ = 0;
  llvm::DenseMap<const Instruction*, int64_t> loads_;  // of each array that is read: at how many places, at most
};

}  // namespace sinter
