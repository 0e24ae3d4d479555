// Statements of a reduction, window or contraction that one thread computes.
#include <utility>

#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/demand/lane_steps.h"
#include "passes/lower/rewrite/jam_loop.h"
#include "passes/lower/text/combiners.h"
#include "passes/lower/write/writer.h"
#include "passes/names/value_names.h"

namespace sinter {

using StatementKind = Statement::Kind;
using NodeKind = DemandNode::Kind;

namespace {

const Computation& combiner_of(const Instruction& instruction) {
  const Attributes& attributes = instruction.attributes;
  return instruction.opcode == Opcode::kSelectAndScatter ? **attributes.scatter : **attributes.to_apply;
}

}  // namespace

void Writer::write_reduce(int number, Block* block) {
  const DemandReduce& reduce = graph_.reduces[number];
  if (reduce.chooses) return write_choice(number, block);
  if (reduce.fills) return write_fill(number, block);
  const Instruction& instruction = *reduce.instruction;
  const bool dot = is_dot_or_convolution(instruction);
  const bool of_lanes = lanes_of_steps(graph_, reduce) > 0;
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
    if (!reduce.is_read(i)) {
      accumulators.push_back(nullptr);
      continue;
    }
    const DType dtype = dot ? instruction.shape.dtype : instruction.operand(i)->shape.dtype;
    // A combiner of several operations computes in the type itself, one by one.
    const bool general = !reduce.accumulators.empty();
    const DType type = general ? dtype : accumulator_type(dtype);
    Variable* accumulator = nullptr;
    if (general && results[i] == nullptr) {
      accumulator = kernel_.variable(value_name(instruction), CType::value(type), &instruction);
      expressions_.variables[reduce.accumulators[i]] = accumulator;
    } else if (results[i] != nullptr && type == dtype) {
      accumulator = results[i];
    } else if (of_lanes) {
      accumulator = results[i];  // in the type of sums, which its elements are read in
    } else {
      const Opcode opcode = dot ? Opcode::kAdd : *simple_combiner(combiner_of(instruction));
      accumulator = kernel_.variable(accumulator_name(opcode), CType::value(type), &instruction);
    }
    accumulators.push_back(accumulator);
    const Expr* init = nullptr;
    if (dot) {
      init = kernel_.literal(Literal(Shape::scalar(type)));
    } else {
      init = expressions_.value(reduce.init[i]);
      if (type != dtype) init = expressions_.widen(dtype, init);
    }
    if (of_lanes) {
      declare_sums(accumulator, init, block);
    } else {
      block->push_back({.kind = StatementKind::kDeclare, .variable = accumulator, .value = init});
    }
  }
  // The sum of the element that a step is made for.
  const auto running = [&]() -> const Expr* {
    const Expr* sum = kernel_.reference(accumulators[0]);
    return of_lanes ? kernel_.subscript(sum, expressions_.lane, CType::value(sum->type.dtype)) : sum;
  };
  Block loops = in_loops(reduce, [&](Block& body) {
    if (dot) {
      const Expr* sum = running();
      const DType type = accumulators[0]->type.dtype;
      const Expr* next = expressions_.add_product(type, sum, reduce.values[0], reduce.values[1]);
      body.push_back(next->kind == Expr::Kind::kInfix && type != DType::kPred ? update(sum, next)
                                                                              : assign(sum, "=", next));
    } else if (reduce.accumulators.empty()) {
      const DType dtype = instruction.operand(0)->shape.dtype;
      const Expr* sum = running();
      const Expr* term = expressions_.widen(dtype, expressions_.value(reduce.values[0]));
      body.push_back(update(sum, expressions_.combine(*simple_combiner(combiner_of(instruction)), dtype, sum, term)));
    } else {
      std::vector<std::pair<Variable*, const Expr*>> next;
      for (size_t i = 0; i < count; ++i) {
        if (reduce.is_read(i)) next.emplace_back(accumulators[i], expressions_.value(reduce.combined[i]));
      }
      if (next.size() > 1) {
        // All new values before the first assignment: each may read every accumulator.
        for (auto& [accumulator, value] : next) {
          Variable* temporary = kernel_.variable("next", accumulator->type, &instruction);
          body.push_back(let(temporary, value, &instruction));
          value = kernel_.reference(temporary);
        }
      }
      for (const auto& [accumulator, value] : next) {
        const bool is_itself = value->kind == Expr::Kind::kVariable && value->variable == accumulator;
        if (!is_itself) body.push_back(assign(kernel_.reference(accumulator), "=", value));
      }
    }
  });
  block->insert(block->end(), loops.begin(), loops.end());
  for (size_t i = 0; i < count; ++i) {
    if (results[i] == nullptr || results[i] == accumulators[i]) continue;
    block->push_back(
        let(results[i], expressions_.narrow(results[i]->type.dtype, kernel_.reference(accumulators[i])), &instruction));
  }
}

// `before`, then `body` if all tests hold.
Block Writer::behind(const std::vector<DemandTest>& tests, Block before, Block body) {
  const Expr* condition = expressions_.in_range(tests);
  if (condition == nullptr) {
    before.insert(before.end(), body.begin(), body.end());
  } else {
    before.push_back({.kind = StatementKind::kIf, .value = condition, .body = std::move(body)});
  }
  return before;
}

// An array of the thread's own, filled element by element.
void Writer::write_fill(int number, Block* block) {
  const DemandReduce& reduce = graph_.reduces[number];
  std::vector<Variable*> arrays(reduce.values.size());
  for (size_t id = 0; id < graph_.nodes.size(); ++id) {
    const DemandNode& node = graph_.nodes[id];
    if (node.kind == NodeKind::kReduce && node.reduce == number)
      arrays[static_cast<size_t>(node.result)] = expressions_.variables.at(static_cast<NodeId>(id));
  }
  for (Variable* array : arrays) block->push_back({.kind = StatementKind::kDeclare, .variable = array});
  const IndexExpr place = graph_.step_in(reduce.scope);
  Block loops = in_loops(reduce, [&](Block& body) {
    for (size_t i = 0; i < arrays.size(); ++i) {
      const Expr* element = kernel_.subscript(kernel_.reference(arrays[i]), expressions_.index(place),
                                              CType::value(graph_.nodes[reduce.values[i]].dtype));
      body.push_back(assign(element, "=", expressions_.value(reduce.values[i])));
    }
  });
  if (loops.size() == 1) unroll_fill(&loops[0]);
  block->insert(block->end(), loops.begin(), loops.end());
}

// Several elements are computed together. Arrays are in registers where all that reads and writes them is unrolled.
void Writer::unroll_fill(Statement* loop) {
  constexpr int64_t kShort = 16, kTogether = 4;
  const auto trips = [](const Statement& statement) {
    return statement.kind == StatementKind::kFor && statement.value->kind == Expr::Kind::kInteger
               ? statement.value->integer
               : 0;
  };
  int64_t inside = 0;
  for (const Statement& inner : loop->body) inside += trips(inner);
  const int64_t elements = trips(*loop);
  if (inside > 0) jam_loop(&kernel_, kTogether, loop);
  if (inside <= kShort && elements <= kMostUnrolled) loop->unroll = Statement::kUnrollFully;
}

// The tap of a window that select-and-scatter chooses: its value, and its place. Where the select function looks at no
// value that is the first tap, or the last one.
void Writer::write_choice(int number, Block* block) {
  const DemandReduce& reduce = graph_.reduces[number];
  const Expr* best = expressions_.value(reduce.accumulators[0]);
  Variable* chosen = nullptr;
  for (size_t id = 0; id < graph_.nodes.size(); ++id) {
    const auto named = expressions_.variables.find(static_cast<NodeId>(id));
    const bool result = graph_.nodes[id].kind == NodeKind::kReduce && graph_.nodes[id].reduce == number;
    if (result && named != expressions_.variables.end()) chosen = named->second;
  }
  const Expr* place = kernel_.reference(chosen);
  const DemandNode& stays = graph_.nodes[reduce.combined[0]];
  const bool looks = stays.kind != NodeKind::kConstant;
  if (looks) {
    const Literal zero(Shape::scalar(best->type.dtype));
    block->push_back({.kind = StatementKind::kDeclare,
                      .variable = expressions_.variables.at(reduce.accumulators[0]),
                      .value = kernel_.literal(zero)});
  }
  block->push_back({.kind = StatementKind::kDeclare, .variable = chosen, .value = kernel_.integer(-1)});
  const Block loops = in_loops(reduce, [&](Block& body) {
    const Statement take_place = assign(place, "=", expressions_.index(reduce.place));
    if (!looks && stays.literal.integer_at(0) == 0) {
      body.push_back(take_place);
      return;
    }
    const CType pred = CType::value(DType::kPred);
    const Expr* none = kernel_.infix(place, "<", kernel_.integer(0), pred);
    if (!looks) {
      body.push_back({.kind = StatementKind::kIf, .value = none, .body = {take_place}});
      return;
    }
    const Expr* replaced = kernel_.prefix("!", expressions_.value(reduce.combined[0]), pred);
    Statement take = {.kind = StatementKind::kIf, .value = kernel_.infix(none, "||", replaced, pred)};
    take.body.push_back(assign(best, "=", expressions_.value(reduce.values[0])));
    take.body.push_back(take_place);
    body.push_back(std::move(take));
  });
  block->insert(block->end(), loops.begin(), loops.end());
}

}  // namespace sinter
