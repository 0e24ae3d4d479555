#include "passes/stages/network/network_form.h"

#include <algorithm>
#include <cmath>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/analysis/values/hardware.h"
#include "passes/analysis/values/latencies.h"

namespace sinter {

namespace {

using Product = TensorCoreForm::Product;

constexpr int64_t kUnit = kNetworkUnit, kAlignment = 128;
// Of a lane: sums of f32 are made of parts, for which there is to be room as well.
constexpr int64_t kMostSums = 64, kMostNarrowSums = 128;

// An H200: cycles of a microsecond, bytes from memory and, where all fit, from the L2 cache; multiply-adds of 16-bit
// floats a cycle; microseconds for a launch.
constexpr double kCycles = 1.98e3, kMemoryBytes = 4.29e6, kCacheBytes = 7.71e6, kCacheSize = 26 << 20, kTensor = 873;
constexpr double kLaunchUs = 2.1;
constexpr double kRegisters = 65536, kSharedOfMultiprocessor = 227 << 10;

int64_t padded(int64_t extent) { return ceil_div(extent, kUnit) * kUnit; }

double terms_of(Product product) { return product == Product::k16Bits ? 1 : product == Product::kTf32 ? 2 : 6 * 0.9; }

int64_t shared_bytes(const NetworkDemand& demand, const NetworkForm& form) {
  // Where a layer's weights are, and how they lie.
  const int64_t of_layer = demand.turned() == NetworkDemand::Turned::kSome ? 24 : 16;
  const int64_t elements = form.rows() * form.row + form.stages * form.tile;
  int64_t bytes = elements * dtype_bytes(demand.dtype);
  bytes += static_cast<int64_t>(demand.layers.size()) * of_layer;
  bytes += form.rows() * form.kept_row * dtype_bytes(DType::kF32);
  for (const NetworkLayer& layer : demand.layers)
    bytes = bytes_with_statistics(bytes, 1, layer.rows.statistics, form.row_threads());
  return ceil_div(bytes, kAlignment) * kAlignment;
}

// Instructions that make an element of what a graph demands.
Work element_work(const DemandGraph& graph) {
  Work work;
  for (const DemandNode& node : graph.nodes) {
    if (node.kind == DemandNode::Kind::kLoad) work.memory += 1;
    if (node.kind == DemandNode::Kind::kChoose) work.integer += 2;
    if (node.kind != DemandNode::Kind::kCompute && node.kind != DemandNode::Kind::kCall) continue;
    if (node.instruction == nullptr) continue;
    const Instruction& instruction = *node.instruction;
    const double cost = instruction.opcode == Opcode::kCall
                            ? static_cast<double>(element_cost(**instruction.attributes->to_apply))
                            : op_def(instruction.opcode).cost;
    (is_float(node.dtype) ? work.f32 : work.integer) += cost;
    if (cost >= 8) work.special += cost / 16;
  }
  return work;
}

// How much longer products take than in tiles of 128 x 128 by four warps, which a GPU's data file has the rate of
// (slowed_by_tile of passes/schedule/cost/contract_work.cpp): here activations are in shared memory already.
double slowed(const NetworkForm& form, int64_t mmas_n) {
  constexpr double kBest = 1.0 / 32 + 1.0 / 64, kEightWarps = 1.1;
  const double copied = 1 / static_cast<double>(form.rows());
  const double read = 1 / static_cast<double>(16 * form.mmas_m) + 1 / static_cast<double>(8 * mmas_n);
  return (0.5 + 0.5 * (copied + read) / kBest) * kEightWarps;
}

// Blocks that there is room for on a multiprocessor.
double resident_blocks(const Work& work, const NetworkForm& form) {
  const double of_registers = std::floor(kRegisters / (work.registers * static_cast<double>(NetworkForm::kWarps * 32)));
  const double of_shared = std::floor(kSharedOfMultiprocessor / static_cast<double>(form.shared_bytes + 1024));
  return std::max(1.0, std::min(of_registers, of_shared));
}

double transfer_us(double bytes) { return bytes / (bytes <= kCacheSize ? kCacheBytes : kMemoryBytes); }

// Adds what blocks need to reduce a layer's rows; the cycles of a thread's part.
double add_row_work(const NetworkLayer& layer, const NetworkForm& form, double blocks, Work* work) {
  const RowStatistics& statistics = layer.rows.statistics;
  const StatisticsThreads threads = form.row_threads();
  const auto rows = static_cast<double>(threads.vectors), of_row = static_cast<double>(threads.of_vector);
  const auto columns = static_cast<double>(layer.columns);
  const double turns = std::ceil(rows * of_row / static_cast<double>(threads.block));
  const double width = static_cast<double>(statistics.width), terms = std::ceil(columns / of_row / width) * width;
  const double shuffles = std::log2(of_row);
  double chain = 0;
  for (const RowStatistics::Phase& phase : statistics.phases) {
    const auto count = static_cast<double>(phase.statistics.size());
    Work term = element_work(*phase.graph);
    term.memory += 1 / width;
    term.f32 += count;
    term.integer += 2 / width;
    add(work, term, rows * columns * blocks);
    work->integer += 2 * shuffles * count * rows * of_row * blocks;
    chain += turns * (kSharedCycles + terms * std::max(8.0, term.instructions()) + count * shuffles * kShuffleCycles) +
             kBarrierCycles;
  }
  for (const RowStatistics::Number& number : statistics.numbers) {
    const Work made = element_work(*number.graph);
    add(work, made, rows * blocks);
    chain += turns * (made.instructions() * kArithmeticCycles + kSharedCycles);
  }
  return chain;
}

std::optional<NetworkForm> with_room(const NetworkDemand& demand, NetworkForm form) {
  const bool narrow = form.product == Product::k16Bits;
  int64_t widest = 0, most = 0, kept = 0, straight_columns = 0, turned_columns = 0;
  for (const NetworkLayer& layer : demand.layers) {
    const bool is_last = &layer == &demand.layers.back();
    const bool stays = !is_last || (!layer.rows.empty() && layer.rows.in_place);
    most = std::max({most, padded(layer.terms), stays ? padded(layer.columns) : 0});
    if (!layer.rows.empty() && !layer.rows.in_place) kept = std::max(kept, padded(layer.columns));
    widest = std::max(widest, form.mmas_n(layer.columns));
    int64_t& columns = layer.turned ? turned_columns : straight_columns;
    columns = std::max(columns, form.warps_n * form.mmas_n(layer.columns) * 8);
  }
  if (form.mmas_m * widest * 4 > (narrow ? kMostNarrowSums : kMostSums)) return std::nullopt;
  // Eight rows of activations, and four or eight of weights, lie in all 32 banks.
  form.row = most + form.chunk();
  form.kept_row = kept == 0 ? 0 : kept + 4;
  const int64_t banks = narrow ? 16 : 32;
  if (straight_columns > 0) form.weight_row = ceil_div(straight_columns, banks) * banks + 8;
  form.tile = std::max(form.tile_k * form.weight_row, turned_columns * form.turned_row());
  form.shared_bytes = shared_bytes(demand, form);
  if (form.shared_bytes > kSharedBytesMost) return std::nullopt;
  form.together = resident_blocks(network_work(demand, form), form) >= 2 ? 2 : 1;
  return form;
}

}  // namespace

int64_t NetworkForm::mmas_n(int64_t columns) const {
  // Of 16-bit floats two at a time are loaded.
  const int64_t eights = padded(columns) / 8, at_once = product == Product::k16Bits ? 2 : 1;
  return ceil_div(eights, warps_n * at_once) * at_once;
}

std::optional<NetworkForm> network_form(const NetworkDemand& demand) {
  std::optional<NetworkForm> best;
  double fastest = 0;
  for (const int64_t warps_n : {1, 2, 4, 8}) {
    for (const int64_t mmas_m : {1, 2, 4}) {
      for (const int64_t tile_k : {16, 32}) {
        for (const int64_t stages : {2, 3, 4}) {
          NetworkForm form = {.product = demand.product,
                              .warps_m = NetworkForm::kWarps / warps_n,
                              .warps_n = warps_n,
                              .mmas_m = mmas_m,
                              .tile_k = tile_k,
                              .stages = stages};
          const std::optional<NetworkForm> candidate = with_room(demand, form);
          if (!candidate || ceil_div(demand.rows, candidate->rows()) > INT32_MAX) continue;
          const double us = network_us(demand, *candidate);
          if (best && us >= fastest) continue;
          best = candidate;
          fastest = us;
        }
      }
    }
  }
  return best;
}

Work network_work(const NetworkDemand& demand, const NetworkForm& form) {
  const bool split = form.product == Product::k3xTf32, narrow = form.product == Product::k16Bits;
  const auto blocks = static_cast<double>(ceil_div(demand.rows, form.rows()));
  const auto rows = static_cast<double>(form.rows()), down = static_cast<double>(form.mmas_m);
  const auto mma_k = static_cast<double>(form.mma_k()), tile_k = static_cast<double>(form.tile_k);
  const auto bytes = static_cast<double>(dtype_bytes(demand.dtype));
  constexpr double kLanes = kWarp, kThreads = NetworkForm::kWarps * kWarp;
  // A tile is there so long after it was asked for, and so many bytes a cycle come; a warp's product takes its quarter
  // of the multiprocessor (contract_work.cpp).
  constexpr double kTileCycles = 1400, kBytesOfTileACycle = 40, kProductCycles = 7;
  const double terms = split ? 3 : 1;
  Work work;
  double widest = 0;
  // Of the first layer's activations.
  const Work first = element_work(*demand.first.graph);
  const double loaded = rows * static_cast<double>(demand.layers.front().terms);
  const double copies = demand.copy ? loaded / static_cast<double>(demand.copy->elements) : loaded;
  add(&work, first, demand.copy ? copies * blocks : loaded * blocks);
  work.integer += 4 * copies * blocks;
  work.memory += loaded * bytes / 4 * blocks;
  double chain = 2 * kLoadCycles + copies / kThreads * std::max(8.0, demand.copy ? 8.0 : first.instructions());
  for (const NetworkLayer& layer : demand.layers) {
    const auto columns = static_cast<double>(layer.columns), depth = static_cast<double>(padded(layer.terms));
    const int64_t mmas_n = form.mmas_n(layer.columns);
    const auto across = static_cast<double>(mmas_n);
    const double warps =
        static_cast<double>(form.warps_m) * std::ceil(static_cast<double>(padded(layer.columns)) / 8 / across);
    const double steps = depth / mma_k, tiles = std::ceil(depth / tile_k);
    const double products = steps * down * across * terms;
    const double lanes = kLanes * warps * blocks;
    widest = std::max(widest, across);
    work.tensor +=
        16 * 8 * mma_k * (narrow ? 1 : 2) * products * warps * blocks * slowed(form, mmas_n) * (split ? 0.9 : 1);
    work.memory += steps * 4 * (down + across / 2) * lanes;
    work.integer += (products + 20 * tiles) * lanes;
    if (!narrow)
      work.f32 += steps * ((down * 4 + across * 2) * (split ? 3 : 1) + (split ? down * across * 4 : 0)) * lanes;
    const double of_tile = tile_k * columns * bytes;
    work.memory += tiles * of_tile / 4 * blocks;
    work.integer += 4 * tiles * of_tile / kAccessBytes * blocks;

    // What is made of the sums.
    Work after;
    if (layer.graph) after = element_work(*layer.graph);
    const double sums = down * across * 4;  // of a lane
    after.memory += 1;
    after.integer += 6;
    after.f32 += split ? 2 : 0;
    if (!layer.rows.empty()) {
      // They are kept, and read again.
      add(&after, element_work(*layer.rows.graph), 1);
      after.memory += 2 + static_cast<double>(layer.rows.statistics.reads.size());
      after.integer += 6;
      chain += add_row_work(layer, form, blocks, &work) + 2 * kBarrierCycles;
    }
    add(&work, after, sums * lanes);

    const double quarter = std::max(1.0, warps / 4);
    const double multiplied = products / tiles * kProductCycles * quarter + steps / tiles * 2 * kSharedCycles;
    const double arrives = (kTileCycles + of_tile / kBytesOfTileACycle) / static_cast<double>(form.stages - 1);
    chain += tiles * std::max(multiplied + kBarrierCycles, arrives) + 2 * kBarrierCycles + kLoadCycles / 4 +
             sums * std::max(8.0, after.instructions());
    work.flops += 2 * static_cast<double>(demand.rows * layer.terms) * columns;
  }
  work.chain = chain;
  // Of two blocks or more a thread has 128 at most, which hold two instructions' rows without spilling.
  const double sums = down * widest * 4, fragments = split ? down * 16 + 24 : down * 4 + widest * 2;
  const double most = form.mmas_m <= 2 && sums <= kMostSums ? 128 : 255;
  work.registers = static_cast<int>(std::min(most, sums + fragments + 48));
  return work;
}

double network_us(const NetworkDemand& demand, const NetworkForm& form) {
  const Work work = network_work(demand, form);
  const auto blocks = static_cast<double>(ceil_div(demand.rows, form.rows()));
  const double busy = std::min(blocks, static_cast<double>(kMultiprocessors));
  const double waves = std::max(1.0, blocks / (static_cast<double>(kMultiprocessors) * resident_blocks(work, form)));
  const double tensor = work.tensor / blocks * std::ceil(blocks / busy) / kTensor;
  const double issue = work.instructions() / (busy * 4 * kWarp);
  double bytes = static_cast<double>(demand.rows * (demand.layers.front().terms + demand.columns()));
  for (const NetworkLayer& layer : demand.layers) bytes += static_cast<double>(layer.terms * layer.columns);
  bytes *= static_cast<double>(dtype_bytes(demand.dtype));
  return kLaunchUs + std::max(transfer_us(bytes), std::max({tensor, issue, waves * work.chain}) / kCycles);
}

double layers_us(const NetworkDemand& demand) {
  // Of a small product: to load what it needs, and to multiply.
  constexpr double kLeastUs = 1.0, kSlowed = 1.3, kOfWarpgroups = 0.71, kOfResult = 8;
  constexpr int64_t kRowOfTile = 64;
  const double slowed = demand.product == Product::k16Bits ? kOfWarpgroups : kSlowed;
  const double rate = static_cast<double>(kMultiprocessors) * kTensor * kCycles;
  double us = 0;
  for (const NetworkLayer& layer : demand.layers) {
    const auto rows = static_cast<double>(demand.rows), terms = static_cast<double>(layer.terms);
    const auto columns = static_cast<double>(layer.columns);
    const double bytes = (rows * (terms + columns) + terms * columns) * static_cast<double>(dtype_bytes(demand.dtype));
    const double multiplied = rows * terms * columns * terms_of(demand.product) * slowed / rate;
    // What is made of a product is made when all of a tile are there.
    double each = kOfResult;
    for (const DemandGraph* graph : layer.graphs()) each += element_work(*graph).instructions();
    const double made = rows * columns * each / (static_cast<double>(kMultiprocessors) * 4 * kWarp * kCycles);
    us += kLaunchUs + std::max(kLeastUs, std::max(transfer_us(bytes), multiplied) + made);
    // Long rows are reduced by a kernel of their own, where a tile of products has none of them whole.
    if (!layer.rows.empty() && layer.columns > kRowOfTile) {
      const double read_and_written = 2 * rows * columns * static_cast<double>(dtype_bytes(demand.dtype));
      us += kLaunchUs + std::max(kLeastUs, transfer_us(read_and_written));
    }
  }
  return us;
}

}  // namespace sinter
