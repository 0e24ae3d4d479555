#include "passes/stages/stencil/levels_form.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

#include "ir/support/ceil_div.h"
#include "passes/analysis/values/hardware.h"
#include "passes/analysis/values/latencies.h"
#include "passes/demand/views/needed_nodes.h"
#include "passes/stages/stencil/stencil_work.h"

namespace sinter {

namespace {

bool is_line(const Levels& levels) { return levels.rows == 1; }

// Lanes that have a column each, next to each other.
int64_t lanes(const Levels& levels, const LevelsForm& form) { return is_line(levels) ? form.warps * kWarp : kWarp; }

const LevelGraph& mostly(const LevelPass& pass, const Levels& levels, const LevelsForm& form) {
  return has_inner_tiles(levels, form) ? *pass.inside : pass.elements;
}

// What a thread loads of an array, or level, in one column: rows that it looks at from an element. Of its elements in
// that column each row is loaded once.
class LoadedColumns {
 public:
  LoadedColumns(const LevelGraph& elements, const Levels& levels) {
    const DemandGraph& graph = *elements.graph;
    const std::vector<bool> needed = needed_nodes(graph);
    for (size_t id = 0; id < graph.nodes.size(); ++id) {
      const DemandNode& node = graph.nodes[id];
      if (!needed[id] || node.kind != DemandNode::Kind::kLoad) continue;
      const int64_t down = node.expr.coefficient_of_coordinate(elements.row);
      const int64_t row = down == 0 ? 0 : node.expr.constant() / down;
      add(node.instruction, node.expr - row * down, row, down != 0);
    }
    for (const LevelGraph::Tap& tap : elements.taps) {
      if (!needed[tap.node]) continue;
      const bool moves = tap.row.factor == 1;
      add(levels.levels[tap.level].value, tap.column.expr, moves ? tap.row.shift : 0, moves);
    }
  }

  double loads(int64_t rows) const {
    int64_t loads = 0;
    for (const auto& [column, seen] : columns_) {
      std::set<int64_t> loaded;
      for (int64_t r = 0; r < rows; ++r) {
        for (const int64_t row : seen.rows) loaded.insert(row + (seen.moves ? r : 0));
      }
      loads += static_cast<int64_t>(loaded.size());
    }
    return static_cast<double>(loads);
  }

 private:
  struct Column {
    std::set<int64_t> rows;
    bool moves = false;
  };
  void add(const Instruction* array, const IndexExpr& column, int64_t row, bool moves) {
    Column& seen = columns_[{array, column}];
    seen.rows.insert(row);
    seen.moves |= moves;
  }
  std::map<std::pair<const Instruction*, IndexExpr>, Column> columns_;
};

double bytes_of(const Levels& levels) {
  std::set<const Instruction*> counted;
  double bytes = 0;
  for (const LevelPass& pass : levels.passes) {
    for (const DemandNode& node : pass.elements.graph->nodes) {
      if (node.kind == DemandNode::Kind::kLoad && counted.insert(node.instruction).second)
        bytes += static_cast<double>(node.instruction->shape.bytes());
    }
    for (const Instruction* value : pass.values) {
      if (!levels.level_of(value)) bytes += static_cast<double>(value->shape.bytes());
    }
  }
  return bytes;
}

// Instructions of a thread for a column, and for an element, beside what it computes.
constexpr double kOfColumn = 8, kOfElement = 1;
constexpr int64_t kOtherRegisters = 32, kMostLoaded = 48;

}  // namespace

int64_t row_tiles(const Levels& levels, const LevelsForm& form) { return ceil_div(levels.rows, form.rows); }
int64_t column_tiles(const Levels& levels, const LevelsForm& form) { return ceil_div(levels.columns, form.columns); }
int64_t tiles_of(const Levels& levels, const LevelsForm& form) {
  return levels.batches() * row_tiles(levels, form) * column_tiles(levels, form);
}

int64_t rows_of(const LevelPass& pass, const LevelsForm& form) {
  return form.rows + pass.row_reach.before + pass.row_reach.after;
}
int64_t columns_of(const LevelPass& pass, const LevelsForm& form) {
  return form.columns + pass.column_reach.before + pass.column_reach.after;
}
int64_t rows_of_thread(const LevelPass& pass, const Levels& levels, const LevelsForm& form) {
  return is_line(levels) ? 1 : ceil_div(rows_of(pass, form), form.warps);
}

bool has_inner_tiles(const Levels& levels, const LevelsForm& form) {
  constexpr int64_t kFewest = 4;  // in a row of tiles, of which the first and the last are at a border
  const bool made = std::ranges::all_of(levels.passes, [](const LevelPass& pass) { return pass.inside.has_value(); });
  return made && (levels.row_margin == 0 || row_tiles(levels, form) >= kFewest) &&
         (levels.column_margin == 0 || column_tiles(levels, form) >= kFewest);
}

int64_t shared_bytes(const Levels& levels, const LevelsForm& form) {
  int64_t bytes = 0;
  for (const Levels::Level& level : levels.levels) {
    const LevelPass& pass = levels.passes[level.pass];
    constexpr int64_t kAligned = 16;
    bytes += ceil_div(rows_of(pass, form) * columns_of(pass, form) * dtype_bytes(level.value->shape.dtype), kAligned) *
             kAligned;
  }
  return bytes;
}

Work levels_work(const Levels& levels, const LevelsForm& form) {
  Work work;
  work.registers = 0;
  for (const LevelPass& pass : levels.passes) {
    const LevelGraph& elements = mostly(pass, levels, form);
    const Work element = element_work(*elements.graph);
    const int64_t rows = rows_of_thread(pass, levels, form);
    const auto columns = static_cast<double>(ceil_div(columns_of(pass, form), lanes(levels, form)));  // of a lane
    const double times = columns * static_cast<double>(tiles_of(levels, form) * form.warps * kWarp);
    const double cells = times * static_cast<double>(rows);
    const double loads = LoadedColumns(elements, levels).loads(rows);
    const auto stores = static_cast<double>(pass.values.size());
    work.f32 += element.f32 * cells;
    work.f64 += element.f64 * cells;
    work.integer += (element.integer + kOfElement) * cells + kOfColumn * times;
    work.special += element.special * cells;
    work.flops += element.flops * cells;
    work.memory += loads * times + stores * cells;
    const double of_column =
        (element.f32 + element.f64 + element.integer + stores + kOfElement) * static_cast<double>(rows) + loads;
    work.chain += columns * (of_column + element.chain + kSharedCycles) + (pass.waits ? kBarrierCycles : kLoadCycles);
    int64_t words = 0;
    for (const Instruction* value : pass.values) words += ceil_div(dtype_bytes(value->shape.dtype), 4);
    const int64_t registers = kOtherRegisters + rows * words + std::min(static_cast<int64_t>(loads), kMostLoaded);
    work.registers = std::max(work.registers, static_cast<int>(std::min<int64_t>(registers, 255)));
  }
  return work;
}

std::optional<ChosenLevels> choose_levels(const Levels& levels) {
  constexpr int64_t kMostRows = 8, kMostColumns = 8, kMostWritten = 2400;  // of a thread; nodes that stand in the text
  LevelReach rows, columns;
  size_t nodes = 0;
  for (const LevelPass& pass : levels.passes) {
    rows = {std::max(rows.before, pass.row_reach.before), std::max(rows.after, pass.row_reach.after)};
    columns = {std::max(columns.before, pass.column_reach.before), std::max(columns.after, pass.column_reach.after)};
    nodes = std::max(nodes, pass.elements.graph->nodes.size());
  }
  const double bytes = bytes_of(levels);
  std::optional<ChosenLevels> best;
  const auto consider = [&](const LevelsForm& form) {
    if (form.rows < 1 || form.columns < 1 || tiles_of(levels, form) > INT32_MAX) return;
    for (const LevelPass& pass : levels.passes) {
      if (rows_of(pass, form) < 1 || columns_of(pass, form) < 1) return;
      if (rows_of_thread(pass, levels, form) > 2 * kMostRows) return;
    }
    if (shared_bytes(levels, form) > kSharedBytesOfBlock) return;
    const double us = launch_us(levels_work(levels, form), {.blocks = tiles_of(levels, form),
                                                            .threads = form.warps * kWarp,
                                                            .shared_bytes = shared_bytes(levels, form),
                                                            .bytes = bytes,
                                                            .counts_memory = true});
    if (!best || us < best->us) best = ChosenLevels{form, us};
  };
  for (const int64_t warps : {8, 16, 4}) {
    for (int64_t of_lane = 1; of_lane <= kMostColumns; ++of_lane) {
      // Lanes have as many columns of the widest pass each.
      const int64_t most = of_lane * (is_line(levels) ? warps * kWarp : kWarp) - columns.before - columns.after;
      if (is_line(levels)) {
        consider({.rows = 1, .columns = most, .warps = warps});
        continue;
      }
      if (of_lane > kMostColumns / 2) break;
      for (int64_t of_thread = 1; of_thread <= kMostRows; ++of_thread) {
        if (of_thread > 1 && static_cast<int64_t>(nodes) * of_thread > kMostWritten) break;
        consider({.rows = warps * of_thread - rows.before - rows.after, .columns = most, .warps = warps});
      }
    }
  }
  return best;
}

double apart_us(const Levels& levels) {
  constexpr int64_t kThreads = 256;
  double us = 0;
  for (const LevelPass& pass : levels.passes) {
    const LevelGraph& elements = pass.inside ? *pass.inside : pass.elements;
    Work work = element_work(*elements.graph);
    const auto cells = static_cast<double>(levels.batches() * pass.rows * pass.columns);
    std::set<const Instruction*> read;
    double bytes = 0;
    for (const DemandNode& node : elements.graph->nodes) {
      if (node.kind == DemandNode::Kind::kLoad && read.insert(node.instruction).second)
        bytes += static_cast<double>(node.instruction->shape.bytes());
    }
    for (const LevelGraph::Tap& tap : elements.taps) {
      const Instruction* level = levels.levels[tap.level].value;
      if (read.insert(level).second) bytes += static_cast<double>(level->shape.bytes());
    }
    for (const Instruction* value : pass.values) bytes += static_cast<double>(value->shape.bytes());
    const double loads = LoadedColumns(elements, levels).loads(1);
    Work all = {.registers = kOtherRegisters};
    all.f32 = work.f32 * cells;
    all.f64 = work.f64 * cells;
    all.integer = (work.integer + kOfElement) * cells;
    all.special = work.special * cells;
    all.memory = (loads + static_cast<double>(pass.values.size())) * cells;
    all.chain = work.chain + kLoadCycles;
    us += launch_us(all, {.blocks = ceil_div(static_cast<int64_t>(cells), kThreads),
                          .threads = kThreads,
                          .bytes = bytes,
                          .counts_memory = true});
  }
  return us;
}

std::string levels_text(const LevelsForm& form) {
  return "tiles of " + std::to_string(form.rows) + " x " + std::to_string(form.columns) + ", " +
         std::to_string(form.warps) + " warps";
}

std::optional<LevelsForm> parse_levels(const std::string& text) {
  long rows = 0, columns = 0, warps = 0;
  if (std::sscanf(text.c_str(), "tiles of %ld x %ld, %ld warps", &rows, &columns, &warps) != 3) return std::nullopt;
  const LevelsForm form = {.rows = rows, .columns = columns, .warps = warps};
  if (levels_text(form) != text || rows < 1 || columns < 1 || warps < 1 || warps * kWarp > kMostThreads)
    return std::nullopt;
  return form;
}

}  // namespace sinter
