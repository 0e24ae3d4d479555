// What a map kernel demands: each thread an element of the domain, and what its outputs need there.
#include <algorithm>
#include <functional>
#include <numeric>

#include "passes/analysis/loops/map_loop.h"
#include "passes/analysis/loops/stacked_reductions.h"
#include "passes/analysis/values/constants.h"
#include "passes/demand/first_threads.h"
#include "passes/demand/nodes_read.h"
#include "passes/stages/domain/choose_domain.h"
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

namespace {

// The element of a tuple that an output is, or is in another shape, where nothing else reads either: its elements are
// stored in the same places. What is read besides had better be what threads have in registers.
const Instruction* element_of_output(const Instruction* output) {
  if (output->opcode != Opcode::kReshape || output->operand(0)->users().size() != 1) return output;
  const Instruction* root = output->parent()->root();
  const auto gives = [&](const Instruction* user) { return user == root && root->opcode == Opcode::kTuple; };
  const bool is_result = output == root || (!output->users().empty() && std::ranges::all_of(output->users(), gives));
  return is_result ? output->operand(0) : output;
}
int carry_of_output(const Instruction* output) {
  return static_cast<int>(*element_of_output(output)->attributes->tuple_index);
}

}  // namespace

const Instruction* loop_of_output(const KernelValues& kernel, const Instruction* output, bool maps_loops) {
  const Instruction* element = element_of_output(output);
  if (element->opcode != Opcode::kGetTupleElement) return nullptr;
  const Instruction* source = element->operand(0);
  if (source->opcode != Opcode::kWhile || kernel.context.computed.count(source) == 0) return nullptr;
  if (element != output && !is_stack(*source, carry_of_output(output))) return nullptr;
  return maps_loops && is_map_loop(*source) ? nullptr : source;
}

std::vector<const Instruction*> outputs_of_threads(const KernelValues& kernel, bool maps_loops) {
  std::vector<const Instruction*> outputs = in_text_order(kernel.outputs);
  std::erase_if(outputs, [&](const Instruction* output) {
    const Instruction* loop = loop_of_output(kernel, output, maps_loops);
    return loop != nullptr && is_stack(*loop, carry_of_output(output));
  });
  return outputs;
}

namespace {

// An array of fewer elements is stored by one thread.
constexpr size_t kFewest = 3;

// Whether the first threads may have an element each of what one thread would else store.
bool may_be_few(const KernelValues& kernel, const MapDomain& domain) {
  const auto is_loop = [](const Instruction* value) { return value->opcode == Opcode::kWhile; };
  return domain.width == 1 && domain.of_block == 0 && std::ranges::none_of(kernel.context.computed, is_loop);
}

// Small arrays, of whose elements the first threads have one each.
using FewElements = std::set<const Instruction*>;

// Whether elements are computed in ways of their own: which one it is, is asked.
bool differ(const DemandGraph& graph, const DemandStore& few) {
  const int coordinate = graph.scopes[few.scope].coordinates[0];
  std::vector<NodeId> stack = {few.node};
  std::set<NodeId> seen;
  while (!stack.empty()) {
    const NodeId id = stack.back();
    stack.pop_back();
    if (!seen.insert(id).second) continue;
    const DemandNode& node = graph.nodes[id];
    if (node.kind == DemandNode::Kind::kChoose && node.expr.reads_coordinate(coordinate)) return true;
    for (const NodeId part : nodes_read(graph, id)) stack.push_back(part);
  }
  return false;
}

// The first threads have the elements of `few`; `small` gets what may be among them.
std::optional<MapDemand> try_map(const KernelValues& kernel, const MapDomain& domain, int64_t most_nodes,
                                 const FewElements& few, std::optional<DemandGraph::Failure>* failure,
                                 FewElements* small) {
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
    if (loop == nullptr || !is_stack(*loop, carry_of_output(output))) continue;
    graph.add_stack(loop, carry_of_output(output), output);
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
    const int64_t count = std::ssize(elements->indices);
    const bool is_few = elements->indices.size() >= kFewest && !elements->owners.empty() && count <= result.threads &&
                        count == stored.element_count() && kernel.context.updates_in_place.count(output) == 0;
    if (is_few && small != nullptr) small->insert(output);
    if (few.count(output) > 0) {
      const int first = first_threads(&graph, count);
      if (!graph.store(output, delinearize(graph.coordinate(first), stored.dims))) break;
      graph.stores.back().scope = graph.coordinates[first].scope;
      continue;
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
  graph.order_stores(kernel.outputs);
  return result;
}

}  // namespace

std::optional<MapDemand> try_map(const KernelValues& kernel, const MapDomain& domain, int64_t most_nodes,
                                 std::optional<DemandGraph::Failure>* failure) {
  return try_map(kernel, domain, most_nodes, {}, failure, nullptr);
}

void finish_map(MapDemand* demand, const Layers* said) {
  static const Layers none;
  demand->graph->set_scopes();
  if (said == nullptr && choose_otherwise) said = &none;
  demand->layers = said == nullptr ? choose_layers(demand->graph.get()) : keep_layers(demand->graph.get(), *said);
}

std::optional<MapDemand> demand_map(const KernelValues& kernel, const MapDomain& domain, const Layers& layers,
                                    std::optional<DemandGraph::Failure>* failure) {
  FewElements few;
  std::optional<MapDemand> demand = try_map(kernel, domain, INT64_MAX, {}, failure, &few);
  if (!demand || !may_be_few(kernel, domain)) few.clear();
  while (!few.empty()) {
    std::optional<DemandGraph::Failure> why;
    std::optional<MapDemand> tried = try_map(kernel, domain, INT64_MAX, few, &why, nullptr);
    if (!tried) break;
    const size_t count = few.size();
    for (const DemandStore& store : tried->graph->stores) {
      if (few.count(store.value) > 0 && differ(*tried->graph, store)) few.erase(store.value);
    }
    if (few.size() < count) continue;
    // Unless all threads have the elements anyway.
    if (tried->graph->nodes.size() < demand->graph->nodes.size()) demand = std::move(tried);
    break;
  }
  if (demand) finish_map(&*demand, &layers);
  return demand;
}

}  // namespace sinter
