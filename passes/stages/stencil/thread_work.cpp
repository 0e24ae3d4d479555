#include "passes/stages/stencil/thread_work.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "ir/support/ceil_div.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/stages/stencil/axis_index.h"
#include "passes/stages/stencil/packed_bytes.h"
#include "passes/stages/stencil/stencil_work.h"

namespace sinter {

RowShift row_shift(const LevelGraph& elements, const IndexExpr& offset) {
  const int64_t down = offset.coefficient_of_coordinate(elements.row);
  if (down <= 0) return {.column = offset.constant()};
  // The nearest row.
  const int64_t near = offset.constant() + down / 2;
  const int64_t row = near >= 0 ? near / down : -ceil_div(-near, down);
  return {.row = row, .column = offset.constant() - row * down, .moves = true};
}

// Functions of more instructions have branches, and are not seen to be the same.
constexpr double kMostInOnePiece = 13;

// Whether rows and columns are terms of it, and of nothing else in it.
static bool is_linear(const LevelGraph& elements, const IndexExpr& offset) {
  return std::ranges::all_of(offset.terms(), [&](const IndexExpr::Term& term) {
    if (term.atom->kind == IndexExpr::AtomKind::kCoordinate) return true;
    const std::set<int> leaves = leaves_of(*elements.graph, single(term));
    return leaves.count(elements.row) == 0 && leaves.count(elements.column) == 0;
  });
}

ThreadWork::ThreadWork(const LevelGraph& elements, const Levels& levels, const std::vector<WideRead>* wide, bool packed)
    : columns_(wide != nullptr && !packed ? kWideColumns : 1), packed_(packed) {
  place_nodes(elements, levels);
  const std::vector<bool> needed = needed_nodes(*elements.graph);
  std::set<NodeId> read_wide;
  if (wide != nullptr) {
    for (const WideRead& read : *wide) {
      for (const auto& [node, column] : read.nodes) read_wide.insert(node);
      const int64_t vectors = read.count / kWideColumns;
      const int64_t words = ceil_div(kWideColumns * dtype_bytes(read.array->shape.dtype), 4);
      const int64_t down = read.level ? 0 : read.offset.coefficient_of_coordinate(elements.row);
      const IndexExpr key = read.level ? IndexExpr(read.first) : read.offset - read.down * down;
      // An element of a part of a word is taken out of it, one instruction each.
      std::set<int64_t> taken;
      for (const auto& [node, column] : read.nodes) {
        for (int64_t k = 0; k < kWideColumns; ++k) taken.insert(column + k);
      }
      int64_t parts = dtype_bytes(read.array->shape.dtype) < 4 ? static_cast<int64_t>(taken.size()) : 0;
      if (packed)
        parts = std::ranges::count_if(read.nodes, [](const auto& one) { return one.second % kWideColumns != 0; });
      add_read({read.array, key}, read.down, read.moves,
               {.accesses = vectors, .turns = vectors * words, .parts = parts});
    }
  }
  for (size_t id = 0; id < elements.graph->nodes.size(); ++id) {
    const DemandNode& node = elements.graph->nodes[id];
    if (!needed[id] || node.kind != DemandNode::Kind::kLoad || read_wide.count(static_cast<NodeId>(id)) > 0) continue;
    const RowShift shift = row_shift(elements, node.expr);
    const int64_t down = node.expr.coefficient_of_coordinate(elements.row);
    add_read({node.instruction, node.expr - shift.row * down}, shift.row, shift.moves, {});
  }
  for (const LevelGraph::Tap& tap : elements.taps) {
    if (!needed[tap.node] || read_wide.count(tap.node) > 0) continue;
    const bool moves = tap.row.factor == 1;
    add_read({levels.levels[tap.level].value, tap.column.expr}, moves ? tap.row.shift : 0, moves, {});
  }
}

void ThreadWork::add_read(const std::pair<const Instruction*, IndexExpr>& key, int64_t row, bool moves,
                          const RowRead& one) {
  Read& read = reads_[key];
  read.rows.insert(row);
  read.moves |= moves;
  read.one.turns = std::max(read.one.turns, one.turns);
  read.one.accesses = std::max(read.one.accesses, one.accesses);
  read.one.parts = std::max(read.one.parts, one.parts);
}

void ThreadWork::place_nodes(const LevelGraph& elements, const Levels& levels) {
  const DemandGraph& graph = *elements.graph;
  const std::vector<bool> needed = needed_nodes(graph);
  // By what is computed, and of what: a read's array and the rest of its place, or a node's operands, beside the first.
  using Operand = std::array<int64_t, 3>;
  using Key = std::tuple<const Instruction*, IndexExpr, std::vector<Operand>>;
  std::map<Key, size_t> numbers;
  std::vector<Placed> placed(graph.nodes.size());
  const auto place = [&](NodeId id, const Key& key, Same same, int64_t row, int64_t column) {
    const auto [found, is_new] = numbers.emplace(key, same_.size());
    if (is_new) same_.push_back(std::move(same));
    same_[found->second].places.emplace(row, column);
    placed[id] = {found->second, row, column};
  };
  const auto apart = [&](NodeId id, const Work& work, bool differs) {
    placed[id] = {same_.size(), 0, 0};
    same_.push_back({.work = work, .by_row = differs, .by_column = differs, .places = {{0, 0}}});
  };
  std::map<NodeId, const LevelGraph::Tap*> taps;
  for (const LevelGraph::Tap& tap : elements.taps) taps[tap.node] = &tap;
  for (size_t number = 0; number < graph.nodes.size(); ++number) {
    const auto id = static_cast<NodeId>(number);
    const DemandNode& node = graph.nodes[id];
    if (!needed[id]) continue;
    Work work = node_work(graph, id);
    if (packed_) work = {.integer = packed_cost(graph, id).value_or(0), .registers = 0};
    if (node.kind == DemandNode::Kind::kConstant) {
      apart(id, work, false);
    } else if (node.kind == DemandNode::Kind::kLoad) {
      const RowShift shift = row_shift(elements, node.expr);
      const int64_t across = node.expr.coefficient_of_coordinate(elements.column);
      if ((across != 0 && across != 1) || !is_linear(elements, node.expr)) {
        apart(id, work, true);
        continue;
      }
      const int64_t column = across == 1 ? shift.column : 0;
      const int64_t down = node.expr.coefficient_of_coordinate(elements.row);
      place(id, {node.instruction, node.expr - shift.row * down - column, {}},
            {.by_row = shift.moves, .by_column = across == 1}, shift.row, column);
    } else if (const auto tap = taps.find(id); tap != taps.end()) {
      const bool by_row = tap->second->row.factor == 1, by_column = tap->second->column.factor == 1;
      if (!by_row && tap->second->row.factor != 0) {
        apart(id, work, true);
        continue;
      }
      const IndexExpr rest = by_column ? IndexExpr(0) : tap->second->column.expr;
      const int64_t row = tap->second->row.shift, column = by_column ? tap->second->column.shift : 0;
      place(id, {levels.levels[tap->second->level].value, rest, {}}, {.by_row = by_row, .by_column = by_column}, row,
            column);
    } else if (node.kind == DemandNode::Kind::kCompute && node.instruction != nullptr &&
               work.instructions() <= kMostInOnePiece) {
      Same same = {.work = work};
      int64_t row = 0, column = 0;
      for (const NodeId operand : node.operands) {
        const Same& of = same_[placed[operand].same];
        if (of.by_row && !same.by_row) row = placed[operand].row;
        if (of.by_column && !same.by_column) column = placed[operand].column;
        same.by_row |= of.by_row;
        same.by_column |= of.by_column;
      }
      std::vector<Operand> operands;
      for (const NodeId operand : node.operands) {
        const Same& of = same_[placed[operand].same];
        operands.push_back({static_cast<int64_t>(placed[operand].same), of.by_row ? placed[operand].row - row : 0,
                            of.by_column ? placed[operand].column - column : 0});
      }
      place(id, {node.instruction, {}, std::move(operands)}, std::move(same), row, column);
    } else {
      apart(id, work, true);
    }
  }
}

int64_t ThreadWork::times(const Same& same, int64_t rows) const {
  std::map<int64_t, std::set<int64_t>> columns;  // by row
  for (const auto& [row, column] : same.places) {
    for (int64_t r = 0; r < (same.by_row ? rows : 1); ++r) columns[row + r].insert(column);
  }
  int64_t count = 0;
  for (const auto& [row, begins] : columns) {
    int64_t end = INT64_MIN;
    for (const int64_t begin : begins) {
      const int64_t own_end = begin + (same.by_column ? columns_ : 1);
      count += own_end - std::max(begin, end);
      end = own_end;
    }
  }
  return count;
}

const Work& ThreadWork::of_rows(int64_t rows) {
  const auto [found, is_new] = known_.try_emplace(rows);
  if (!is_new) return found->second;
  Work work;
  for (const Same& same : same_) {
    if (same.work.instructions() == 0 && same.work.flops == 0) continue;
    add(&work, same.work, static_cast<double>(times(same, rows)));
  }
  work.memory = work.turns = 0;
  for (const auto& [key, read] : reads_) {
    std::set<int64_t> loaded;
    for (int64_t r = 0; r < rows; ++r) {
      for (const int64_t row : read.rows) loaded.insert(row + (read.moves ? r : 0));
    }
    const auto times = static_cast<double>(loaded.size());
    work.memory += static_cast<double>(read.one.accesses) * times;
    work.turns += static_cast<double>(read.one.turns) * times;
    work.integer += static_cast<double>(read.one.parts) * times;
  }
  return found->second = work;
}

}  // namespace sinter
