// The state that the steps of arrange() share (items.h says what it does). Only the files of these steps include it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "passes/demand/lane_steps.h"
#include "passes/lower/arrange/items.h"

namespace sinter {

class Arranger {
 public:
  Arranger(const Module& module, const DemandGraph& graph, Expressions& expressions)
      : module_(module), graph_(graph), expressions_(expressions) {
    for (size_t scope = 0; scope < graph.scopes.size(); ++scope) {
      const auto number = static_cast<int>(scope);
      if (graph.scopes[scope].kind == DemandScope::Kind::kLanes && !is_lanes_of_steps(graph, number))
        lanes_scope_ = number;
    }
  }

  Items run();

 private:
  // items.cpp: what is needed, and how often.
  void count_uses();
  void choose_guard_forms();
  // name_items.cpp: which nodes and which index arithmetic get a variable.
  void name_vectors();
  void name_quotients();
  void name_values();
  void name_indices();
  // make_items.cpp
  void make_items();
  // order_items.cpp: what comes after what, and the order of the text.
  void link_items();
  void order_items();

  // The nodes a node's spelling reads; a contracted product's operands instead of the product.
  std::vector<NodeId> reads(NodeId node) const;
  bool absorbed_product(NodeId add, NodeId operand) const;
  int statement_scope(int scope) const;
  Variable* make_variable(NodeId node, const std::string& hint);
  CType type_of_sums(NodeId sums) const;
  void name_node(NodeId node);
  int lift(int item, int scope) const;
  // Nodes with a variable, loop carries included, that the spelling of `node` reads.
  void holders(NodeId node, std::set<NodeId>* result) const;
  void holders(const IndexExpr& expr, std::set<NodeId>* result, std::set<int>* index_items) const;
  void holders_of_terms(const IndexExpr& expr, std::set<NodeId>* result, std::set<int>* index_items) const;

  const Module& module_;
  const DemandGraph& graph_;
  Expressions& expressions_;
  Items items_;
  std::vector<bool> reachable_;
  std::vector<bool> needed_loops_;
  std::vector<int> uses_;
  std::vector<bool> used_deeper_;
  std::vector<bool> must_name_;
  std::set<NodeId> of_lanes_;  // what lanes compute ahead, each for its step
  std::map<NodeId, int> item_of_node_;
  std::map<IndexExpr, int> item_of_index_;
  std::map<int, int> opener_;  // scope -> the item that opens it
  int lanes_scope_ = 0;
};

}  // namespace sinter
