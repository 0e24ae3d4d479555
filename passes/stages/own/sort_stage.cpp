#include "passes/stages/own/sort_stage.h"

#include <algorithm>

#include "passes/analysis/functions/emittable.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/own/own_stages.h"
#include "passes/stages/own/sort_work.h"

namespace sinter {

namespace {

// A thread's elements stay in registers: a network of this many is a few dozen comparisons.
constexpr int64_t kThreadColumns = 16;
// Rows twice as long are a thread's too, where there are threads enough to hide how long each takes: a block of one
// warp a row leaves most lanes idle in most steps.
constexpr int64_t kManyRows = 16384;
constexpr int64_t kThreadBytes = 256;
// Elements a thread of a block sorts before blocks merge. More take fewer instructions an element, fewer a shorter
// time; an odd number, since neighbouring threads then write to different banks of shared memory.
constexpr int64_t kItems = 9, kFewItems = 5;
constexpr int64_t kWideBytes = 16;       // elements that are larger are few in a thread's registers
constexpr int64_t kTileBytes = 1 << 15;  // of shared memory, a block
constexpr int64_t kMaxTile = 4096;
constexpr int64_t kMinTile = 32;
// Merged tiles are in shared memory twice.
constexpr int64_t kMergeThreads = 256, kMergeBytes = 20 << 10;
constexpr int64_t kMaxWays = 8;
constexpr int64_t kBusyBlocks = 2 * kMultiprocessors;

// A tile a block: large ones, if there are as many as keep all multiprocessors busy. False: elements are too large.
bool set_tile(int64_t rows, int64_t columns, int64_t bytes, SortForm* form) {
  form->kind = SortForm::Kind::kMerge;
  form->threads = kMergeThreads;
  form->items = kFewItems;
  while (form->threads > kWarp && form->threads * form->items * bytes > kMergeBytes) form->threads /= 2;
  while (form->items > 1 && form->threads * form->items * bytes > kMergeBytes) form->items -= 2;
  for (int64_t items = form->items + 2; items <= kItems; items += 2) {
    const int64_t tile = form->threads * items;
    if (tile * bytes <= kMergeBytes && rows * ceil_div(columns, tile) >= kBusyBlocks) form->items = items;
  }
  form->tile = form->threads * form->items;
  return form->tile * bytes <= kMergeBytes;
}

// Few rows: small blocks, so that every multiprocessor has some.
int64_t threads_of_rows(int64_t rows) {
  int64_t threads = 128;
  while (threads > 32 && ceil_div(rows, threads) < kMultiprocessors) threads /= 2;
  return threads;
}

bool is_output(const KernelValues& kernel, const Instruction& sort, size_t operand) {
  return std::any_of(kernel.outputs.begin(), kernel.outputs.end(),
                     [&](const Instruction* output) { return result_number(sort, *output) == operand; });
}

}  // namespace

bool is_compared(const Instruction& sort, size_t operand) {
  const std::vector<Instruction*> parameters = (*sort.attributes->to_apply)->parameters();
  return !parameters[2 * operand]->users().empty() || !parameters[2 * operand + 1]->users().empty() ||
         (*sort.attributes->to_apply)->root() == parameters[2 * operand] ||
         (*sort.attributes->to_apply)->root() == parameters[2 * operand + 1];
}

SortingBlock sorting_block(int64_t rows, int64_t columns, int64_t bytes) {
  const bool few = bytes > kWideBytes || (rows < kBusyBlocks && columns <= kMergeThreads * kFewItems);
  SortingBlock block = {.items = few ? kFewItems : kItems};
  block.threads = ceil_div(ceil_div(columns, block.items), kWarp) * kWarp;
  // One warp: as few as are enough.
  if (block.threads == kWarp) block.items = ceil_div(columns, kWarp) | 1;
  return block;
}

std::optional<SortForm> sort_form(int64_t rows, int64_t columns, int64_t bytes) {
  SortForm form;
  const int64_t most = rows >= kManyRows ? 2 * kThreadColumns : kThreadColumns;
  if (columns <= most && columns * bytes <= kThreadBytes) {
    form.threads = 128;
    form.items = columns;
    return form;
  }
  int64_t tile = kMaxTile;
  while (tile * bytes > kTileBytes) tile /= 2;
  if (tile < kMinTile) return std::nullopt;
  if (columns <= tile) {
    const SortingBlock block = sorting_block(rows, columns, bytes);
    form.kind = SortForm::Kind::kBlock;
    form.threads = block.threads;
    form.items = block.items;
    return form;
  }
  if (!set_tile(rows, columns, bytes, &form)) return std::nullopt;
  form.tiles = ceil_div(columns, form.tile);
  // As few levels as can be, then as few ways; a tile that is not whole is worth no level of its own.
  const auto merged = [&](int64_t ways, int64_t levels) {
    int64_t runs = 1;
    for (int64_t level = 0; level < levels && runs < form.tiles; ++level) runs *= ways;
    return runs;
  };
  const int64_t whole = columns / form.tile;
  form.levels = 1;
  while (merged(kMaxWays, form.levels) < whole) ++form.levels;
  form.ways = 2;
  while (merged(form.ways, form.levels) < form.tiles) ++form.ways;
  return form;
}

SortRows sort_rows(const Shape& shape, int64_t dimension) {
  SortRows rows;
  rows.columns = shape.dims[dimension];
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (d != dimension) rows.rows *= shape.dims[d];
    if (d > dimension) rows.inner *= shape.dims[d];
  }
  return rows;
}

std::vector<IndexExpr> row_index(const DemandGraph& graph, int row, int column, const Shape& shape, int64_t dimension) {
  std::vector<int64_t> others = shape.dims;
  others.erase(others.begin() + dimension);
  std::vector<IndexExpr> index = delinearize(graph.coordinate(row), others);
  index.insert(index.begin() + dimension, graph.coordinate(column));
  return index;
}

std::optional<SortDemand> demand_sort(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const auto fail = [&](const Instruction* instruction, ReasonCode reason) {
    *failure = DemandGraph::Failure{instruction, reason};
    return std::nullopt;
  };
  SortDemand result;
  result.sort = only_taken(kernel, takes_sort);
  if (result.sort == nullptr) return fail(kernel.outputs[0], "unsupported-op");
  const Instruction& sort = *result.sort;
  for (const Instruction* output : kernel.outputs) {
    if (!result_number(sort, *output)) return fail(output, "own-stage");
  }
  const int64_t dimension = sort.attributes->dimensions->front();
  const Shape& shape = sort.operand(0)->shape;
  result.rows = sort_rows(shape, dimension);
  int64_t bytes = 0;
  for (size_t k = 0; k < sort.operands().size(); ++k) {
    if (!is_output(kernel, sort, k) && !is_compared(sort, k)) continue;
    result.fields.push_back(k);
    bytes += std::max<int64_t>(dtype_bytes(sort.operand(k)->shape.dtype), 1);
  }
  result.bytes = bytes;
  const std::optional<SortForm> form = sort_form(result.rows.rows, result.rows.columns, bytes);
  if (!form) return fail(&sort, "sorted-element-large");
  if (result.rows.columns > INT32_MAX / 2) return fail(&sort, "sorted-row-long");
  result.form = *form;
  if (form->kind == SortForm::Kind::kThread) result.form.threads = threads_of_rows(result.rows.rows);

  result.graph = std::make_unique<DemandGraph>(kernel.context);
  DemandGraph& graph = *result.graph;
  result.row = graph.add_coordinate(result.rows.rows, CoordinateRole::kRow);
  result.column = graph.add_coordinate(result.rows.columns, CoordinateRole::kColumn);
  for (const size_t field : result.fields) {
    const NodeId node =
        graph.demand(sort.operand(field), row_index(graph, result.row, result.column, shape, dimension));
    if (graph.failure) break;
    graph.results.push_back(node);
  }
  if (!finish_operands(graph, failure)) return std::nullopt;
  return result;
}

bool takes_sort(const Instruction& instruction) {
  return instruction.opcode == Opcode::kSort && can_emit_function(**instruction.attributes->to_apply);
}

std::optional<OwnStageShape> sort_shape(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const std::optional<SortDemand> demand = demand_sort(kernel, failure);
  if (!demand) return std::nullopt;
  OwnStageShape shape;
  const int64_t rows = demand->rows.rows;
  const bool thread = demand->form.kind == SortForm::Kind::kThread;
  shape.grid[0] = thread ? ceil_div(rows, demand->form.threads) : rows * demand->form.tiles;
  shape.block[0] = demand->form.threads;
  shape.nodes = static_cast<int64_t>(demand->graph->nodes.size());
  const SortForm& form = demand->form;
  SortedBlocks sorted = {.blocks = rows,
                         .elements = demand->rows.columns,
                         .items = form.items,
                         .bytes = demand->bytes,
                         .comparison = comparison_work(**demand->sort->attributes->to_apply)};
  if (form.kind == SortForm::Kind::kMerge) {
    sorted.blocks = rows * form.tiles;
    sorted.elements = form.tile;
  }
  add_work(block_sort_work(sorted), &shape.work);
  int64_t run = form.tile;
  for (int64_t level = 0; level < form.levels; ++level, run *= form.ways) {
    add_work(merge_work(sorted, run, form.ways), &shape.work);
  }
  return shape;
}

}  // namespace sinter
