#include "passes/stages/own/topk_stage.h"

#include <algorithm>

#include "passes/analysis/values/latencies.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/own/own_stages.h"
#include "passes/stages/own/topk_form.h"

namespace sinter {

namespace {

constexpr int64_t kThreadColumns = 16;
constexpr int64_t kItems = 8;  // elements a thread of a block sorts before they are merged
constexpr int64_t kSelectThreads = 512;
constexpr int64_t kChunk = 2048;
constexpr int64_t kMinSlice = 8192;

TopkForm topk_form(int64_t rows, int64_t columns, int64_t k) {
  TopkForm form;
  if (columns <= kThreadColumns) {
    form.threads = 128;
    while (form.threads > 32 && ceil_div(rows, form.threads) < kMultiprocessors) form.threads /= 2;
    form.items = columns;
    return form;
  }
  if (columns <= kSortedRow) {
    form.kind = TopkForm::Kind::kBlock;
    while (form.threads * kItems < columns) form.threads *= 2;
    form.items = ceil_div(columns, form.threads);
    return form;
  }
  form.kind = TopkForm::Kind::kSelect;
  form.threads = kSelectThreads;
  form.chunk = kChunk;
  form.items = ceil_div(k + kChunk, kSelectThreads);
  form.slices = std::clamp<int64_t>(ceil_div(2 * kMultiprocessors, rows), 1, std::max<int64_t>(columns / kMinSlice, 1));
  form.slice = ceil_div(columns, form.slices);
  return form;
}

}  // namespace

std::optional<TopkDemand> demand_topk(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const auto fail = [&](const Instruction* instruction, ReasonCode reason) {
    *failure = DemandGraph::Failure{instruction, reason};
    return std::nullopt;
  };
  TopkDemand result;
  result.topk = only_taken(kernel, takes_topk);
  if (result.topk == nullptr) return fail(kernel.outputs[0], "unsupported-op");
  for (const Instruction* output : kernel.outputs) {
    const bool own = output->opcode == Opcode::kGetTupleElement && output->operand(0) == result.topk;
    if (!own) return fail(output, "own-stage");
  }
  const Shape& shape = result.topk->operand(0)->shape;
  result.columns = shape.dims.back();
  result.rows = result.columns == 0 ? 0 : shape.element_count() / result.columns;
  result.k = *result.topk->attributes->k;
  if (result.columns > INT32_MAX / 2) return fail(result.topk, "sorted-element-large");
  result.form = topk_form(result.rows, result.columns, result.k);

  result.graph = std::make_unique<DemandGraph>(kernel.context);
  DemandGraph& graph = *result.graph;
  result.row = graph.add_coordinate(result.rows, CoordinateRole::kRow);
  result.column = graph.add_coordinate(result.columns, CoordinateRole::kColumn);
  std::vector<IndexExpr> index =
      delinearize(graph.coordinate(result.row), std::vector<int64_t>(shape.dims.begin(), shape.dims.end() - 1));
  index.push_back(graph.coordinate(result.column));
  const NodeId node = graph.demand(result.topk->operand(0), index);
  if (!graph.failure) graph.results.push_back(node);
  if (!finish_operands(graph, failure)) return std::nullopt;
  return result;
}

bool takes_topk(const Instruction& instruction) { return instruction.opcode == Opcode::kTopk; }

std::optional<OwnStageShape> topk_shape(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const std::optional<TopkDemand> demand = demand_topk(kernel, failure);
  if (!demand) return std::nullopt;
  OwnStageShape shape;
  const TopkForm& form = demand->form;
  shape.grid[0] =
      form.kind == TopkForm::Kind::kThread ? ceil_div(demand->rows, form.threads) : demand->rows * form.slices;
  shape.block[0] = form.threads;
  shape.nodes = static_cast<int64_t>(demand->graph->nodes.size());
  // Each element is compared once, and few are kept.
  const auto elements = static_cast<double>(demand->topk->operand(0)->shape.element_count());
  shape.work.integer = 8 * elements;
  shape.work.memory = 2 * elements;
  shape.work.chain = 2 * kLoadCycles;
  return shape;
}

}  // namespace sinter
