#include "passes/lower/write_kernel.h"

#include <algorithm>
#include <cctype>

#include "ir/diagnostics.h"
#include "passes/lower/items.h"
#include "passes/lower/names.h"
#include "passes/schedule/value_names.h"

namespace sinter {

namespace {

using NodeKind = DemandNode::Kind;
using StatementKind = Statement::Kind;

class Writer {
 public:
  Writer(const DemandGraph& graph, Expressions& expressions, const WriteOptions& options, const Items& items)
      : graph_(graph), expressions_(expressions), kernel_(*expressions.kernel), options_(options), items_(items) {}

  // Statements of a scope; `paragraphs`: open one with a comment where the Python function changes.
  Block scope(int number) {
    Block block;
    std::string function = several_functions(number) ? "" : kNoParagraphs;
    bool ended = false;
    for (const int item_number : items_.order[number]) {
      const Item& item = items_.all[item_number];
      const bool assigns = item.kind == Item::Kind::kAssign || item.kind == Item::Kind::kStack;
      if (assigns && !ended) {
        take_temporaries(number, &block);
        ended = true;
      }
      if (item.kind == Item::Kind::kStore) continue;
      if (function != kNoParagraphs && !item.place.function.empty() && item.place.function != function) {
        function = item.place.function;
        if (!block.empty()) block.push_back({.kind = StatementKind::kBlank});
        block.push_back({.kind = StatementKind::kComment, .text = function});
      }
      write(item, &block);
    }
    return block;
  }

  void stores(Block* block) {
    std::map<std::vector<int>, Block> owned;
    Block all;
    for (const int item_number : items_.order[0]) {
      const Item& item = items_.all[item_number];
      if (item.kind != Item::Kind::kStore) continue;
      const DemandStore& store = graph_.stores[item.number];
      Block& target = store.owners.empty() ? all : owned[store.owners];
      target.push_back(store_statement(store.value, store.offset, store.node));
    }
    if (!block->empty() && (!all.empty() || !owned.empty())) block->push_back({.kind = StatementKind::kBlank});
    block->insert(block->end(), all.begin(), all.end());
    for (auto& [owners, body] : owned) block->push_back(guarded(owners, std::move(body)));
  }

 private:
  static constexpr const char* kNoParagraphs = "-";

  bool several_functions(int number) const {
    std::set<std::string> functions;
    for (const int item : items_.order[number]) {
      if (!items_.all[item].place.function.empty() && items_.all[item].kind != Item::Kind::kStore) {
        functions.insert(items_.all[item].place.function);
      }
    }
    return functions.size() > 1;
  }

  Statement let(Variable* variable, const Expr* value, const Instruction* origin) {
    return {.kind = StatementKind::kLet, .variable = variable, .value = value, .origin = origin};
  }

  Statement assign(const Expr* target, std::string text, const Expr* value) {
    return {.kind = StatementKind::kAssign, .target = target, .value = value, .text = std::move(text)};
  }

  // x = x + y is written x += y.
  Statement update(const Expr* target, const Expr* value) {
    if (value->kind == Expr::Kind::kInfix && value->operands[0]->kind == Expr::Kind::kVariable &&
        value->operands[0]->variable == target->variable) {
      static const std::set<std::string> operators = {"+", "-", "*", "/", "&", "|", "^"};
      if (operators.count(value->text) > 0) return assign(target, value->text + "=", value->operands[1]);
    }
    return assign(target, "=", value);
  }

  Statement guarded(const std::vector<int>& owners, Block body) {
    const Expr* condition = nullptr;
    const CType pred = CType::value(DType::kPred);
    for (const int owner : owners) {
      const Expr* test = kernel_.infix(expressions_.coordinates.at(owner), "==", kernel_.integer(0), pred);
      condition = condition == nullptr ? test : kernel_.infix(condition, "&&", test, pred);
    }
    return {.kind = StatementKind::kIf, .value = condition, .body = std::move(body)};
  }

  Statement store_statement(const Instruction* value, const IndexExpr& offset, NodeId node) {
    const DType dtype = graph_.nodes[node].dtype;
    return assign(expressions_.element(expressions_.output_buffers.at(value), offset, dtype), "=", expressions_.value(node));
  }

  void take_temporaries(int scope_number, Block* block) {
    for (const int item_number : items_.order[scope_number]) {
      const Item& item = items_.all[item_number];
      if (item.kind != Item::Kind::kAssign || !item.through_temporary) continue;
      const DemandLoop::Slot& slot = graph_.loops[item.number].slots[item.slot];
      const Variable* carried = expressions_.variables.at(slot.carried);
      Variable* temporary = kernel_.variable("next", carried->type, carried->origin);
      temporaries_[item_number] = temporary;
      temporary_of_[{item.number, item.slot}] = temporary;
      block->push_back(let(temporary, expressions_.value(slot.next), carried->origin));
    }
  }

  void write(const Item& item, Block* block) {
    switch (item.kind) {
      case Item::Kind::kLet: {
        Variable* variable = expressions_.variables.at(item.node);
        block->push_back(let(variable, expressions_.spell(item.node), variable->origin));
        return;
      }
      case Item::Kind::kIndex:
        block->push_back(let(expressions_.indices.at(item.index), expressions_.index(item.index), nullptr));
        return;
      case Item::Kind::kSinCos: {
        Variable* sine = expressions_.variables.at(item.node);
        Variable* cosine = expressions_.variables.at(item.second);
        block->push_back({.kind = StatementKind::kDeclare, .variable = sine});
        block->push_back({.kind = StatementKind::kDeclare, .variable = cosine});
        const Expr* angle = expressions_.value(graph_.nodes[item.node].operands[0]);
        const CType type = {.kind = CType::Kind::kPointer, .dtype = DType::kF32, .length = 0, .name = "", .is_restrict = false};
        block->push_back({.kind = StatementKind::kExpression,
                          .value = kernel_.call("sincosf", {angle, kernel_.prefix("&", kernel_.reference(sine), type),
                                                            kernel_.prefix("&", kernel_.reference(cosine), type)},
                                                {.kind = CType::Kind::kVoid, .name = ""})});
        return;
      }
      case Item::Kind::kLoop: return write_loop(item.number, block);
      case Item::Kind::kReduce: return write_reduce(item.number, block);
      case Item::Kind::kGuard: return write_guard(item.node, block);
      case Item::Kind::kBreak: {
        const Expr* condition = expressions_.value(graph_.loops[item.number].condition);
        Statement test = {.kind = StatementKind::kIf, .value = kernel_.prefix("!", condition, CType::value(DType::kPred))};
        test.body.push_back({.kind = StatementKind::kBreak});
        block->push_back(std::move(test));
        return;
      }
      case Item::Kind::kAssign: {
        const DemandLoop::Slot& slot = graph_.loops[item.number].slots[item.slot];
        const Expr* target = kernel_.reference(expressions_.variables.at(slot.carried));
        const auto temporary = temporary_of_.find({item.number, item.slot});
        block->push_back(temporary != temporary_of_.end() ? assign(target, "=", kernel_.reference(temporary->second))
                                                          : update(target, expressions_.value(slot.next)));
        return;
      }
      case Item::Kind::kStack: {
        const DemandLoop::Stack& stack = graph_.loops[item.number].stacks[item.slot];
        Block body;
        for (const auto& [offset, value] : stack.stores) body.push_back(store_statement(stack.output, offset, value));
        if (stack.owners.empty()) {
          block->insert(block->end(), body.begin(), body.end());
        } else {
          block->push_back(guarded(stack.owners, std::move(body)));
        }
        return;
      }
      case Item::Kind::kStore: return;
    }
  }

  void write_loop(int number, Block* block) {
    const DemandLoop& loop = graph_.loops[number];
    std::vector<size_t> slots(loop.slots.size());
    for (size_t i = 0; i < slots.size(); ++i) slots[i] = i;
    std::sort(slots.begin(), slots.end(), [&](size_t a, size_t b) {
      return std::tie(loop.slots[a].carry, loop.slots[a].index) < std::tie(loop.slots[b].carry, loop.slots[b].index);
    });
    for (const size_t s : slots) {
      Variable* variable = expressions_.variables.at(loop.slots[s].carried);
      block->push_back({.kind = StatementKind::kDeclare, .variable = variable, .value = expressions_.value(loop.slots[s].init)});
    }
    if (!slots.empty()) block->push_back({.kind = StatementKind::kBlank});
    Statement statement;
    if (loop.counter >= 0) {
      statement.kind = StatementKind::kFor;
      Variable* counter = kernel_.variable("t", CType::value(DType::kS32));
      expressions_.coordinates[loop.counter] = kernel_.reference(counter);
      statement.variable = counter;
      statement.begin = kernel_.integer(0);
      const auto named = expressions_.trip_names.find(loop.counter);
      statement.value = named != expressions_.trip_names.end() ? kernel_.name_expr(named->second)
                                                               : kernel_.integer(graph_.coordinates[loop.counter].extent);
      const auto unroll = options_.unroll.find(loop.instruction);
      if (unroll != options_.unroll.end() && unroll->second > 1) statement.unroll = static_cast<int>(unroll->second);
    } else {
      statement.kind = StatementKind::kWhile;
      statement.value = kernel_.literal(integer_literal(DType::kPred, 1));
    }
    statement.body = scope(loop.scope);
    if (loop.counter < 0 && !statement.body.empty() && statement.body.front().kind == StatementKind::kIf &&
        statement.body.front().body.size() == 1 && statement.body.front().body[0].kind == StatementKind::kBreak) {
      // The test needs nothing computed before it: it is the while's own.
      statement.value = statement.body.front().value->operands[0];
      statement.body.erase(statement.body.begin());
      while (!statement.body.empty() && statement.body.front().kind == StatementKind::kBlank) {
        statement.body.erase(statement.body.begin());
      }
    }
    block->push_back(std::move(statement));
  }

  void write_reduce(int number, Block* block) {
    const DemandReduce& reduce = graph_.reduces[number];
    const Instruction& instruction = *reduce.instruction;
    const bool dot = instruction.opcode == Opcode::kDot;
    std::vector<Variable*> accumulators;
    std::vector<Variable*> results;
    for (size_t id = 0; id < graph_.nodes.size(); ++id) {
      const DemandNode& node = graph_.nodes[id];
      if (node.kind != NodeKind::kReduce || node.reduce != number) continue;
      if (results.size() <= static_cast<size_t>(node.result)) results.resize(node.result + 1, nullptr);
      const auto found = expressions_.variables.find(static_cast<NodeId>(id));
      if (found != expressions_.variables.end()) results[node.result] = found->second;
    }
    const size_t count = dot ? 1 : instruction.operands().size() / 2;
    results.resize(count, nullptr);
    for (size_t i = 0; i < count; ++i) {
      const DType dtype = dot ? instruction.shape.dtype : instruction.operand(i)->shape.dtype;
      const DType type = accumulator_type(dtype);
      Variable* accumulator = nullptr;
      if (!reduce.accumulators.empty() && results[i] == nullptr) {
        accumulator = kernel_.variable(value_name(instruction), CType::value(type), &instruction);
        expressions_.variables[reduce.accumulators[i]] = accumulator;
      } else if (results[i] != nullptr && type == dtype) {
        accumulator = results[i];
      } else {
        accumulator = kernel_.variable("sum", CType::value(type), &instruction);
      }
      accumulators.push_back(accumulator);
      const Expr* init = dot ? kernel_.literal(is_float(type) ? real_literal(type, 0) : integer_literal(type, 0))
                             : expressions_.widen(dtype, expressions_.value(reduce.init[i]));
      block->push_back({.kind = StatementKind::kDeclare, .variable = accumulator, .value = init});
    }
    // Loop variables first: the body refers to them.
    std::vector<Statement> loops;
    for (const int id : graph_.scopes[reduce.scope].coordinates) {
      if (graph_.coordinates[id].extent == 1) continue;
      Statement loop;
      loop.kind = StatementKind::kFor;
      loop.variable = kernel_.variable("k", CType::value(DType::kS32));
      expressions_.coordinates[id] = kernel_.reference(loop.variable);
      loop.begin = kernel_.integer(0);
      loop.value = expressions_.int_constant(graph_.coordinates[id].extent);
      loops.push_back(std::move(loop));
    }
    Block body = scope(reduce.scope);
    if (dot) {
      const Expr* sum = kernel_.reference(accumulators[0]);
      const DType type = accumulators[0]->type.dtype;
      const auto factor = [&](size_t side) {
        const DType dtype = graph_.nodes[reduce.values[side]].dtype;
        const Expr* value = expressions_.widen(dtype, expressions_.value(reduce.values[side]));
        return accumulator_type(dtype) == type ? value : kernel_.cast(CType::value(type), value);
      };
      if (is_float(type)) {
        const std::string fma = type == DType::kF64 ? "fma" : "fmaf";
        body.push_back(assign(sum, "=", kernel_.call(fma, {factor(0), factor(1), sum}, CType::value(type))));
      } else {
        body.push_back(update(sum, kernel_.infix(sum, "+", kernel_.infix(factor(0), "*", factor(1), CType::value(type)), CType::value(type))));
      }
    } else if (reduce.accumulators.empty()) {
      const DType dtype = instruction.operand(0)->shape.dtype;
      const Expr* sum = kernel_.reference(accumulators[0]);
      const Expr* term = expressions_.widen(dtype, expressions_.value(reduce.values[0]));
      body.push_back(update(sum, expressions_.combine(*simple_combiner(**instruction.attributes.to_apply), dtype, sum, term)));
    } else {
      std::vector<const Expr*> next;
      for (const NodeId node : reduce.combined) next.push_back(expressions_.value(node));
      if (count > 1) {
        // All new values before the first assignment: each may read every accumulator.
        for (size_t i = 0; i < count; ++i) {
          Variable* temporary = kernel_.variable("next", accumulators[i]->type, &instruction);
          body.push_back(let(temporary, next[i], &instruction));
          next[i] = kernel_.reference(temporary);
        }
      }
      for (size_t i = 0; i < count; ++i) body.push_back(assign(kernel_.reference(accumulators[i]), "=", next[i]));
    }
    for (size_t i = loops.size(); i-- > 0;) {
      loops[i].body = std::move(body);
      body.clear();
      body.push_back(std::move(loops[i]));
    }
    block->insert(block->end(), body.begin(), body.end());
    for (size_t i = 0; i < count; ++i) {
      if (results[i] == nullptr || results[i] == accumulators[i]) continue;
      block->push_back(let(results[i], expressions_.narrow(results[i]->type.dtype, kernel_.reference(accumulators[i])), &instruction));
    }
  }

  void write_guard(NodeId id, Block* block) {
    const DemandNode& node = graph_.nodes[id];
    Variable* variable = expressions_.variables.at(id);
    Statement guard;
    guard.kind = StatementKind::kIf;
    guard.value = expressions_.in_range(node.expr, node.low, node.high);
    const auto arm = [&](size_t side) {
      Block body;
      if (node.arm_scope[side] != 0 && items_.statement_guard[node.arm_scope[side]]) body = scope(node.arm_scope[side]);
      body.push_back(assign(kernel_.reference(variable), "=", expressions_.value(node.operands[side])));
      return body;
    };
    const bool plain_else = node.arm_scope[1] == 0 || !items_.statement_guard[node.arm_scope[1]];
    const NodeKind other = graph_.nodes[node.operands[1]].kind;
    if (plain_else && (other == NodeKind::kConstant || expressions_.variables.count(node.operands[1]) > 0)) {
      block->push_back({.kind = StatementKind::kDeclare, .variable = variable, .value = expressions_.value(node.operands[1])});
    } else {
      block->push_back({.kind = StatementKind::kDeclare, .variable = variable});
      guard.other = arm(1);
    }
    guard.body = arm(0);
    block->push_back(std::move(guard));
  }

  const DemandGraph& graph_;
  Expressions& expressions_;
  Kernel& kernel_;
  const WriteOptions& options_;
  const Items& items_;
  std::map<int, Variable*> temporaries_;
  std::map<std::pair<int, int>, Variable*> temporary_of_;
};

}  // namespace

Block write_block(const Module& module, const DemandGraph& graph, Expressions& expressions, const WriteOptions& options) {
  const Items items = arrange(module, graph, expressions, options.indent);
  Writer writer(graph, expressions, options, items);
  Block block = writer.scope(0);
  writer.stores(&block);
  name_variables(module, graph, items, expressions, block);
  return block;
}

}  // namespace sinter
