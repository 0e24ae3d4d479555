#include "passes/stages/stencil/tiles_form.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "ir/support/ceil_div.h"
#include "passes/analysis/values/latencies.h"
#include "passes/stages/stencil/stencil_work.h"

namespace sinter {

namespace {

constexpr int64_t kRegisters = 65536;
// Tiles are taken where they are that much faster.
constexpr double kWorthTiling = 0.85;
constexpr int64_t kMostAtOnce = 16;

// Instructions of one element and step, by unit.
Work element_work(const Stencil& stencil, bool inside) {
  return sinter::element_work(inside ? *stencil.inside->graph : *stencil.graph);
}

// Registers of a thread for what is not its elements, and those that a compiler may need besides.
constexpr int64_t kOther = 24, kSpare = 8;

// Of a thread: its elements, those around them and the next ones; and what steps read of other arrays, which stays.
int64_t state_registers(const Stencil& stencil, const TilesForm& form) {
  constexpr int64_t kOfByte = 2;  // an element, which is taken out of a word and put back
  int64_t registers = 0;
  for (const DemandNode& node : stencil.graph->nodes) {
    if (node.kind == DemandNode::Kind::kLoad && !node.instruction->shape.is_scalar())
      registers += ceil_div(dtype_bytes(node.dtype), 4) * (form.rows_of_thread * form.width + form.rows_of_thread);
  }
  for (const Stencil::State& state : stencil.states) {
    const int64_t cells = form.rows_of_thread * form.width;
    const int64_t around =
        (form.rows_of_thread + 2 * state.rows_around) * (form.width + 2 * state.columns_around) - cells;
    const int64_t words = ceil_div(dtype_bytes(state.dtype), 4);
    registers += (dtype_bytes(state.dtype) < 4 ? kOfByte : words) * 2 * cells + words * around;
  }
  return registers;
}

struct Launches {
  double us = 0;  // of one
  double count = 1;
};

double bytes_of(const Stencil& stencil) {
  std::set<const Instruction*> read;
  double bytes = 0;
  for (const Stencil::State& state : stencil.states)
    bytes += static_cast<double>(2 * dtype_bytes(state.dtype) * stencil.batches() * stencil.rows.extent *
                                 stencil.columns.extent);
  for (const DemandNode& node : stencil.graph->nodes) {
    if (node.kind == DemandNode::Kind::kLoad && read.insert(node.instruction).second)
      bytes += static_cast<double>(node.instruction->shape.bytes());
  }
  return bytes;
}

// Of a step alone: all elements once.
double step_us(const Stencil& stencil, const Work& element) {
  const auto elements = static_cast<double>(stencil.batches() * stencil.rows.extent * stencil.columns.extent);
  const double instructions = element.instructions() * elements / (kMultiprocessors * 128 * kCyclesAUs);
  const double wide = element.f64 * elements / (kMultiprocessors * 64 * kCyclesAUs);
  return std::max({bytes_us(bytes_of(stencil)), instructions, wide, kLoadCycles * 2 / kCyclesAUs});
}

double launch_us(const Stencil& stencil, const TilesForm& form) {
  return sinter::launch_us(tiles_work(stencil, form), {.blocks = tiles_of(stencil, form),
                                                       .threads = form.warps * kWarp,
                                                       .shared_bytes = shared_bytes(stencil, form),
                                                       .bytes = bytes_of(stencil)});
}

}  // namespace

static TilesAxis tile_axis(const StencilAxis& axis, int64_t tile, int64_t steps, int64_t unit) {
  TilesAxis result = {.tile = tile};
  // A tile that has all elements looks at no others, unless these are its own once more.
  if (axis.extent > tile || axis.border == Border::kAround) result.around = ceil_div(axis.radius * steps, unit) * unit;
  result.tiles = result.own() > 0 ? ceil_div(axis.extent, result.own()) : 0;
  return result;
}

TilesAxis tile_rows(const Stencil& stencil, const TilesForm& form) {
  return tile_axis(stencil.rows, form.warps * form.rows_of_thread, form.steps_at_once, 1);
}

TilesAxis tile_columns(const Stencil& stencil, const TilesForm& form) {
  return tile_axis(stencil.columns, kWarp * form.width, form.steps_at_once, form.width);
}

int64_t tiles_of(const Stencil& stencil, const TilesForm& form) {
  return stencil.batches() * tile_rows(stencil, form).tiles * tile_columns(stencil, form).tiles;
}

bool has_inner_tiles(const Stencil& stencil, const TilesForm& form) {
  constexpr int64_t kFewest = 4;  // in a row of tiles, of which the first and the last are at a border
  const auto has = [](int64_t margin, const TilesAxis& axis) { return margin == 0 || axis.tiles >= kFewest; };
  return stencil.inside != nullptr && has(stencil.inside->row_margin, tile_rows(stencil, form)) &&
         has(stencil.inside->column_margin, tile_columns(stencil, form));
}

int64_t shared_bytes(const Stencil& stencil, const TilesForm& form) {
  const bool mirrored = is_mirrored(stencil.rows.border) || is_mirrored(stencil.columns.border);
  int64_t bytes = 0;
  for (const Stencil::State& state : stencil.states) {
    const int64_t row = kWarp * form.width * dtype_bytes(state.dtype);
    if (mirrored && state.rows_around + state.columns_around > 0) {
      bytes += 2 * form.warps * form.rows_of_thread * row;
    } else {
      bytes += 2 * form.warps * 2 * state.rows_around * row;
    }
  }
  return bytes;
}

Work tiles_work(const Stencil& stencil, const TilesForm& form) {
  const Work element = element_work(stencil, has_inner_tiles(stencil, form));
  const auto cells = static_cast<double>(form.rows_of_thread * form.width);
  const auto threads = static_cast<double>(tiles_of(stencil, form) * form.warps * kWarp);
  const auto steps = static_cast<double>(form.steps_at_once);
  Work work;
  // Of a thread and step: what rows and columns around it take to come, and rows to go.
  double moved = 0, words = 0;
  for (const Stencil::State& state : stencil.states) {
    const auto size = static_cast<double>(ceil_div(dtype_bytes(state.dtype), 4));
    const auto rows = static_cast<double>(form.rows_of_thread + (state.diagonal ? 2 * state.rows_around : 0));
    moved += 4 * static_cast<double>(state.rows_around) + 2 * rows * size * static_cast<double>(state.columns_around);
    words += size;
  }
  const double per_step = threads * steps;
  work.f32 = element.f32 * cells * per_step;
  work.f64 = element.f64 * cells * per_step;
  work.integer = (element.integer * cells + static_cast<double>(form.rows_of_thread + form.width)) * per_step;
  work.special = element.special * cells * per_step;
  work.flops = element.flops * cells * per_step;
  work.memory =
      (element.memory * cells + moved) * per_step + 2 * words * cells / static_cast<double>(form.width) * threads;
  work.integer += 4 * static_cast<double>(form.rows_of_thread) * threads;
  work.chain = 2 * kLoadCycles + steps * (kBarrierCycles + 2 * kSharedCycles + kShuffleCycles + element.chain +
                                          cells * (element.instructions() + 1));
  work.registers = static_cast<int>(std::min<int64_t>(kOther + state_registers(stencil, form), 255));
  return work;
}

std::optional<TilesForm> choose_tiles(const Stencil& stencil, int64_t steps) {
  constexpr int64_t kMostCells = 32, kMostOfThread = 150;  // elements of a state, registers of all
  int64_t width = 4, radius = std::max<int64_t>(stencil.rows.radius, 1);
  for (const Stencil::State& state : stencil.states)
    width = std::min(width, kAccessBytes / std::max<int64_t>(dtype_bytes(state.dtype), 1));
  // A lane reads columns of the lanes beside its own, but of no others.
  if (stencil.columns.radius > width) return std::nullopt;
  const Work element = element_work(stencil, /*inside=*/false);
  // As blocks that wait for one another, or in launches.
  const double today = (step_us(stencil, element) + kWaitUs) * static_cast<double>(steps);
  std::optional<TilesForm> best;
  double best_us = kWorthTiling * today;
  for (const int64_t warps : {16, 8, 4, 1}) {
    for (int64_t rows = radius; rows <= 8; rows *= 2) {
      for (int64_t at_once = 2; at_once <= std::min(kMostAtOnce, steps); at_once += at_once < 8 ? 1 : 2) {
        const TilesForm form = {
            .steps_at_once = at_once, .steps = steps, .rows_of_thread = rows, .width = width, .warps = warps};
        if (stencil.rows.extent == 1 && (rows > 1 || warps > 1)) continue;
        if (rows * width > kMostCells || state_registers(stencil, form) > kMostOfThread) continue;
        if (form.warps * kWarp * (kOther + kSpare + state_registers(stencil, form)) > kRegisters) continue;
        if (tiles_of(stencil, form) == 0 || tiles_of(stencil, form) > INT32_MAX) continue;
        if (shared_bytes(stencil, form) > kSharedBytesOfBlock) continue;
        const double us = launch_us(stencil, form) * static_cast<double>(ceil_div(steps, at_once));
        if (us >= best_us) continue;
        best_us = us;
        best = form;
      }
    }
  }
  return best;
}

std::string tiles_text(const TilesForm& form) {
  return std::to_string(form.steps_at_once) + " of " + std::to_string(form.steps) + " steps, " +
         std::to_string(form.rows_of_thread) + " x " + std::to_string(form.width) + " elements a thread, " +
         std::to_string(form.warps) + " warps";
}

std::optional<TilesForm> parse_tiles(const std::string& text) {
  long at_once = 0, steps = 0, rows = 0, width = 0, warps = 0;
  const int read = std::sscanf(text.c_str(), "%ld of %ld steps, %ld x %ld elements a thread, %ld warps", &at_once,
                               &steps, &rows, &width, &warps);
  if (read != 5) return std::nullopt;
  const TilesForm form = {
      .steps_at_once = at_once, .steps = steps, .rows_of_thread = rows, .width = width, .warps = warps};
  return tiles_text(form) == text ? std::optional(form) : std::nullopt;
}

}  // namespace sinter
