#include "passes/stages/own/bins_stage.h"

#include <algorithm>
#include <numeric>

#include "ir/support/ceil_div.h"
#include "passes/analysis/values/constants.h"
#include "passes/analysis/values/latencies.h"
#include "passes/stages/domain/launch_shape.h"
#include "passes/stages/own/own_stages.h"
#include "passes/stages/own/scatter_stage.h"

namespace sinter {
namespace {

constexpr int64_t kLeastWarps = 2, kMostWarps = 8, kWarpsInAnyOrder = 16;
// Columns that are worth a thread each, half of a warp, and that one block has threads for.
constexpr int64_t kLeastColumns = 16, kMostColumns = 1024;
constexpr int64_t kSeveralBlocks = 40 << 10;  // bytes of shared memory, of which a multiprocessor has several times
constexpr int64_t kRounds = 16, kUpdatesOfBin = 4;  // that are worth a block
constexpr int64_t kMostBlocks = 1024;

bool is_empty(const AttributeValue<std::vector<int64_t>>& dims) { return !dims || dims->empty(); }

// Dimensions of a batch come first.
int64_t batches_of(const Instruction& scatter) {
  int64_t batches = 1;
  const int64_t dims =
      is_empty(scatter.attributes->input_batching_dims) ? 0 : std::ssize(*scatter.attributes->input_batching_dims);
  for (int64_t d = 0; d < dims; ++d) batches *= scatter.operand(0)->shape.dims[d];
  return batches;
}

// Whether there are so many updates, of each element too: for few of those, blocks fill bins in vain. Of a batch, each
// of which has a block at least, there must be enough for that.
// `sorted_else`: fewer are many, too.
bool are_many(int64_t bins, int64_t count, int64_t columns, int64_t batches, bool sorted_else) {
  constexpr int64_t kManyOfElement = 64, kManyOfBatch = 1 << 16;
  if (columns == 0 || columns > kMostColumns || batches == 0 || bins == 0 || count > INT32_MAX / 2 ||
      batches > INT32_MAX / 2 / bins)
    return false;
  if (batches * bins * (count / columns) < kManyPairs && !sorted_else) return false;
  return batches == 1 ? count >= bins * kManyOfElement : bins * count >= kManyOfBatch && count >= bins * kUpdatesOfBin;
}

// Whether updates are whole rows that would be sorted otherwise, which takes several launches.
bool are_sorted_rows(const Instruction& scatter) {
  return scatter.operands().size() == 3 && is_empty(scatter.attributes->input_batching_dims) &&
         !is_empty(scatter.attributes->update_window_dims) && needs_order(scatter) &&
         !scatter.attributes->indices_are_sorted.value_or(false) && !folds(scatter);
}

// Whether single elements of a batch are named along its one other dimension, by numbers of 32 bits or fewer.
bool is_batch(const Instruction& scatter) {
  const Attributes& attributes = scatter.attributes;
  const int64_t last = scatter.operand(0)->shape.rank() - 1;
  if (last < 1) return false;
  std::vector<int64_t> first(last);
  std::iota(first.begin(), first.end(), int64_t{0});
  const Shape& indices = scatter.operand(scatter.operands().size() / 2)->shape;
  const int64_t vector = attributes.index_vector_dim.value();
  return attributes.input_batching_dims == first && attributes.scatter_indices_batching_dims == first &&
         attributes.inserted_window_dims == std::vector{last} &&
         attributes.scatter_dims_to_operand_dims == std::vector{last} && is_empty(attributes.update_window_dims) &&
         vector >= last && vector >= indices.rank() - 1 &&
         (indices.dtype == DType::kS32 || dtype_bits(indices.dtype) < 32);
}

bool has_bin_type(DType dtype) {
  return (is_float(dtype) || is_integer(dtype)) && dtype_bits(dtype) >= 32 && !is_complex(dtype);
}

// How many elements an update has whose window is a whole row of the result; nullopt where it is a part of one.
std::optional<int64_t> columns_of(const Instruction& scatter) {
  const Attributes& attributes = scatter.attributes;
  if (is_empty(attributes.update_window_dims)) return 1;
  const std::vector<int64_t> inserted = attributes.inserted_window_dims.value_or(std::vector<int64_t>{});
  const std::vector<int64_t>& updates = scatter.operand(2)->shape.dims;
  size_t next = 0;
  int64_t columns = 1;
  for (int64_t d = 0; d < scatter.shape.rank(); ++d) {
    if (std::find(inserted.begin(), inserted.end(), d) != inserted.end()) continue;
    const int64_t size = updates[(*attributes.update_window_dims)[next++]];
    if (size != scatter.shape.dims[d]) return std::nullopt;
    columns *= size;
  }
  return columns;
}

bool has_part_beginning(const Instruction& operand, Opcode operation) {
  return splat_value(operand) && part_beginning(operation, operand.shape.dtype, operand);
}

// Whether so many batches go to bins, if each of the columns of a batch has its own.
bool go_to_bins(const Instruction& scatter, int64_t batches, int64_t columns) {
  if (!has_bin_type(scatter.shape.dtype)) return false;
  const int64_t parts = batches * columns;
  const int64_t bins = scatter.shape.element_count() / parts;
  const int64_t count = scatter.operand(2)->shape.element_count() / parts;
  const std::optional<Opcode> operation = simple_combiner(**scatter.attributes->to_apply);
  return operation && are_many(bins, count, 1, batches, false) &&
         have_room(scatter.operand(0)->shape.bytes() / parts) && has_part_beginning(*scatter.operand(0), *operation);
}

}  // namespace

int64_t bytes_of_bins(const Instruction& scatter) {
  int64_t bytes = 0;
  for (size_t i = 0; i < scatter.operands().size() / 2; ++i) bytes += scatter.operand(i)->shape.bytes();
  return bytes / batches_of(scatter);
}

bool have_room(int64_t bytes) { return bytes * kLeastWarps <= kSharedBytesOfBlock; }

int64_t parts_of_updates(const Instruction& scatter) {
  constexpr int64_t kPart = 1 << 28;
  const int64_t count = scatter.operand(2)->shape.element_count();
  return count > INT32_MAX / 2 && is_empty(scatter.attributes->input_batching_dims) && columns_of(scatter) == 1
             ? ceil_div(count, kPart)
             : 1;
}

bool may_have_bins(const Instruction& scatter) { return may_have_bins_of(scatter, scatter.shape.dtype); }

bool may_have_bins_of(const Instruction& scatter, DType dtype) {
  if (scatter.opcode != Opcode::kScatter || scatter.operands().size() != 3) return false;
  const Attributes& attributes = scatter.attributes;
  if ((!is_empty(attributes.input_batching_dims) && !is_batch(scatter)) || !has_bin_type(dtype)) return false;
  const std::optional<int64_t> columns = columns_of(scatter);
  const int64_t batches = batches_of(scatter);
  if (!columns || batches == 0) return false;
  const int64_t bins = scatter.shape.element_count() / batches, parts = parts_of_updates(scatter);
  const int64_t count = ceil_div(scatter.operand(2)->shape.element_count() / batches, parts);
  if (!are_many(bins, count, *columns, batches * parts, are_sorted_rows(scatter))) return false;
  return simple_combiner(**attributes.to_apply) && have_room(bins * dtype_bytes(dtype));
}

bool wants_bins_of_batches(const Instruction& scatter, int64_t batches) {
  return scatter.operands().size() == 3 && is_empty(scatter.attributes->input_batching_dims) &&
         columns_of(scatter) == 1 && go_to_bins(scatter, batches, 1);
}

bool wants_bins_of_columns(const Instruction& scatter, int64_t batches, int64_t columns) {
  const int64_t bytes = scatter.operand(0)->shape.bytes() / batches;
  // Of few bytes, warps have room for whole rows as well, which are read once.
  const bool whole_fit = batches == 1 && bytes * kMostWarps <= kSeveralBlocks;
  return columns < kLeastColumns && !whole_fit && go_to_bins(scatter, batches, columns);
}

bool wants_bins(const Instruction& scatter) {
  return may_have_bins(scatter) &&
         has_part_beginning(*scatter.operand(0), *simple_combiner(**scatter.attributes->to_apply));
}

std::vector<Opcode> bins_operations(const Instruction& instruction) {
  const size_t count = instruction.operands().size() / 2;
  if (instruction.opcode != Opcode::kScatter || instruction.operands().size() != 2 * count + 1) return {};
  const Instruction& first = *instruction.operand(0);
  const Shape& rows = instruction.operand(count)->shape;
  const Shape& updates = instruction.operand(count + 1)->shape;
  const Attributes& attributes = instruction.attributes;
  const bool are_rows = first.shape.rank() == 2 && attributes.update_window_dims == std::vector<int64_t>{1} &&
                        attributes.inserted_window_dims == std::vector<int64_t>{0} &&
                        updates.dims.back() == first.shape.dims[1];
  const bool is_one = (are_rows || (first.shape.rank() == 1 && is_empty(attributes.update_window_dims))) &&
                      is_empty(attributes.input_batching_dims) && rows.rank() == 1;
  const bool are_several = first.shape.rank() == 2 && rows.rank() == 2 && is_batch(instruction);
  if ((!is_one && !are_several) || rows.dtype != DType::kS32 ||
      attributes.index_vector_dim.value_or(rows.rank()) != rows.rank())
    return {};
  const int64_t batches = std::max<int64_t>(batches_of(instruction), 1);
  if (!are_many(first.shape.element_count() / batches, updates.element_count() / batches,
                is_one && are_rows ? first.shape.dims[1] : 1, batches, are_sorted_rows(instruction)))
    return {};
  std::vector<Opcode> operations = simple_combiners(**attributes.to_apply, count);
  for (size_t i = 0; i < operations.size(); ++i) {
    const Instruction& operand = *instruction.operand(i);
    if (!has_bin_type(operand.shape.dtype) || !has_part_beginning(operand, operations[i])) return {};
  }
  if (!have_room(bytes_of_bins(instruction))) return {};
  return operations;
}

std::optional<size_t> result_of_bins(const Instruction& scatter, const Instruction& output) {
  const Instruction* value = &output;
  while (value->opcode == Opcode::kReshape) value = value->operand(0);
  if (value == &scatter) return 0;
  if (value->opcode != Opcode::kGetTupleElement || value->operand(0) != &scatter) return std::nullopt;
  return static_cast<size_t>(*value->attributes->tuple_index);
}

BinsForm bins_form(const Instruction& scatter, int64_t threads) {
  const size_t count = scatter.operands().size() / 2;
  const int64_t bytes = bytes_of_bins(scatter);
  const Shape& shape = scatter.operand(0)->shape;
  BinsForm form;
  form.batches = batches_of(scatter);
  const bool is_batched = !is_empty(scatter.attributes->input_batching_dims);
  form.rows = shape.dims[is_batched ? 1 : 0];
  form.columns = shape.rank() == 1 || is_batched ? 1 : shape.dims[1];
  form.updates = scatter.operand(count)->shape.element_count() / form.batches;
  form.own_columns = form.columns >= kLeastColumns;
  form.any_order = !form.own_columns;
  for (size_t i = 0; i < count; ++i) form.any_order &= is_integer(scatter.operand(i)->shape.dtype);
  if (form.own_columns) form.lanes = ceil_div(form.columns, kWarp) * kWarp;
  form.groups = form.any_order ? kWarpsInAnyOrder : std::max<int64_t>(kMostWarps * kWarp / form.lanes, 1);
  const int64_t least = form.own_columns ? 1 : kLeastWarps;
  while (!form.any_order && form.groups > least && form.groups * bytes > kSeveralBlocks) form.groups /= 2;
  const int64_t worth =
      std::min(form.all() / (form.round() * kRounds), form.elements() / (form.bins() * kUpdatesOfBin));
  const int64_t most = std::max<int64_t>(kMostBlocks / form.batches, 1);
  form.slice = ceil_div(form.all(), std::clamp<int64_t>(worth, 1, most) * form.round()) * form.round();
  form.blocks = ceil_div(form.all(), form.slice);
  if (threads > 0) form.groups = threads / form.lanes;
  return form;
}

// An update's element is, for each result, an atomic step in shared memory; or an exchange of rows among lanes and, on
// average, two turns, with a load and a store there for each result; or these without turns. Each bin is cleared and
// combined.
Work bins_work(const BinsForm& form, size_t count) {
  const auto results = static_cast<double>(count);
  const auto updates = static_cast<double>(form.batches * form.elements()), bins = static_cast<double>(form.bins());
  const auto threads = static_cast<double>(form.threads()), copies = static_cast<double>(form.copies());
  const double all_bins = bins * copies * static_cast<double>(form.batches * form.blocks);
  constexpr double kInstructionsOfTurn = 6, kAtomicCycles = 60;
  const double turns = form.any_order || form.own_columns ? 0 : 2;
  Work work;
  work.registers = 40;
  work.integer = (5 + turns * kInstructionsOfTurn) * updates;
  (form.any_order ? work.integer : work.f32) += results * (updates + all_bins);
  work.memory = updates + results * (2 * updates + 2 * all_bins);
  const double of_round = form.any_order ? kPipelinedLoadCycles + kAtomicCycles
                          : form.own_columns
                              ? kPipelinedLoadCycles + 2 * kSharedCycles
                              : kLoadCycles + kShuffleCycles + turns * (kShuffleCycles + 2 * kSharedCycles);
  const auto rounds = static_cast<double>(form.slice) / static_cast<double>(form.round());
  work.chain = rounds * of_round + results * bins / threads * (1 + copies) * kSharedCycles;
  return work;
}

std::optional<BinsDemand> demand_bins(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure,
                                      int64_t threads) {
  const auto fail = [&](const Instruction* instruction, ReasonCode reason) {
    *failure = DemandGraph::Failure{instruction, reason};
    return std::nullopt;
  };
  BinsDemand result;
  result.scatter = only_taken(kernel, takes_bins);
  if (result.scatter == nullptr) return fail(kernel.outputs[0], "unsupported-op");
  const Instruction& scatter = *result.scatter;
  for (const Instruction* output : kernel.outputs) {
    const std::optional<size_t> position = result_of_bins(scatter, *output);
    if (!position) return fail(output, "own-stage");
  }
  result.operations = bins_operations(scatter);
  const size_t count = result.operations.size();
  result.form = bins_form(scatter, threads);
  const bool is_batched = !is_empty(scatter.attributes->input_batching_dims);

  result.graph = std::make_unique<DemandGraph>(kernel.context);
  DemandGraph& graph = *result.graph;
  result.batch = graph.add_coordinate(result.form.batches, CoordinateRole::kBatch);
  result.number = graph.add_coordinate(result.form.updates, CoordinateRole::kTerm);
  result.column = graph.add_coordinate(result.form.columns, CoordinateRole::kColumn);
  if (result.form.columns == 1) {
    graph.set_threads(is_batched ? std::vector{result.batch, result.number} : std::vector{result.number});
  }
  for (size_t i = count; i < scatter.operands().size() && !graph.failure; ++i) {
    std::vector<IndexExpr> index = {graph.coordinate(result.number)};
    if (is_batched)
      index.insert(index.begin(), graph.coordinate(result.batch));
    else if (scatter.operand(i)->shape.rank() == 2)
      index.push_back(graph.coordinate(result.column));
    graph.results.push_back(graph.demand(scatter.operand(i), index));
  }
  // Threads of a row would each make the loops of its place.
  if (!finish_operands(graph, failure, /*with_loops=*/result.form.columns == 1)) return std::nullopt;
  return result;
}

bool takes_bins(const Instruction& instruction) { return !bins_operations(instruction).empty(); }

std::optional<OwnStageShape> bins_shape(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure) {
  const std::optional<BinsDemand> demand = demand_bins(kernel, failure);
  if (!demand) return std::nullopt;
  OwnStageShape shape;
  shape.grid[0] = demand->form.batches * demand->form.blocks;
  shape.block[0] = demand->form.threads();
  shape.group = demand->form.lanes;
  shape.nodes = static_cast<int64_t>(demand->graph->nodes.size());
  shape.work = bins_work(demand->form, demand->operations.size());
  return shape;
}

}  // namespace sinter
