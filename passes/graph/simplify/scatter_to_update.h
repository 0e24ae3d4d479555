// A scatter of one window as a dynamic-update-slice.
#pragma once

#include <functional>
#include <optional>

#include "ir/module/module.h"
#include "passes/analysis/loops/ranges.h"

namespace sinter {

// Rewrites a scatter that updates one window, known to lie within the array, into a dynamic-update-slice of it (of
// the combined values, unless it overwrites). True if it did. A scatter drops a window that sticks out and
// dynamic-update-slice moves it, so where it lies must be proven (`range_of` bounds the elements of a value) or tested:
// of a donated parameter, where the update alone is stored then, a window outside stores what is there.
//
//   scatter(%x, {1,1}, %u), to_apply=add   =>   dynamic-update-slice(%x, add(slice(%x), %u), 1, 1)
bool scatter_to_update(Instruction& scatter,
                       const std::function<std::optional<Interval>(const Instruction&)>& range_of);

// Whether that makes an update in place of it, wherever its window lies.
bool becomes_update_in_place(const Instruction& scatter);

}  // namespace sinter
