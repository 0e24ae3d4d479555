// Whether the threads of a row take several neighbouring elements each in one access of up to 16 bytes. The tree says
// of how many: `stage row(warp) by 4`.
#pragma once

#include <cstdint>

#include "passes/demand/views/records.h"
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

// Elements that they had better take: as many as they may, but no more than make all records (below) whole accesses of
// 16 bytes: the lanes of a warp would find theirs in more lines than they need.
int64_t best_row_width(const RowDemand& demand, Tier tier, int64_t threads);
// The same in a block of so many threads.
int64_t choose_row_width(const KernelValues& kernel, const RowExtents& rows, Tier tier, int64_t block);

// What stands behind a guard may lie outside of the array for others of a vector.
bool is_plain_load(const DemandNode& node);

// True if some phase of the row accesses such an offset by vectors.
bool is_row_vector(const DemandGraph& graph, const IndexExpr& offset, int64_t width);

// Records (records.h) of `width` neighbours of a row that a phase reads, of several elements an access: the columns of
// a matrix whose rows are neighbours, say.
Records row_records(const DemandGraph& graph, const ColumnPhase& phase, int64_t width);
// How many elements an access has of what is read of such records at once.
int64_t elements_an_access(const RecordPart& record, DType dtype, int64_t width);

}  // namespace sinter
