#include "passes/stages/stencil/wide_reads.h"

#include <algorithm>
#include <map>

#include "ir/support/ceil_div.h"
#include "passes/analysis/values/hardware.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/stages/stencil/axis_index.h"
#include "passes/stages/stencil/thread_work.h"

namespace sinter {
namespace {

int64_t vector_of(int64_t column) {
  return (column >= 0 ? column / kWideColumns : -ceil_div(-column, kWideColumns)) * kWideColumns;
}

class WideReads {
 public:
  WideReads(const LevelPass& pass, const Levels& levels)
      : pass_(pass), levels_(levels), of_(*pass.inside), graph_(*pass.inside->graph) {}

  std::optional<std::vector<WideRead>> find() {
    const std::vector<bool> needed = needed_nodes(graph_);
    for (size_t id = 0; id < graph_.nodes.size(); ++id) {
      const DemandNode& node = graph_.nodes[id];
      if (needed[id] && node.kind == DemandNode::Kind::kLoad && !add_load(static_cast<NodeId>(id))) return std::nullopt;
    }
    for (const LevelGraph::Tap& tap : of_.taps) {
      if (needed[tap.node] && !add_tap(tap)) return std::nullopt;
    }
    for (Row& row : rows_) {
      if (!close(&row)) return std::nullopt;
    }
    std::vector<WideRead> reads;
    for (Row& row : rows_) reads.push_back(std::move(row.read));
    return reads;
  }

 private:
  // What is read in one row, columns from the pass's own on.
  struct Row {
    WideRead read;
    int64_t least = 0, most = 0;
    IndexExpr at_column;  // of an operand: the offset of the place beside which columns are counted
  };

  bool add_load(NodeId id) {
    const DemandNode& node = graph_.nodes[id];
    const IndexExpr& offset = node.expr;
    bool aligned = true;
    int64_t factor = 0;
    for (const IndexExpr::Term& term : offset.terms()) {
      const bool is_column = term.atom->kind == IndexExpr::AtomKind::kCoordinate && term.atom->id == of_.column;
      if (!is_column && leaves_of(graph_, single(term)).count(of_.column) > 0) return false;
      if (is_column) factor = term.coefficient;
      if (!is_column && term.coefficient % kWideColumns != 0) aligned = false;
    }
    if (factor == 0) return true;  // the same for all columns
    if (factor != 1 || !aligned || node.instruction->shape.element_count() % kWideColumns != 0) return false;
    const RowShift shift = row_shift(of_, offset);
    const IndexExpr key = offset - shift.column;  // and columns beside it
    Row& row = row_of(node.instruction, std::nullopt, key, shift.column - pass_.column_reach.before);
    row.read.down = shift.row;
    row.read.moves = shift.moves;
    row.at_column = key + pass_.column_reach.before;
    row.read.nodes.emplace_back(id, shift.column - pass_.column_reach.before);
    return true;
  }

  bool add_tap(const LevelGraph::Tap& tap) {
    if (tap.column.factor != 1 || tap.row.factor == LevelIndex::kChosen) return false;
    const Levels::Level& level = levels_.levels[tap.level];
    const LevelPass& read = levels_.passes[level.pass];
    const int64_t column = tap.column.shift + read.column_reach.before - pass_.column_reach.before;
    Row& row = row_of(level.value, tap.level, tap.row.expr, column);
    row.read.row = tap.row;
    row.read.moves = tap.row.factor == 1;
    row.read.down = row.read.moves ? tap.row.shift : 0;
    row.read.nodes.emplace_back(tap.node, column);
    return true;
  }

  Row& row_of(const Instruction* array, std::optional<size_t> level, const IndexExpr& key, int64_t column) {
    const auto [found, is_new] = numbers_.emplace(std::make_pair(array, key), rows_.size());
    if (is_new) {
      Row& row = rows_.emplace_back();
      row.read.array = array;
      row.read.level = level;
      row.least = row.most = column;
    }
    Row& row = rows_[found->second];
    row.least = std::min(row.least, column);
    row.most = std::max(row.most, column);
    return row;
  }

  static bool close(Row* row) {
    const int64_t first = vector_of(row->least);
    const int64_t count = vector_of(row->most + kWideColumns - 1 + kWideColumns) - first;
    // Vectors of few bytes are joined two by two, where they are an even number, and are not aligned to that then.
    const bool fills_access = kWideColumns * dtype_bytes(row->read.array->shape.dtype) >= kAccessBytes;
    if (!fills_access && count / kWideColumns % 2 == 0) return false;
    row->read.first = first;
    row->read.count = count;
    row->read.offset = row->at_column + first;
    for (auto& [node, column] : row->read.nodes) column -= first;
    return true;
  }

  const LevelPass& pass_;
  const Levels& levels_;
  const LevelGraph& of_;
  const DemandGraph& graph_;
  std::vector<Row> rows_;
  std::map<std::pair<const Instruction*, IndexExpr>, size_t> numbers_;  // only looked up
};

}  // namespace

std::optional<std::vector<WideRead>> wide_reads(const LevelPass& pass, const Levels& levels) {
  return pass.inside ? WideReads(pass, levels).find() : std::nullopt;
}

}  // namespace sinter
