#include "passes/lower/write/write_kernel.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "passes/lower/arrange/items.h"
#include "passes/lower/arrange/names.h"
#include "passes/lower/rewrite/drop_unread.h"
#include "passes/lower/rewrite/join_fill.h"
#include "passes/lower/rewrite/join_loops.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/rewrite/merge_values.h"
#include "passes/lower/rewrite/roll_rows.h"
#include "passes/lower/text/assignment.h"
#include "passes/lower/text/named_numbers.h"
#include "passes/lower/write/device_functions.h"
#include "passes/lower/write/name_terms.h"
#include "passes/lower/write/writer.h"
#include "passes/names/value_names.h"

namespace sinter {

using StatementKind = Statement::Kind;

namespace {

constexpr const char* kNoParagraphs = "-";

}  // namespace

Block Writer::scope(int number) {
  Block block;
  const Guarded outer = std::exchange(last_guard_, {});
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
    if (item.kind == Item::Kind::kFew) continue;  // stores() has them
    if (function != kNoParagraphs && !item.place.function.empty() && item.place.function != function) {
      function = item.place.function;
      if (!block.empty()) block.push_back({.kind = StatementKind::kBlank});
      block.push_back(paragraph(function));
    }
    write(item, &block);
  }
  join_fills(&kernel_, &block);
  join_loops(&kernel_, &block);
  if (number != 0) load_vectors(number, &block);
  last_guard_ = outer;
  return block;
}

// const Vector<float, 2> x_values = load_vector<2>(x + index); in front of what reads it first.
void Writer::load_vectors(int scope, Block* block) {
  for (const VectorOfLoads& loads : items_.vectors) {
    if (loads.run.scope != scope) continue;
    const auto reads = [&](const Statement& statement) { return mentions(Block{statement}, loads.vector); };
    const auto first = std::ranges::find_if(*block, reads);
    const auto is_own = [&](const Statement& statement) { return statement.variable == loads.vector; };
    if (first == block->end() || std::ranges::any_of(*block, is_own)) continue;
    const DemandNode& start = graph_.nodes[loads.run.loads[0]];
    const Expr* address =
        element_address(expressions_.buffers.at(start.instruction), expressions_.index_or_name(start.expr));
    const std::string call = "load_vector<" + std::to_string(loads.run.loads.size()) + ">";
    block->insert(first, let(loads.vector, kernel_.call(call, {address}, loads.vector->type), nullptr));
    kernel_.headers.insert("device/vector_access.cuh");
  }
}

Block Writer::first_thread() {
  if (graph_.first_thread < 0) return {};
  Statement own = {.kind = StatementKind::kIf};
  own.value = kernel_.infix(kernel_.name_expr("threadIdx.x"), "==", kernel_.integer(0), CType::value(DType::kPred));
  own.body = scope(graph_.first_thread);
  for (const auto& [node, member] : expressions_.block_members) {
    own.body.push_back(assign(expressions_.spell(node), "=", expressions_.value(graph_.nodes[node].operands[0])));
  }
  return {std::move(own), block_barrier(&kernel_), {.kind = StatementKind::kBlank}};
}

void Writer::stores(Block* block) {
  std::map<std::vector<int>, Block> owned;
  const std::vector<int64_t> at_once =
      expressions_.owns_element == nullptr ? stores_at_once(graph_) : std::vector<int64_t>(graph_.stores.size(), 1);
  Block all, few;
  for (const int item_number : items_.order[0]) {
    const Item& item = items_.all[item_number];
    if (item.kind == Item::Kind::kFew) few.push_back(of_first_threads(item.number));
    if (item.kind != Item::Kind::kStore || at_once[item.number] == 0) continue;
    const DemandStore& store = graph_.stores[item.number];
    if (at_once[item.number] > 1) {
      store_neighbours(item.number, at_once[item.number], &all);
      continue;
    }
    Block& target = store.owners.empty() && expressions_.owns_element == nullptr ? all : owned[store.owners];
    target.push_back(store_statement(store));
  }
  if (!block->empty() && (!all.empty() || !owned.empty() || !few.empty()))
    block->push_back({.kind = StatementKind::kBlank});
  block->insert(block->end(), all.begin(), all.end());
  for (auto& [owners, body] : owned) block->push_back(guarded(owners, std::move(body)));
  block->insert(block->end(), few.begin(), few.end());
}

// if (element < 24) { ... }
Statement Writer::of_first_threads(int number) {
  const int coordinate = graph_.scopes[number].coordinates[0];
  Statement few = {.kind = StatementKind::kIf};
  few.value = kernel_.infix(expressions_.coordinates.at(coordinate), "<",
                            kernel_.integer(graph_.coordinates[coordinate].extent), CType::value(DType::kPred));
  few.body = scope(number);
  return few;
}

// What opens a paragraph of a Python function. The file is called after the program's or the kernel's own, and its
// comment says so: theirs is a line that is left free.
Statement Writer::paragraph(const std::string& function) const {
  const std::string& program = module_.name;
  // Words that say something else in CUDA are no comments.
  static const std::set<std::string> words = {"block", "grid", "thread", "warp"};
  const bool is_own = function == program || "jit_" + function == program || function == without_number(kernel_.name) ||
                      words.count(function) > 0;
  return {.kind = is_own ? StatementKind::kBlank : StatementKind::kComment, .text = function};
}

bool Writer::several_functions(int number) const {
  std::set<std::string> functions;
  for (const int item : items_.order[number]) {
    if (!items_.all[item].place.function.empty() && items_.all[item].kind != Item::Kind::kStore) {
      functions.insert(items_.all[item].place.function);
    }
  }
  return functions.size() > 1;
}

Statement Writer::update(const Expr* target, const Expr* value) { return assignment(target, value); }

Statement Writer::guarded(const std::vector<int>& owners, Block body) {
  const Expr* condition = expressions_.owns_element;
  const CType pred = CType::value(DType::kPred);
  for (const int owner : owners) {
    const Expr* test = kernel_.infix(expressions_.coordinates.at(owner), "==", kernel_.integer(0), pred);
    condition = condition == nullptr ? test : kernel_.infix(condition, "&&", test, pred);
  }
  return {.kind = StatementKind::kIf, .value = condition, .body = std::move(body)};
}

Statement Writer::store_statement(const DemandStore& store) {
  const DType dtype = graph_.nodes[store.node].dtype;
  const Variable* pointer = expressions_.output_buffers.at(store.value);
  Statement statement = assign(expressions_.element(pointer, store.offset, dtype), "=", expressions_.value(store.node));
  statement.origin = graph_.nodes[store.node].instruction;
  return statement;
}

// Vector<float, 4> y_values; y_values[0] = ...; store_vector(y + index, y_values);
void Writer::store_neighbours(size_t first, int64_t width, Block* block) {
  const DemandStore& start = graph_.stores[first];
  const Variable* pointer = expressions_.output_buffers.at(start.value);
  Variable* vector = vector_variable(pointer, "_values", width);
  vector->type.extent = std::to_string(width);
  block->push_back({.kind = StatementKind::kDeclare, .variable = vector});
  for (int64_t i = 0; i < width; ++i) {
    const DemandStore& store = graph_.stores[first + static_cast<size_t>(i)];
    const Expr* element =
        kernel_.subscript(kernel_.reference(vector), kernel_.integer(i), CType::value(graph_.nodes[store.node].dtype));
    block->push_back(assign(element, "=", expressions_.value(store.node)));
    block->back().origin = graph_.nodes[store.node].instruction;
  }
  block->push_back(store_vector(vector, element_address(pointer, expressions_.index_or_name(start.offset))));
  kernel_.headers.insert("device/vector_access.cuh");
}

void Writer::take_temporaries(int scope_number, Block* block) {
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

void Writer::write_quotients(const Item& item, Block* block) {
  const DemandNode& first = graph_.nodes[item.node];
  const CType type = CType::value(DType::kF32);
  const auto pointer_to = [&](NodeId node) {
    Variable* variable = expressions_.variables.at(node);
    block->push_back({.kind = StatementKind::kDeclare, .variable = variable});
    const CType pointer = {.kind = CType::Kind::kPointer, .dtype = DType::kF32, .is_restrict = false};
    return kernel_.prefix("&", kernel_.reference(variable), pointer);
  };
  const Expr* to_first = pointer_to(item.node);
  const Expr* to_second = pointer_to(item.second);
  std::vector<const Expr*> factors;
  const Instruction& quotient = *graph_.nodes[item.second].instruction;
  const auto number_or_value = [&](NodeId node) {
    const DemandNode& demanded = graph_.nodes[node];
    const bool is_number = demanded.kind == DemandNode::Kind::kConstant && !expressions_.named(node);
    const Expr* name = is_number ? named_number(&kernel_, quotient, demanded.literal) : nullptr;
    return name != nullptr ? name : expressions_.value(node);
  };
  for (const NodeId factor : items_.quotients.at(item.node).factors) factors.push_back(number_or_value(factor));
  const CType array = {.kind = CType::Kind::kArray, .dtype = DType::kF32, .length = std::ssize(factors)};
  const Expr* divisor = kernel_.call("Divisor", {number_or_value(graph_.nodes[item.second].operands[1])}, type);
  kernel_.headers.insert("device/divide_twice.cuh");
  block->push_back({.kind = StatementKind::kExpression,
                    .value = kernel_.call("divide_twice",
                                          {expressions_.value(first.operands[0]), expressions_.value(first.operands[1]),
                                           to_first, kernel_.braces(std::move(factors), array), divisor, to_second},
                                          {.kind = CType::Kind::kVoid})});
}

void Writer::write(const Item& item, Block* block) {
  switch (item.kind) {
    case Item::Kind::kLet: {
      if (placed_.count(item.node) > 0) return;
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
      const CType type = {.kind = CType::Kind::kPointer, .dtype = DType::kF32, .is_restrict = false};
      block->push_back({.kind = StatementKind::kExpression,
                        .value = kernel_.call("sincosf",
                                              {angle, kernel_.prefix("&", kernel_.reference(sine), type),
                                               kernel_.prefix("&", kernel_.reference(cosine), type)},
                                              {.kind = CType::Kind::kVoid})});
      return;
    }
    case Item::Kind::kDivide:
      return write_quotients(item, block);
    case Item::Kind::kLoop:
      return write_loop(item.number, block);
    case Item::Kind::kReduce:
      return write_reduce(item.number, block);
    case Item::Kind::kGuard:
      return write_guard(item, block);
    case Item::Kind::kBreak: {
      const Expr* condition = expressions_.value(graph_.loops[item.number].condition);
      Statement test = {.kind = StatementKind::kIf,
                        .value = kernel_.prefix("!", condition, CType::value(DType::kPred))};
      test.body.push_back({.kind = StatementKind::kBreak});
      block->push_back(std::move(test));
      return;
    }
    case Item::Kind::kAssign: {
      const DemandLoop::Slot& slot = graph_.loops[item.number].slots[item.slot];
      const Variable* carried = expressions_.variables.at(slot.carried);
      const Expr* target = kernel_.reference(carried);
      const auto temporary = temporary_of_.find({item.number, item.slot});
      const bool is_taken = temporary != temporary_of_.end();
      const Expr* value = is_taken ? kernel_.reference(temporary->second) : expressions_.value(slot.next);
      // An element that no step changes, beside others that do.
      if (value->kind == Expr::Kind::kVariable && value->variable == carried) return;
      Statement next = is_taken ? assign(target, "=", value) : update(target, value);
      const Instruction* root = (*graph_.loops[item.number].instruction->attributes->body)->root();
      next.origin = root->opcode == Opcode::kTuple ? root->operand(static_cast<size_t>(slot.carry)) : root;
      block->push_back(std::move(next));
      return;
    }
    case Item::Kind::kStack: {
      const DemandLoop::Stack& stack = graph_.loops[item.number].stacks[item.slot];
      if (stack.reduce != nullptr) {
        block->push_back(put_in_batch(item.number, item.slot));
        return;
      }
      Block body;
      for (const auto& [offset, value] : stack.stores) body.push_back(store_statement({stack.output, offset, value}));
      if (stack.owners.empty() && expressions_.owns_element == nullptr) {
        block->insert(block->end(), body.begin(), body.end());
      } else if (last_guard_.block == block && last_guard_.size == block->size() &&
                 last_guard_.owners == stack.owners) {
        Block& guarded = block->back().body;
        guarded.insert(guarded.end(), body.begin(), body.end());
      } else {
        block->push_back(guarded(stack.owners, std::move(body)));
        last_guard_ = {block, block->size(), stack.owners};
      }
      return;
    }
    case Item::Kind::kKeep:
      if (declares_where_set()) {
        Variable* held = expressions_.arrays[expressions_.kept.at(item.node)];
        block->push_back(let(held, expressions_.spell(item.node), held->origin));
      } else {
        block->push_back(assign(expressions_.value(item.node), "=", expressions_.spell(item.node)));
      }
      return;
    case Item::Kind::kPhase:
      return write_phase(item.number, block);
    case Item::Kind::kExchange:
      return write_exchange(item, block);
    case Item::Kind::kLanes:
      return write_lanes(block);
    case Item::Kind::kFew:
    case Item::Kind::kStore:
      return;
  }
}

Variable* declare_shared(Kernel* kernel, Block* block) {
  Variable* variable = kernel->variable("shared", CType::named("Shared&"));
  block->push_back({.kind = StatementKind::kDeclare,
                    .variable = variable,
                    .value = kernel->call("block_shared<Shared>", {}, CType::named("Shared"))});
  return variable;
}

Statement block_barrier(Kernel* kernel) {
  return {.kind = StatementKind::kExpression, .value = kernel->call("__syncthreads", {}, {.kind = CType::Kind::kVoid})};
}

namespace {

std::set<const Variable*> carries(const DemandGraph& graph, const Expressions& expressions) {
  std::set<const Variable*> variables;
  for (const DemandLoop& loop : graph.loops) {
    for (const DemandLoop::Slot& slot : loop.slots) {
      const auto variable = expressions.variables.find(slot.carried);
      if (variable != expressions.variables.end()) variables.insert(variable->second);
    }
  }
  return variables;
}

// Rows of what loops carry: of each, the elements along one dimension that a thread has variables for.
std::vector<RowOfVariables> rows_of_carries(const DemandGraph& graph, const Expressions& expressions) {
  constexpr int64_t kShortest = 17;  // elements: fewer are read as they stand
  std::vector<RowOfVariables> rows;
  for (const DemandLoop& loop : graph.loops) {
    std::set<const Variable*> taken;
    for (const DemandLoop::Slot& first : loop.slots) {
      for (size_t d = first.index.size(); d-- > 0;) {
        if (!first.index[d].is_constant() || first.index[d].constant() != 0) continue;
        std::map<int64_t, Variable*> elements;
        for (const DemandLoop::Slot& slot : loop.slots) {
          std::vector<IndexExpr> place = slot.index;
          if (slot.carry != first.carry || !place[d].is_constant()) continue;
          const int64_t number = place[d].constant();
          place[d] = 0;
          Variable* variable = expressions.variables.at(slot.carried);
          if (place == first.index && taken.count(variable) == 0) elements[number] = variable;
        }
        if (std::ssize(elements) < kShortest || elements.rbegin()->first != std::ssize(elements) - 1) continue;
        RowOfVariables row;
        for (const auto& [number, variable] : elements) row.push_back(variable);
        taken.insert(row.begin(), row.end());
        rows.push_back(std::move(row));
      }
    }
  }
  return rows;
}

}  // namespace

Block write_block(const Module& module, const DemandGraph& graph, Expressions& expressions, const WriteOptions& options,
                  Block* first) {
  if (!expressions.functions) expressions.functions = DeviceFunctions::table(module, *expressions.kernel);
  const Items items = arrange(module, graph, expressions);
  Writer writer(module, graph, expressions, options, items);
  Block block = writer.first_thread();
  const auto size = static_cast<std::ptrdiff_t>(block.size());
  Block statements = writer.scope(0);
  writer.stores(&statements);
  writer.load_vectors(0, &statements);
  // Results are read by statements that are not here.
  if (graph.results.empty()) {
    const std::map<const Variable*, Variable*> merged = merge_values(expressions.kernel, &statements);
    for (auto& [node, variable] : expressions.variables) {
      if (const auto same = merged.find(variable); same != merged.end()) variable = same->second;
    }
    drop_unread(carries(graph, expressions), &statements);
  }
  block.insert(block.end(), statements.begin(), statements.end());
  writer.name_counts(&block);
  drop_unread_terms(block, &expressions);
  name_variables(graph, items, expressions, block);
  if (first != nullptr) first->assign(block.begin(), block.begin() + size);
  block.erase(block.begin(), block.begin() + size);
  roll_rows(expressions.kernel, rows_of_carries(graph, expressions), &block);
  return block;
}

}  // namespace sinter
