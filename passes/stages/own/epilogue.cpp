#include "passes/stages/own/epilogue.h"

#include <algorithm>
#include <map>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/stages/own/own_stage.h"
#include "passes/stages/results/own_elements.h"

namespace sinter {

namespace {

// Stores of one element that are written out.
constexpr size_t kMostPlaces = 16;

// Where an element comes to stand, if it passes all tests.
struct Place {
  std::vector<IndexExpr> index;
  std::vector<DemandTest> tests;
};
bool same_index(const Place& a, const Place& b) { return a.index == b.index; }

// A test in its shortest form: 1024 * column + 2 * row < 262144, of row in [0, 512), as column < 256.
DemandTest shortened(DemandTest test) {
  for (;;) {
    int64_t factor = 1;
    for (const IndexExpr::Term& term : test.expr.terms()) factor = std::max(factor, std::abs(term.coefficient));
    if (factor == 1 || test.low % factor != 0 || test.high % factor != 0) return test;
    const IndexExpr part = test.expr.floor_div(factor);
    if (part.terms().size() > test.expr.terms().size()) return test;
    test = {part, test.low / factor, test.high / factor};
  }
}

class Places {
 public:
  Places(const KernelValues& kernel, const Instruction& source, const std::vector<IndexExpr>& index)
      : computed_(kernel.context.computed) {
    places_[&source] = {{index, {}}};
  }

  // The elements of `value` that `source`'s element gives; empty where others may give some, or it is not made of the
  // source at all. What looks right here and is not reads another element than the source's own (own_elements).
  const std::vector<Place>& of(const Instruction& value) {
    const auto known = places_.find(&value);
    if (known != places_.end()) return known->second;
    std::vector<Place>& result = places_[&value];
    if (computed_.count(&value) == 0 || !value.shape.is_array()) return result;
    std::vector<Place> found = follow(value);
    if (found.size() <= kMostPlaces) places_[&value] = std::move(found);
    return places_[&value];
  }

 private:
  std::vector<Place> follow(const Instruction& value) {
    if (family_of(value) == Family::kElementwise || value.opcode == Opcode::kCall) return elementwise(value);
    switch (value.opcode) {
      case Opcode::kReshape:
        return moved(value, [&](const std::vector<IndexExpr>& index) {
          return delinearize(linearize(index, value.operand(0)->shape.dims), value.shape.dims);
        });
      case Opcode::kTranspose:
        return moved(value, [&](const std::vector<IndexExpr>& index) {
          std::vector<IndexExpr> result;
          for (const int64_t dim : *value.attributes->dimensions) result.push_back(index[dim]);
          return result;
        });
      case Opcode::kReverse:
        return moved(value, [&](std::vector<IndexExpr> index) {
          for (const int64_t dim : *value.attributes->dimensions)
            index[dim] = IndexExpr(value.shape.dims[dim] - 1) - index[dim];
          return index;
        });
      case Opcode::kSlice:
        return sliced(value);
      case Opcode::kConcatenate:
        return concatenated(value);
      default:
        return {};
    }
  }

  // All operands that are made of the source have its element at the same place.
  std::vector<Place> elementwise(const Instruction& value) {
    std::vector<Place> result;
    for (const Instruction* operand : value.operands()) {
      const std::vector<Place>& places = of(*operand);
      if (places.empty()) continue;
      if (operand->shape.dims != value.shape.dims) return {};
      if (!result.empty() && !std::equal(places.begin(), places.end(), result.begin(), result.end(), same_index))
        return {};
      result = places;
    }
    return result;
  }

  template <class Move>
  std::vector<Place> moved(const Instruction& value, const Move& move) {
    std::vector<Place> result = of(*value.operand(0));
    for (Place& place : result) place.index = move(place.index);
    return result;
  }

  std::vector<Place> sliced(const Instruction& value) {
    std::vector<Place> result;
    for (Place place : of(*value.operand(0))) {
      bool never = false;
      for (size_t dim = 0; dim < value.shape.dims.size(); ++dim) {
        const SliceBounds& slice = (*value.attributes->slice)[dim];
        if (slice.stride != 1) return {};
        place.index[dim] = place.index[dim] - slice.start;
        const IndexRange range = place.index[dim].range();
        const int64_t size = value.shape.dims[dim];
        never |= range.high < 0 || range.low >= size;
        if (range.low < 0 || range.high >= size) place.tests.push_back(shortened({place.index[dim], 0, size}));
      }
      if (!never) result.push_back(std::move(place));
    }
    return result;
  }

  std::vector<Place> concatenated(const Instruction& value) {
    const auto dim = static_cast<size_t>(value.attributes->dimensions->front());
    std::vector<Place> result;
    int64_t begin = 0;
    for (const Instruction* operand : value.operands()) {
      const std::vector<Place>& places = of(*operand);
      const int64_t size = operand->shape.dims[dim];
      if (places.empty() && size > 0) return {};
      for (Place place : places) {
        place.index[dim] = place.index[dim] + begin;
        result.push_back(std::move(place));
      }
      begin += size;
    }
    return result;
  }

  const std::set<const Instruction*>& computed_;
  std::map<const Instruction*, std::vector<Place>> places_;  // only looked up
};

}  // namespace

std::optional<EpilogueDemand> demand_epilogue(const KernelValues& kernel, const Instruction& source,
                                              const std::vector<EpilogueCoordinate>& coordinates,
                                              const std::vector<IndexExpr>& index, OperandIndex operand_index,
                                              std::optional<DemandGraph::Failure>* failure) {
  const auto fail = [&](const Instruction* instruction, ReasonCode reason) {
    *failure = DemandGraph::Failure{instruction, reason};
    return std::nullopt;
  };
  EpilogueDemand result;
  result.context = std::make_unique<DemandContext>(kernel.context);
  const Instruction& operation = source.opcode == Opcode::kGetTupleElement ? *source.operand(0) : source;
  for (const Instruction* outside : {&source, &operation}) result.context->computed.erase(outside);
  const auto new_graph = [&] {
    auto graph = std::make_unique<DemandGraph>(*result.context);
    for (const EpilogueCoordinate& coordinate : coordinates) graph->add_coordinate(coordinate.extent, coordinate.role);
    return graph;
  };
  const auto part_of = [&](const std::vector<DemandTest>& tests) -> Epilogue& {
    for (Epilogue& part : result.parts) {
      if (part.tests == tests) return part;
    }
    return result.parts.emplace_back(Epilogue{tests, new_graph(), {}});
  };
  result.all = new_graph();
  for (const Instruction* operand : operation.operands()) {
    const NodeId node = result.all->demand(operand, operand_index(*operand));
    if (result.all->failure) return fail(operand, "own-stage-operand");
    result.all->results.push_back(node);
  }
  Places places(kernel, source, index);
  for (const Instruction* output : kernel.outputs) {
    const std::vector<Place>& stored = places.of(*output);
    if (stored.empty() || kernel.context.updates_in_place.count(output) > 0) return fail(output, "own-stage");
    for (const Place& place : stored) {
      if (!part_of(place.tests).graph->store(output, place.index) || !result.all->store(output, place.index))
        return fail(output, "own-stage");
    }
  }
  const IndexExpr own = linearize(index, source.shape.dims);
  for (Epilogue& part : result.parts) {
    if (!finish_operands(*part.graph, failure)) return std::nullopt;
    const std::optional<std::vector<NodeId>> elements = own_elements(part.graph.get(), source, own);
    if (!elements) return fail(&source, "domain-mismatch");
    part.elements = *elements;
  }
  if (!finish_operands(*result.all, failure)) return std::nullopt;
  if (!own_elements(result.all.get(), source, own)) return fail(&source, "domain-mismatch");
  return result;
}

}  // namespace sinter
