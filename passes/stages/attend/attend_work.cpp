#include "passes/stages/attend/attend_work.h"

#include <algorithm>
#include <cmath>

#include "ir/support/ceil_div.h"
#include "passes/analysis/values/hardware.h"
#include "passes/analysis/values/latencies.h"

namespace sinter {

namespace {

using Product = TensorCoreForm::Product;

double terms_of(const AttentionDemand& demand) {
  return demand.product == Product::k16Bits ? 1 : demand.product == Product::kTf32 ? 2 : 6;
}

double score_nodes(const AttentionDemand& demand) { return static_cast<double>(demand.score->nodes.size()); }

// Beside products in tiles, which a GPU's data file has the rate of: measured on an H200 (bench/RESULTS.md, attention).
double slow_by(const AttentionDemand& demand, const AttendForm& form) {
  if (demand.product == Product::k16Bits) return form.warp_rows() < 32 ? 2.0 : 2.4;
  return demand.product == Product::kTf32 ? 2.1 : 2.7;
}

bool looks_up(const AttentionDemand& demand) {
  return demand.sources[1].is_looked_up || demand.sources[2].is_looked_up;
}

// That a lane waits for what it loads of rows: where they are, and then numbers of theirs.
double cycles_of_rows(const AttentionDemand& demand) {
  const auto has_numbers = [](const RowSource& rows) { return rows.computes && rows.row_loads > 0; };
  const bool numbers = has_numbers(demand.sources[1]) || has_numbers(demand.sources[2]);
  return kLoadCycles * ((looks_up(demand) ? 1 : 0) + (numbers ? 1 : 0));
}

// For a tile to come from the L2, beside those of a multiprocessor's other warps: of rows that are read many times,
// memory is not what takes the time.
double cycles_of_copies(const AttentionDemand& demand, const AttendForm& form) {
  constexpr double kResident = 3, kBytesOfL2 = 30;  // blocks; bytes a cycle
  const auto bytes = static_cast<double>(form.features * dtype_bytes(demand.sources[1].dtype) +
                                         form.values * dtype_bytes(demand.sources[2].dtype));
  return static_cast<double>(form.keys * form.warps) * bytes * kResident / kBytesOfL2;
}

Work work_by_rows(const AttentionDemand& demand, const AttendForm& form) {
  // Per score: its products and those of its weight; to scale and mask it, to shift, raise and add it.
  constexpr double kSoftmax = 10;
  const auto blocks = static_cast<double>(demand.batch * ceil_div(demand.rows, form.rows));
  const double tiles = static_cast<double>(ceil_div(demand.keys, form.keys)) * seen_share(demand, form);
  const double scores = blocks * static_cast<double>(form.rows * form.keys) * tiles;
  const auto depth = static_cast<double>(form.features + form.values);
  const double terms = terms_of(demand);
  Work work;
  work.tensor = scores * depth * terms * slow_by(demand, form);
  work.flops = 2 * scores * depth;
  work.f32 = scores * (kSoftmax + score_nodes(demand));
  work.special = scores;
  work.integer = blocks * tiles * converting(demand, form);
  work.chain = tiles * (static_cast<double>(form.keys) * depth * terms / 64 + 3 * kSharedCycles + 2 * kBarrierCycles +
                        converting(demand, form) / static_cast<double>(form.warps * kWarp) + cycles_of_rows(demand));
  work.registers = form.keeps_queries() ? 200 : 240;
  return work;
}

// Instructions of a warp and turn, by the text of its body (attend_text.cpp): what a lane does of a tile.
struct Turn {
  double products = 0;  // on tensor cores
  double f32 = 0, integer = 0, special = 0, memory = 0;
};

Turn turn_of(const AttentionDemand& demand, const AttendForm& form) {
  const auto keys = static_cast<double>(form.keys), lanes = static_cast<double>(kWarp);
  const auto features = static_cast<double>(form.features), values = static_cast<double>(form.values);
  const double scores = static_cast<double>(form.rows) * keys / lanes, results = 16 * values / lanes;
  const auto of_tile = keys * (features + values) * static_cast<double>(dtype_bytes(demand.dtype));
  const auto mma_k = static_cast<double>(form.mma_k());
  Turn turn;
  turn.products = keys / 8 * features / mma_k + values / 8 * keys / mma_k;
  const double loads = of_tile / (lanes * kAccessBytes);  // ldmatrix_x4, and copies
  turn.memory = 2 * loads + 4;
  if (demand.converts()) {
    turn.memory += loads + keys * static_cast<double>(form.raw_bytes) / (lanes * kAccessBytes);
    turn.integer += converting(demand, form) / lanes;
  }
  if (!form.keeps_queries()) turn.memory += static_cast<double>(form.warp_rows()) / 16 * features / mma_k;
  turn.integer = 4 * loads + 40;
  turn.f32 = results + scores * (8 + score_nodes(demand)) + 16;
  turn.special = scores + 2;
  if (demand.product == Product::k16Bits) return turn;
  // f32: values are loaded one by one; all is rounded, or taken apart in two, before it is multiplied.
  const double keys_taken = keys * features / lanes, values_taken = keys * values / lanes;
  const bool splits = demand.product == Product::k3xTf32;
  turn.memory += values_taken;
  turn.integer += (keys_taken + values_taken + scores) * (splits ? 4 : 1);
  if (splits) {
    // Queries are taken apart again for each eight keys, and parts are added to sums in f32.
    turn.integer += 4 * 16 * features / lanes * keys / 8 + 3 * values_taken;
    turn.f32 += 4 * turn.products;
    turn.products *= 3;
  }
  return turn;
}

double instructions_of(const Turn& turn) {
  return turn.products + turn.f32 + turn.integer + turn.special + turn.memory;
}

Work work_by_keys(const AttentionDemand& demand, const AttendForm& form) {
  const auto blocks = static_cast<double>(demand.batch * ceil_div(demand.rows, form.rows) * form.parts);
  const auto tiles = static_cast<double>(ceil_div(demand.keys, form.keys));
  const double turns = std::ceil(tiles / static_cast<double>(form.walkers()));
  const auto rows = static_cast<double>(std::min(demand.rows, form.rows)), width = static_cast<double>(form.values);
  const Turn turn = turn_of(demand, form);
  const double all = blocks / static_cast<double>(form.parts) * tiles * kWarp;  // turns of all lanes
  Work work;
  // An instruction has 16 rows, 8 columns and two chunks of terms; where it is one of TF32 it counts as two.
  work.tensor = all * turn.products / kWarp * 16 * 8 * 16 * slow_by(demand, form);
  work.flops = 2 * all / kWarp * static_cast<double>(form.keys * form.rows * (form.features + form.values));
  work.f32 = all * (turn.f32 + turn.products);
  work.integer = all * turn.integer;
  work.special = all * turn.special;
  work.memory = all * turn.memory;
  // What warps have is added up by the block.
  const auto warps = static_cast<double>(form.warps);
  work.memory += blocks * warps * (static_cast<double>(form.rows) + rows) * width / 4;
  work.f32 += blocks * warps * rows * width;
  const double each = std::ceil(rows * width / 4 / (warps * kWarp));
  const double combine = 3 * kBarrierCycles + each * warps * 2 * kSharedCycles + 8 * kSharedCycles;
  work.chain = 2 * kLoadCycles + turns * cycles_of_turn(demand, form) + combine;
  if (form.parts > 1) work.after = cycles_of_parts(demand, form);
  const bool wide = std::max(form.features, form.values) > 64;
  const bool full = demand.product == Product::k3xTf32 || !form.keeps_queries();
  work.registers = full ? 192 : wide ? 168 : 96;
  return work;
}

}  // namespace

double converting(const AttentionDemand& demand, const AttendForm& form) {
  if (!demand.converts()) return 0;
  // Beside what an element takes: to load and store so many at once, and what is the same for a row.
  constexpr double kAround = 12, kOfLoad = 4;
  const auto of = [&](size_t number, int64_t elements) {
    const RowSource& rows = demand.sources[number];
    const double around = (kAround + kOfLoad * static_cast<double>(rows.row_loads)) / static_cast<double>(form.chunk);
    return static_cast<double>(form.keys * elements) * (rows.instructions + around);
  };
  return of(1, form.features) + of(2, form.values);
}

double cycles_of_turn(const AttentionDemand& demand, const AttendForm& form) {
  // A tensor core's instruction that needs the one before; loads of tiles that were asked for when memory was busy.
  constexpr double kProductCycles = 33, kBusyCycles = 2000;
  const Turn turn = turn_of(demand, form);
  const double steps = static_cast<double>(form.features) / static_cast<double>(form.mma_k());
  const double chain = steps * kProductCycles * (demand.product == Product::k3xTf32 ? 3 : 1) + 8 * kShuffleCycles +
                       3 * kSharedCycles + 20 * kArithmeticCycles;
  const double computed = chain + instructions_of(turn) + cycles_of_rows(demand);
  const double copied = looks_up(demand) ? cycles_of_copies(demand, form) : 0;
  return std::max({computed, copied, kBusyCycles / static_cast<double>(form.stages - 1)});
}

double cycles_of_parts(const AttentionDemand& demand, const AttendForm& form) {
  const auto rows = static_cast<double>(std::min(demand.rows, form.rows));
  const double bytes = static_cast<double>(form.parts) * rows * static_cast<double>(form.values + 2) * 4;
  // Largest scores and sums, then results: sixteen parts on their way at a time.
  constexpr double kAtATime = 16;
  const double each = std::ceil(rows * static_cast<double>(form.values) / 4 / static_cast<double>(form.warps * kWarp));
  const double waits = each * std::ceil(static_cast<double>(form.parts) / kAtATime) * kLoadCycles;
  return static_cast<double>(kFoundCycles) + kLoadCycles + std::max(waits, bytes / kBytesACycle);
}

Work attend_work(const AttentionDemand& demand, const AttendForm& form) {
  return form.by_keys ? work_by_keys(demand, form) : work_by_rows(demand, form);
}

}  // namespace sinter
