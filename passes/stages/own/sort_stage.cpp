#include "passes/stages/own/sort_stage.h"

#include <algorithm>
#include <cmath>

#include "passes/analysis/functions/emittable.h"
#include "passes/analysis/values/latencies.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/own/own_stages.h"

namespace sinter {

namespace {

// A thread's elements stay in registers: a network of this many is a few dozen comparisons.
constexpr int64_t kThreadColumns = 16;
// Rows twice as long are a thread's too, where there are threads enough to hide how long each takes: a block of one
// warp a row leaves most lanes idle in most steps.
constexpr int64_t kManyRows = 16384;
constexpr int64_t kThreadBytes = 256;
constexpr int64_t kItems = 8;            // elements a thread of a block sorts before blocks merge
constexpr int64_t kTileBytes = 1 << 15;  // of shared memory, a block
constexpr int64_t kMaxTile = 4096;
constexpr int64_t kMinTile = 32;
constexpr int64_t kMaxWays = 16;

// Warps that hold so many elements, kItems a thread, as a power of two.
int64_t threads_for(int64_t elements) {
  int64_t threads = 32;
  while (threads * kItems < elements) threads *= 2;
  return threads;
}

// Few rows: small blocks, so that every multiprocessor has some.
int64_t threads_of_rows(int64_t rows) {
  int64_t threads = 128;
  while (threads > 32 && ceil_div(rows, threads) < kMultiprocessors) threads /= 2;
  return threads;
}

bool is_output(const KernelValues& kernel, const Instruction& sort, size_t operand) {
  return std::any_of(kernel.outputs.begin(), kernel.outputs.end(), [&](const Instruction* output) {
    return output == &sort || (output->opcode == Opcode::kGetTupleElement && output->operand(0) == &sort &&
                               *output->attributes->tuple_index == static_cast<int64_t>(operand));
  });
}

}  // namespace

bool is_compared(const Instruction& sort, size_t operand) {
  const std::vector<Instruction*> parameters = (*sort.attributes->to_apply)->parameters();
  return !parameters[2 * operand]->users().empty() || !parameters[2 * operand + 1]->users().empty() ||
         (*sort.attributes->to_apply)->root() == parameters[2 * operand] ||
         (*sort.attributes->to_apply)->root() == parameters[2 * operand + 1];
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
    form.kind = SortForm::Kind::kBlock;
    form.threads = threads_for(columns);
    form.items = ceil_div(columns, form.threads);
    return form;
  }
  form.kind = SortForm::Kind::kMerge;
  form.tile = tile;
  form.tiles = ceil_div(columns, tile);
  form.threads = threads_for(tile);
  form.items = ceil_div(tile, form.threads);
  // As few levels as can be, then as few ways; a tile that is not whole is worth no level of its own.
  const auto merged = [&](int64_t ways, int64_t levels) {
    int64_t runs = 1;
    for (int64_t level = 0; level < levels && runs < form.tiles; ++level) runs *= ways;
    return runs;
  };
  const int64_t whole = columns / tile;
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
    const bool own = output == &sort || (output->opcode == Opcode::kGetTupleElement && output->operand(0) == &sort);
    if (!own) return fail(output, "own-stage");
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
  const std::optional<SortForm> form = sort_form(result.rows.rows, result.rows.columns, bytes);
  if (!form || result.rows.columns > INT32_MAX / 2) return fail(&sort, "sorted-element-large");
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
  const auto elements = static_cast<double>(demand->sort->operand(0)->shape.element_count());
  const double levels = std::log2(std::max(2.0, static_cast<double>(demand->rows.columns)));
  shape.work.integer = 10 * elements * levels;  // a comparison and two moves
  shape.work.memory = 3 * elements * levels;
  shape.work.chain = levels * levels * (kSharedCycles + kBarrierCycles);
  return shape;
}

}  // namespace sinter
