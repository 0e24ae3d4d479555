// What select-and-scatter demands: for one element of the result, a loop over the windows that it lies in; a window
// counts if it chooses the element. What a window chooses is a loop of its own over the window's taps.
#include "passes/demand/demand.h"
#include "passes/demand/index_ranges.h"

namespace sinter {

using Kind = DemandNode::Kind;

namespace {

// The key's result that asks for the place of the element a window chooses, in row-major order; -1 for none.
constexpr int kChosenPlace = 1;

std::vector<WindowDimension> window_of(const Instruction& instruction) {
  std::vector<WindowDimension> window = instruction.attributes->window.value_or(std::vector<WindowDimension>{});
  window.resize(instruction.shape.dims.size());
  return window;
}

std::vector<std::pair<int64_t, std::string>> loops_of(const std::vector<WindowDimension>& window) {
  std::vector<std::pair<int64_t, std::string>> loops;
  for (const WindowDimension& dimension : window) loops.emplace_back(dimension.size, "k");
  return loops;
}

}  // namespace

NodeId DemandGraph::build_select_and_scatter(const Key& key) {
  if (key.result == kChosenPlace) return build_choice(key);
  const Instruction* instruction = key.instruction;
  const std::vector<WindowDimension> window = window_of(*instruction);
  const std::vector<int64_t>& positions = instruction->operand(1)->shape.dims;
  const Computation& scatter = **instruction->attributes->scatter;
  const std::optional<Opcode> simple = simple_combiner(scatter);

  const auto found = reduce_of_.find(key);
  int number = found == reduce_of_.end() ? -1 : found->second;
  if (number < 0) {
    number = open_reduce(key, loops_of(window));
    const std::vector<int> taps = scopes[reduces[number].scope].coordinates;
    // Tap size - 1 - t of window w reads element p: w is at p * base dilation + padding - tap, in steps of the stride.
    // Counted by t, windows come in their order.
    std::vector<WindowPlace> places;
    bool never = false;
    for (size_t d = 0; d < window.size(); ++d) {
      const IndexExpr tap = IndexExpr(window[d].size - 1) - coordinate(taps[d]);
      const IndexExpr expr = key.index[d] * window[d].lhs_dilate + window[d].pad_low - tap * window[d].rhs_dilate;
      places.push_back(window_place(expr, positions[d], window[d].stride));
      never |= places.back().never_inside();
    }
    if (never) {
      drop_reduce(key);
      return operand(key, 2, {});
    }
    const std::vector<std::string> names = place_names(window, "window");
    std::vector<IndexExpr> index;
    for (size_t d = 0; d < window.size(); ++d) index.push_back(step_index(number, key, places[d], names[d]));
    step_indices_[number] = {std::move(index)};
    if (!simple) add_accumulators(number);
  }

  const NodeId init = operand(key, 2, {});
  const int guard = reduces[number].guard != 0 ? reduces[number].guard : key.guard;
  const std::vector<IndexExpr> index = step_indices_.at(number)[0];
  const NodeId chosen = want(key.frame, guard, instruction, index, kChosenPlace);
  const NodeId value = want(key.frame, guard, instruction->operand(1), index);
  if (!missing_.empty()) return kNoNode;
  if (!simple && reduces[number].combined.empty() &&
      !combine_steps(key.frame, scatter, number, {value, reduces[number].accumulators[0]})) {
    return kNoNode;
  }
  const NodeId own = index_node(linearize(key.index, instruction->shape.dims), nodes[chosen].dtype, instruction);
  reduces[number].init = {init};
  reduces[number].values = {value};
  reduces[number].match = {chosen, own};

  return reduce_node(key, number, instruction->shape.dtype);
}

// The place of the element that window key.index chooses: the first, unless select(present choice, candidate) is false.
NodeId DemandGraph::build_choice(const Key& key) {
  const Instruction* instruction = key.instruction;
  const Shape& array = instruction->operand(0)->shape;
  const DType place_type = array.element_count() > INT32_MAX ? DType::kS64 : DType::kS32;
  const std::vector<WindowDimension> window = window_of(*instruction);
  const auto found = reduce_of_.find(key);
  int number = found == reduce_of_.end() ? -1 : found->second;
  if (number < 0) {
    number = open_reduce(key, loops_of(window));
    const std::vector<int> taps = scopes[reduces[number].scope].coordinates;
    std::vector<WindowPlace> places;
    bool never = false;
    for (size_t d = 0; d < window.size(); ++d) {
      places.push_back(window_place(window[d], key.index[d], coordinate(taps[d]), array.dims[d]));
      never |= places.back().never_inside();
    }
    if (never) {
      drop_reduce(key);
      return constant_node(instruction, integer_literal(place_type, -1));
    }
    const std::vector<std::string> names = place_names(window, "in");
    std::vector<IndexExpr> index;
    for (size_t d = 0; d < window.size(); ++d) index.push_back(step_index(number, key, places[d], names[d]));
    step_indices_[number] = {std::move(index)};
    add_accumulators(number);
  }
  const int guard = reduces[number].guard != 0 ? reduces[number].guard : key.guard;
  const std::vector<IndexExpr> index = step_indices_.at(number)[0];
  const NodeId candidate = want(key.frame, guard, instruction->operand(0), index);
  if (!missing_.empty()) return kNoNode;
  const Computation& select = **instruction->attributes->select;
  if (reduces[number].combined.empty() &&
      !combine_steps(key.frame, select, number, {reduces[number].accumulators[0], candidate})) {
    return kNoNode;
  }
  // A select function that looks at no value needs none.
  const bool looks = !constant(reduces[number].combined[0]);
  reduces[number].values = {looks ? candidate : constant_node(instruction, Literal(Shape::scalar(array.dtype)))};
  reduces[number].place = linearize(index, array.dims);
  reduces[number].chooses = true;

  DemandNode node;
  node.kind = Kind::kReduce;
  node.instruction = instruction;
  node.dtype = place_type;
  node.reduce = number;
  node.result = kChosenPlace;
  node.guard = key.guard;
  return add(std::move(node));
}

}  // namespace sinter
