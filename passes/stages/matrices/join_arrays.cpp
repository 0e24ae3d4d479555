#include "passes/stages/matrices/join_arrays.h"

#include <algorithm>
#include <functional>

#include "passes/demand/views/needed_nodes.h"
#include "passes/stages/matrices/thread_program.h"

namespace sinter {
namespace {

void rename_array(ThreadProgram* program, std::vector<ThreadUnit>* units, int from, int to) {
  for (ThreadUnit& unit : *units) {
    if (unit.array == from) unit.array = to;
    if (unit.info == from) unit.info = to;
    std::ranges::replace(unit.solve_arrays, from, to);
    rename_array(program, &unit.body, from, to);
    for (auto& [source, target] : unit.hand_on) {
      if (source == from) source = to;
    }
  }
}

void join_in(ThreadProgram* program, std::vector<ThreadUnit>* units) {
  for (ThreadUnit& unit : *units) {
    if (unit.kind != ThreadUnit::Kind::kLoop) continue;
    join_in(program, &unit.body);
    for (size_t h = 0; h < unit.hand_on.size();) {
      const auto [from, to] = unit.hand_on[h];
      const auto fills = [&, array = from](const ThreadUnit& made) {
        return made.kind == ThreadUnit::Kind::kFill && made.array == array;
      };
      const auto made = std::ranges::find_if(unit.body, fills);
      const bool is_once = std::ranges::count(unit.hand_on, from, &std::pair<int, int>::first) == 1;
      const auto kept = [&](int array) { return program->arrays[static_cast<size_t>(array)].kept; };
      bool is_free = made != unit.body.end() && is_once && kept(from) == kept(to);
      for (auto later = made; is_free && later != unit.body.end(); ++later)
        is_free = arrays_read(*program, *later).count(to) == 0;
      if (!is_free) {
        ++h;
        continue;
      }
      for (auto& [name, array] : program->array_of) {
        if (array == from) array = to;
      }
      unit.hand_on.erase(unit.hand_on.begin() + static_cast<ptrdiff_t>(h));
      rename_array(program, &program->units, from, to);
    }
  }
}

// The array that elements are, one by one; -1: they are computed.
int array_copied(const ThreadProgram& program, const OwnElements& elements) {
  const DemandGraph& graph = *elements.graph;
  const DemandNode& node = graph.nodes[static_cast<size_t>(graph.results[0])];
  const auto found = program.array_of.find(node.instruction);
  if (node.kind != DemandNode::Kind::kLoad || found == program.array_of.end()) return -1;
  const OwnArray& array = program.arrays[static_cast<size_t>(found->second)];
  if (array.dims.size() != elements.coordinates.size()) return -1;
  std::vector<IndexExpr> index;
  for (size_t d = 0; d < array.dims.size(); ++d) {
    const int coordinate = static_cast<int>(d) == array.batch ? elements.batch : elements.coordinates[d];
    index.push_back(coordinate < 0 ? IndexExpr(0) : graph.coordinate(coordinate));
  }
  return node.expr == linearize(index, array.dims) ? found->second : -1;
}

int64_t count_readers(const ThreadProgram& program, const std::vector<ThreadUnit>& units, int array) {
  int64_t count = 0;
  for (const ThreadUnit& unit : units) {
    if (unit.kind != ThreadUnit::Kind::kLoop) {
      count += static_cast<int64_t>(arrays_read(program, unit).count(array));
      continue;
    }
    count += count_readers(program, unit.body, array);
    for (const auto& [from, to] : unit.hand_on) count += from == array || to == array ? 2 : 0;
  }
  return count;
}

void solve_in_place(ThreadProgram* program, std::vector<ThreadUnit>* units) {
  for (auto unit = units->begin(); unit != units->end(); ++unit) {
    if (unit->kind == ThreadUnit::Kind::kLoop) solve_in_place(program, &unit->body);
    if (unit->kind != ThreadUnit::Kind::kSolve) continue;
    for (size_t a = 0; a < unit->solve_arrays.size(); ++a) {
      const SolveArray& array = unit->solve.arrays[a];
      if (unit->elements_of[a] < 0 || array.result < 0 || (array.conjugated && is_complex(array.dtype))) continue;
      const int from = array_copied(*program, unit->elements[static_cast<size_t>(unit->elements_of[a])]);
      const int to = unit->solve_arrays[a];
      if (from < 0 || program->arrays[static_cast<size_t>(from)].kept != program->arrays[static_cast<size_t>(to)].kept)
        continue;
      // It is made by a unit in front of this one, and read here alone.
      const auto makes = [&](const ThreadUnit& made) {
        const bool solves = made.kind == ThreadUnit::Kind::kSolve;
        return made.array == from || (solves && std::ranges::count(made.solve_arrays, from) > 0);
      };
      if (std::find_if(units->begin(), unit, makes) == unit) continue;
      if (count_readers(*program, program->units, from) != 1 || std::ranges::count(unit->solve_arrays, from) > 0)
        continue;
      for (auto& [name, held] : program->array_of) {
        if (held == from) held = to;
      }
      unit->elements_of[a] = ThreadUnit::kInPlace;
      rename_array(program, &program->units, from, to);
    }
  }
}

}  // namespace

std::set<int> arrays_read(const ThreadProgram& program, const ThreadUnit& unit) {
  std::set<int> read;
  for (size_t e = 0; e < unit.elements.size(); ++e) {
    const bool is_dropped =
        unit.kind == ThreadUnit::Kind::kSolve && std::ranges::count(unit.elements_of, static_cast<int>(e)) == 0;
    if (is_dropped) continue;
    const OwnElements& elements = unit.elements[e];
    const std::vector<bool> needed = needed_nodes(*elements.graph);
    for (size_t id = 0; id < needed.size(); ++id) {
      const DemandNode& node = elements.graph->nodes[id];
      if (!needed[id] || node.kind != DemandNode::Kind::kLoad) continue;
      const auto array = program.array_of.find(node.instruction);
      if (array != program.array_of.end()) read.insert(array->second);
    }
  }
  for (size_t a = 0; a < unit.solve_arrays.size(); ++a) {
    const bool is_given = unit.elements_of[a] < 0 && unit.solve.arrays[a].operand >= 0;
    if (is_given) read.insert(unit.solve_arrays[a]);
  }
  for (const ThreadUnit& inner : unit.body) read.merge(arrays_read(program, inner));
  for (const auto& [from, to] : unit.hand_on) read.insert(from);
  return read;
}

std::set<int> arrays_used(const ThreadProgram& program) {
  std::set<int> used;
  const std::function<void(const std::vector<ThreadUnit>&)> visit = [&](const std::vector<ThreadUnit>& units) {
    for (const ThreadUnit& unit : units) {
      used.insert(unit.array);
      used.insert(unit.solve_arrays.begin(), unit.solve_arrays.end());
      for (const auto& [from, to] : unit.hand_on) used.insert({from, to});
      visit(unit.body);
    }
  };
  visit(program.units);
  for (size_t a = 0; a < program.arrays.size(); ++a) {
    if (program.arrays[a].copied != nullptr) used.insert(static_cast<int>(a));
  }
  used.erase(-1);
  return used;
}

void join_arrays(ThreadProgram* program) {
  solve_in_place(program, &program->units);
  join_in(program, &program->units);
}

}  // namespace sinter
