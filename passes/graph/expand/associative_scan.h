// Scans that are written out: what jax.lax.associative_scan leaves of x_0, f(x_0, x_1), f(f(x_0, x_1), x_2), ...
//
//   reduced = f(x[0::2], x[1::2]), half as long, which is scanned likewise: these are the results at odd places
//   even    = f(odd[:-1], x[2::2]) behind x[0]
//   result  = pad(even, 0, interior 1) + pad(odd, 0, interior 1, one in front)
//
// level by level until one element is left. Of several arrays that are scanned together, a level has those alone that
// its results need.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

struct AssociativeScan {
  size_t dimension = 0;
  std::vector<Instruction*> arrays;  // what is scanned, all of the same extents
  // (a_0, ..., a_n, b_0, ..., b_n) -> f(a, b), of scalars, in a module of its own.
  std::unique_ptr<Module> module;
  const Computation* function = nullptr;
  std::vector<std::pair<size_t, Instruction*>> results;  // which array's, and the result
  int64_t length() const { return arrays[0]->shape.dims[dimension]; }
};

// All of the computation, each with the results that a loop makes together, as they stand in the text.
std::vector<AssociativeScan> associative_scans(const Computation& computation);

}  // namespace sinter
