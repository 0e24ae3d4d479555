// The loops of a reduction, and the tests of a window's positions in them: each test in the outermost loop it can be
// in.
#include <algorithm>

#include "passes/demand/lane_steps.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/text/index_types.h"
#include "passes/lower/write/writer.h"
#include "passes/stages/domain/vectorize.h"

namespace sinter {

using StatementKind = Statement::Kind;

// For each test how many of the loops, given from the outermost, it lies in.
std::vector<size_t> Writer::test_levels(const DemandReduce& reduce, const std::vector<int>& loops) const {
  std::vector<size_t> levels;
  for (const DemandReduce::Tap& tap : reduce.taps) {
    size_t level = 0;
    graph_.nodes[tap.position].expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      if (atom.kind != IndexExpr::AtomKind::kCoordinate) return;
      const auto found = std::find(loops.begin(), loops.end(), atom.id);
      if (found != loops.end()) level = std::max(level, static_cast<size_t>(found - loops.begin()) + 1);
    });
    levels.push_back(level);
  }
  return levels;
}

// What must hold for a position to lie inside of what the window is laid over, or the contrary.
const Expr* Writer::compare_position(const DemandReduce::Tap& tap, bool inside) {
  const Expr* position = kernel_.reference(expressions_.variables.at(tap.position));
  const CType pred = CType::value(DType::kPred);
  const Expr* result = nullptr;
  const auto add = [&](const Expr* left, const char* holds, const char* fails, int64_t right) {
    const Expr* limit = kernel_.integer(right);
    const Expr* comparison = kernel_.infix(left, inside ? holds : fails, limit, pred);
    result = result == nullptr ? comparison : kernel_.infix(result, inside ? "&&" : "||", comparison, pred);
  };
  const IndexRange range = graph_.nodes[tap.position].expr.range();
  if (range.low < 0) add(position, ">=", "<", 0);
  if (range.high >= tap.extent) add(position, "<", ">=", tap.extent);
  if (tap.divisor > 1) {
    add(kernel_.infix(position, "%", kernel_.integer(tap.divisor), position->type), "==", "!=", 0);
  }
  return result;
}

// Whether straight statements read an array of the thread's own, at an index that counts with the loop: in registers
// where that is a number.
bool Writer::reads_own_array(const Block& body, const Variable* counter) {
  const std::function<bool(const Expr*)> reads = [&](const Expr* expr) {
    if (expr == nullptr) return false;
    const Expr* base = expr->kind == Expr::Kind::kSubscript ? expr->operands[0] : nullptr;
    const bool own =
        base != nullptr && base->kind == Expr::Kind::kVariable && base->variable->type.kind == CType::Kind::kArray;
    if (own && mentions(expr->operands[1], counter)) return true;
    return std::any_of(expr->operands.begin(), expr->operands.end(), reads);
  };
  const auto loops = [](const Statement& statement) { return statement.kind == StatementKind::kFor; };
  return std::none_of(body.begin(), body.end(), loops) &&
         std::any_of(body.begin(), body.end(), [&](const Statement& statement) { return reads(statement.value); });
}

// The loops of a reduction, one inside the other, around what stands in its scope and what `step` appends to that, with
// `if (outside) continue;` where a loop decides a test.
Block Writer::in_loops(const DemandReduce& reduce, const std::function<void(Block&)>& step) {
  // Loop variables first: the body refers to them.
  std::vector<Statement> loops;
  std::vector<int> coordinates;
  for (const int id : graph_.scopes[reduce.scope].coordinates) {
    if (graph_.coordinates[id].extent == 1) continue;
    Statement loop;
    loop.kind = StatementKind::kFor;
    const CType counter = CType::value(counter_type(graph_.coordinates[id].extent));
    loop.variable = kernel_.variable(graph_.coordinates[id].name, counter);
    expressions_.coordinates[id] = kernel_.reference(loop.variable);
    loop.begin = kernel_.integer(0);
    loop.value = kernel_.integer(graph_.coordinates[id].extent);
    const auto name = expressions_.trip_names.find(id);
    if (name != expressions_.trip_names.end()) named_counts_[loop.value] = name->second;
    loops.push_back(std::move(loop));
    coordinates.push_back(id);
  }
  const std::vector<size_t> levels = test_levels(reduce, coordinates);
  for (size_t t = 0; t < reduce.taps.size(); ++t) {
    if (levels[t] > 0) placed_.insert(reduce.taps[t].position);
  }
  const bool of_lanes = lanes_of_steps(graph_, reduce) > 0;
  const bool is_of_memory = !of_lanes && expressions_.lane == nullptr && expressions_.own_arrays.empty();
  const int64_t width = is_of_memory && !loops.empty() ? widest_step_vector(graph_, reduce) : 1;
  if (width > 1) return over_step_vectors(reduce, width, std::move(loops), step);
  Block body = scope(reduce.scope);
  Block guarded;
  if (reduce.guard != 0) guarded = scope(reduce.guard);
  if (reduce.tests.empty()) body.insert(body.end(), guarded.begin(), guarded.end());
  if (of_lanes) {
    write_step_lanes(reduce, step, &body);
  } else if (!reduce.tests.empty()) {
    step(guarded);
    if (reduce.guard != 0) load_vectors(reduce.guard, &guarded);
    body = behind(reduce.tests, std::move(body), std::move(guarded));
  } else if (reduce.match.empty()) {
    step(body);
  } else {
    const Expr* chosen = expressions_.value(reduce.match[0]);
    const Expr* own = expressions_.value(reduce.match[1]);
    Statement matches = {.kind = StatementKind::kIf,
                         .value = kernel_.infix(chosen, "==", own, CType::value(DType::kPred))};
    step(matches.body);
    body.push_back(std::move(matches));
  }
  if (reduce.tests.empty() && reduce.guard != 0) load_vectors(reduce.guard, &body);

  if (!loops.empty() && reads_own_array(body, loops.back().variable) &&
      graph_.coordinates[coordinates.back()].extent <= kMostUnrolled) {
    loops.back().unroll = Statement::kUnrollFully;
  }
  const auto at_level = [&](size_t level, bool inside, Block* positions) {
    const Expr* condition = nullptr;
    for (size_t t = 0; t < reduce.taps.size(); ++t) {
      if (levels[t] != level) continue;
      const NodeId position = reduce.taps[t].position;
      if (level > 0) {
        positions->push_back(
            let(expressions_.variables.at(position), expressions_.spell(position), reduce.instruction));
      }
      const Expr* test = compare_position(reduce.taps[t], inside);
      condition = condition == nullptr
                      ? test
                      : kernel_.infix(condition, inside ? "&&" : "||", test, CType::value(DType::kPred));
    }
    return condition;
  };
  for (size_t i = loops.size(); i-- > 0;) {
    Block loop_body;
    if (const Expr* outside = at_level(i + 1, false, &loop_body)) {
      Statement skip = {.kind = StatementKind::kIf, .value = outside};
      skip.body.push_back({.kind = StatementKind::kContinue});
      loop_body.push_back(std::move(skip));
    }
    loop_body.insert(loop_body.end(), body.begin(), body.end());
    loops[i].body = std::move(loop_body);
    body = {std::move(loops[i])};
  }
  if (const Expr* inside = at_level(0, true, nullptr)) {
    body = {{.kind = StatementKind::kIf, .value = inside, .body = std::move(body)}};
  }
  return body;
}

// Last, since what makes loops better reads their counts.
void Writer::name_counts(Block* block) const {
  for (Statement& statement : *block) {
    const auto name = named_counts_.find(statement.value);
    if (statement.kind == StatementKind::kFor && name != named_counts_.end())
      statement.value = kernel_.name_expr(name->second, statement.value->type);
    name_counts(&statement.body);
    name_counts(&statement.other);
  }
}

// The same, so many steps of the innermost loop at a time, which read arrays that are contiguous along it by vectors.
Block Writer::over_step_vectors(const DemandReduce& reduce, int64_t width, std::vector<Statement> loops,
                                const std::function<void(Block&)>& step) {
  const int coordinate = graph_.scopes[reduce.scope].coordinates.back();
  const bool once = graph_.coordinates[coordinate].extent == width;
  Variable* k = loops.back().variable;
  const CType index = k->type;
  Variable* first = once ? nullptr : kernel_.variable("first_" + k->name, index);
  if (!once) expressions_.coordinates[coordinate] = kernel_.reference(first);
  Block body;
  for (const DemandNode& node : graph_.nodes) {
    if (!is_step_vector(graph_, reduce, node, width)) continue;
    const auto pointer = expressions_.buffers.find(node.instruction);
    if (pointer == expressions_.buffers.end()) continue;  // what nothing needs is no parameter
    Variable*& vector = expressions_.vectors[{pointer->second, node.expr}];
    if (vector != nullptr) continue;
    vector = vector_variable(pointer->second, "_values", width);
    vector->type.extent = {};
    const IndexExpr place = once ? with_coordinate(node.expr, coordinate, 0) : node.expr;
    const Expr* address = element_address(pointer->second, expressions_.index(place));
    const std::string function = "load_vector<" + std::to_string(width) + ">";
    body.push_back(let(vector, kernel_.call(function, {address}, vector->type), nullptr));
    kernel_.headers.insert("device/vector_access.cuh");
  }
  Variable* i = once ? k : kernel_.variable("i", index);
  expressions_.lane = kernel_.reference(i);
  expressions_.coordinates[coordinate] = kernel_.reference(k);
  Statement steps = {.kind = StatementKind::kFor, .variable = i, .value = kernel_.integer(width)};
  steps.begin = kernel_.integer(0);
  steps.unroll = Statement::kUnrollFully;
  steps.body = scope(reduce.scope);
  step(steps.body);
  expressions_.lane = nullptr;
  if (!once && mentions(steps.body, k)) {
    const Expr* sum = kernel_.infix(kernel_.reference(first), "+", kernel_.reference(i), index);
    steps.body.insert(steps.body.begin(), let(k, sum, nullptr));
  }
  body.push_back(std::move(steps));
  if (once) {
    loops.pop_back();
  } else {
    loops.back().variable = first;
    loops.back().step = width;
  }
  for (size_t loop = loops.size(); loop-- > 0;) {
    loops[loop].body = std::move(body);
    body = {std::move(loops[loop])};
  }
  return body;
}

}  // namespace sinter
