#include "passes/stages/own/topk_stage.h"

#include <algorithm>
#include <cmath>

#include "passes/analysis/values/latencies.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/own/own_stages.h"
#include "passes/stages/own/sort_stage.h"
#include "passes/stages/own/sort_work.h"
#include "passes/stages/own/topk_form.h"

namespace sinter {

namespace {

constexpr int64_t kMostThreadColumns = 16;
constexpr int64_t kSelectThreads = 512;  // at least kMostSelected: each gives an element
constexpr int64_t kSampled = 8192;
constexpr int64_t kChunkOfThread = 4;
constexpr double kComparison = 8;  // instructions: of two keys in total order, and of places
constexpr int64_t kFirst = 3;      // times k elements give the bound
constexpr int64_t kKept = 2;       // times k elements pass the bound and are sorted, at most
constexpr int64_t kMinSlice = 8192;

int64_t element_bytes(DType dtype) { return std::max<int64_t>(dtype_bytes(dtype), 4) * 2; }  // {value, index}

// A slice a block, which keeps the best on its way.
TopkForm select_form(int64_t slice, int64_t k, int64_t threads = kSelectThreads) {
  TopkForm form;
  form.kind = TopkForm::Kind::kSelect;
  form.threads = threads;
  form.sampled = slice > kSampled ? kSampled : 0;
  form.chunk = kChunkOfThread * threads;
  form.items = ceil_div(k + 2 * form.chunk, threads) | 1;
  return form;
}

TopkForm block_form(int64_t rows, int64_t columns, DType dtype) {
  TopkForm form;
  form.kind = TopkForm::Kind::kBlock;
  const SortingBlock block = sorting_block(rows, columns, element_bytes(dtype));
  form.threads = block.threads;
  form.items = block.items;
  return form;
}

// `blocks` slices of `columns` elements.
Work form_work(const TopkForm& form, int64_t blocks, int64_t columns, int64_t k, int64_t bytes) {
  SortedBlocks sorted = {
      .blocks = blocks, .elements = columns, .items = form.items, .bytes = bytes, .comparison = kComparison};
  if (form.kind != TopkForm::Kind::kSelect) return block_sort_work(sorted);
  // All elements are compared, those that were sampled twice; the threads' best are sorted, and some that are kept.
  const int64_t sampled = form.sampled > 0 ? form.sampled : columns;
  Work work;
  work.integer = static_cast<double>(blocks * (columns + sampled)) * (kComparison + 8);
  work.memory = static_cast<double>(blocks * (columns + sampled));
  const auto turns = [&](int64_t elements) { return static_cast<double>(ceil_div(elements, form.threads)); };
  work.chain = turns(sampled) / 4 * kLoadCycles + turns(columns) * (kLoadCycles / 2 + kComparison * kArithmeticCycles);
  sorted.elements = std::min(form.threads, kFirst * k);
  sorted.items = 1;
  add_work(block_sort_work(sorted), &work);
  sorted.elements = std::max(kKept * k, kWarp);
  sorted.items = form.items;
  add_work(block_sort_work(sorted), &work);
  return work;
}

// Cycles that such blocks take, roughly: what is issued, or how long each wave of blocks takes.
double form_cycles(const TopkForm& form, int64_t rows, int64_t columns, int64_t k, int64_t bytes) {
  constexpr double kLanes = 128, kThreadsOfMultiprocessor = 2048, kBlocksOfMultiprocessor = 32;
  const auto multiprocessors = static_cast<double>(kMultiprocessors);
  const Work work = form_work(form, rows, columns, k, bytes);
  const double at_once =
      std::min(kBlocksOfMultiprocessor, kThreadsOfMultiprocessor / static_cast<double>(form.threads));
  const double waves = std::ceil(static_cast<double>(rows) / (multiprocessors * at_once));
  return std::max(work.instructions() / (kLanes * multiprocessors), waves * work.chain);
}

// A row a block, which keeps its best, or sorts it where there is room, whichever is faster.
TopkForm row_form(int64_t rows, int64_t columns, int64_t k, DType dtype) {
  const int64_t bytes = element_bytes(dtype);
  TopkForm best = columns <= kSortedRow ? block_form(rows, columns, dtype) : select_form(columns, k);
  for (int64_t threads = kWarp; threads <= kSelectThreads; threads *= 2) {
    if (threads < k || threads > columns) continue;
    const TopkForm form = select_form(columns, k, threads);
    if (form_cycles(form, rows, columns, k, bytes) < form_cycles(best, rows, columns, k, bytes)) best = form;
  }
  return best;
}

TopkForm topk_form(int64_t rows, int64_t columns, int64_t k, DType dtype) {
  TopkForm form;
  if (columns <= kMostThreadColumns) {
    form.threads = 128;
    while (form.threads > 32 && ceil_div(rows, form.threads) < kMultiprocessors) form.threads /= 2;
    form.items = columns;
    return form;
  }
  if (columns <= kSortedRow) return row_form(rows, columns, k, dtype);
  const int64_t slices =
      std::clamp<int64_t>(ceil_div(2 * kMultiprocessors, rows), 1, std::max<int64_t>(columns / kMinSlice, 1));
  form = slices == 1 ? row_form(rows, columns, k, dtype) : select_form(ceil_div(columns, slices), k);
  form.slices = slices;
  form.slice = ceil_div(columns, slices);
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
    if (!result_number(*result.topk, *output)) return fail(output, "own-stage");
  }
  const Shape& shape = result.topk->operand(0)->shape;
  result.columns = shape.dims.back();
  result.rows = result.columns == 0 ? 0 : shape.element_count() / result.columns;
  result.k = *result.topk->attributes->k;
  if (result.columns > INT32_MAX / 2) return fail(result.topk, "sorted-row-long");
  result.form = topk_form(result.rows, result.columns, result.k, shape.dtype);
  if (result.form.slices > 1) {
    result.join = row_form(result.rows, result.form.slices * result.k, result.k, shape.dtype);
  }

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

Work topk_work(const TopkDemand& demand) {
  const TopkForm& form = demand.form;
  return form_work(form, demand.rows * form.slices, form.slices > 1 ? form.slice : demand.columns, demand.k,
                   element_bytes(demand.topk->operand(0)->shape.dtype));
}

Work topk_join_work(const TopkDemand& demand) {
  return form_work(demand.join, demand.rows, demand.form.slices * demand.k, demand.k,
                   element_bytes(demand.topk->operand(0)->shape.dtype));
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
  add_work(topk_work(*demand), &shape.work);
  if (form.slices > 1) add_work(topk_join_work(*demand), &shape.work);
  return shape;
}

}  // namespace sinter
