// Which elements of a value a run of some size needs, where a program is compiled for up to N rows (extents.h).
//
// From the results backwards: of a result nobody looks beyond the size; what computes an element of it for each element
// of another array needs no more of that one; `select(iota < size, x, 0)` needs no more of x, whoever reads it. What is
// not needed may be left as it is: kernels need not compute it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "ir/module/module.h"

namespace sinter {

// Of an array, by the row-major number of an element: those with number / stride % extent < `times` * size, where
// extent is `times` the bound. So reshapes change nothing of it.
struct NeededPart {
  const Instruction* size = nullptr;  // the parameter of the entry
  int64_t stride = 1;
  int64_t extent = 1;
  int64_t times = 1;
  bool operator==(const NeededPart&) const = default;
};

class NeededParts {
 public:
  NeededParts() = default;  // all of everything
  explicit NeededParts(const Module& module);

  // nullopt: all of it is needed, or it is not known.
  std::optional<NeededPart> of(const Instruction& value) const;

 private:
  friend class NeedFinder;
  struct Need {
    bool all = false;
    std::optional<NeededPart> part;  // neither: nothing is
    bool operator==(const Need&) const = default;
  };
  // By value, and element of a tuple (0 of an array).
  std::map<std::pair<const Instruction*, size_t>, Need> needs_;
};

}  // namespace sinter
