#include "passes/stages/products/gemv_form.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/emittable.h"
#include "passes/analysis/values/hardware.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/stages/domain/vectorize.h"
#include "passes/stages/products/form_text.h"
#include "passes/stages/products/tensor_core_form.h"
#include "passes/stages/products/tile_copy.h"

namespace sinter {

namespace {

// Of a block that has a multiprocessor to itself: what sm_80 has, less what helpers need.
constexpr int64_t kResidentBytesMost = 160 << 10;
// Of vectors in shared memory at a time, and of all that a block may have there, as for tiles.
constexpr int64_t kPanelBytes = 32 * 1024;
// Of a thread, in registers: sums, and elements of the matrix.
constexpr int64_t kMostSums = 64, kMostElements = 64;

// The load of the matrix itself among what its elements are computed from: of the largest array that differs with both
// coordinates, in every element; `behind_tests`: those that may be loaded whatever a test says, too.
NodeId matrix_load(const ContractOperand& operand, bool behind_tests) {
  const DemandGraph& graph = *operand.graph;
  const std::vector<bool> needed = needed_nodes(graph);
  NodeId load = kNoNode;
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    const DemandNode& node = graph.nodes[id];
    if (!needed[id] || node.kind != DemandNode::Kind::kLoad) continue;
    if (node.guard != 0 && !(behind_tests && is_inside_array(node))) continue;
    bool along[2] = {false, false};
    node.expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      if (atom.kind != IndexExpr::AtomKind::kCoordinate) return;
      along[0] |= atom.id == operand.outer;
      along[1] |= atom.id == operand.k;
    });
    if (!along[0] || !along[1]) continue;
    const auto bytes = [&](NodeId other) { return graph.nodes[other].instruction->shape.bytes(); };
    if (load == kNoNode || bytes(static_cast<NodeId>(id)) > bytes(load)) load = static_cast<NodeId>(id);
  }
  return load;
}

// Whether an index is the same in each group of so many elements along a coordinate, and of coordinates alone.
bool is_of_groups(const DemandGraph& graph, const IndexExpr& expr, int coordinate, int64_t elements) {
  const IndexExpr place = graph.coordinate(coordinate);
  return are_neighbours(graph, expr * elements + place, coordinate, elements);
}

// The same of a number that is loaded, or computed of such, in every element: the matrix that a row is multiplied with.
bool is_number_of_groups(const DemandGraph& graph, NodeId id, int coordinate, int64_t elements) {
  const DemandNode& node = graph.nodes[id];
  if (node.guard != 0) return false;
  switch (node.kind) {
    case DemandNode::Kind::kConstant:
      return true;
    case DemandNode::Kind::kIndex:
    case DemandNode::Kind::kLoad:
      return is_of_groups(graph, node.expr, coordinate, elements);
    case DemandNode::Kind::kCompute:
    case DemandNode::Kind::kClampIndex:
      return std::all_of(node.operands.begin(), node.operands.end(),
                         [&](NodeId operand) { return is_number_of_groups(graph, operand, coordinate, elements); });
    default:
      return false;
  }
}

bool is_number(const DemandGraph& graph, const IndexExpr::Atom& atom) {
  return atom.kind == IndexExpr::AtomKind::kValue && graph.nodes[atom.id].kind != DemandNode::Kind::kPosition;
}

// Where elements are, without what numbers add to it, each the same in a group, to whose first element it leads;
// nullopt: some number is of another kind.
std::optional<IndexExpr> without_numbers(const DemandGraph& graph, const IndexExpr& from, int coordinate,
                                         int64_t elements) {
  IndexExpr rest = from;
  for (const IndexExpr::Term& term : from.terms()) {
    if (!is_number(graph, *term.atom)) continue;
    if (term.coefficient % elements != 0 ||
        !is_number_of_groups(graph, static_cast<NodeId>(term.atom->id), coordinate, elements))
      return std::nullopt;
    rest = rest - IndexExpr::value(term.atom->id, term.atom->range) * term.coefficient;
  }
  return rest;
}

// Copies of this load, as wide as its neighbours allow; false where there are none. `numbers`: where they are may be
// loaded, too.
bool copy_chunks(const ContractOperand& operand, NodeId load, bool numbers, GemvOperands* result) {
  const DemandNode& node = operand.graph->nodes[load];
  for (const int64_t bytes : {16, 8, 4}) {
    const int64_t elements = bytes / dtype_bytes(node.dtype);
    if (elements == 0) return false;
    for (const bool along_k : {true, false}) {
      if (!along_k && result->vectors * elements > kMostSums) continue;
      if (elements == 1 && along_k != operand.k_contiguous) continue;
      const int along = along_k ? operand.k : operand.outer;
      const std::optional<IndexExpr> from =
          numbers ? without_numbers(*operand.graph, node.expr, along, elements) : node.expr;
      if (!from || !are_neighbours(*operand.graph, *from, along, elements)) continue;
      result->along_k = along_k;
      result->copied = load;
      node.expr.visit_leaves([&](const IndexExpr::Atom& atom) {
        result->by_place &= atom.kind == IndexExpr::AtomKind::kCoordinate &&
                            (atom.id == operand.outer || atom.id == operand.k || atom.id == operand.batch);
      });
      result->chunk = elements;
      return true;
    }
  }
  return false;
}

}  // namespace

std::string schedule_text(const GemvForm& form) {
  std::string text = std::string(kContract) + "(gemv " + std::to_string(form.n) + "x" + std::to_string(form.k) + ", ";
  if (form.resident) return text + "resident)";
  text += "stages " + std::to_string(form.stages);
  if (form.splits > 1) text += ", split " + std::to_string(form.splits);
  return text + ")";
}

std::optional<GemvForm> parse_gemv_form(std::string_view text) {
  constexpr int64_t kMostOfTile = 4096, kMostStages = 16, kMostSplits = 64;
  GemvForm form;
  if (!take_word(&text, "gemv ") || !take_number(&text, &form.n, 1, kMostOfTile) || !take_word(&text, "x") ||
      !take_number(&text, &form.k, 1, kMostOfTile) || !take_word(&text, ", "))
    return std::nullopt;
  form.resident = text == "resident";
  if (form.resident) {
    form.stages = 1;
    text = "";
  } else if (!take_word(&text, "stages ") || !take_number(&text, &form.stages, 1, kMostStages)) {
    return std::nullopt;
  }
  if (!text.empty() &&
      (!take_word(&text, ", split ") || !take_number(&text, &form.splits, 1, kMostSplits) || form.splits == 1))
    return std::nullopt;
  return text.empty() && is_power_of_two(form.n) && is_power_of_two(form.k) ? std::optional(form) : std::nullopt;
}

std::optional<GemvForm> gemv_form(std::string_view schedule) {
  if (!is_contract_schedule(schedule) || schedule == kContract || !schedule.ends_with(")")) return std::nullopt;
  schedule.remove_prefix(kContract.size() + 1);
  schedule.remove_suffix(1);
  return parse_gemv_form(schedule);
}

int64_t GemvOperands::chunk_bytes(const ContractDemand& demand) const {
  return copied == kNoNode ? 0 : chunk * dtype_bytes(demand.operands[matrix].graph->nodes[copied].dtype);
}

bool GemvOperands::is_copied(const DemandGraph& graph, NodeId node) const {
  if (copied == kNoNode) return false;
  const DemandNode &load = graph.nodes[copied], &other = graph.nodes[node];
  return other.kind == DemandNode::Kind::kLoad && other.instruction == load.instruction && other.expr == load.expr;
}

std::vector<PieceLoad> piece_loads(const ContractDemand& demand, const GemvOperands& operands) {
  std::vector<PieceLoad> loads;
  if (operands.copied == kNoNode || demand.parts.count > 1 || !demand.matrices.empty()) return loads;
  const ContractOperand& matrix = demand.operands[operands.matrix];
  const DemandGraph& graph = *matrix.graph;
  const std::vector<bool> needed = needed_nodes(graph);
  const int along = operands.along_k ? matrix.k : matrix.outer;
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    const DemandNode& node = graph.nodes[id];
    if (!needed[id] || node.kind != DemandNode::Kind::kLoad) continue;
    if (node.guard != 0 && !is_inside_array(node)) continue;
    const PieceLoad load = {static_cast<NodeId>(id), std::min(operands.chunk, kAccessBytes / dtype_bytes(node.dtype))};
    bool moves = false, by_place = true;
    node.expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      const bool is_coordinate = atom.kind == IndexExpr::AtomKind::kCoordinate;
      by_place &= is_coordinate && (atom.id == matrix.outer || atom.id == matrix.k || atom.id == matrix.batch);
      moves |= is_coordinate && atom.id == along;
    });
    if (load.elements > 1 && moves && by_place && !operands.is_copied(graph, load.node) &&
        are_neighbours(graph, node.expr, along, load.elements))
      loads.push_back(load);
  }
  return loads;
}

std::optional<GemvOperands> gemv_operands(const ContractDemand& demand) {
  const ContractExtents& extents = demand.extents;
  if (demand.dot->opcode != Opcode::kDot || is_complex(demand.dot->shape.dtype)) return std::nullopt;
  if (demand.dot->operands().size() != 2 || !demand.rows.empty()) return std::nullopt;
  if (demand.statistics.parts() > 0) return std::nullopt;
  GemvOperands result;
  result.matrix = extents.m > extents.n ? 0 : 1;
  if (demand.parts.apart || demand.partner > 0 || (demand.parts.count > 1 && result.matrix == 0)) return std::nullopt;
  result.batch = extents.batch;
  result.vectors = std::min(extents.m, extents.n);
  result.outputs = std::max(extents.m, extents.n);
  result.k = extents.k;
  constexpr int64_t kMostBatch = 65535;  // of a grid's dimension
  if (result.vectors > kMostVectors || result.batch > kMostBatch) return std::nullopt;
  const ContractOperand& operand = demand.operands[result.matrix];
  result.along_k = operand.k_contiguous;
  for (const bool behind_tests : {true, false}) {
    const NodeId load = matrix_load(operand, behind_tests);
    if (load != kNoNode && copy_chunks(operand, load, demand.matrices.empty(), &result)) break;
  }
  return result;
}

std::optional<GemvThreads> gemv_threads(const ContractDemand& demand, const GemvOperands& operands,
                                        const GemvForm& form, int64_t threads) {
  if (threads % kWarp != 0 || threads > 1024 || !is_power_of_two(threads)) return std::nullopt;
  if (!demand.parts.are_whole(form.n)) return std::nullopt;
  if ((form.stages > 1 || form.resident) != (operands.copied != kNoNode)) return std::nullopt;
  if (form.resident && !operands.by_place) return std::nullopt;
  GemvThreads result;
  const int64_t along = operands.along_k ? form.k : form.n, across = operands.along_k ? form.n : form.k;
  result.lanes = along / operands.chunk;
  if (along % operands.chunk != 0 || result.lanes > threads || result.lanes == 0) return std::nullopt;
  // Of one output: any of the block's threads; of neighbours, those of a warp.
  if (!operands.along_k && result.lanes > kWarp) return std::nullopt;
  const int64_t places = threads / result.lanes;
  if (across % places != 0) return std::nullopt;
  result.rows = across / places;
  result.sums = operands.along_k ? result.rows : operands.chunk;
  result.groups = operands.along_k ? std::max<int64_t>(result.lanes / kWarp, 1) : threads / kWarp;
  if (result.sums * operands.vectors > kMostSums || result.rows * operands.chunk > kMostElements) return std::nullopt;
  result.split_k = ceil_div(ceil_div(operands.k, form.splits), form.k) * form.k;
  if (form.splits > 1 && result.split_k * (form.splits - 1) >= operands.k) return std::nullopt;

  const int64_t of_k = operands.vectors * dtype_bytes(operands.vector_type(demand));
  result.panel_k = std::min(result.split_k, kPanelBytes / of_k / form.k * form.k);
  if (result.panel_k == 0) return std::nullopt;
  const int64_t sum_bytes = dtype_bytes(accumulator_type(demand.dot->shape.dtype));
  result.shared_bytes = result.panel_k * of_k + result.groups * operands.vectors * form.n * sum_bytes;
  StatisticsThreads& statistics = result.statistics;
  statistics = {.block = threads, .vectors = operands.vectors, .of_vector = threads};
  while (statistics.of_vector > kWarp && statistics.takes_turns()) statistics.of_vector /= 2;
  const int64_t slots = form.resident ? result.split_k / form.k : std::min(form.stages, result.split_k / form.k);
  if (operands.copied != kNoNode) result.shared_bytes += slots * result.rows * threads * operands.chunk_bytes(demand);
  result.shared_bytes = bytes_with_statistics(result.shared_bytes, kAccessBytes, demand.statistics, statistics);
  return result.shared_bytes <= (form.resident ? kResidentBytesMost : kSharedBytesMost) ? std::optional(result)
                                                                                        : std::nullopt;
}

std::optional<GemvForm> any_gemv_form(const ContractDemand& demand) {
  const std::optional<GemvOperands> operands = gemv_operands(demand);
  if (!operands) return std::nullopt;
  for (const int64_t lanes : {32, 16, 8, 4, 64, 256}) {
    for (const int64_t rows : {4, 2, 1, 8}) {
      const int64_t along = lanes * operands->chunk, across = kGemvThreads / lanes * rows;
      const GemvForm form = {.n = operands->along_k ? across : along,
                             .k = operands->along_k ? along : across,
                             .stages = operands->copied == kNoNode ? 1 : 2};
      if (gemv_threads(demand, *operands, form, kGemvThreads)) return form;
    }
  }
  return std::nullopt;
}

}  // namespace sinter
