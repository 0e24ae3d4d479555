#include "passes/lower/arrange/names.h"

#include <algorithm>
#include <set>

#include "passes/demand/lane_steps.h"
#include "passes/names/value_names.h"

namespace sinter {

namespace {

using NodeKind = DemandNode::Kind;

class Namer {
 public:
  explicit Namer(const Kernel& kernel) {
    for (const Parameter& parameter : kernel.parameters) taken_.insert(parameter.variable->name);
    for (const NamedConstant& constant : kernel.constants) taken_.insert(constant.name);
    for (const DeviceFunction& function : kernel.functions) taken_.insert(function.name);
    for (const ResultStruct& type : kernel.structs) taken_.insert(type.name);
  }

  void reserve(const std::string& name) { taken_.insert(name); }
  bool is_taken(const std::string& name) const { return taken_.count(name) > 0; }

  // Counts how many values want each base, then hands out base or base_1, base_2, ...
  void want(const std::string& base) { ++wanted_[base]; }
  std::string take(const std::string& base) {
    // Left to indices, which are named apart.
    static const std::set<std::string> index_names = {"element", "row", "column", "first_column", "lane",
                                                      "k",       "t",   "block",  "arrays"};
    if (wanted_[base] == 1 && index_names.count(base) == 0 && taken_.insert(base).second) return base;
    return number(base);
  }
  std::string number(const std::string& base) {
    for (;;) {
      std::string name = base + (base.back() == '_' ? "" : "_") + std::to_string(++given_[base]);
      if (taken_.insert(name).second) return name;
    }
  }

 private:
  std::set<std::string> taken_;
  std::map<std::string, int> wanted_, given_;
};

// Indices live in a loop each: siblings may have the same name.
bool is_index(const Statement& statement) {
  static const std::set<std::string> names = {"row",          "column",     "first_column", "in_position",
                                              "in_depth",     "in_row",     "in_column",    "window_position",
                                              "window_depth", "window_row", "window_column"};
  return statement.kind == Statement::Kind::kFor ||
         (statement.kind == Statement::Kind::kLet && names.count(statement.variable->name) > 0);
}

void declared(Block& block, std::vector<Variable*>* variables) {
  for (Statement& statement : block) {
    const bool declares = statement.kind == Statement::Kind::kLet || statement.kind == Statement::Kind::kDeclare;
    if (declares && !is_index(statement)) variables->push_back(statement.variable);
    declared(statement.body, variables);
    declared(statement.other, variables);
  }
}

// Names of indices, unlike any name of the loops around them.
void name_indices(Block& block, Namer& namer, std::set<std::string> around) {
  for (Statement& statement : block) {
    std::set<std::string> inside = around;
    if (is_index(statement)) {
      const std::string base = statement.variable->name;
      std::string name = base;
      for (int number = 1; around.count(name) > 0 || namer.is_taken(name); ++number)
        name = base + "_" + std::to_string(number);
      statement.variable->name = name;
      if (statement.kind == Statement::Kind::kFor)
        inside.insert(name);
      else
        around.insert(name);
    }
    name_indices(statement.body, namer, inside);
    name_indices(statement.other, namer, inside);
  }
}

// Comments that list variables, the operands of their value, become text.
void name_comments(Block& block) {
  for (Statement& statement : block) {
    name_comments(statement.body);
    if (statement.kind != Statement::Kind::kComment || statement.value == nullptr) continue;
    for (const Expr* operand : statement.value->operands) {
      std::string name = operand->variable->name;
      // The elements a thread keeps of a row.
      if (operand->variable->type.kind == CType::Kind::kArray && name.ends_with("_values"))
        name.resize(name.size() - 7);
      statement.text += (statement.text.empty() ? "" : ", ") + name;
    }
    statement.value = nullptr;
  }
}

// Functions that are called: a variable of the same name would hide them. Expressions are as deep as a line is long.
void reserve_called(const Expr* expr, Namer& namer) {
  if (expr == nullptr) return;
  if (expr->kind == Expr::Kind::kCall) namer.reserve(expr->text.substr(0, expr->text.find('<')));
  for (const Expr* operand : expr->operands) reserve_called(operand, namer);
}

void reserve_called(const Block& block, Namer& namer) {
  for (const Statement& statement : block) {
    for (const Expr* expr : {statement.target, statement.value, statement.begin}) reserve_called(expr, namer);
    reserve_called(statement.body, namer);
    reserve_called(statement.other, namer);
  }
}

// state + x, or x + state.
bool adds_to(const DemandNode& next, NodeId carried) {
  return next.kind == NodeKind::kCompute && next.instruction->opcode == Opcode::kAdd &&
         std::find(next.operands.begin(), next.operands.end(), carried) != next.operands.end();
}

// Which nodes depend on what a loop carries as `carry`. Operands stand before the nodes that read them.
std::vector<bool> depends_on_carry(const DemandGraph& graph, int loop, int carry) {
  std::vector<bool> result(graph.nodes.size(), false);
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    const DemandNode& node = graph.nodes[id];
    if (node.kind == NodeKind::kCarry && node.loop == loop && graph.loops[loop].slots[node.slot].carry == carry)
      result[id] = true;
    for (const NodeId operand : node.operands) {
      if (operand >= 0 && operand < static_cast<NodeId>(id) && result[operand]) result[id] = true;
    }
  }
  return result;
}

bool is_taken(const Kernel& kernel, const std::string& name) {
  return kernel.name == name ||
         std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                     [&](const Parameter& parameter) { return parameter.variable->name == name; });
}

}  // namespace

std::string without_direction(std::string name) {
  for (const char* direction : {"_in", "_out"}) {
    if (name.ends_with(direction)) name.resize(name.size() - std::string(direction).size());
  }
  return identifier(name);  // "and_out" -> "and_"
}

void name_variables(const DemandGraph& graph, const Items& items, Expressions& expressions, Block& block) {
  std::map<const Variable*, std::string> base;
  std::map<const Variable*, NodeId> node_of;
  for (const auto& [node, variable] : expressions.variables) node_of.emplace(variable, node);

  std::map<const Variable*, const Variable*> next_of;  // a carry
  // Carries: the parameter they start from; else "sum" for what starts at zero and is added to; else their op.
  for (const DemandLoop& loop : graph.loops) {
    std::map<int, int> slots_of_carry;
    for (const DemandLoop::Slot& slot : loop.slots) ++slots_of_carry[slot.carry];
    for (const DemandLoop::Slot& slot : loop.slots) {
      const Variable* variable = expressions.variables.at(slot.carried);
      const DemandNode& init = graph.nodes[slot.init];
      const DemandNode& next = graph.nodes[slot.next];
      // What the step calls it comes first: h of `h, c = state`.
      std::string name;
      if (next.instruction != nullptr && slots_of_carry[slot.carry] == 1) name = carried_name(*next.instruction);
      if (!name.empty()) {
        base[variable] = name;
        continue;
      }
      if (init.kind == NodeKind::kLoad) {
        const auto pointer = expressions.buffers.find(init.instruction);
        name = pointer != expressions.buffers.end() ? pointer->second->name : identifier(init.instruction->name);
        if (name.ends_with("_in")) name = identifier(name.substr(0, name.size() - 3));  // "xor_in" -> "xor_"
        if (slots_of_carry[slot.carry] > 1) {
          std::string suffix;
          for (const IndexExpr& expr : slot.index) {
            if (expr.is_constant()) suffix += "_" + std::to_string(expr.constant());
          }
          name += suffix;
        }
      } else if (init.kind == NodeKind::kCarry || init.kind == NodeKind::kLoopResult) {
        const Variable* outer = expressions.variables.at(slot.init);
        name = base.count(outer) > 0 ? base.at(outer) : "carry";
        if (name.rfind("inner_", 0) != 0) name = "inner_" + name;
      } else if (adds_to(next, slot.carried)) {
        name = "sum";
      } else {
        name = next.instruction != nullptr ? value_name(*next.instruction) : "carry";
      }
      base[variable] = name;
    }
    for (const NodeId start : loop.ahead.starts) {
      const Variable* carried = expressions.variables.at(loop.slots[graph.nodes[start].slot].carried);
      base[expressions.variables.at(start)] = base.at(carried) + "_of_lane";
    }
    std::map<int, std::vector<bool>> depends_on;  // by carry
    for (const DemandLoop::Slot& slot : loop.slots) {
      const std::string carry = base.at(expressions.variables.at(slot.carried));
      const std::string next_name = "next_" + carry;
      // Of a choice, the side that the state leads to: the other one is what it starts from again.
      std::vector<NodeId> candidates = {slot.next};
      const DemandNode& next = graph.nodes[slot.next];
      if (next.kind == NodeKind::kCompute && next.instruction->opcode == Opcode::kSelect) {
        const int number = static_cast<int>(&loop - graph.loops.data());
        auto& depends = depends_on[slot.carry];
        if (depends.empty()) depends = depends_on_carry(graph, number, slot.carry);
        for (const NodeId side : {next.operands[1], next.operands[2]}) {
          if (depends[side]) candidates.push_back(side);
        }
      }
      for (const NodeId candidate : candidates) {
        const NodeKind kind = graph.nodes[candidate].kind;
        const auto named = expressions.variables.find(candidate);
        if (named == expressions.variables.end() || kind != NodeKind::kCompute || base.count(named->second) > 0)
          continue;
        const std::string own = variable_name(*graph.nodes[candidate].instruction);
        const bool is_next = own.empty() || own == carry;
        base[named->second] = is_next ? next_name : own;
        if (is_next) next_of[named->second] = expressions.variables.at(slot.carried);
        break;
      }
    }
  }

  // What another thread has of a carry goes by it, as an element of an array does.
  for (const auto& [node, variable] : expressions.variables) {
    const DemandNode& read = graph.nodes[node];
    if (read.kind != NodeKind::kShared) continue;
    base[variable] = base.at(expressions.variables.at(graph.loops[read.loop].slots[read.slot].carried)) + "_value";
  }

  // The only named value of a Python function that other functions read is the function's result.
  std::map<std::string, std::set<NodeId>> results;
  std::map<NodeId, SourcePlace> place_of;
  for (const Item& item : items.all) {
    if (item.kind == Item::Kind::kLet && item.scope >= 0) place_of[item.node] = item.place;
  }
  for (const Item& item : items.all) {
    if (item.scope < 0) continue;
    for (const int source : item.after) {
      const Item& from = items.all[source];
      if (from.kind != Item::Kind::kLet || from.place.function.empty() || item.place.function.empty()) continue;
      const auto& callers = item.place.functions;
      const bool inside = std::find(callers.begin(), callers.end(), from.place.function) != callers.end();
      if (!inside && item.kind != Item::Kind::kStore) results[from.place.function].insert(from.node);
    }
  }
  for (const auto& [function, nodes] : results) {
    if (nodes.size() != 1) continue;
    const Variable* variable = expressions.variables.at(*nodes.begin());
    const Instruction* value = graph.nodes[*nodes.begin()].instruction;
    if (value != nullptr && !variable_name(*value).empty()) continue;
    if (base.count(variable) == 0 && graph.nodes[*nodes.begin()].kind == NodeKind::kCompute)
      base[variable] = identifier(function);
  }

  // What is stored goes by its array, whose pointer steps aside; x_next is what becomes of x.
  std::set<std::string> read_too;
  std::set<const Variable*> stored;
  for (const auto& [value, pointer] : expressions.buffers) read_too.insert(without_direction(pointer->name));
  // What a loop leaves in sum_2 is stored to sum_2_out, whichever of two sums comes first among the results.
  std::map<const Variable*, int> stores_to, stores_of;
  for (const DemandStore& store : graph.stores) {
    ++stores_to[expressions.output_buffers.at(store.value)];
    const auto named = expressions.variables.find(store.node);
    if (named != expressions.variables.end()) ++stores_of[named->second];
  }
  for (const DemandStore& store : graph.stores) {
    const NodeKind kind = graph.nodes[store.node].kind;
    const auto named = expressions.variables.find(store.node);
    if ((kind != NodeKind::kCarry && kind != NodeKind::kLoopResult) || named == expressions.variables.end()) continue;
    const Variable* pointer = expressions.output_buffers.at(store.value);
    const std::string array = without_direction(pointer->name);
    const bool alike = without_number(array) == without_number(base.at(named->second));
    if (!alike || stores_to.at(pointer) > 1 || stores_of.at(named->second) > 1) continue;
    base[named->second] = array;
    stored.insert(named->second);
  }
  for (const DemandStore& store : graph.stores) {
    const auto named = expressions.variables.find(sums_of_element(graph, store.node));
    if (named == expressions.variables.end() || base.count(named->second) > 0) continue;
    const NodeKind kind = graph.nodes[store.node].kind;
    if (kind == NodeKind::kLoad || kind == NodeKind::kCarry || kind == NodeKind::kLoopResult) continue;
    Variable* pointer = expressions.output_buffers.at(store.value);
    const std::string array = without_direction(pointer->name);
    if (pointer->name == array && !is_taken(*expressions.kernel, array + "_out")) pointer->name += "_out";
    base[named->second] = read_too.count(array) > 0 ? array + "_next"
                          : pointer->name == array  ? array + "_value"
                                                    : array;
    stored.insert(named->second);
  }

  std::vector<Variable*> variables;
  declared(block, &variables);
  Namer namer(*expressions.kernel);
  for (const auto& [node, variable] : expressions.variables) {
    if (graph.nodes[node].kind == NodeKind::kParameter) namer.reserve(variable->name);
  }
  // Coordinates have their names already, outside the block. The last one may be of the whole array (Flat::whole),
  // which the graph does not have.
  for (const auto& [id, expr] : expressions.coordinates) {
    const bool outside = id >= std::ssize(graph.coordinates) || graph.coordinates[id].scope == 0;
    if (outside && expr->kind == Expr::Kind::kVariable) namer.reserve(expr->variable->name);
  }
  reserve_called(block, namer);
  const auto base_of = [&](const Variable* variable) {
    const auto found = base.find(variable);
    const std::string& name = found != base.end() ? found->second : variable->name;
    // `index` is what index arithmetic is called, and no value.
    return variable->origin != nullptr && is_c_function(name) ? name + "_value" : name;
  };
  // Variables that hold elements of one value are numbered behind its name: of two sums of three elements each the
  // first is sum_1, its elements sum_1_1 to sum_1_3.
  struct Value {
    std::string base;
    std::vector<Variable*> variables;  // in the order of the text
  };
  std::vector<Value> values;
  // Reductions of one place in the source are one that passes have taken apart, an instruction an element.
  std::vector<const Instruction*> reductions;
  const auto value_of = [&](const Instruction* origin) {
    if (origin == nullptr || origin->opcode != Opcode::kReduce || origin->metadata->stack_frame_id == 0) return origin;
    for (const Instruction* other : reductions) {
      if (*other->metadata == *origin->metadata && other->shape == origin->shape) return other;
    }
    reductions.push_back(origin);
    return origin;
  };
  // What a loop carries is another value than what it starts from, which is the origin of both.
  std::map<const Variable*, const DemandLoop*> carried;
  for (const DemandLoop& loop : graph.loops) {
    for (const DemandLoop::Slot& slot : loop.slots) carried[expressions.variables.at(slot.carried)] = &loop;
  }
  std::map<std::tuple<std::string, const Instruction*, const DemandLoop*>, size_t> number_of;
  // A carry is declared once but may stand in several places of the list: name each variable once.
  std::set<const Variable*> seen;
  std::vector<Variable*> nexts;
  for (Variable* variable : variables) {
    if (!seen.insert(variable).second) continue;
    if (next_of.count(variable) > 0) {
      nexts.push_back(variable);
      continue;
    }
    const std::string& name = base_of(variable);
    const Instruction* origin = variable->origin;
    // One result of several is a value of its own.
    const bool is_result = origin != nullptr && !origin->shape.is_array() && variable->type.kind != CType::Kind::kNamed;
    const auto loop = carried.find(variable);
    const auto [number, is_new] =
        number_of.try_emplace({name, value_of(origin), loop != carried.end() ? loop->second : nullptr}, values.size());
    if (is_new || origin == nullptr || is_result) {
      values.push_back({name, {variable}});
      namer.want(name);
    } else {
      values[number->second].variables.push_back(variable);
    }
  }
  // First what is stored under a name of its own: sum_1 is what sum_1_out becomes, no other sum.
  std::map<std::string, int> wanted;
  for (const Value& value : values) ++wanted[value.base];
  const auto is_stored = [&](const Variable* variable) { return stored.count(variable) > 0; };
  for (const bool first : {true, false}) {
    for (const Value& value : values) {
      const bool is_own = wanted.at(value.base) == 1 && std::ranges::any_of(value.variables, is_stored);
      if (is_own != first) continue;
      const std::string name = namer.take(value.base);
      if (value.variables.size() == 1) {
        value.variables[0]->name = name;
        continue;
      }
      for (Variable* variable : value.variables) variable->name = namer.number(name);
    }
  }
  // What a step makes of sum_2 is next_sum_2, whichever of two sums comes first in the step.
  for (Variable* variable : nexts) {
    const std::string name = "next_" + next_of.at(variable)->name;
    namer.want(name);
    variable->name = namer.take(name);
  }
  // What a lane computes ahead goes by what it is in its step.
  for (size_t id = 0; id < graph.nodes.size(); ++id) {
    const DemandNode& node = graph.nodes[id];
    const auto here = expressions.variables.find(static_cast<NodeId>(id));
    if (node.kind != NodeKind::kFromLane || here == expressions.variables.end()) continue;
    const auto computed = expressions.variables.find(node.operands[0]);
    if (computed == expressions.variables.end() || graph.nodes[node.operands[0]].kind == NodeKind::kOfLane) continue;
    const std::string name = here->second->name + "_of_lane";
    namer.want(name);
    computed->second->name = namer.take(name);
  }
  name_indices(block, namer, {});
  name_comments(block);
}

}  // namespace sinter
