// What windows demand: reduce-window and convolution as loops over the taps of one window. A tap that may lie in
// padding, or between the elements of a dilated array, is tested, and what it reads is demanded behind the test.
#include <algorithm>

#include "passes/demand/choices.h"
#include "passes/demand/demand.h"
#include "passes/demand/index_ranges.h"

namespace sinter {

using Kind = DemandNode::Kind;

namespace {

DemandNode position_node(const Instruction* origin, const IndexExpr& expr, const std::string& name, int guard) {
  DemandNode node;
  node.kind = Kind::kPosition;
  node.instruction = origin;
  node.name = name;
  node.dtype = DType::kS32;
  node.expr = expr;
  node.guard = guard;
  return node;
}

}  // namespace

bool WindowPlace::never_inside() const {
  if (outside_of(expr.range(), 0, extent())) return true;
  return dilation > 1 && outside_of(expr.floor_mod(dilation).range(), 0, 1);
}

bool WindowPlace::always_inside() const { return dilation == 1 && inside(expr.range(), {0, size - 1}); }

WindowPlace window_place(IndexExpr expr, int64_t size, int64_t dilation) {
  // The strides of a dilated array's windows often are its dilation: then all of them read elements, or none.
  if (dilation > 1 && expr.floor_mod(dilation) == IndexExpr(0)) return {expr.floor_div(dilation), size, 1};
  return {std::move(expr), size, dilation};
}

WindowPlace window_place(const WindowDimension& window, const IndexExpr& position, const IndexExpr& tap, int64_t size) {
  const IndexExpr step = window.reversal ? IndexExpr(window.size - 1) - tap : tap;
  return window_place(position * window.stride + step * window.rhs_dilate - window.pad_low, size, window.lhs_dilate);
}

std::vector<std::string> place_names(const std::vector<WindowDimension>& window, const std::string& prefix) {
  const auto moves = [](const WindowDimension& dimension) { return !(dimension == WindowDimension{}); };
  std::vector<std::string> names(window.size(), prefix + "_position");
  const auto count = std::count_if(window.begin(), window.end(), moves);
  std::ptrdiff_t left = count;
  for (size_t d = 0; d < window.size(); ++d) {
    if (!moves(window[d])) continue;
    --left;
    if (count > 1 && left < 3) names[d] = prefix + (left == 0 ? "_column" : left == 1 ? "_row" : "_depth");
  }
  return names;
}

// The index of the element a step of reduces[number] reads along one dimension; adds the step's test where there is
// one. The place is a value of its own, so that what is read knows that it lies inside.
IndexExpr DemandGraph::step_index(int number, const Key& key, const WindowPlace& place, const std::string& name) {
  if (place.always_inside()) return place.expr;
  const NodeId position = add(position_node(key.instruction, place.expr, name, key.guard));
  reduces[number].taps.push_back({position, place.extent(), place.dilation});
  if (reduces[number].guard == 0) {
    DemandScope guard;
    guard.kind = DemandScope::Kind::kGuard;
    guard.instruction = key.instruction;
    scopes.push_back(guard);
    reduces[number].guard = static_cast<int>(scopes.size()) - 1;
  }
  if (place.size == 1) return 0;
  return IndexExpr::value(position, {0, place.extent() - 1}).floor_div(place.dilation);
}

NodeId DemandGraph::constant_node(const Instruction* origin, Literal literal) {
  DemandNode node;
  node.kind = Kind::kConstant;
  node.instruction = origin;
  node.dtype = literal.shape().dtype;
  node.literal = std::move(literal);
  return add(std::move(node));
}

int DemandGraph::open_reduce(const Key& key, const std::vector<std::pair<int64_t, std::string>>& loops, bool in_loops) {
  DemandReduce reduce;
  reduce.instruction = key.instruction;
  if (in_loops) {
    DemandScope scope;
    scope.kind = DemandScope::Kind::kReduce;
    scope.instruction = key.instruction;
    scopes.push_back(scope);
    reduce.scope = static_cast<int>(scopes.size()) - 1;
    for (const auto& [extent, name] : loops) add_coordinate(extent, CoordinateRole::kTerm, reduce.scope, name);
  }
  reduces.push_back(std::move(reduce));
  return reduce_of_[key] = static_cast<int>(reduces.size()) - 1;
}

// Not in a loop of its own: zero where a place is not inside.
NodeId DemandGraph::demand_window(const Instruction& convolution, const std::vector<WindowDimension>& window,
                                  const std::vector<int64_t>& dims, const std::vector<WindowPlace>& places,
                                  std::vector<IndexExpr> index) {
  const NodeId zero = constant_node(&convolution, Literal(Shape::scalar(convolution.operand(0)->shape.dtype)));
  const std::vector<std::string> names = place_names(window, "in");
  struct Test {
    IndexExpr expr;
    int64_t high;
    int arm;
  };
  std::vector<Test> tests;
  const auto add_test = [&](IndexExpr expr, int64_t high) {
    DemandScope arm;
    arm.kind = DemandScope::Kind::kGuard;
    arm.instruction = &convolution;
    scopes.push_back(arm);
    tests.push_back({std::move(expr), high, static_cast<int>(scopes.size()) - 1});
  };
  for (size_t d = 0; d < places.size(); ++d) {
    const WindowPlace& place = places[d];
    if (place.never_inside()) return zero;
    index[dims[d]] = place.expr;
    if (place.always_inside()) continue;
    const NodeId position = add(position_node(&convolution, place.expr, names[d], 0));
    const IndexExpr anywhere = IndexExpr::value(position, place.expr.range());
    if (!inside(place.expr.range(), {0, place.extent() - 1})) add_test(anywhere, place.extent());
    if (place.dilation > 1) add_test(anywhere.floor_mod(place.dilation), 1);
    const IndexExpr within = IndexExpr::value(position, {0, place.extent() - 1});
    index[dims[d]] = place.size == 1 ? IndexExpr(0) : within.floor_div(place.dilation);
  }
  const Instruction* value = convolution.operand(0);
  NodeId result = resolve({0, tests.empty() ? 0 : tests.back().arm, value, 0, keep(std::move(index))});
  if (failure || !drain()) return kNoNode;
  for (size_t i = tests.size(); i-- > 0;) {
    DemandNode node;
    node.kind = Kind::kChoose;
    node.instruction = &convolution;
    node.dtype = value->shape.dtype;
    node.operands = {result, zero};
    node.expr = tests[i].expr;
    node.high = tests[i].high;
    node.guard = i == 0 ? 0 : tests[i - 1].arm;
    node.arm_scope[0] = tests[i].arm;
    result = add(std::move(node));
  }
  return result;
}

// Of the reduction opened last, before anything was demanded of it.
void DemandGraph::drop_reduce(const Key& key) {
  reduce_of_.erase(key);
  reduces.pop_back();
}

NodeId DemandGraph::build_reduce_window(const Key& key) {
  const Instruction* instruction = key.instruction;
  const size_t count = instruction->operands().size() / 2;
  const std::vector<int64_t>& dims = instruction->operand(0)->shape.dims;
  const Computation& combiner = **instruction->attributes->to_apply;
  const std::optional<Opcode> simple = count == 1 ? simple_combiner(combiner) : std::nullopt;
  std::vector<WindowDimension> window = instruction->attributes->window.value_or(std::vector<WindowDimension>{});
  window.resize(dims.size());

  int64_t taps = 1;
  std::vector<std::pair<int64_t, std::string>> loops;
  for (const WindowDimension& dimension : window) {
    taps *= dimension.size;
    loops.emplace_back(dimension.size, "k");
  }
  const auto places_at = [&](const std::vector<IndexExpr>& tap) {
    std::vector<WindowPlace> places;
    for (size_t d = 0; d < dims.size(); ++d) places.push_back(window_place(window[d], key.index[d], tap[d], dims[d]));
    return places;
  };
  const auto never = [](const std::vector<WindowPlace>& places) {
    return std::any_of(places.begin(), places.end(), [](const WindowPlace& place) { return place.never_inside(); });
  };
  const auto always = [](const std::vector<WindowPlace>& places) {
    return std::all_of(places.begin(), places.end(), [](const WindowPlace& place) { return place.always_inside(); });
  };

  if (is_scan_of_block(key)) {
    // All threads take part, whatever guard the result is used behind.
    if (key.guard != 0) return want(key.frame, 0, instruction, key.index);
    const NodeId init = operand(key, 1, {}), value = operand(key, 0, key.index.exprs());
    return missing_.empty() ? block_reduce_node(key, {value, init}) : kNoNode;
  }

  Key base = key;
  base.result = 0;
  const auto found = reduce_of_.find(base);
  int number = found == reduce_of_.end() ? -1 : found->second;
  if (number < 0) {
    // The taps that count, if that is known of each.
    std::vector<std::vector<IndexExpr>> terms;
    bool known = simple && is_window_written_out(taps, *instruction->operand(0), context_->computed);
    for (int64_t t = 0; t < taps && known; ++t) {
      std::vector<IndexExpr> tap(dims.size());
      int64_t rest = t;
      for (size_t d = dims.size(); d-- > 0; rest /= window[d].size) tap[d] = rest % window[d].size;
      const std::vector<WindowPlace> places = places_at(tap);
      if (never(places)) continue;
      known = always(places);
      std::vector<IndexExpr> index;
      for (const WindowPlace& place : places) index.push_back(place.expr);
      terms.push_back(std::move(index));
    }
    if (known && terms.empty()) return operand(key, 1, {});
    if (known) {
      DemandReduce reduce;
      reduce.instruction = instruction;
      reduces.push_back(std::move(reduce));
      number = reduce_of_[base] = static_cast<int>(reduces.size()) - 1;
      step_indices_[number] = std::move(terms);
    } else {
      const std::vector<std::string> names = place_names(window, "in");
      number = open_reduce(base, loops);
      std::vector<IndexExpr> tap;
      for (const int id : scopes[reduces[number].scope].coordinates) tap.push_back(coordinate(id));
      const std::vector<WindowPlace> places = places_at(tap);
      if (never(places)) {
        drop_reduce(base);
        return operand(key, count + key.result, {});
      }
      std::vector<IndexExpr> index;
      for (size_t d = 0; d < dims.size(); ++d) {
        index.push_back(step_index(number, key, places[d], names[d]));
      }
      step_indices_[number] = {std::move(index)};
      if (!simple) add_accumulators(number);
    }
  }

  std::vector<NodeId> init;
  for (size_t i = 0; i < count; ++i) init.push_back(operand(key, count + i, {}));
  const std::vector<std::vector<IndexExpr>>& indices = step_indices_.at(number);
  std::vector<NodeId> values;
  std::vector<std::vector<NodeId>> terms;
  if (reduces[number].scope < 0) {
    for (const std::vector<IndexExpr>& index : indices) terms.push_back({operand(key, 0, index)});
  } else {
    const int guard = reduces[number].guard != 0 ? reduces[number].guard : key.guard;
    for (size_t i = 0; i < count; ++i) values.push_back(want(key.frame, guard, instruction->operand(i), indices[0]));
  }
  if (!missing_.empty()) return kNoNode;
  const bool general = !reduces[number].accumulators.empty();
  if (general && reduces[number].combined.empty()) {
    std::vector<NodeId> arguments = reduces[number].accumulators;
    arguments.insert(arguments.end(), values.begin(), values.end());
    if (!combine_steps(key.frame, combiner, number, arguments)) return kNoNode;
  }
  reduces[number].init = std::move(init);
  reduces[number].values = std::move(values);
  reduces[number].terms = std::move(terms);

  return reduce_node(key, number, instruction->operand(key.result)->shape.dtype);
}

// Leaves out the first and the last taps where these read padding alone, whichever window it is. Gives the first tap
// that is left.
template <class PlaceOf>
static int64_t trim_taps(const PlaceOf& place_of, int64_t* taps) {
  constexpr int64_t kMostTried = 64;
  if (*taps > kMostTried) return 0;
  int64_t first = 0, end = *taps;
  while (first < end && place_of(first).never_inside()) ++first;
  while (end > first && place_of(end - 1).never_inside()) --end;
  *taps = end - first;
  return first;
}

NodeId DemandGraph::build_convolution(const Key& key) {
  const Instruction* instruction = key.instruction;
  const ConvolutionDims& labels = *instruction->attributes->dim_labels;
  const Shape& input = instruction->operand(0)->shape;
  const Shape& kernel = instruction->operand(1)->shape;
  const size_t rank = labels.output_spatial.size();
  std::vector<WindowDimension> window = instruction->attributes->window.value_or(std::vector<WindowDimension>{});
  window.resize(rank);
  const int64_t features = instruction->shape.dims[labels.output_feature];
  const int64_t feature_groups = instruction->attributes->feature_group_count.value_or(1);
  const int64_t batch_groups = instruction->attributes->batch_group_count.value_or(1);

  // Taps outside, features inside: a tap is tested once for all features.
  std::vector<std::pair<int64_t, std::string>> loops;
  for (size_t d = 0; d < rank; ++d) {
    static const char* const kNames[] = {"kx", "ky", "kz"};
    loops.emplace_back(kernel.dims[labels.rhs_spatial[d]], rank - d <= 3 ? kNames[rank - d - 1] : "k");
  }
  const int64_t group_features = kernel.dims[labels.rhs_input_feature];
  loops.emplace_back(group_features, "feature");

  const auto found = reduce_of_.find(key);
  int number = found == reduce_of_.end() ? -1 : found->second;
  if (number < 0) {
    bool empty = std::any_of(loops.begin(), loops.end(), [](const auto& loop) { return loop.first == 0; });
    const auto zero = [&] { return constant_node(instruction, Literal(Shape::scalar(instruction->shape.dtype))); };
    std::vector<int64_t> first(rank, 0);
    for (size_t d = 0; d < rank && !empty; ++d) {
      const auto place_of = [&](int64_t tap) {
        return window_place(window[d], key.index[labels.output_spatial[d]], tap, input.dims[labels.lhs_spatial[d]]);
      };
      first[d] = trim_taps(place_of, &loops[d].first);
      empty = loops[d].first == 0;
    }
    if (empty) return zero();
    number = open_reduce(key, loops);
    std::vector<IndexExpr> taps;
    for (size_t d = 0; d < rank; ++d)
      taps.push_back(coordinate(scopes[reduces[number].scope].coordinates[d]) + first[d]);
    std::vector<WindowPlace> places;
    for (size_t d = 0; d < rank; ++d) {
      places.push_back(
          window_place(window[d], key.index[labels.output_spatial[d]], taps[d], input.dims[labels.lhs_spatial[d]]));
      empty |= places.back().never_inside();
    }
    if (empty) {
      drop_reduce(key);
      return zero();
    }
    const std::vector<std::string> names = place_names(window, "in");
    std::vector<IndexExpr> index;
    for (size_t d = 0; d < rank; ++d) {
      index.push_back(step_index(number, key, places[d], names[d]));
    }
    step_indices_[number] = {std::move(index), std::move(taps)};
  }

  const std::vector<int> inner = scopes[reduces[number].scope].coordinates;
  const std::vector<IndexExpr>& spatial = step_indices_.at(number)[0];
  const std::vector<IndexExpr>& taps = step_indices_.at(number)[1];
  const IndexExpr output_feature = key.index[labels.output_feature];
  const IndexExpr feature = coordinate(inner[rank]);
  std::vector<IndexExpr> index[2];
  index[0].resize(input.dims.size());
  index[1].resize(kernel.dims.size());
  index[0][labels.lhs_batch] =
      output_feature.floor_div(features / batch_groups) * instruction->shape.dims[labels.output_batch] +
      key.index[labels.output_batch];
  index[0][labels.lhs_feature] = output_feature.floor_div(features / feature_groups) * group_features + feature;
  index[1][labels.rhs_output_feature] = output_feature;
  index[1][labels.rhs_input_feature] = feature;
  for (size_t d = 0; d < rank; ++d) {
    index[0][labels.lhs_spatial[d]] = spatial[d];
    index[1][labels.rhs_spatial[d]] = taps[d];
  }
  const int guard = reduces[number].guard != 0 ? reduces[number].guard : key.guard;
  std::vector<NodeId> values;
  for (size_t side = 0; side < 2; ++side) {
    values.push_back(want(key.frame, guard, instruction->operand(side), std::move(index[side])));
  }
  if (!missing_.empty()) return kNoNode;
  reduces[number].values = std::move(values);

  return reduce_node(key, number, instruction->shape.dtype);
}

}  // namespace sinter
