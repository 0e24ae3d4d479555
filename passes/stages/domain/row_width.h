// Whether the threads of a row take several neighbouring elements each in one access of up to 16 bytes. The tree says
// of how many: `stage row(warp) by 4`.
#pragma once

#include <cstdint>

#include "passes/stages/domain/domain.h"
#include "passes/stages/domain/tier.h"

namespace sinter {

// Places that each of the `threads` of a row has for its elements, groups of `width` neighbours; some threads have
// fewer elements where the threads do not divide the row.
int64_t slots_of_row(int64_t columns, int64_t threads, int64_t width);

// Elements that each of the `threads` of a row may take at a time: 1, or a power of two, and what divides it. More than
// one where these groups make up the row and threads have about as many elements each as they would have one by one,
// and some access is contiguous. The demand has its phases (split_phases.h).
int64_t widest_row_vector(const RowDemand& demand, Tier tier, int64_t threads);

// Elements that they had better take, in a block of so many threads: as many as they may.
int64_t choose_row_width(const KernelValues& kernel, const RowExtents& rows, Tier tier, int64_t block);

// What stands behind a guard may lie outside of the array for others of a vector.
bool is_plain_load(const DemandNode& node);

// True if some phase of the row accesses such an offset by vectors.
bool is_row_vector(const DemandGraph& graph, const IndexExpr& offset, int64_t width);

}  // namespace sinter
