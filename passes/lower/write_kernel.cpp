#include "passes/lower/write_kernel.h"

#include <algorithm>
#include <cmath>

#include "ir/diagnostics.h"
#include "passes/lower/device_functions.h"
#include "passes/lower/items.h"
#include "passes/lower/names.h"
#include "passes/schedule/value_names.h"

namespace sinter {

namespace {

bool mentions(const Expr* expr, const Variable* variable) {
  if (expr == nullptr) return false;
  if (expr->variable == variable) return true;
  for (const Expr* operand : expr->operands) {
    if (mentions(operand, variable)) return true;
  }
  return false;
}

}  // namespace

bool mentions(const Block& block, const Variable* variable) {
  for (const Statement& statement : block) {
    for (const Expr* expr : {statement.target, statement.value, statement.begin}) {
      if (mentions(expr, variable)) return true;
    }
    if (mentions(statement.body, variable) || mentions(statement.other, variable)) return true;
  }
  return false;
}

namespace {

using NodeKind = DemandNode::Kind;
using StatementKind = Statement::Kind;

bool is_identity(Opcode opcode, const Literal& init) { return init.same_value(identity_of(opcode, init.shape().dtype)); }

class Writer {
 public:
  Writer(const DemandGraph& graph, Expressions& expressions, const WriteOptions& options, const Items& items)
      : graph_(graph), expressions_(expressions), kernel_(*expressions.kernel), options_(options), items_(items) {}

  // Statements of a scope; `paragraphs`: open one with a comment where the Python function changes.
  Block scope(int number) {
    Block block;
    // The passes of a row kernel are its paragraphs.
    std::string function = several_functions(number) && !options_.rows ? "" : kNoParagraphs;
    bool ended = false;
    for (const int item_number : items_.order[number]) {
      const Item& item = items_.all[item_number];
      const bool assigns = item.kind == Item::Kind::kAssign || item.kind == Item::Kind::kStack;
      if (assigns && !ended) {
        take_temporaries(number, &block);
        ended = true;
      }
      if (item.kind == Item::Kind::kStore) {
        if (number != 0) block.push_back(store_statement(graph_.stores[item.number]));
        continue;
      }
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
      target.push_back(store_statement(store));
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
      const Expr* right = value->operands[1];
      // Adding a condition to a count needs no cast.
      if (right->kind == Expr::Kind::kCast && is_integer(right->type.dtype) && right->operands[0]->type == CType::value(DType::kPred)) {
        right = right->operands[0];
      }
      if (operators.count(value->text) > 0) return assign(target, value->text + "=", right);
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

  Statement store_statement(const DemandStore& store) {
    const DType dtype = graph_.nodes[store.node].dtype;
    const Variable* pointer = expressions_.output_buffers.at(store.value);
    return assign(expressions_.element(pointer, store.offset, dtype), "=", expressions_.value(store.node));
  }

  void take_temporaries(int scope_number, Block* block) {
    for (const int item_number : items_.order[scope_number]) {
      const Item& item = items_.all[item_number];
      if (item.kind != Item::Kind::kAssign || !item.through_temporary) continue;
      const DemandLoop::Slot& slot = graph_.loops[item.number].slots[item.slot];
      const Variable* carried = expressions_.variables.at(slot.carried);
      Variable* temporary = kernel_.variable("next", carried->type, carried->origin);
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
        for (const auto& [offset, value] : stack.stores) body.push_back(store_statement({stack.output, offset, value}));
        if (stack.owners.empty()) {
          block->insert(block->end(), body.begin(), body.end());
        } else {
          block->push_back(guarded(stack.owners, std::move(body)));
        }
        return;
      }
      case Item::Kind::kKeep:
        block->push_back(assign(expressions_.value(item.node), "=", expressions_.spell(item.node)));
        return;
      case Item::Kind::kPhase: return write_phase(item.number, block);
      case Item::Kind::kLanes: return write_lanes(block);
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
    join_nested_guard(&guard, variable, block->back().value);
    block->push_back(std::move(guard));
  }

  // if (a) { T inner = other; if (b) { ...; inner = x; } outer = inner; }, where outer is `other` too, is
  // if (a && b) { ...; outer = x; }.
  void join_nested_guard(Statement* guard, const Variable* outer, const Expr* other) {
    Block& body = guard->body;
    if (!guard->other.empty() || other == nullptr || body.size() != 3) return;
    const Statement& declared = body[0];
    Statement& nested = body[1];
    if (declared.kind != StatementKind::kDeclare || declared.value == nullptr || nested.kind != StatementKind::kIf) return;
    if (!nested.other.empty() || nested.body.empty() || body[2].kind != StatementKind::kAssign) return;
    const Statement& last = nested.body.back();
    const bool same_other = (other->kind == Expr::Kind::kVariable && declared.value->variable == other->variable) ||
                            (other->kind == Expr::Kind::kLiteral && declared.value->kind == Expr::Kind::kLiteral &&
                             declared.value->literal.same_value(other->literal));
    if (!same_other || last.kind != StatementKind::kAssign || last.text != "=" || last.target->variable != declared.variable ||
        body[2].value->variable != declared.variable || body[2].target->variable != outer) {
      return;
    }
    Statement joined = {.kind = StatementKind::kIf};
    joined.value = kernel_.infix(guard->value, "&&", nested.value, CType::value(DType::kPred));
    joined.body = std::move(nested.body);
    joined.body.back().target = kernel_.reference(outer);
    *guard = std::move(joined);
  }

  // One pass over a row's columns: elements that stay in registers, what this pass reduces, the loop, and the
  // exchange between the row's threads.
  void write_phase(int number, Block* block) {
    const ColumnPhase& phase = graph_.phases[number];
    const WriteOptions::Rows& rows = *options_.rows;
    phase_comment(phase, block);
    const CType index = CType::value(DType::kS32);
    std::vector<Variable*> accumulators;
    for (const int r : phase.reduces) {
      const DemandReduce& reduce = graph_.reduces[r];
      const DType dtype = reduce.instruction->operand(0)->shape.dtype;
      Variable* result = nullptr;
      for (size_t id = 0; id < graph_.nodes.size(); ++id) {
        const auto named = expressions_.variables.find(static_cast<NodeId>(id));
        if (graph_.nodes[id].kind == NodeKind::kReduce && graph_.nodes[id].reduce == r && named != expressions_.variables.end()) result = named->second;
      }
      result->type = CType::value(accumulator_type(dtype));
      accumulators.push_back(result);
      const Literal identity = identity_of(*simple_combiner(**reduce.instruction->attributes.to_apply), result->type.dtype);
      block->push_back({.kind = StatementKind::kDeclare, .variable = result, .value = kernel_.literal(identity)});
    }
    for (const auto& [slot, node] : phase.keeps) {
      block->push_back({.kind = StatementKind::kDeclare, .variable = expressions_.arrays[slot]});
    }

    Variable* column = kernel_.variable("column", index);
    expressions_.coordinates[phase.coordinate] = kernel_.reference(column);
    const Expr* thread = kernel_.name_expr(rows.thread);
    Statement loop;
    loop.kind = StatementKind::kFor;
    const Expr* outer_slot = expressions_.slot;
    if (rows.registers) {
      Variable* k = kernel_.variable("k", index);
      expressions_.slot = kernel_.reference(k);
      loop.variable = k;
      loop.begin = kernel_.integer(0);
      loop.value = kernel_.name_expr("kPerThread");
      loop.unroll = Statement::kUnrollFully;
    } else {
      loop.variable = column;
      loop.begin = thread;
      loop.value = kernel_.name_expr("kColumns");
      loop.step = rows.threads;
    }
    Block body = scope(phase.scope);
    for (size_t i = 0; i < phase.reduces.size(); ++i) {
      const DemandReduce& reduce = graph_.reduces[phase.reduces[i]];
      const DType dtype = reduce.instruction->operand(0)->shape.dtype;
      const Expr* sum = kernel_.reference(accumulators[i]);
      const Expr* term = expressions_.widen(dtype, expressions_.value(reduce.values[0]));
      body.push_back(update(sum, expressions_.combine(*simple_combiner(**reduce.instruction->attributes.to_apply), dtype, sum, term)));
    }
    if (rows.registers) {
      Block slot_body;
      const bool reads_column = !rows.exact || mentions(body, column);
      const Expr* place = kernel_.infix(kernel_.infix(expressions_.slot, "*", kernel_.name_expr(rows.threads_name), index), "+", thread, index);
      if (reads_column) slot_body.push_back(let(column, place, nullptr));
      if (rows.exact) {
        slot_body.insert(slot_body.end(), body.begin(), body.end());
      } else {
        Statement inside = {.kind = StatementKind::kIf};
        inside.value = kernel_.infix(kernel_.reference(column), "<", kernel_.name_expr("kColumns"), CType::value(DType::kPred));
        inside.body = std::move(body);
        slot_body.push_back(std::move(inside));
      }
      loop.body = std::move(slot_body);
    } else {
      loop.body = std::move(body);
    }
    block->push_back(std::move(loop));
    expressions_.slot = outer_slot;

    for (size_t i = 0; i < phase.reduces.size(); ++i) {
      const DemandReduce& reduce = graph_.reduces[phase.reduces[i]];
      const Opcode opcode = *simple_combiner(**reduce.instruction->attributes.to_apply);
      const DType dtype = reduce.instruction->operand(0)->shape.dtype;
      const DType type = accumulators[i]->type.dtype;
      const Expr* sum = kernel_.reference(accumulators[i]);
      kernel_.headers.insert("device/combine.cuh");
      kernel_.headers.insert(rows.reduce_header);
      const Expr* total = kernel_.call(rows.reduce, {sum, kernel_.call(functor(opcode), {}, CType::value(type))}, CType::value(type));
      block->push_back(assign(sum, "=", total));
      const DemandNode& init = graph_.nodes[reduce.init[0]];
      const bool identity = init.kind == NodeKind::kConstant &&
                            is_identity(opcode, init.literal);
      if (!identity) {
        block->push_back(update(sum, expressions_.combine(opcode, dtype, sum, expressions_.widen(dtype, expressions_.value(reduce.init[0])))));
      }
      if (type != dtype) {
        // The result is the narrow value; further use reads it through the accumulator's rounding.
        block->push_back(assign(sum, "=", expressions_.widen(dtype, expressions_.narrow(dtype, sum))));
      }
    }
  }

  // "// exponential, sum": what this pass leaves behind.
  void phase_comment(const ColumnPhase& phase, Block* block) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    };
    for (const auto& [slot, node] : phase.keeps) {
      if (graph_.nodes[node].kind != NodeKind::kLoad) add(value_name(*graph_.nodes[node].instruction));
    }
    for (const int r : phase.reduces) add(value_name(*graph_.reduces[r].instruction));
    for (const DemandStore& store : graph_.stores) {
      if (store.scope == phase.scope) add(expressions_.output_buffers.at(store.value)->name);
    }
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    if (!block->empty()) block->push_back({.kind = StatementKind::kBlank});
    block->push_back({.kind = StatementKind::kComment, .text = text});
  }

  static std::string functor(Opcode opcode) {
    switch (opcode) {
      case Opcode::kAdd: return "Add";
      case Opcode::kMultiply: return "Multiply";
      case Opcode::kMaximum: return "Maximum";
      case Opcode::kMinimum: return "Minimum";
      case Opcode::kAnd: return "And";
      case Opcode::kOr: return "Or";
      default: return "Xor";
    }
  }

  // The lanes of a vectorised map kernel: contiguous operands with one access each, the elements, contiguous results.
  void write_lanes(Block* block) {
    const WriteOptions::Lanes& lanes = *options_.lanes;
    const CType index = CType::value(expressions_.index_type);
    const auto pointer_at = [&](const Variable* pointer, const IndexExpr& offset) {
      return kernel_.infix(kernel_.reference(pointer), "+", expressions_.index_or_name(offset), pointer->type);
    };
    kernel_.headers.insert("device/vector_access.cuh");
    // Accesses are keyed by their offset with the lane, spelled by their offset at lane 0.
    const auto first_of = [&](const IndexExpr& offset) {
      return offset.substitute([&](const IndexExpr::Atom& atom) -> std::optional<IndexExpr> {
        if (atom.kind == IndexExpr::AtomKind::kCoordinate && atom.id == lanes.lane) return IndexExpr(0);
        return std::nullopt;
      });
    };
    const auto vector_variable = [&](const Variable* pointer, const IndexExpr& offset) -> Variable* {
      if (!lanes.aligned(offset)) return nullptr;
      Variable*& variable = expressions_.vectors[{pointer, offset}];
      if (variable == nullptr) {
        CType type = CType::value(pointer->type.dtype);
        type.kind = CType::Kind::kVector;
        type.length = lanes.width;
        variable = kernel_.variable(pointer->name + "_values", type);
        return variable;
      }
      return nullptr;
    };
    for (const auto& [offset_node, node] : lanes.loads) {
      const DemandNode& load = graph_.nodes[node];
      const Variable* pointer = expressions_.buffers.at(load.instruction);
      Variable* variable = vector_variable(pointer, load.expr);
      if (variable == nullptr) continue;
      block->push_back(let(variable, kernel_.call("load_vector<kWidth>", {pointer_at(pointer, first_of(load.expr))}, variable->type), nullptr));
    }
    std::vector<std::pair<const DemandStore*, Variable*>> stores;
    for (const DemandStore& store : graph_.stores) {
      const Variable* pointer = expressions_.output_buffers.at(store.value);
      Variable* variable = vector_variable(pointer, store.offset);
      if (variable == nullptr) continue;
      block->push_back({.kind = StatementKind::kDeclare, .variable = variable});
      stores.emplace_back(&store, variable);
    }
    Statement loop;
    loop.kind = StatementKind::kFor;
    loop.variable = kernel_.variable("k", CType::value(DType::kS32));
    loop.begin = kernel_.integer(0);
    loop.value = kernel_.name_expr("kWidth");
    loop.unroll = Statement::kUnrollFully;
    expressions_.slot = kernel_.reference(loop.variable);
    expressions_.coordinates[lanes.lane] = expressions_.slot;
    loop.body = scope(lanes.scope);
    block->push_back(std::move(loop));
    for (const auto& [store, variable] : stores) {
      const Variable* pointer = expressions_.output_buffers.at(store->value);
      block->push_back({.kind = StatementKind::kExpression,
                        .value = kernel_.call("store_vector", {pointer_at(pointer, first_of(store->offset)), kernel_.reference(variable)},
                                              {.kind = CType::Kind::kVoid, .name = ""})});
    }
    (void)index;
  }

  const DemandGraph& graph_;
  Expressions& expressions_;
  Kernel& kernel_;
  const WriteOptions& options_;
  const Items& items_;
  std::map<std::pair<int, int>, Variable*> temporary_of_;
};

}  // namespace

Literal identity_of(Opcode opcode, DType dtype) {
  const bool real = is_float(dtype);
  const auto integer = [&](int64_t value) { return integer_literal(dtype, value); };
  const int bits = dtype_bits(dtype);
  switch (opcode) {
    case Opcode::kMultiply: return real ? real_literal(dtype, 1) : integer(1);
    case Opcode::kAnd: return dtype == DType::kPred ? integer(1) : integer(-1);
    case Opcode::kMaximum:
      if (real) return real_literal(dtype, -INFINITY);
      return is_signed_integer(dtype) ? integer(static_cast<int64_t>(uint64_t{1} << 63) >> (64 - bits)) : integer(0);
    case Opcode::kMinimum:
      if (real) return real_literal(dtype, INFINITY);
      if (dtype == DType::kPred) return integer(1);
      return is_signed_integer(dtype) ? integer(static_cast<int64_t>(~uint64_t{0} >> (65 - bits))) : integer(-1);
    default: return real ? real_literal(dtype, 0) : integer(0);
  }
}

Block write_block(const Module& module, const DemandGraph& graph, Expressions& expressions, const WriteOptions& options) {
  if (!expressions.functions) expressions.functions = std::make_shared<DeviceFunctions>(module, *expressions.kernel);
  const Items items = arrange(module, graph, expressions);
  Writer writer(graph, expressions, options, items);
  Block block = writer.scope(0);
  writer.stores(&block);
  name_variables(graph, items, expressions, block);
  return block;
}

}  // namespace sinter
