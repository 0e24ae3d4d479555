// Scatters in place that bring an element or window to each lane (passes/schedule/groups/updates_in_place.h), in the
// kernel that also reads the array: whether all of a lane is read before any of it is written.
#pragma once

#include <optional>

#include "passes/demand/demand.h"

namespace sinter {

// Of a row kernel: the coordinate of its rows, and how many there are.
struct LaneRows {
  int row = 0;
  int64_t rows = 1;
};

// Whether the kernel that stores `update` into `array` may read an element of it that another thread, or with `rows` a
// thread of another row, stores, or one after it is stored. A row's threads have met, in the reduction that follows
// each pass over its columns, before one of them stores.
bool reads_late(const DemandGraph& graph, const Instruction* update, const Instruction* array,
                const std::optional<LaneRows>& rows);

}  // namespace sinter
