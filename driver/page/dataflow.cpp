#include "driver/page/dataflow.h"

#include <algorithm>
#include <limits>
#include <set>

#include "review/modules/align_modules.h"

namespace sinter {
namespace {

class DataflowLayout {
 public:
  DataflowLayout(const std::vector<const Instruction*>& computed, const InstructionOrder& order, Detail detail)
      : detail_(detail) {
    const std::set<const Instruction*> own(computed.begin(), computed.end());
    std::vector<const Instruction*> all(own.begin(), own.end());
    if (detail == Detail::kLabelled) add_reads(own, &all);
    std::sort(all.begin(), all.end(), [&](const auto* a, const auto* b) { return order.at(a) < order.at(b); });
    for (const Instruction* instruction : all) {
      place_.emplace(instruction, flow_.nodes.size());
      flow_.nodes.push_back({instruction, !own.contains(instruction)});
    }
  }

  Dataflow lay_out() {
    add_edges();
    assign_layers();
    if (detail_ == Detail::kLabelled) lead_around();
    assign_rows();
    return std::move(flow_);
  }

 private:
  // Parameters of functions and bodies stand for what their caller gives.
  void add_reads(const std::set<const Instruction*>& own, std::vector<const Instruction*>* all) {
    std::set<const Instruction*> seen;
    for (const Instruction* instruction : own) {
      for (const Instruction* operand : instruction->operands()) {
        const Computation* home = operand->parent();
        const bool given = operand->opcode == Opcode::kParameter && home != home->parent()->entry();
        if (!own.contains(operand) && !given && seen.insert(operand).second) all->push_back(operand);
      }
    }
  }

  void add_edge(const Instruction* from, size_t to) {
    const auto found = place_.find(from);
    if (found != place_.end() && found->second < to) flow_.edges.emplace_back(found->second, to);
  }

  void add_edges() {
    for (size_t to = 0; to < flow_.nodes.size(); ++to) {
      if (flow_.nodes[to].is_read) continue;
      const Instruction& instruction = *flow_.nodes[to].instruction;
      for (const Instruction* operand : instruction.operands()) add_edge(operand, to);
      for (const Computation* body : bodies_of(instruction)) add_edge(body->root(), to);
    }
    std::sort(flow_.edges.begin(), flow_.edges.end());
    flow_.edges.erase(std::unique(flow_.edges.begin(), flow_.edges.end()), flow_.edges.end());
  }

  // As early as it can be; what uses nothing, right before its first user.
  void assign_layers() {
    std::vector<Dataflow::Node>& nodes = flow_.nodes;
    std::vector<bool> uses(nodes.size());
    std::vector<size_t> first_user(nodes.size(), std::numeric_limits<size_t>::max());
    for (const auto& [from, to] : by_target()) {
      nodes[to].layer = std::max(nodes[to].layer, nodes[from].layer + 1);
      uses[to] = true;
    }
    for (const auto& [from, to] : flow_.edges) first_user[from] = std::min(first_user[from], nodes[to].layer);
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (!uses[i] && first_user[i] != std::numeric_limits<size_t>::max()) nodes[i].layer = first_user[i] - 1;
      flow_.layers = std::max(flow_.layers, nodes[i].layer + 1);
    }
  }

  std::vector<std::pair<size_t, size_t>> by_target() const {
    std::vector<std::pair<size_t, size_t>> edges = flow_.edges;
    std::sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return edges;
  }

  // Edges of one node that skip layers share their way.
  void lead_around() {
    std::vector<std::pair<size_t, size_t>> edges;
    size_t of = std::numeric_limits<size_t>::max();
    std::vector<size_t> way;  // behind `of`, a place a layer
    for (const auto& [from, to] : flow_.edges) {
      if (from != of) way.clear();
      of = from;
      const size_t begin = flow_.nodes[from].layer, between = flow_.nodes[to].layer - begin - 1;
      while (way.size() < between) {
        edges.emplace_back(way.empty() ? from : way.back(), flow_.nodes.size());
        way.push_back(flow_.nodes.size());
        flow_.nodes.push_back({nullptr, false, begin + way.size()});
      }
      edges.emplace_back(between == 0 ? from : way[between - 1], to);
    }
    flow_.edges = std::move(edges);
  }

  // Each beside what it is joined to, to the left, to the right, and to the left again.
  void assign_rows() {
    std::vector<std::vector<size_t>> layers(flow_.layers);
    std::vector<std::vector<size_t>> left(flow_.nodes.size()), right(flow_.nodes.size());
    for (size_t i = 0; i < flow_.nodes.size(); ++i) layers[flow_.nodes[i].layer].push_back(i);
    for (const auto& [from, to] : flow_.edges) {
      left[to].push_back(from);
      right[from].push_back(to);
    }
    for (const std::vector<size_t>& layer : layers) number_rows(layer);
    for (size_t i = 1; i < layers.size(); ++i) sort_layer(left, &layers[i]);
    for (size_t i = layers.size(); i-- > 1;) sort_layer(right, &layers[i - 1]);
    for (size_t i = 1; i < layers.size(); ++i) sort_layer(left, &layers[i]);
    for (const std::vector<size_t>& layer : layers)
      flow_.rows = std::max(flow_.rows, static_cast<double>(layer.size()));
    for (const std::vector<size_t>& layer : layers) {
      for (const size_t node : layer) flow_.nodes[node].row += (flow_.rows - static_cast<double>(layer.size())) / 2;
    }
  }

  void number_rows(const std::vector<size_t>& layer) {
    for (size_t i = 0; i < layer.size(); ++i) flow_.nodes[layer[i]].row = static_cast<double>(i);
  }

  void sort_layer(const std::vector<std::vector<size_t>>& joined, std::vector<size_t>* layer) {
    std::vector<std::pair<double, size_t>> keys;
    for (const size_t node : *layer) {
      double sum = 0;
      for (const size_t other : joined[node]) sum += flow_.nodes[other].row;
      keys.emplace_back(joined[node].empty() ? flow_.nodes[node].row : sum / static_cast<double>(joined[node].size()),
                        node);
    }
    std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < keys.size(); ++i) (*layer)[i] = keys[i].second;
    number_rows(*layer);
  }

  const Detail detail_;
  Dataflow flow_;
  std::unordered_map<const Instruction*, size_t> place_;
};

}  // namespace

InstructionOrder order_of(const Module& module) {
  InstructionOrder order;
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) order.emplace(&instruction, order.size());
  }
  return order;
}

Dataflow dataflow_of(const std::vector<const Instruction*>& computed, const InstructionOrder& order, Detail detail) {
  return DataflowLayout(computed, order, detail).lay_out();
}

}  // namespace sinter
