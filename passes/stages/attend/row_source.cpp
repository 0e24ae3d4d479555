#include "passes/stages/attend/row_source.h"

#include <algorithm>

#include "passes/analysis/functions/work_of_elements.h"
#include "passes/demand/lane_steps.h"
#include "passes/demand/nodes_below.h"
#include "passes/demand/nodes_read.h"

namespace sinter {

namespace {

using Kind = DemandNode::Kind;

constexpr size_t kMostOnTheWay = 48;

// Of whole bytes, as many as a register has at most.
bool is_in_bytes(DType dtype) {
  return (is_float(dtype) || is_integer(dtype)) && dtype_bits(dtype) >= 8 && dtype_bits(dtype) <= 32;
}

bool is_cheap(const Instruction& value) {
  switch (value.opcode) {
    case Opcode::kAdd:
    case Opcode::kSubtract:
    case Opcode::kMultiply:
    case Opcode::kDivide:
    case Opcode::kMinimum:
    case Opcode::kMaximum:
    case Opcode::kClamp:
    case Opcode::kCompare:
    case Opcode::kSelect:
    case Opcode::kConvert:
      return true;
    default:
      return false;
  }
}

class Way {
 public:
  std::set<const Instruction*> run(const Instruction* operand) {
    const Instruction* value = operand;
    while (const Instruction* next = step(*value)) value = next;
    if (!is_anyway_in_memory(*value, *operand) || found_.size() > kMostOnTheWay) return {};
    return std::move(found_);
  }

 private:
  // Of which array it is, if the kernel can compute it of that.
  const Instruction* step(const Instruction& value) {
    if (found_.size() > kMostOnTheWay) return nullptr;
    if (is_view(value) || (value.opcode == Opcode::kConvert && is_in_bytes(value.operand(0)->shape.dtype))) {
      found_.insert(&value);
      return value.operand(0);
    }
    if (value.opcode == Opcode::kGather || value.opcode == Opcode::kDynamicSlice) {
      found_.insert(&value);
      for (size_t i = 1; i < value.operands().size(); ++i) add_numbers(value.operand(i));
      return value.operand(0);
    }
    if (!is_cheap(value) || value.operands().size() != 2 || !is_in_bytes(value.shape.dtype)) return nullptr;
    const bool is_number[2] = {is_of_rows(value, 0), is_of_rows(value, 1)};
    if (is_number[0] == is_number[1]) return nullptr;
    found_.insert(&value);
    const size_t side = is_number[0] ? 0 : 1;
    add_numbers(value.operand(side));
    return value.operand(1 - side);
  }

  // Whether an operand is spread along rows of several elements.
  static bool is_of_rows(const Instruction& value, size_t side) {
    constexpr int64_t kShortestRow = 8;
    const Instruction* source = value.operand(side);
    while (is_view(*source) || source->opcode == Opcode::kConvert) source = source->operand(0);
    return source->shape.element_count() * kShortestRow <= value.shape.element_count();
  }

  void add_numbers(const Instruction* value) {
    const bool is_gather = value->opcode == Opcode::kGather;
    if (!is_view(*value) && !is_source(*value) && !is_cheap(*value) && !is_gather) return;
    if (found_.size() > kMostOnTheWay || !found_.insert(value).second) return;
    for (const Instruction* operand : value->operands()) add_numbers(operand);
  }

  // What updates an array is stored as that, unless elements by themselves are smaller.
  static bool is_anyway_in_memory(const Instruction& value, const Instruction& operand) {
    switch (value.opcode) {
      case Opcode::kParameter:
      case Opcode::kGetTupleElement:
        return true;
      case Opcode::kScatter:
      case Opcode::kDynamicUpdateSlice:
        return dtype_bits(value.shape.dtype) <= dtype_bits(operand.shape.dtype);
      default:
        return false;
    }
  }

  std::set<const Instruction*> found_;
};

// Roughly, of a lane.
double instructions_of(const DemandGraph& graph, const DemandNode& node) {
  constexpr double kFromSmallFloat = 10, kConvert = 2;
  if (node.kind != Kind::kCompute) return 1;
  if (node.instruction->opcode != Opcode::kConvert) return 1;
  const DType from = graph.nodes[node.operands[0]].dtype;
  return is_float(from) && dtype_bits(from) == 8 ? kFromSmallFloat : kConvert;
}

// With coordinates in place of the nodes that it reads.
IndexExpr without_values(const DemandGraph& graph, const IndexExpr& expr) {
  constexpr size_t kGroups = 2;  // coordinates that are_neighbours adds
  return expr.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
    if (atom.kind != IndexExpr::AtomKind::kValue) return std::nullopt;
    const size_t id = graph.coordinates.size() + kGroups + static_cast<size_t>(atom.id);
    return IndexExpr::coordinate(static_cast<int>(id), atom.range);
  });
}

}  // namespace

std::set<const Instruction*> way_to_rows(const Instruction* operand) { return Way().run(operand); }

std::optional<TileCopy> row_copy(const ContractOperand& operand, bool along_k, RowSource* source) {
  const DemandGraph& graph = *operand.graph;
  const int inner = along_k ? operand.k : operand.outer;
  const std::vector<bool> along = nodes_along(graph, inner);
  *source = {};
  for (const NodeId id : nodes_below(graph, graph.results)) {
    const DemandNode& node = graph.nodes[id];
    const bool is_plain = node.kind == Kind::kConstant || node.kind == Kind::kIndex || node.kind == Kind::kLoad ||
                          node.kind == Kind::kCompute || node.kind == Kind::kClampIndex;
    if (!is_plain || node.guard != 0) return std::nullopt;
    if (node.kind == Kind::kLoad && along[id]) {
      if (source->load != kNoNode) return std::nullopt;
      source->load = id;
    } else if (along[id]) {
      if (node.kind != Kind::kCompute) return std::nullopt;
      source->instructions += instructions_of(graph, node);
    } else if (node.kind == Kind::kLoad) {
      ++source->row_loads;
    }
  }
  if (source->load == kNoNode) return std::nullopt;
  const DemandNode& load = graph.nodes[source->load];
  source->dtype = load.dtype;
  source->computes = graph.results[0] != source->load;
  const std::vector<NodeId> places = nodes_read(graph, source->load);
  source->is_looked_up = !places.empty();
  if (!is_in_bytes(load.dtype) || std::any_of(places.begin(), places.end(), [&](NodeId id) { return along[id]; }))
    return std::nullopt;
  TileCopy copy;
  copy.array = load.instruction;
  copy.from = load.expr;
  copy.along_k = along_k;
  copy.strided = false;
  for (const int64_t bytes : {16, 8, 4}) {
    copy.elements = bytes / dtype_bytes(load.dtype);
    if (copy.elements > 1 && are_neighbours(graph, without_values(graph, load.expr), inner, copy.elements)) return copy;
  }
  return std::nullopt;
}

}  // namespace sinter
