#include "passes/stages/matrices/join_arrays.h"

#include <algorithm>

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
      bool is_free = made != unit.body.end() && is_once;
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

}  // namespace

std::set<int> arrays_read(const ThreadProgram& program, const ThreadUnit& unit) {
  std::set<int> read;
  for (const OwnElements& elements : unit.elements) {
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

void join_arrays(ThreadProgram* program) { join_in(program, &program->units); }

}  // namespace sinter
