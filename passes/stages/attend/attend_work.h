// What attention takes, counted for the cost model.
#pragma once

#include <cstdint>

#include "ir/kernel/work.h"
#include "passes/stages/attend/attend_form.h"

namespace sinter {

// Of all its blocks; what follows the second product is not counted.
Work attend_work(const AttentionDemand& demand, const AttendForm& form);

// Of a tile of keys that are computed of what is copied: instructions of lanes, all together.
double converting(const AttentionDemand& demand, const AttendForm& form);

// Where warps divide keys: cycles from a warp's tile to its next, if nothing but that warp is in the way, ...
double cycles_of_turn(const AttentionDemand& demand, const AttendForm& form);
// ... and those of the last block, which combines what the others have.
double cycles_of_parts(const AttentionDemand& demand, const AttendForm& form);

}  // namespace sinter
