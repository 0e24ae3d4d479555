// What a map kernel demands: each thread an element of the domain, and what its outputs need there.
#include <algorithm>
#include <functional>
#include <numeric>

#include "passes/analysis/loops/map_loop.h"
#include "passes/analysis/loops/stacked_reductions.h"
#include "passes/analysis/values/constants.h"
#include "passes/stages/domain/domain.h"

namespace sinter {

MapDomain default_map_domain(const DemandContext& context) {
  const Instruction* last = nullptr;
  for (const Instruction* value : context.computed) {
    if (last == nullptr || value->position() > last->position()) last = value;
  }
  const Shape* largest = nullptr;
  std::vector<const Shape*> left;
  if (last != nullptr) left.push_back(&stored_shape(context, *last));
  while (!left.empty()) {
    const Shape& shape = *left.back();
    left.pop_back();
    for (size_t i = shape.elements.size(); i-- > 0;) left.push_back(&shape.elements[i]);
    if (!shape.is_array()) continue;
    if (largest == nullptr || shape.element_count() > largest->element_count()) largest = &shape;
  }
  return {.extents = largest == nullptr ? std::vector<int64_t>() : squeezed_dims(largest->dims)};
}

const Instruction* loop_of_output(const KernelValues& kernel, const Instruction* output, bool maps_loops) {
  if (output->opcode != Opcode::kGetTupleElement) return nullptr;
  const Instruction* source = output->operand(0);
  if (source->opcode != Opcode::kWhile || kernel.context.computed.count(source) == 0) return nullptr;
  return maps_loops && is_map_loop(*source) ? nullptr : source;
}

std::vector<const Instruction*> outputs_of_threads(const KernelValues& kernel, bool maps_loops) {
  std::vector<const Instruction*> outputs = in_text_order(kernel.outputs);
  std::erase_if(outputs, [&](const Instruction* output) {
    const Instruction* loop = loop_of_output(kernel, output, maps_loops);
    return loop != nullptr && is_stack(*loop, static_cast<int>(*output->attributes->tuple_index));
  });
  return outputs;
}

std::optional<MapDemand> try_map(const KernelValues& kernel, const MapDomain& domain, int64_t most_nodes,
                                 std::optional<DemandGraph::Failure>* failure) {
  MapDemand result;
  result.domain = domain;
  result.graph = std::make_unique<DemandGraph>(kernel.context);
  DemandGraph& graph = *result.graph;
  for (const int64_t extent : domain.extents) {
    result.coordinates.push_back(graph.add_coordinate(extent, CoordinateRole::kElement));
    result.threads *= extent;
  }
  graph.maps_loops = domain.maps_loops;
  graph.set_threads(result.coordinates, domain.of_block);
  if (domain.of_block > 0) {
    const auto first = domain.extents.end() - static_cast<std::ptrdiff_t>(domain.of_block);
    result.block = std::accumulate(first, domain.extents.end(), int64_t{1}, std::multiplies<>());
  }
  graph.node_limit = std::min(graph.node_limit, most_nodes);
  for (const Instruction* output : in_text_order(kernel.outputs)) {
    const Instruction* loop = loop_of_output(kernel, output, domain.maps_loops);
    const int carry = loop == nullptr ? -1 : static_cast<int>(*output->attributes->tuple_index);
    if (loop != nullptr && is_stack(*loop, carry)) graph.add_stack(loop, carry, output);
  }
  const Shape* shape = nullptr;  // of the output before, and its elements
  std::optional<ElementSpread> elements;
  for (const Instruction* output : outputs_of_threads(kernel, domain.maps_loops)) {
    const Shape& stored = stored_shape(kernel.context, *output);
    if (shape == nullptr || stored.dims != shape->dims) elements = spread(graph, stored.dims, result.coordinates);
    shape = &stored;
    if (!elements) {
      *failure = DemandGraph::Failure{output, "domain-mismatch"};
      return std::nullopt;
    }
    for (const std::vector<IndexExpr>& index : elements->indices) {
      if (!graph.store(output, index, elements->owners)) break;
    }
    if (graph.failure) break;
  }
  if (graph.failure || !graph.complete(result.coordinates)) {
    *failure = graph.failure;
    return std::nullopt;
  }
  // They stand in the kernel as its outputs do.
  const auto place = [&](const DemandStore& store) {
    return std::find(kernel.outputs.begin(), kernel.outputs.end(), store.value);
  };
  std::stable_sort(graph.stores.begin(), graph.stores.end(),
                   [&](const DemandStore& a, const DemandStore& b) { return place(a) < place(b); });
  return result;
}

void finish_map(MapDemand* demand) {
  demand->graph->set_scopes();
  demand->graph->keep_layers();
}

std::optional<MapDemand> demand_map(const KernelValues& kernel, const MapDomain& domain,
                                    std::optional<DemandGraph::Failure>* failure) {
  std::optional<MapDemand> demand = try_map(kernel, domain, INT64_MAX, failure);
  if (demand) finish_map(&*demand);
  return demand;
}

}  // namespace sinter
