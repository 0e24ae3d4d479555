#include "passes/stages/domain/vectorize.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

#include "ir/index/index_value.h"
#include "passes/analysis/values/hardware.h"
#include "passes/demand/index_ranges.h"
#include "passes/demand/lane_steps.h"
#include "passes/demand/views/records.h"
#include "passes/stages/domain/shifted_load.h"

namespace sinter {

namespace {

// Calls `visit` on the term list of an expression and of every division's operand inside it.
void visit_sums(const IndexExpr& expr, const std::function<void(const IndexExpr&)>& visit) {
  std::vector<const IndexExpr*> stack = {&expr};
  while (!stack.empty()) {
    const IndexExpr* sum = stack.back();
    stack.pop_back();
    visit(*sum);
    for (const IndexExpr::Term& term : sum->terms()) {
      if (term.atom->kind == IndexExpr::AtomKind::kFloorDiv || term.atom->kind == IndexExpr::AtomKind::kMod) {
        stack.push_back(&term.atom->operand);
      }
    }
  }
}

// Whether every access treats two coordinates as one, of which the latter runs fastest. Slots of a loop name a register
// by its index, which must stay as it was demanded: they are left out of the test, but rewritten like everything else.
bool are_one(const DemandGraph& graph, int outer, int inner, int64_t extent) {
  const auto owned = [&](const std::vector<int>& owners) {
    const bool has_outer = std::find(owners.begin(), owners.end(), outer) != owners.end();
    const bool has_inner = std::find(owners.begin(), owners.end(), inner) != owners.end();
    return has_outer == has_inner;
  };
  const auto is_one = [&](const IndexExpr& expr) {
    bool together = true;
    visit_sums(expr, [&](const IndexExpr& sum) {
      if (sum.coefficient_of_coordinate(outer) != sum.coefficient_of_coordinate(inner) * extent) together = false;
    });
    return together;
  };
  for (const DemandNode& node : graph.nodes) {
    if (!is_one(node.expr)) return false;
  }
  for (const DemandStore& store : graph.stores) {
    if (!owned(store.owners) || !is_one(store.offset)) return false;
  }
  for (const DemandLoop& loop : graph.loops) {
    for (const DemandLoop::Stack& stack : loop.stacks) {
      if (!owned(stack.owners)) return false;
      for (const auto& [offset, node] : stack.stores) {
        if (!is_one(offset)) return false;
      }
    }
  }
  for (const DemandReduce& reduce : graph.reduces) {
    for (const DemandTest& step : reduce.tests) {
      if (!is_one(step.expr)) return false;
    }
    if (!is_one(reduce.place)) return false;
  }
  return true;
}

// Whether an atom without operands depends on the coordinate `lane`, or stands where only its scope has it.
bool is_of_lane(const DemandGraph& graph, const IndexExpr::Atom& leaf, int lane) {
  if (leaf.kind == IndexExpr::AtomKind::kCoordinate) return leaf.id == lane;
  const int lanes = graph.coordinates[lane].scope;
  int scope = graph.nodes[leaf.id].scope;
  while (scope != 0 && scope != lanes) scope = graph.scopes[scope].parent;
  return scope == lanes;
}

}  // namespace

IndexExpr with_coordinate(const IndexExpr& expr, int coordinate, const IndexExpr& place) {
  return expr.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
    if (atom.kind == IndexExpr::AtomKind::kCoordinate && atom.id == coordinate) return place;
    return std::nullopt;
  });
}

void visit_exprs(DemandGraph* graph, const std::function<void(IndexExpr&)>& visit) {
  for (DemandNode& node : graph->nodes) visit(node.expr);
  for (DemandStore& store : graph->stores) visit(store.offset);
  for (DemandLoop& loop : graph->loops) {
    for (DemandLoop::Slot& slot : loop.slots) {
      for (IndexExpr& expr : slot.index) visit(expr);
    }
    for (DemandLoop::Stack& stack : loop.stacks) {
      for (auto& [offset, node] : stack.stores) visit(offset);
    }
  }
  for (DemandReduce& reduce : graph->reduces) {
    for (DemandTest& step : reduce.tests) visit(step.expr);
    visit(reduce.place);
  }
}

bool is_vector_offset(const DemandGraph& graph, const IndexExpr& offset, int lane, int base, int64_t width) {
  if (offset.coefficient_of_coordinate(lane) != 1 || offset.constant() % width != 0) return false;
  for (const IndexExpr::Term& term : offset.terms()) {
    const IndexExpr::Atom& atom = *term.atom;
    const bool is_coordinate = atom.kind == IndexExpr::AtomKind::kCoordinate;
    if (is_coordinate && (atom.id == lane || atom.id == base)) {
      if (term.coefficient != 1) return false;
      continue;
    }
    bool reads_lane = atom.kind == IndexExpr::AtomKind::kValue && is_of_lane(graph, atom, lane);
    atom.operand.visit_leaves([&](const IndexExpr::Atom& leaf) { reads_lane |= is_of_lane(graph, leaf, lane); });
    if (reads_lane || term.coefficient % width != 0) return false;
  }
  return true;
}

bool begins_vector(const DemandGraph& graph, const IndexExpr& offset, int lane, int64_t width) {
  if (offset.constant() % width != 0) return false;
  bool counts = false;  // one for each lane
  for (const IndexExpr::Term& term : offset.terms()) {
    const IndexExpr::Atom& atom = *term.atom;
    const bool is_lane = atom.kind == IndexExpr::AtomKind::kCoordinate && atom.id == lane;
    const bool divides = atom.kind == IndexExpr::AtomKind::kFloorDiv || atom.kind == IndexExpr::AtomKind::kMod;
    // Of lanes that begin at a multiple of what divides the divisor, too, the quotient is one.
    const bool in_whole_rows = divides && atom.divisor % width == 0 && begins_vector(graph, atom.operand, lane, width);
    if (is_lane || (in_whole_rows && atom.kind == IndexExpr::AtomKind::kMod)) {
      if (term.coefficient != 1 || counts) return false;
      counts = true;
      continue;
    }
    bool reads_lane = atom.kind == IndexExpr::AtomKind::kValue && is_of_lane(graph, atom, lane);
    atom.operand.visit_leaves([&](const IndexExpr::Atom& leaf) { reads_lane |= is_of_lane(graph, leaf, lane); });
    if ((reads_lane && !in_whole_rows) || term.coefficient % width != 0) return false;
  }
  return counts;
}

bool is_same_for_lanes(const DemandGraph& graph, const DemandNode& choice, int lane, int64_t width) {
  bool reads_lane = false, reads_values = false;
  choice.expr.visit_leaves([&](const IndexExpr::Atom& leaf) {
    reads_lane |= leaf.kind == IndexExpr::AtomKind::kCoordinate && leaf.id == lane;
    reads_values |= leaf.kind == IndexExpr::AtomKind::kValue;
  });
  if (reads_values) return false;
  if (!reads_lane) return true;
  const IndexRange range = choice.expr.range();
  const auto is_bound = [&](int64_t bound) { return bound % width == 0; };
  return is_vector_offset(graph, choice.expr, lane, kNoBase, width) &&
         (is_bound(choice.low) || choice.low <= range.low) && (is_bound(choice.high) || choice.high > range.high);
}

bool is_inside_array(const DemandNode& load) {
  return inside(load.expr.range(), {0, load.instruction->shape.element_count() - 1});
}

std::map<int, ArmOf> arms_by_scope(const DemandGraph& graph) {
  std::map<int, ArmOf> arms;
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    for (const bool passes : {true, false}) {
      const int scope = graph.nodes[id].arm_scope[passes ? 0 : 1];
      if (scope != 0) arms[scope] = {static_cast<NodeId>(id), passes};
    }
  }
  return arms;
}

std::vector<CollapsedCoordinate> collapsed(const DemandGraph& graph, const std::vector<int>& coordinates) {
  std::vector<CollapsedCoordinate> result;  // the innermost first
  for (size_t i = coordinates.size(); i-- > 0;) {
    const int64_t extent = graph.coordinates[coordinates[i]].extent;
    if (!result.empty() && are_one(graph, coordinates[i], result.back().fastest, result.back().extent)) {
      result.back().extent *= extent;
    } else {
      result.push_back({coordinates[i], extent});
    }
  }
  std::reverse(result.begin(), result.end());
  return result;
}

std::vector<int> collapse_coordinates(DemandGraph* graph, const std::vector<int>& coordinates) {
  std::vector<int> left = coordinates;
  for (size_t i = left.size(); i-- > 1;) {
    const int outer = left[i - 1];
    const int inner = left[i];
    const int64_t extent = graph->coordinates[inner].extent;
    if (!are_one(*graph, outer, inner, extent)) continue;
    const int merged = graph->add_coordinate(graph->coordinates[outer].extent * extent, CoordinateRole::kElement);
    const IndexExpr both = graph->coordinate(merged);
    visit_exprs(graph, [&](IndexExpr& expr) {
      expr = expr.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
        if (atom.kind != IndexExpr::AtomKind::kCoordinate) return std::nullopt;
        if (atom.id == outer) return both.floor_div(extent);
        if (atom.id == inner) return both.floor_mod(extent);
        return std::nullopt;
      });
    });
    const auto replace_owner = [&](std::vector<int>& owners) {
      owners.erase(std::remove(owners.begin(), owners.end(), outer), owners.end());
      std::replace(owners.begin(), owners.end(), inner, merged);
    };
    for (DemandStore& store : graph->stores) replace_owner(store.owners);
    for (DemandLoop& loop : graph->loops) {
      for (DemandLoop::Stack& stack : loop.stacks) replace_owner(stack.owners);
    }
    left[i - 1] = merged;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return left;
}

namespace {

// Whether results of one conditional share its arms: these stand in one place, in the lanes or beside them.
bool shares_arms(const DemandGraph& graph) {
  std::set<int> arms;
  return std::ranges::any_of(graph.nodes, [&](const DemandNode& node) {
    return std::ranges::any_of(node.arm_scope, [&](int arm) { return arm != 0 && !arms.insert(arm).second; });
  });
}

// Whether the neighbours that stand behind tests are vectors too: all of them pass a test or none, or they may be read
// in front of it, which those of one array may, lest both arms of a choice are read. Those of an array that is small
// beside the domain may stay where they are. They are few, since all of them are in registers at a time.
bool behind_tests_too(const MapDemand& demand, const std::map<int, ArmOf>& arms, const std::set<int>& steps, int lane,
                      int64_t width) {
  constexpr int64_t kSmall = 8;  // times as many elements has the domain
  constexpr int kMost = 8;
  int count = 0, in_front = 0;
  std::set<std::pair<const Instruction*, IndexExpr>> vectors;
  const DemandGraph& graph = *demand.graph;
  for (const DemandNode& node : graph.nodes) {
    if (node.kind != DemandNode::Kind::kLoad || node.scope == 0 || steps.count(node.scope) > 0) continue;
    if (node.expr.coefficient_of_coordinate(lane) != 1) continue;
    if (node.instruction->shape.element_count() * kSmall <= demand.threads) continue;
    if (const std::optional<ShiftedLoad> shifted = shifted_load(graph, arms, node, lane, width)) {
      if (vectors.insert({node.instruction, shifted->place}).second && ++count > kMost) return false;
      continue;
    }
    if (!is_vector_offset(graph, node.expr, lane, kNoBase, width)) return false;
    if (vectors.insert({node.instruction, node.expr}).second && ++count > kMost) return false;
    bool shared = true;
    for (int scope = node.scope; scope != 0; scope = graph.scopes[scope].parent) {
      const auto arm = arms.find(scope);
      shared &= arm != arms.end() && is_same_for_lanes(graph, graph.nodes[arm->second.choice], lane, width);
    }
    if (!shared && (!is_inside_array(node) || ++in_front > 1)) return false;
  }
  return true;
}

// Elements whose sums a thread has in registers at a time.
constexpr int64_t kMostSums = 8;

// Whether the reduction is no loop: a scatter's update, which some elements take.
bool is_one_step(const DemandGraph& graph, const DemandReduce& reduce) {
  return graph.nested_steps(reduce) == 1 && !reduce.cooperative && !reduce.fills && !reduce.chooses;
}

// Whether all that is read along the coordinate is bytes, elements beside a thread's own among them: the more of these
// a thread has, the fewer are loaded one by one.
bool is_stencil_of_bytes(const DemandGraph& graph, int coordinate) {
  const auto is_byte = [](const DemandNode& node) {
    return node.kind == DemandNode::Kind::kLoad && dtype_bytes(node.dtype) == 1;
  };
  if (std::ranges::none_of(graph.nodes, is_byte)) return false;
  const std::map<int, ArmOf> arms = arms_by_scope(graph);
  bool shifted = false;
  for (const DemandNode& node : graph.nodes) {
    if (node.kind != DemandNode::Kind::kLoad) continue;
    if (shifted_load(graph, arms, node, coordinate, kAccessBytes)) {
      shifted = true;
    } else if (node.expr.coefficient_of_coordinate(coordinate) == 0) {
      continue;
    }
    if (dtype_bytes(node.dtype) > 1) return false;
  }
  return shifted;
}

}  // namespace

// As is_vector_offset, of a coordinate of the kernel, by what depends on it (nodes_along).
static bool is_vector_of_step(const IndexExpr& offset, int coordinate, const std::vector<bool>& along, int64_t width) {
  if (offset.coefficient_of_coordinate(coordinate) != 1 || offset.constant() % width != 0) return false;
  const auto differs = [&](const IndexExpr::Atom& leaf) {
    return leaf.kind == IndexExpr::AtomKind::kCoordinate ? leaf.id == coordinate : along[leaf.id];
  };
  return std::ranges::all_of(offset.terms(), [&](const IndexExpr::Term& term) {
    const IndexExpr::Atom& atom = *term.atom;
    if (atom.kind == IndexExpr::AtomKind::kCoordinate && atom.id == coordinate) return true;
    bool is_same = atom.kind != IndexExpr::AtomKind::kValue || !along[atom.id];
    atom.operand.visit_leaves([&](const IndexExpr::Atom& leaf) { is_same &= !differs(leaf); });
    return is_same && term.coefficient % width == 0;
  });
}

std::optional<std::set<int>> scopes_of_shared_steps(const MapDemand& demand, int64_t width) {
  const DemandGraph& graph = *demand.graph;
  const auto loops = [&](const DemandReduce& reduce) { return reduce.scope >= 0 && !is_one_step(graph, reduce); };
  std::set<int> scopes;
  if (std::ranges::none_of(graph.reduces, loops)) return scopes;
  if (demand.coordinates.empty()) return std::nullopt;
  const int last = demand.coordinates.back();
  const std::vector<bool> along = nodes_along(graph, last);
  for (int number = 0; number < std::ssize(graph.reduces); ++number) {
    const DemandReduce& reduce = graph.reduces[number];
    if (!loops(reduce)) continue;
    if (!has_steps_along(graph, number, along) || !may_share_steps(graph, number, along)) return std::nullopt;
    scopes.insert(reduce.scope);
    if (reduce.guard != 0) scopes.insert(reduce.guard);
  }
  // Loops that read one array would be one loop (join_loops.h), which reads it once; those over neighbours are not.
  std::map<const Instruction*, int> read_in;  // the outermost scope
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    const DemandNode& node = graph.nodes[id];
    if (node.kind != DemandNode::Kind::kLoad || scopes.count(node.scope) == 0 || !along[id]) continue;
    const int loop = graph.scopes[node.scope].parent == 0 ? node.scope : graph.scopes[node.scope].parent;
    if (read_in.emplace(node.instruction, loop).first->second != loop) return std::nullopt;
    if (!is_vector_of_step(node.expr, last, along, width)) return std::nullopt;
  }
  return scopes;
}

// As few neighbours, up to `most`, as have whole accesses of the records that they store; 1: they store none.
static int64_t width_of_records(const DemandGraph& graph, int lane, const std::vector<int>& along, int64_t most) {
  for (; most > 1; most /= 2) {
    const Records records = find_records(graph, lane, along, 0, most);
    if (records.stores.empty()) continue;
    const auto has_whole = [&](int64_t width) {
      return std::ranges::all_of(records.stores, [&](const auto& store) {
        const int64_t bytes = dtype_bytes(graph.nodes[graph.stores[store.first].node].dtype);
        return store.second.size * width * bytes % kAccessBytes == 0;
      });
    };
    int64_t width = 1;
    while (width < most && !has_whole(width)) width *= 2;
    return width;
  }
  return 1;
}

int64_t widest_vector(const MapDemand& demand) {
  const DemandGraph& graph = *demand.graph;
  if (demand.coordinates.empty() || !graph.loops.empty()) return 1;
  const std::optional<std::set<int>> steps = scopes_of_shared_steps(demand, 1);
  if (!steps) return 1;
  // Of what collapses into the last coordinate, which has the coefficients of all then.
  const int last = demand.coordinates.back();
  int64_t extent = graph.coordinates[last].extent;
  std::vector<int> along;  // what collapses into it
  for (size_t i = demand.coordinates.size() - 1; i-- > 0 && are_one(graph, demand.coordinates[i], last, extent);) {
    along.push_back(demand.coordinates[i]);
    extent *= graph.coordinates[demand.coordinates[i]].extent;
  }
  int64_t width = is_stencil_of_bytes(graph, last) ? kAccessBytes : steps->empty() ? 4 : kMostSums;
  bool contiguous = false;
  for (const DemandStore& store : graph.stores) {
    if (!store.owners.empty()) {
      // One thread stores it, beside its lanes.
      if (std::find(store.owners.begin(), store.owners.end(), last) == store.owners.end()) return 1;
      continue;
    }
    const int64_t bytes = dtype_bytes(store.value->shape.dtype);
    width = std::min<int64_t>(width, std::max<int64_t>(1, kAccessBytes / bytes));
    contiguous |= store.offset.coefficient_of_coordinate(last) == 1;
  }
  for (const DemandNode& node : graph.nodes) {
    if (node.kind == DemandNode::Kind::kLoad && node.expr.coefficient_of_coordinate(last) == 1) {
      width = std::min<int64_t>(width, std::max<int64_t>(1, kAccessBytes / dtype_bytes(node.dtype)));
    }
  }
  while (width > 1 && extent % width != 0) width /= 2;
  if (!contiguous) width = width_of_records(graph, last, along, width);
  if (graph.scopes.size() == 1) return width;
  if (shares_arms(graph)) return 1;
  const std::map<int, ArmOf> arms = arms_by_scope(graph);
  const auto fits = [&] {
    return behind_tests_too(demand, arms, *steps, last, width) && scopes_of_shared_steps(demand, width);
  };
  while (width > 1 && !fits()) width /= 2;
  return width;
}

int64_t common_vector(const DemandGraph& graph, int64_t extent,
                      const std::function<bool(const DemandNode& load, int64_t width)>& fits) {
  int64_t common = 1;
  for (const DemandNode& node : graph.nodes) {
    if (node.kind != DemandNode::Kind::kLoad) continue;
    int64_t own = kAccessBytes / dtype_bytes(node.dtype);
    while (own > 1 && (extent % own != 0 || !fits(node, own))) own /= 2;
    if (own > 1) common = common == 1 ? own : std::min(common, own);
  }
  return common;
}

bool is_step_vector(const DemandGraph& graph, const DemandReduce& reduce, const DemandNode& load, int64_t width) {
  if (load.kind != DemandNode::Kind::kLoad || load.scope != reduce.scope || load.guard != 0) return false;
  if (width * dtype_bytes(load.dtype) > kAccessBytes) return false;
  // It may be read in a loop of its own inside, as terms of an array's elements are.
  bool inside = false;
  load.expr.visit_leaves([&](const IndexExpr::Atom& leaf) {
    if (leaf.kind != IndexExpr::AtomKind::kCoordinate) return;
    const int scope = graph.coordinates[leaf.id].scope;
    inside |= scope != reduce.scope && graph.scopes[scope].depth >= graph.scopes[reduce.scope].depth;
  });
  return !inside && is_vector_offset(graph, load.expr, graph.scopes[reduce.scope].coordinates.back(), kNoBase, width);
}

namespace {

// True if neighbouring threads read neither one element nor neighbours: of those that differ in the kernel's last
// coordinate, or in the column of a row.
bool is_apart(const DemandGraph& graph, const IndexExpr& offset) {
  std::vector<int64_t> place(graph.coordinates.size(), 0);
  const int64_t here = index_value(offset, place);
  bool last = true;
  for (size_t id = graph.coordinates.size(); id-- > 0;) {
    const DemandCoordinate& coordinate = graph.coordinates[id];
    const bool of_columns = graph.scopes[coordinate.scope].kind == DemandScope::Kind::kColumns;
    const bool fastest = last && coordinate.scope == 0 && coordinate.extent > 1;
    if (fastest) last = false;
    if (!of_columns && !fastest) continue;
    place[id] = 1;
    if (std::abs(index_value(offset, place) - here) > 1) return true;
    place[id] = 0;
  }
  return false;
}

}  // namespace

int64_t widest_step_vector(const DemandGraph& graph, const DemandReduce& reduce) {
  const bool plain = reduce.scope > 0 && !reduce.cooperative && !reduce.chooses && !reduce.fills && reduce.guard == 0 &&
                     reduce.tests.empty() && reduce.taps.empty() && reduce.match.empty();
  if (!plain || graph.scopes[reduce.scope].kind != DemandScope::Kind::kReduce) return 1;
  const std::vector<int>& coordinates = graph.scopes[reduce.scope].coordinates;
  if (coordinates.empty() || graph.coordinates[coordinates.back()].step != 1) return 1;
  const bool apart = std::ranges::any_of(graph.nodes, [&](const DemandNode& node) {
    return is_step_vector(graph, reduce, node, 1) && is_apart(graph, node.expr);
  });
  if (!apart) return 1;
  return common_vector(graph, graph.coordinates[coordinates.back()].extent, [&](const DemandNode& load, int64_t width) {
    return is_step_vector(graph, reduce, load, width);
  });
}

}  // namespace sinter
