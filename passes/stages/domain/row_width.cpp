#include "passes/stages/domain/row_width.h"

#include <algorithm>
#include <bit>

#include "ir/support/ceil_div.h"
#include "passes/analysis/values/hardware.h"
#include "passes/stages/domain/choose_domain.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/domain/split_phases.h"
#include "passes/stages/domain/vectorize.h"

namespace sinter {

namespace {

// Whether threads may take so many neighbours each without much left to do for some while others wait.
bool divides_well(int64_t columns, int64_t threads, int64_t width) {
  if (columns % width != 0) return false;
  return slots_of_row(columns, threads, width) * 20 <= slots_of_row(columns, threads, 1) * 23;
}

}  // namespace

int64_t slots_of_row(int64_t columns, int64_t threads, int64_t width) {
  return ceil_div(columns, threads * width) * width;
}

bool is_plain_load(const DemandNode& node) { return node.kind == DemandNode::Kind::kLoad && node.guard == 0; }

bool is_row_vector(const DemandGraph& graph, const IndexExpr& offset, int64_t width) {
  return std::any_of(graph.phases.begin(), graph.phases.end(), [&](const ColumnPhase& phase) {
    return is_vector_offset(graph, offset, phase.coordinate, kNoBase, width);
  });
}

int64_t elements_an_access(const RecordPart& record, DType dtype, int64_t width) {
  const auto all = static_cast<uint64_t>(record.size * width);
  return std::min<int64_t>(int64_t{1} << std::countr_zero(all), kAccessBytes / dtype_bytes(dtype));
}

Records row_records(const DemandGraph& graph, const ColumnPhase& phase, int64_t width) {
  Records records = find_records(graph, phase.coordinate, {}, phase.scope, width);
  records.stores.clear();
  std::erase_if(records.loads, [&](const auto& load) {
    const DemandNode& node = graph.nodes[load.first];
    return !is_plain_load(node) || elements_an_access(load.second, node.dtype, width) == 1;
  });
  records.offsets.clear();
  for (const auto& [id, place] : records.loads) records.offsets.insert(graph.nodes[id].expr);
  return records;
}

int64_t widest_row_vector(const RowDemand& demand, Tier tier, int64_t threads) {
  const DemandGraph& graph = *demand.graph;
  const int64_t columns = demand.extents.columns;
  if (tier == Tier::kAcross || columns <= threads || graph.short_rows().missing != 0) return 1;
  int64_t width = kAccessBytes;
  bool contiguous = false;
  const auto access = [&](const IndexExpr& offset, DType dtype) {
    if (!is_row_vector(graph, offset, 1)) return;
    contiguous = true;
    width = std::min(width, kAccessBytes / dtype_bytes(dtype));
  };
  for (const DemandNode& node : graph.nodes) {
    if (is_plain_load(node)) access(node.expr, node.dtype);
  }
  for (const DemandStore& store : graph.stores) access(store.offset, store.value->shape.dtype);
  for (const ColumnPhase& phase : graph.phases) {
    for (int64_t wide = kAccessBytes; wide > 1 && !contiguous; wide /= 2) {
      if (row_records(graph, phase, wide).loads.empty()) continue;
      contiguous = true;
      width = wide;
    }
  }
  const auto fits = [&] {
    const auto kept = static_cast<int64_t>(graph.kept.size()) * slots_of_row(columns, threads, width);
    return divides_well(columns, threads, width) && kept <= kKeptRegisters;
  };
  while (width > 1 && !fits()) width /= 2;
  return contiguous ? std::max<int64_t>(width, 1) : 1;
}

int64_t best_row_width(const RowDemand& demand, Tier tier, int64_t threads) {
  const int64_t widest = widest_row_vector(demand, tier, threads);
  int64_t best = 0;
  for (const ColumnPhase& phase : demand.graph->phases) {
    for (const auto& [id, record] : row_records(*demand.graph, phase, widest).loads) {
      const DType dtype = demand.graph->nodes[id].dtype;
      const int64_t whole = elements_an_access(record, dtype, widest);
      int64_t width = widest;
      while (width > 1 && elements_an_access(record, dtype, width / 2) == whole) width /= 2;
      best = std::max(best, width);
    }
  }
  return best > 0 ? best : widest;
}

int64_t choose_row_width(const KernelValues& kernel, const RowExtents& rows, Tier tier, int64_t block) {
  const int64_t threads = threads_a_row(tier, rows, block);
  if (choose_otherwise || tier == Tier::kAcross || !divides_well(rows.columns, threads, 2)) return 1;
  std::optional<DemandGraph::Failure> failure;
  std::optional<RowDemand> demand = demand_row(kernel, rows, &failure);
  if (!demand) return 1;
  split_phases(&*demand, threads);
  return best_row_width(*demand, tier, threads);
}

}  // namespace sinter
