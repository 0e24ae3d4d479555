#include "passes/stages/chain/chain_form.h"

#include <algorithm>
#include <span>

#include "ir/support/ceil_div.h"
#include "passes/analysis/values/hardware.h"
#include "passes/analysis/values/latencies.h"
#include "passes/stages/products/asked_forms.h"

namespace sinter {

namespace {

using Product = TensorCoreForm::Product;

constexpr int64_t kMostFeatures = 128, kAlignment = 128, kWarpgroupAlignment = 1024;
constexpr int64_t kWarps = 4;

// Of one warp, and of a tile.
struct Tile {
  int64_t rows, columns;
};
constexpr Tile kTiles[] = {{32, 64}, {32, 32}, {16, 64}, {16, 32}, {16, 16}};
constexpr Tile kWarpgroupTiles[] = {{16, 128}, {16, 64}};

// Of a lane: products and weights of a tile, results, operands on their way, and what addresses take.
int64_t registers(const ChainDemand& demand, const ChainForm& form) {
  constexpr int64_t kOthers = 80;
  const auto count = [](const auto& list) { return static_cast<int64_t>(list.size()); };
  const int64_t sums = demand.reduces() ? 0 : count(demand.results);
  const int64_t of_pairs = form.warp_rows() * form.columns / kWarp;
  int64_t results = 0;
  for (const ChainDemand::Result& result : demand.results)
    results += result.reduction ? 4 : form.warp_rows() * form.depths[result.tile] / kWarp;
  // Weights are rounded, two in a register, before they are multiplied.
  // Of 128 columns more is on its way: of two products ptxas has spilled.
  if (form.by_warpgroup) {
    const int64_t pairs = of_pairs * std::max(count(demand.products), sums);
    return (form.columns > 64 ? pairs * 3 / 2 : pairs) + of_pairs / 2 * sums + results + kOthers;
  }
  // A quarter more: what is on its way to be multiplied.
  const int64_t pairs = of_pairs * std::max(count(demand.products), sums) * 5 / 4;
  const int64_t operands = form.warp_rows() / 16 * 8 * (demand.product == Product::k3xTf32 ? 2 : 1);
  return pairs + results + operands + kOthers;
}

int64_t shared_bytes(const ChainDemand& demand, const ChainForm& form) {
  const int64_t element = dtype_bytes(demand.dtype);
  const int64_t apart = form.by_warpgroup ? 0 : form.chunk;  // from the end of a row to the next one
  int64_t bytes = 0, results = 0;
  for (const ChainDemand::Product& product : demand.products)
    bytes += form.rows * (form.depths[product.tile] + apart) * element;
  for (const int64_t depth : form.depths) bytes += 2 * form.columns * (depth + apart) * element;
  for (const ChainDemand::Result& result : demand.results) {
    const int64_t width = result.reduction ? 1 : form.depths[result.tile] + 8;
    results = std::max(results, form.rows * width * int64_t{4});
  }
  const int64_t alignment = form.by_warpgroup ? kWarpgroupAlignment : kAlignment;
  return ceil_div(std::max(bytes, results), alignment) * alignment;
}

// Tiles whose columns count for block `block` of the first element of the batch.
int64_t weighed_tiles(const ChainDemand& demand, const ChainForm& form, int64_t block) {
  const int64_t tiles = ceil_div(demand.columns, form.columns);
  if (!demand.weighed) return tiles;
  const auto tile_of = [&](const IndexExpr& column, int64_t row) {
    const int64_t number = column
                               .substitute([&](const IndexExpr::Atom& atom) {
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

// What a pair takes beside products: instructions of a lane, and of these of the special unit.
struct PairWork {
  double instructions = 0, special = 0;
};
void add_operation(const ChainDemand& demand, const DemandNode& node, PairWork* work) {
  const bool fast = demand.product != Product::k3xTf32;
  double instructions = 1, special = 0;
  switch (node.instruction->opcode) {
    case Opcode::kExponential:
      instructions = fast ? 2 : 8;
      special = 1;
      break;
    case Opcode::kDivide:
      if (fast && demand.by_sums.count(node.instruction) > 0) break;
      instructions = 9;
      special = 1;
      break;
    case Opcode::kTanh:
    case Opcode::kLogistic:
    case Opcode::kLog:
    case Opcode::kErf:
    case Opcode::kPower:
      instructions = 16;
      special = 1;
      break;
    default:
      break;
  }
  work->instructions += instructions;
  work->special += special;
}

// Of what depends on the row and on the column: all else is made once for many pairs.
PairWork pair_work(const ChainDemand& demand) {
  const bool fast = demand.product != Product::k3xTf32;
  const std::vector<DemandNode>& nodes = demand.weights->nodes;
  std::vector<std::pair<bool, bool>> depends(nodes.size());  // on the row, on the column
  PairWork work;
  for (size_t id = 0; id < nodes.size(); ++id) {
    const DemandNode& node = nodes[id];
    auto& [row, column] = depends[id];
    row = column = node.kind == DemandNode::Kind::kParameter;
    row |= node.expr.reads_coordinate(kChainRow);
    column |= node.expr.reads_coordinate(kChainColumn);
    for (const NodeId operand : node.operands) {
      row |= depends[static_cast<size_t>(operand)].first;
      column |= depends[static_cast<size_t>(operand)].second;
    }
    if (!row || !column) continue;
    if (node.kind == DemandNode::Kind::kCompute) add_operation(demand, node, &work);
    if (node.kind == DemandNode::Kind::kLoad) work.instructions += 3;
  }
  work.instructions += static_cast<double>(demand.results.size());  // to convert, or to add
  if (demand.is_softmax()) {
    work.instructions += fast ? 3 : 9;
    work.special += 1;
  }
  return work;
}

// Nanoseconds of a pair, of a multiprocessor that has as many blocks as it can: what units take one after the other,
// times what attention takes of that, measured on an H200 (0.2, 0.35 and 1.24 ns of 64 features and as many values;
// attend_form.cpp). Of a warpgroup, whose products read shared memory themselves (2,048 multiply-adds a cycle, at the
// clock that they take down), that is not measured: half of what is lost there, since no warp loads what is multiplied.
double pair_ns(const ChainDemand& demand, const ChainForm& form) {
  constexpr double kMultiplyAdds = 2500, kOfWarpgroups = 2987, kLanes = 128, kSpecial = 16, kCyclesOfNs = 1.75;
  constexpr double kLostByWarpgroups = 1.31;
  const Product product = demand.product;
  const double terms = product == Product::k16Bits ? 1 : product == Product::kTf32 ? 2 : 6;
  const double measured = form.by_warpgroup             ? kLostByWarpgroups
                          : product == Product::k16Bits ? 1.62
                          : product == Product::kTf32   ? 2.0
                                                        : 3.3;
  const double slower = !form.by_warpgroup && form.warp_rows() < 32 && product != Product::k3xTf32 ? 1.15 : 1;
  const PairWork work = pair_work(demand);
  const double products = features_of(demand, form) * terms / (form.by_warpgroup ? kOfWarpgroups : kMultiplyAdds);
  return (products + work.instructions / kLanes / kCyclesOfNs + work.special / kSpecial / kCyclesOfNs) * measured *
         slower;
}

// Of one tile, of a multiprocessor: with what its barrier and its addresses take.
double tile_us(const ChainDemand& demand, const ChainForm& form) {
  constexpr double kTileUs = 0.1;
  return static_cast<double>(form.rows * form.columns) * pair_ns(demand, form) / 1000 + kTileUs;
}

bool asks_for_warpgroups(const ChainDemand& demand, bool by_any) {
  const auto asks = [&](const Instruction* dot) {
    return dot->opcode != Opcode::kDot || (by_any ? may_be_asked_for(*dot, kWgmma) : is_asked_for(*dot, kWgmma));
  };
  return demand.product == Product::k16Bits &&
         std::ranges::all_of(demand.products, [&](const auto& product) { return asks(product.dot); }) &&
         std::ranges::all_of(demand.results, [&](const auto& result) { return asks(result.instruction); });
}

// The fastest of such tiles.
void try_tiles(const ChainDemand& demand, ChainForm form, std::span<const Tile> tiles, std::optional<ChainForm>* best) {
  constexpr int64_t kMostRegisters = 240;
  const int64_t whole = form.by_warpgroup ? kRowElements : 2 * form.mma_k();
  for (const ChainDemand::Tile& tile : demand.tiles) form.depths.push_back(ceil_div(tile.features, whole) * whole);
  for (const Tile& tile : tiles) {
    form.rows = tile.rows * kWarps;
    form.columns = tile.columns;
    form.shared_bytes = shared_bytes(demand, form);
    if (registers(demand, form) > kMostRegisters || form.shared_bytes > kSharedBytesMost ||
        demand.batch * ceil_div(demand.rows, form.rows) > INT32_MAX)
      continue;
    if (!*best || chain_us(demand, form) < chain_us(demand, **best)) *best = form;
  }
}

}  // namespace

std::optional<ChainForm> chain_form(const ChainDemand& demand, bool by_any) {
  ChainForm form;
  form.warps = kWarps;
  form.chunk = kAccessBytes / dtype_bytes(demand.dtype);
  const auto fits = [](const ChainDemand::Tile& tile) { return tile.features <= kMostFeatures; };
  if (!std::ranges::all_of(demand.tiles, fits)) return std::nullopt;
  std::optional<ChainForm> best;
  try_tiles(demand, form, kTiles, &best);
  if (best && asks_for_warpgroups(demand, by_any)) {
    form.by_warpgroup = true;
    try_tiles(demand, form, kWarpgroupTiles, &best);
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
  // Tensor cores are counted as busy for all of a pair's time, at the rate of products in tiles of mma.sync:
  // multiply-adds a nanosecond.
  constexpr double kInTiles = 2500 / 1.6;
  const double terms = demand.product == Product::k16Bits ? 1 : demand.product == Product::kTf32 ? 2 : 6;
  const WalkedTiles walked = walked_tiles(demand, form);
  const double features = features_of(demand, form);
  const double pairs = static_cast<double>(demand.batch * form.rows * form.columns) * walked.all;
  const PairWork of_pair = pair_work(demand);
  Work work;
  work.tensor = pairs * pair_ns(demand, form) * kInTiles;
  work.flops = 2 * pairs * features;
  work.f32 = pairs * of_pair.instructions;
  work.special = pairs * of_pair.special;
  const double of_lane = static_cast<double>(form.warp_rows() * form.columns) / static_cast<double>(kWarp);
  work.chain = walked.most * (static_cast<double>(form.columns) * features * terms / 64 +
                              of_lane * of_pair.instructions + 3 * kSharedCycles + 2 * kBarrierCycles);
  work.registers = static_cast<int>(registers(demand, form));
  return work;
}

}  // namespace sinter
