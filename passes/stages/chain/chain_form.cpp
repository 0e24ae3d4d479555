#include "passes/stages/chain/chain_form.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "passes/analysis/values/hardware.h"
#include "passes/analysis/values/latencies.h"

namespace sinter {

namespace {

using Product = TensorCoreForm::Product;

constexpr int64_t kMostFeatures = 128, kAlignment = 128;
constexpr int64_t kWarps = 4;

// Of one warp, and of a tile.
struct Tile {
  int64_t rows, columns;
};
constexpr Tile kTiles[] = {{32, 64}, {32, 32}, {16, 64}, {16, 32}, {16, 16}};

// Per pair and 128 features of products and results, of a multiprocessor that has as many blocks as it can: as
// attention takes (attend_form.cpp), which has been measured on an H200.
double pair_ns(const ChainDemand& demand) {
  return demand.product == Product::k16Bits ? 0.2 : demand.product == Product::kTf32 ? 0.35 : 1.24;
}

// Of a lane: products and weights of a tile, results, operands on their way, and what addresses take.
int64_t registers(const ChainDemand& demand, const ChainForm& form) {
  constexpr int64_t kOthers = 56;
  const auto count = [](const auto& list) { return static_cast<int64_t>(list.size()); };
  const int64_t sums = demand.reduces() ? 0 : count(demand.results);
  const int64_t pairs = form.warp_rows() * form.columns / kWarp * std::max(count(demand.products), sums);
  int64_t results = 0;
  for (const ChainDemand::Result& result : demand.results)
    results += result.reduction ? 4 : form.warp_rows() * form.depths[result.tile] / kWarp;
  const int64_t operands = form.warp_rows() / 16 * 8 * (demand.product == Product::k3xTf32 ? 2 : 1);
  return pairs + results + operands + kOthers;
}

int64_t shared_bytes(const ChainDemand& demand, const ChainForm& form) {
  const int64_t element = dtype_bytes(demand.dtype);
  int64_t bytes = 0, results = 0;
  for (const ChainDemand::Product& product : demand.products)
    bytes += form.rows * (form.depths[product.tile] + form.chunk) * element;
  for (const int64_t depth : form.depths) bytes += 2 * form.columns * (depth + form.chunk) * element;
  for (const ChainDemand::Result& result : demand.results) {
    const int64_t width = result.reduction ? 1 : form.depths[result.tile] + 8;
    results = std::max(results, form.rows * width * int64_t{4});
  }
  return ceil_div(std::max(bytes, results), kAlignment) * kAlignment;
}

// Tiles whose columns count for block `block` of the first element of the batch.
int64_t weighed_tiles(const ChainDemand& demand, const ChainForm& form, int64_t block) {
  const int64_t tiles = ceil_div(demand.columns, form.columns);
  if (!demand.weighed) return tiles;
  const auto tile_of = [&](const IndexExpr& column, int64_t row) {
    const int64_t number = column.substitute([&](const IndexExpr::Atom& atom) {
                                   return std::optional(IndexExpr(atom.id == kChainRow ? row : 0));
                                 })
                               .constant();
    return std::clamp<int64_t>(number < 0 ? -1 : number / form.columns, -1, tiles - 1);
  };
  const int64_t last_row = std::min((block + 1) * form.rows, demand.rows) - 1;
  const int64_t last = demand.weighed->last ? tile_of(*demand.weighed->last, last_row) : tiles - 1;
  const int64_t first = demand.weighed->first ? tile_of(*demand.weighed->first, block * form.rows) : 0;
  return std::max<int64_t>(last - std::max<int64_t>(first, 0) + 1, 0);
}

struct WalkedTiles {
  double all = 0, most = 0;  // of all blocks of an element of the batch, and of the one that walks most
};
WalkedTiles walked_tiles(const ChainDemand& demand, const ChainForm& form) {
  WalkedTiles walked;
  for (int64_t block = 0; block < ceil_div(demand.rows, form.rows); ++block) {
    const auto tiles = static_cast<double>(weighed_tiles(demand, form, block));
    walked.all += tiles;
    walked.most = std::max(walked.most, tiles);
  }
  return walked;
}

double features_of(const ChainDemand& demand, const ChainForm& form) {
  int64_t sum = 0;
  for (const ChainDemand::Product& product : demand.products) sum += form.depths[product.tile];
  for (const ChainDemand::Result& result : demand.results) sum += result.reduction ? 0 : form.depths[result.tile];
  return static_cast<double>(sum);
}

// Instructions of a pair that are no product: what its weights are made by.
double instructions_of(const ChainDemand& demand) {
  constexpr double kConvert = 3;
  double count = kConvert * static_cast<double>(demand.results.size());
  for (const DemandNode& node : demand.weights->nodes) {
    if (node.kind != DemandNode::Kind::kCompute) continue;
    const Opcode opcode = node.instruction->opcode;
    count += opcode == Opcode::kExponential || opcode == Opcode::kDivide ? 8 : 1;
  }
  return count;
}

// Of one tile, of a multiprocessor.
double tile_us(const ChainDemand& demand, const ChainForm& form) {
  constexpr double kLanes = 128, kCyclesOfNs = 1.75, kMeasured = 12;
  const double slower = form.warp_rows() < 32 && demand.product != Product::k3xTf32 ? 1.15 : 1;
  const double products = pair_ns(demand) * features_of(demand, form) / 128 * slower;
  const double elements = std::max(instructions_of(demand) - kMeasured, 0.0) / kLanes / kCyclesOfNs;
  return static_cast<double>(form.rows * form.columns) * (products + elements) / 1000;
}

}  // namespace

std::optional<ChainForm> chain_form(const ChainDemand& demand) {
  constexpr int64_t kMostRegisters = 240;
  ChainForm form;
  form.warps = kWarps;
  form.chunk = kAccessBytes / dtype_bytes(demand.dtype);
  for (const ChainDemand::Tile& tile : demand.tiles) {
    if (tile.features > kMostFeatures) return std::nullopt;
    form.depths.push_back(ceil_div(tile.features, 2 * form.mma_k()) * 2 * form.mma_k());
  }
  std::optional<ChainForm> best;
  for (const Tile& tile : kTiles) {
    form.rows = tile.rows * kWarps;
    form.columns = tile.columns;
    form.shared_bytes = shared_bytes(demand, form);
    if (registers(demand, form) > kMostRegisters || form.shared_bytes > kSharedBytesMost ||
        demand.batch * ceil_div(demand.rows, form.rows) > INT32_MAX)
      continue;
    if (!best || chain_us(demand, form) < chain_us(demand, *best)) best = form;
  }
  return best;
}

double chain_us(const ChainDemand& demand, const ChainForm& form) {
  constexpr double kBeside = 1.3;  // of a block, beside another that the multiprocessor has
  const WalkedTiles walked = walked_tiles(demand, form);
  const double us = tile_us(demand, form);
  const auto multiprocessors = static_cast<double>(kMultiprocessors);
  const double blocks = static_cast<double>(demand.batch * ceil_div(demand.rows, form.rows));
  const double all = static_cast<double>(demand.batch) * walked.all * us / multiprocessors;
  return std::max(all, walked.most * us * (blocks > multiprocessors ? kBeside : 1));
}

Work chain_work(const ChainDemand& demand, const ChainForm& form) {
  // Beside products in tiles, which a GPU's data file has the rate of: as attention (attend_work.cpp).
  const double terms = demand.product == Product::k16Bits ? 1 : demand.product == Product::kTf32 ? 2 : 6;
  double slow_by = 2.4;
  if (demand.product == Product::k16Bits) slow_by = form.warp_rows() < 32 ? 2.6 : 2.4;
  if (demand.product == Product::kTf32) slow_by = 2.1;
  if (demand.product == Product::k3xTf32) slow_by = 2.7;
  const WalkedTiles walked = walked_tiles(demand, form);
  const double features = features_of(demand, form), instructions = instructions_of(demand);
  const double pairs = static_cast<double>(demand.batch * form.rows * form.columns) * walked.all;
  Work work;
  work.tensor = pairs * features * terms * slow_by;
  work.flops = 2 * pairs * features;
  work.f32 = pairs * instructions;
  work.chain = walked.most * (static_cast<double>(form.columns) * features * terms / 64 + instructions * 16 +
                              3 * kSharedCycles + 2 * kBarrierCycles);
  work.registers = static_cast<int>(registers(demand, form));
  return work;
}

}  // namespace sinter
