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
#include "passes/stages/stencil/thread_work.h"

namespace sinter {

namespace {

bool is_line(const Levels& levels) { return levels.rows == 1; }

// Lanes that have a column each, next to each other.
int64_t lanes(const Levels& levels, const LevelsForm& form) { return is_line(levels) ? form.warps * kWarp : kWarp; }

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

// What launches of different forms do.
class LevelsCost {
 public:
  explicit LevelsCost(const Levels& levels) : levels_(levels), passes_(levels.passes.size()) {}

  Work work(const LevelsForm& form) {
    Work work;
    work.registers = 0;
    for (size_t p = 0; p < levels_.passes.size(); ++p) add_pass(p, form, &work);
    return work;
  }

 private:
  // By the elements that a thread has: some, those far from all borders, the same in several columns.
  struct OfPass {
    std::optional<ThreadWork> anywhere, inside, wide;
  };

  const Work& of_thread(size_t p, const LevelsForm& form) {
    const LevelPass& pass = levels_.passes[p];
    const bool is_inside = has_inner_tiles(levels_, form), is_wide = columns_of_lane(pass, levels_, form) > 1;
    OfPass& known = passes_[p];
    std::optional<ThreadWork>& work = is_wide ? known.wide : is_inside ? known.inside : known.anywhere;
    if (!work)
      work.emplace(is_inside ? *pass.inside : pass.elements, levels_, is_wide ? &*pass.wide : nullptr,
                   is_wide && pass.packed);
    return work->of_rows(rows_of_thread(pass, levels_, form));
  }

  void add_pass(size_t p, const LevelsForm& form, Work* work) {
    const LevelPass& pass = levels_.passes[p];
    const Work& thread = of_thread(p, form);
    const int64_t rows = rows_of_thread(pass, levels_, form), width = columns_of_lane(pass, levels_, form);
    const auto columns = static_cast<double>(ceil_div(columns_of(pass, form), width * lanes(levels_, form)));
    const double times = columns * static_cast<double>(tiles_of(levels_, form) * form.warps * kWarp);
    const bool is_packed = width > 1 && pass.packed;
    const auto cells = static_cast<double>(is_packed ? rows : rows * width);
    add(work, thread, times);
    work->integer += (kOfElement * cells + kOfColumn) * times;
    // Stores: of a lane's columns one, that takes longer.
    const auto stores = static_cast<double>(pass.values.size()) * static_cast<double>(rows);
    // An element of a part of a word is put into it, one instruction each.
    int64_t words = 0, turns = 0, parts = 0;
    for (const Instruction* value : pass.values) {
      const int64_t bytes = dtype_bytes(value->shape.dtype);
      words += ceil_div(width * bytes, 4);
      turns += width > 1 ? ceil_div(width * bytes, 4) : 1;
      parts += width > 1 && bytes < 4 && !is_packed ? width : 0;
    }
    work->integer += static_cast<double>(parts * rows) * times;
    work->memory += stores * times;
    work->turns += static_cast<double>(turns * rows) * times;
    const double of_column = thread.f32 + thread.f64 + thread.integer + stores + kOfElement * cells + thread.memory;
    const LevelGraph& elements = has_inner_tiles(levels_, form) ? *pass.inside : pass.elements;
    work->chain += columns * (of_column + element_work(*elements.graph).chain + kSharedCycles) +
                   (pass.waits ? kBarrierCycles : kLoadCycles);
    const int64_t registers =
        kOtherRegisters + rows * words + std::min(static_cast<int64_t>(thread.turns), kMostLoaded);
    work->registers = std::max(work->registers, static_cast<int>(std::min<int64_t>(registers, 255)));
  }

  const Levels& levels_;
  std::vector<OfPass> passes_;
};

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

int64_t columns_of_lane(const LevelPass& pass, const Levels& levels, const LevelsForm& form) {
  const bool is_wide =
      form.wide && pass.wide && has_inner_tiles(levels, form) && columns_of(pass, form) % kWideColumns == 0;
  return is_wide ? kWideColumns : 1;
}
int64_t kept_columns(const LevelPass& pass, const Levels& levels, const LevelsForm& form) {
  const bool in_vectors = std::ranges::any_of(
      levels.passes, [&](const LevelPass& other) { return columns_of_lane(other, levels, form) > 1; });
  const int64_t unit = in_vectors ? kWideColumns : 1;
  return ceil_div(columns_of(pass, form), unit) * unit;
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
    bytes += ceil_div(rows_of(pass, form) * kept_columns(pass, levels, form) * dtype_bytes(level.value->shape.dtype),
                      kAligned) *
             kAligned;
  }
  return bytes;
}

Work levels_work(const Levels& levels, const LevelsForm& form) { return LevelsCost(levels).work(form); }

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
  LevelsCost cost(levels);
  std::optional<ChosenLevels> best;
  const auto consider = [&](const LevelsForm& form) {
    if (form.rows < 1 || form.columns < 1 || tiles_of(levels, form) > INT32_MAX) return;
    for (const LevelPass& pass : levels.passes) {
      if (rows_of(pass, form) < 1 || columns_of(pass, form) < 1) return;
      if (rows_of_thread(pass, levels, form) > 2 * kMostRows) return;
    }
    if (shared_bytes(levels, form) > kSharedBytesOfBlock) return;
    const double us = launch_us(cost.work(form), {.blocks = tiles_of(levels, form),
                                                  .threads = form.warps * kWarp,
                                                  .shared_bytes = shared_bytes(levels, form),
                                                  .bytes = bytes,
                                                  .counts_memory = true});
    if (!best || us < best->us) best = ChosenLevels{form, us};
  };
  const auto consider_both = [&](const LevelsForm& form) {
    consider(form);
    LevelsForm wide = form;
    wide.columns -= form.columns % kWideColumns;
    wide.wide = true;
    if (wide.rows < 1 || wide.columns < 1) return;
    int64_t written = 0;
    for (const LevelPass& pass : levels.passes) {
      if (columns_of_lane(pass, levels, wide) == 1) continue;
      const auto nodes_of_pass = static_cast<int64_t>(pass.inside->graph->nodes.size());
      written = std::max(written, nodes_of_pass * rows_of_thread(pass, levels, wide) * kWideColumns);
    }
    if (written > 0 && written <= kMostWritten) consider(wide);
  };
  for (const int64_t warps : {8, 16, 4}) {
    for (int64_t of_lane = 1; of_lane <= kMostColumns; ++of_lane) {
      // Lanes have as many columns of the widest pass each.
      const int64_t most = of_lane * (is_line(levels) ? warps * kWarp : kWarp) - columns.before - columns.after;
      if (is_line(levels)) {
        consider_both({.rows = 1, .columns = most, .warps = warps});
        continue;
      }
      if (of_lane > kMostColumns / 2) break;
      for (int64_t of_thread = 1; of_thread <= kMostRows; ++of_thread) {
        if (of_thread > 1 && static_cast<int64_t>(nodes) * of_thread > kMostWritten) break;
        consider_both({.rows = warps * of_thread - rows.before - rows.after, .columns = most, .warps = warps});
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
    const double loads = ThreadWork(elements, levels, nullptr, false).of_rows(1).memory;
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
         std::to_string(form.warps) + " warps" + (form.wide ? ", wide" : "");
}

std::optional<LevelsForm> parse_levels(const std::string& text) {
  long rows = 0, columns = 0, warps = 0;
  if (std::sscanf(text.c_str(), "tiles of %ld x %ld, %ld warps", &rows, &columns, &warps) != 3) return std::nullopt;
  const LevelsForm form = {.rows = rows, .columns = columns, .warps = warps, .wide = text.ends_with(", wide")};
  if (form.wide && columns % kWideColumns != 0) return std::nullopt;
  if (levels_text(form) != text || rows < 1 || columns < 1 || warps < 1 || warps * kWarp > kMostThreads)
    return std::nullopt;
  return form;
}

}  // namespace sinter
