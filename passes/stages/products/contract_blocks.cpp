// What a block of a product's form keeps in shared memory, and what it can leave out or make for itself.
#include "ir/support/ceil_div.h"
#include "passes/analysis/values/hardware.h"
#include "passes/stages/products/contract.h"
#include "passes/stages/products/tensor_core_form.h"

#include <algorithm>

namespace sinter {

StatisticsThreads statistics_threads(const ContractDemand& demand, int64_t m, int64_t n, int64_t block) {
  constexpr int64_t kLeast = 8;  // of 16 bytes each: a whole line
  const int64_t vectors = demand.vectors == 0 ? m : n;
  return {.block = block, .vectors = vectors, .of_vector = std::clamp(block / vectors, kLeast, kWarp)};
}

bool skips_segments(const ContractDemand& demand, const TensorCoreForm& form) {
  return demand.segments && !form.tma && form.splits == 1;
}

bool skips_terms(const ContractDemand& demand, const TensorCoreForm& form) {
  return demand.terms && !form.tma && form.splits == 1;
}

const ContractOperand* value_below_mask(const ContractDemand& demand, const TensorCoreForm& form, size_t side) {
  if (side == 0 && skips_segments(demand, form)) return &demand.segments->value;
  if (!skips_terms(demand, form) || !demand.terms->values[side]) return nullptr;
  return &*demand.terms->values[side];
}

namespace {

// As `Shared` has them: a bit for each term, the k tiles that have any, and their number.
int64_t bytes_of_terms(int64_t terms, int64_t tile_k) {
  const int64_t tiles = ceil_div(terms, tile_k);
  return (ceil_div(tiles * tile_k, kWarp) + tiles + 1) * static_cast<int64_t>(sizeof(int32_t));
}

// As `Shared` has them: rows by segment, whether it has any, the segments that have, and their number.
int64_t bytes_of_segments(const MaskedSegments& segments, int64_t rows) {
  return segments.count * (rows / 8 + 2 * static_cast<int64_t>(sizeof(int32_t))) +
         static_cast<int64_t>(sizeof(int32_t));
}

}  // namespace

int64_t shared_bytes(const ContractDemand& demand, const TensorCoreForm& form, int64_t threads) {
  constexpr int64_t kAlignment = 128, kAlignmentOfWgmma = 1024;
  const int64_t of_skipped = skips_segments(demand, form) ? bytes_of_segments(*demand.segments, form.m)
                             : skips_terms(demand, form)  ? bytes_of_terms(demand.extents.k, form.k)
                                                          : 0;
  if (of_skipped > 0) {
    const int64_t alignment = form.wgmma ? kAlignmentOfWgmma : kAlignment;
    return form.shared_bytes(demand.are_tf32) + ceil_div(of_skipped, alignment) * alignment;
  }
  if (!demand.rows.empty()) {
    return bytes_with_statistics(form.shared_bytes(demand.are_tf32), form.wgmma ? kAlignmentOfWgmma : kAlignment,
                                 demand.rows.statistics, threads_of_rows(form.m, threads));
  }
  return bytes_with_statistics(form.shared_bytes(demand.are_tf32), kAlignment, demand.statistics,
                               statistics_threads(demand, form.m, form.n, threads));
}

bool makes_statistics(const ContractDemand& demand, const TensorCoreForm& form, int64_t threads) {
  if (!demand.rows.empty()) {
    const int64_t most = form.wgmma ? kSharedBytesOfSm90 : kSharedBytesMost;
    return !form.tma && demand.rows.are_whole(form.n) && shared_bytes(demand, form, threads) <= most;
  }
  if (skips_segments(demand, form) || skips_terms(demand, form))
    return shared_bytes(demand, form, threads) <= (form.wgmma ? kSharedBytesOfSm90 : kSharedBytesMost);
  if (demand.statistics.empty()) return true;
  // Blocks that share sums have a part of K each: statistics of whole rows all of them would make, of parts of rows all
  // combine, which are few numbers.
  const bool of_parts = std::ranges::all_of(demand.statistics.phases, [](const RowStatistics::Phase& phase) {
    return is_of_parts(*phase.statistics[0].reduce);
  });
  return !form.wgmma && (form.splits == 1 || of_parts) && shared_bytes(demand, form, threads) <= kSharedBytesMost;
}

}  // namespace sinter
