#include "passes/lower/stages/own/matrices_arrays.h"

#include <algorithm>
#include <span>

#include "passes/names/value_names.h"
#include "passes/stages/matrices/join_arrays.h"

namespace sinter {
namespace {

using StatementKind = Statement::Kind;
using UnitKind = ThreadUnit::Kind;

}  // namespace

void unroll_all(Block* block) {
  for (Statement& statement : *block) {
    if (statement.kind == StatementKind::kFor) statement.unroll = Statement::kUnrollFully;
    unroll_all(&statement.body);
    unroll_all(&statement.other);
  }
}

Variable* MatricesArrays::variable(int array) {
  Variable*& found = variables_[array];
  if (found != nullptr) return found;
  const OwnArray& own = program_.arrays[static_cast<size_t>(array)];
  CType type = CType::value(own.dtype);
  if (!own.kept.empty()) {
    type = {.kind = CType::Kind::kNamed, .length = 1};
    type.name = cuda(own.dtype);
    std::string extents;
    for (const int64_t d : own.kept) extents += (extents.empty() ? "" : "][") + std::to_string(own.dims[d]);
    type.extent = extents;
  }
  const auto named = names_.find(array);
  return found = kernel_.variable(named != names_.end() ? named->second : name_of(own), type, own.value);
}

std::string MatricesArrays::name_of(const OwnArray& array) const {
  if (array.copied != nullptr)
    return input_.names.at(demand_.fusion->operand(static_cast<size_t>(array.copied->parameter_number)));
  if (array.constant != nullptr) return constant_name(*array.constant);
  const Instruction& value = *array.value;
  if (value.opcode == Opcode::kParameter && value.parent() == &**demand_.fusion->attributes->calls)
    return input_.names.at(demand_.fusion->operand(static_cast<size_t>(value.parameter_number)));
  return value_name(value);
}

bool MatricesArrays::is_shared(int array) const {
  if (array < 0) return false;
  const OwnArray& own = program_.arrays[static_cast<size_t>(array)];
  return program_.by_warp && !own.kept.empty() && own.constant == nullptr;
}

void MatricesArrays::name_solved(const std::vector<ThreadUnit>& units) {
  for (const ThreadUnit& unit : units) {
    name_solved(unit.body);
    if (unit.kind != UnitKind::kSolve) continue;
    for (size_t a = 0; a < unit.solve.arrays.size(); ++a) {
      const SolveArray& array = unit.solve.arrays[a];
      const bool is_given = array.operand >= 0 && unit.elements_of[a] == -1;
      if (!is_given) names_.emplace(unit.solve_arrays[a], name_of_array(unit.solve, array));
    }
  }
}

void MatricesArrays::place_arrays(Block* block) {
  name_solved(program_.units);
  std::map<int, std::string> members;
  std::set<std::string> taken;
  for (const int array : arrays_used(program_)) {
    if (!is_shared(array)) continue;
    const OwnArray& own = program_.arrays[static_cast<size_t>(array)];
    const auto named = names_.find(array);
    const std::string name = named != names_.end() ? named->second : name_of(own);
    std::string& member = members[array] = name;
    for (int number = 2; !taken.insert(member).second; ++number) member = name + "_" + std::to_string(number);
    SharedStruct::Member place = {.name = member, .dtype = own.dtype, .dims = {}};
    if (teams_ > 1) place.dims.emplace_back("kWarps");
    int64_t bytes = teams_ * dtype_bytes(own.dtype);
    for (const int64_t extent : extents_in_shared(own)) {
      place.dims.push_back(std::to_string(extent));
      bytes *= extent;
    }
    kernel_.shared.members.push_back(std::move(place));
    kernel_.shared.bytes += bytes;
  }
  if (members.empty()) return;
  const Variable* shared = writer_.shared(block);
  for (const auto& [array, name] : members) {
    const Expr* member = kernel_.member(kernel_.reference(shared), name, {});
    if (teams_ > 1) member = kernel_.subscript(member, warp_, {});
    Variable* own = kernel_.variable(name, CType::named("auto&"), program_.arrays[static_cast<size_t>(array)].value);
    variables_[array] = own;
    declared_.insert(array);
    block->push_back({.kind = StatementKind::kDeclare, .variable = own, .value = member});
  }
}

void MatricesArrays::sync(Block* block) {
  if (program_.by_warp) block->push_back(writer_.call("__syncwarp", {}));
}

void MatricesArrays::sync_after(const ThreadUnit& unit, Block* block) {
  bool is_needed = is_shared(unit.array);
  for (const int array : arrays_read(program_, unit)) is_needed |= is_shared(array);
  // A warp's function ends with a barrier; what clears a factor's other triangle comes after it.
  if (unit.kind == UnitKind::kSolve) is_needed = unit.solve.arrays[0].lower_only;
  if (is_needed) sync(block);
}

void MatricesArrays::declare(int array, Block* block) {
  if (array < 0 || !declared_.insert(array).second) return;
  block->push_back({.kind = StatementKind::kDeclare, .variable = variable(array)});
}

bool MatricesArrays::is_read(int array) const {
  return std::ranges::any_of(program_.array_of, [&](const auto& entry) { return entry.second == array; });
}

const Expr* MatricesArrays::braces(const OwnArray& array, size_t depth, int64_t first, int64_t count) {
  const CType type = CType::value(array.dtype);
  if (depth == array.kept.size()) {
    Literal element(Shape::scalar(array.dtype));
    const auto size = static_cast<size_t>(dtype_bytes(array.dtype));
    const std::span<const std::byte> from =
        array.constant->literal.bytes().subspan(static_cast<size_t>(first) * size, size);
    std::ranges::copy(from, element.mutable_bytes().begin());
    return kernel_.literal(std::move(element));
  }
  const int64_t extent = array.dims[static_cast<size_t>(array.kept[depth])];
  std::vector<const Expr*> parts;
  for (int64_t i = 0; i < extent; ++i)
    parts.push_back(braces(array, depth + 1, first + i * (count / extent), count / extent));
  return kernel_.braces(std::move(parts), type);
}

void MatricesArrays::declare_constant(int array, Block* block) {
  const OwnArray& own = program_.arrays[static_cast<size_t>(array)];
  declared_.insert(array);
  block->push_back(
      {.kind = StatementKind::kLet, .variable = variable(array), .value = braces(own, 0, 0, own.elements())});
}

const Expr* MatricesArrays::element_of(int array, const std::vector<const Expr*>& place) {
  const Expr* element = reference(array);
  for (const Expr* index : place)
    element = kernel_.subscript(element, index, CType::value(program_.arrays[static_cast<size_t>(array)].dtype));
  return element;
}

std::vector<int64_t> MatricesArrays::extents(int array) const {
  const OwnArray& own = program_.arrays[static_cast<size_t>(array)];
  std::vector<int64_t> result;
  for (const int64_t d : own.kept) result.push_back(own.dims[static_cast<size_t>(d)]);
  return result;
}

void MatricesArrays::copy(int array, Block* block) {
  const OwnArray& own = program_.arrays[static_cast<size_t>(array)];
  declare(array, block);
  nest(extents(array), block, [&](const std::vector<const Expr*>& place, Block* inner) {
    const Expr* offset = nullptr;
    size_t next = 0;
    for (size_t d = 0; d < own.dims.size(); ++d) {
      const bool kept = next < own.kept.size() && own.kept[next] == static_cast<int64_t>(d);
      const Expr* index = static_cast<int>(d) == own.batch ? batch_ : kept ? place[next++] : nullptr;
      if (offset != nullptr && own.dims[d] != 1) offset = writer_.infix(offset, "*", kernel_.integer(own.dims[d]));
      if (index != nullptr) offset = offset == nullptr ? index : writer_.infix(offset, "+", index);
    }
    if (offset == nullptr) offset = kernel_.integer(0);
    const Expr* value = kernel_.subscript(kernel_.reference(memory_.at(own.copied)), offset, CType::value(own.dtype));
    inner->push_back(writer_.assign(element_of(array, place), value));
  });
}

Expressions MatricesArrays::expressions_of(const OwnElements& elements, const std::vector<const Expr*>& place) {
  const DemandGraph& graph = *elements.graph;
  std::map<int, const Expr*> coordinates = {{elements.batch, batch_}};
  size_t next = 0;
  for (const int id : elements.coordinates) {
    if (id >= 0) coordinates[id] = place[next++];
  }
  Expressions expressions = writer_.expressions_of(graph, coordinates);
  for (size_t id = 0; id < graph.coordinates.size(); ++id) {
    if (graph.coordinates[id].role != CoordinateRole::kHostStep) continue;
    expressions.coordinates[static_cast<int>(id)] = kernel_.reference(counters_.back().variable);
    if (!counters_.back().unrolled) expressions.run_time_coordinates.insert(static_cast<int>(id));
  }
  for (const Instruction* name : loaded_values(graph)) {
    const auto array = program_.array_of.find(name);
    if (array == program_.array_of.end()) {
      expressions.buffers[name] = memory_.at(program_.memory_of.at(name));
      continue;
    }
    const OwnArray& own = program_.arrays[static_cast<size_t>(array->second)];
    Variable* held = variable(array->second);
    expressions.buffers[name] = held;
    expressions.own_arrays[held] = {own.dims, own.kept, program_.by_warp};
  }
  return expressions;
}

std::vector<int64_t> MatricesArrays::extents(const OwnElements& elements) const {
  std::vector<int64_t> result;
  for (const int id : elements.coordinates) {
    if (id >= 0) result.push_back(elements.graph->coordinates[id].extent);
  }
  return result;
}

const Expr* MatricesArrays::value_of(const OwnElements& elements, Expressions expressions, Block* block) {
  const Expr* value = writer_.results_of(*elements.graph, expressions, block)[0];
  for (const Statement& statement : *block) {
    const bool is_sum = statement.kind == StatementKind::kDeclare && statement.variable->origin != nullptr &&
                        statement.variable->origin->opcode == Opcode::kDot;
    if (is_sum) statement.variable->name = "total";
  }
  return value;
}

std::string MatricesArrays::name_of_array(const SolveDemand& solve, const SolveArray& array) {
  if (array.name != "matrix") return array.name;
  switch (solve.call.kind) {
    case SolverCall::Kind::kCholesky:
      return "factor";
    case SolverCall::Kind::kLu:
      return "lu";
    case SolverCall::Kind::kTriangularSolve:
      return "triangle";
    default:
      return "reflectors";
  }
}

}  // namespace sinter
