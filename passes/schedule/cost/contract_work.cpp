#include "passes/schedule/cost/contract_work.h"

#include <algorithm>
#include <cmath>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/emittable.h"
#include "passes/analysis/values/hardware.h"
#include "passes/schedule/cost/graph_work.h"
#include "passes/stages/products/pair_term.h"
#include "passes/stages/products/tile_copy.h"
#include "passes/stages/products/tma_tiles.h"

namespace sinter {

namespace {

// Registers of what ptxas has under way at a time: the steps of a tile.
constexpr double kTileRegisters = 42;

// How much longer products take in a tile than in one of 128 x 128 by four warps (1), which is what a GPU's data file
// has the rate of: half of the time goes with what is copied to shared memory and read from it for each product. Two
// blocks of four warps wait less for each other than one of eight. Measured on an H200 (bench/RESULTS.md, tiles): 128 x
// 128 by four warps 1, by eight 1.25, 128 x 64 1.25, 64 x 64 1.52.
double slowed_by_tile(double m, double n, double warp_m, double warp_n, double warps) {
  constexpr double kBest = 1.0 / 32 + 1.0 / 64, kEightWarps = 1.1;
  const double copied = 1 / m + 1 / n, read = 1 / warp_m + 1 / warp_n;
  return (0.5 + 0.5 * (copied + read) / kBest) * (warps > 4 ? kEightWarps : 1);
}
// The same of products of warpgroups, beside those of mma.sync in the tile above. An instruction reads 64 rows and all
// columns; what is copied counts for more, since blocks ask the L2 for as much as it gives. Measured on an H200
// (bench/RESULTS.md, tiles): 128 x 256 0.71, 256 x 128 0.72, 128 x 128 0.86, 64 x 128 1.02, 64 x 256 1.07 and
// 64 x 64 1.21.
double wgmma_in_tile(double m, double n) {
  constexpr double kBestCopied = 1.0 / 128 + 1.0 / 256, kBestRead = 1.0 / 64 + 1.0 / 256, kOfMma = 0.71;
  return kOfMma * (0.5 + 0.4 * (1 / m + 1 / n) / kBestCopied + 0.1 * (1.0 / 64 + 1 / n) / kBestRead);
}
// The same where the hardware copies tiles and blocks stay, beside other products of a whole multiprocessor: 128 x 256
// 0.57, 256 x 128 0.59, 128 x 128 0.63, 64 x 256 0.63, 64 x 128 0.75 and 64 x 64 1.05 (bench/RESULTS.md, 2026-11-27).
double tma_in_tile(double m, double n) {
  constexpr double kBestCopied = 1.0 / 128 + 1.0 / 256, kOfMma = 0.57;
  const double more = (1 / m + 1 / n) / kBestCopied - 1;
  return kOfMma * (1 + 0.3 * more * more);
}
// Tensor cores that are busy take the clock down.
constexpr double kBelowClock = 1.2;
// Where one operand is in registers: the cycles that a multiprocessor takes for a k tile, in elements of a tile of
// mma.sync that take as long, beside how many are multiplied. Not measured: what tensor cores, shared memory and the L2
// each take by themselves. Tensor cores multiply 8,192 bytes by as many a cycle, at the clock that they take down; they
// read the other operand for each warpgroup and term, and shared memory has 128 bytes a cycle; the L2 gives each
// multiprocessor some 30 (4096 x 4096 x 4096 of bf16 in tiles of 128 x 256: 28, of 128 x 128: 31).
double registers_in_tile(const TensorCoreForm& form, const Tf32Operands& are_tf32) {
  constexpr double kMmaFma = 873, kRowBytes = 128, kSharedBytesACycle = 128, kL2BytesACycle = 30;
  const auto terms = static_cast<double>(form.terms(are_tf32)), bytes = static_cast<double>(form.element_bytes());
  const auto sides = static_cast<double>(form.m + form.n), read = static_cast<double>(form.of_instruction());
  const auto divided = static_cast<double>(form.divided());
  const double elements = static_cast<double>(form.m * form.n * form.k) * terms;
  const double tensor = kBelowClock * elements * bytes / 4096;
  const double splits = form.small_bytes(are_tf32) > 0 ? 3 * read : 0;  // loaded, and stored twice
  const double shared = kRowBytes * (sides + divided + splits + divided / kWarpgroupRows * read * terms);
  const double cycles = std::max({tensor, shared / kSharedBytesACycle, kRowBytes * sides / kL2BytesACycle});
  return cycles * kMmaFma / (elements * bytes / 2);
}
// Doubles on tensor cores beside those of the lanes for doubles: twice as many, of the GPUs whose tensor cores are used
// for them (Gpu::tensor_f64_fma); an instruction takes a quarter of a multiprocessor so many cycles.
constexpr double kDoublesOfLane = 2, kDoublesCycles = 32;
// Of the three products of 3xTF32, beside as many of TF32 (2.05 ms for 4096 x 4096 x 4096 in tiles of 128 x 64).
constexpr double kSplitTensor = 0.9;

// Operations on integers that give what an element is made of.
double integers_of(const DemandGraph& graph) {
  return static_cast<double>(std::ranges::count_if(graph.nodes, [](const DemandNode& node) {
    return node.kind == DemandNode::Kind::kCompute && is_integer(node.dtype);
  }));
}

}  // namespace

ReducedRowsWork::ReducedRowsWork(const ContractDemand& demand)
    : rows_(demand.rows),
      statistics_(demand.rows.statistics),
      stores_(demand.rows.stores == nullptr ? Work() : graph_work(*demand.rows.stores)),
      elements_(demand.epilogue->stores.empty() ? 0.5 : 1),
      words_(static_cast<double>(dtype_bytes(accumulator_type(demand.dot->shape.dtype))) / 4) {}

double ReducedRowsWork::add_to(int64_t m, int64_t threads, double tiles, Work* work) const {
  if (rows_.empty()) return 0;
  const double turns = std::ceil(static_cast<double>(m) / static_cast<double>(threads));
  add(work, stores_, static_cast<double>(m) * tiles);
  return statistics_.add_rows(threads_of_rows(m, threads), rows_.length, tiles, words_, work) + turns * stores_.chain;
}

Work contract_work(const ContractDemand& demand, int64_t tile) {
  const ContractExtents& extents = demand.extents;
  const double batch = static_cast<double>(extents.batch), m = static_cast<double>(extents.m);
  const double n = static_cast<double>(extents.n), k = static_cast<double>(extents.k);
  const double size = static_cast<double>(tile);
  Work work;
  add_products(demand.dot->shape.dtype, batch * m * n * k, &work);
  work.memory = 2 * batch * m * n * k;  // each product reads two elements of shared memory
  // Each tile loads its rows and columns.
  const double loads[2] = {batch * m * k * std::ceil(n / size), batch * n * k * std::ceil(m / size)};
  double registers = 0;
  for (int side = 0; side < 2; ++side) {
    const DemandGraph& graph = *demand.operands[side].graph;
    const Work element = graph_work(graph);
    add(&work, element, loads[side]);
    work.memory += loads[side];  // into shared memory
    work.chain = std::max(work.chain, element.chain);
    registers = std::max(registers, graph_registers(graph, 1));
  }
  const Work element = graph_work(*demand.epilogue);
  add(&work, element, batch * m * n / static_cast<double>(demand.parts.count));
  // A step of the loop over k loads, waits, multiplies `tile` times, and waits.
  work.chain = std::ceil(k / size) * (work.chain + 2 * kBarrierCycles + size * kArithmeticCycles) + element.chain;
  const double blocks = batch * std::ceil(m / size) * std::ceil(n / size);
  work.chain +=
      StatisticsWork(demand.statistics).add_to(statistics_threads(demand, tile, tile, tile * tile), blocks, &work);
  work.registers = whole_registers(std::max(registers, graph_registers(*demand.epilogue, 1)) + kTileRegisters);
  return work;
}

TensorCoreWork::TensorCoreWork(const ContractDemand& demand)
    : demand_(demand),
      copies_{tile_copy(demand.operands[0], demand.dot->operand(0)->shape.dtype),
              tile_copy(demand.operands[1], demand.dot->operand(1)->shape.dtype)},
      elements_{graph_work(*demand.operands[0].graph), graph_work(*demand.operands[1].graph)},
      after_(graph_work(*demand.epilogue)),
      statistics_(demand.statistics),
      rows_(demand) {
  const auto add_masked = [&](const ContractOperand& value, size_t side) {
    copies_below_mask_[side] = tile_copy(value, demand.dot->operand(side)->shape.dtype);
    elements_below_mask_[side] = graph_work(*value.graph);
  };
  if (demand.segments) {
    add_masked(demand.segments->value, 0);
    mask_ = graph_work(*demand.segments->mask);
  }
  if (!demand.terms) return;
  for (const size_t side : {0, 1}) {
    if (demand.terms->values[side]) add_masked(*demand.terms->values[side], side);
  }
  mask_ = graph_work(*demand.terms->mask);
}

Work TensorCoreWork::of(const TensorCoreForm& form, int64_t threads) const {
  using Product = TensorCoreForm::Product;
  const ContractExtents& extents = demand_.extents;
  const Tf32Operands& are_tf32 = demand_.are_tf32;
  const ContractGrid grid = contract_grid(extents, form.m, form.n);
  const WarpTile part = *warp_tile(form, threads);
  const bool bytes = form.product == Product::kInt8, doubles = form.product == Product::kF64;
  const bool narrow = form.product == Product::k16Bits || bytes, split = form.product == Product::k3xTf32;
  const auto tile_m = static_cast<double>(form.m), tile_n = static_cast<double>(form.n);
  const auto tile_k = static_cast<double>(form.k);
  const int64_t multiply = form.tma ? threads - kWarpgroup : threads;  // of a block's threads
  const auto warps = static_cast<double>(multiply / kWarp);
  const double results_tiles = static_cast<double>(extents.batch * grid.rows * grid.columns);
  const double blocks = results_tiles * static_cast<double>(form.splits);
  // Of segments each row is taken to be in one, and rows of one to be neighbours: a tile has so many.
  const bool skips = skips_segments(demand_, form);
  const double segments = skips ? static_cast<double>(demand_.segments->count) : 1;
  const double in_tile_segments = skips ? std::min(segments, 1 + segments / static_cast<double>(grid.rows)) : 1;
  // Of terms each is taken to be in one batch, and those of one to be neighbours, which begin anywhere in a tile.
  const bool skips_terms = sinter::skips_terms(demand_, form);
  const double k_tiles = skips ? segments * static_cast<double>(ceil_div(demand_.segments->length, form.k))
                               : static_cast<double>(form.block_tiles(extents.k));
  const double share_of_k =
      skips_terms ? std::min(1.0, 1 / static_cast<double>(extents.batch) + 1 / k_tiles) : in_tile_segments / segments;
  const double tiles = k_tiles * share_of_k;
  const double steps = tile_k / static_cast<double>(form.mma_k());
  const double down = static_cast<double>(part.m) / 16, across = static_cast<double>(part.n) / 8;  // instructions
  const double products = steps * down * across * static_cast<double>(form.terms(are_tf32));
  constexpr double kLanes = 32;

  // A warp and k tile, then all of them. A lane's access of 16 bytes takes as long as four of 4.
  Work work;
  const double lanes = kLanes * warps * blocks * tiles;
  const double in_tile =
      form.has_registers() ? registers_in_tile(form, are_tf32)
      : form.tma           ? tma_in_tile(tile_m, tile_n)
      : form.wgmma         ? wgmma_in_tile(tile_m, tile_n)
                   : slowed_by_tile(tile_m, tile_n, static_cast<double>(part.m), static_cast<double>(part.n), warps);
  const double multiplied_adds =
      16 * 8 * static_cast<double>(form.mma_k()) * products * warps * blocks * tiles * in_tile;
  if (doubles) {
    // Blocks are long: while a multiprocessor has one more than others, these have nothing to do.
    const double even = blocks / static_cast<double>(kMultiprocessors);
    work.f64 = multiplied_adds / kDoublesOfLane * (even > 1 ? std::ceil(even) / even : 1);
  } else {
    work.tensor = multiplied_adds *
                  (bytes    ? 0.5
                   : narrow ? 1
                            : 2) *
                  (split && !form.has_registers() && form.terms(are_tf32) > 1 ? kSplitTensor : 1);
  }
  const double words = static_cast<double>(form.sum_bytes()) / 4;
  work.memory = form.wgmma ? 0 : 4 * words * steps * (down + across / 2) * lanes;
  work.integer = (form.wgmma ? steps : products) + 20;
  // What is split in two terms of TF32, or rounded to one; of an operand that is TF32 nothing is to do.
  const double splits[2] = {split ? are_tf32[0] ? 0.0 : 3.0 : 1.0, split ? are_tf32[1] ? 0.0 : 3.0 : 1.0};
  work.f32 = narrow || doubles
                 ? 0
                 : steps * (down * 4 * splits[0] + across * 2 * splits[1]) + (split ? 2 * down * across * 4 : 0);
  if (form.has_registers()) {
    // What is multiplied from registers, and of three terms the other operand, and sums of a k tile.
    const double of_rows = 4 * steps, sums_of_instruction = static_cast<double>(form.of_instruction()) / 2;
    const bool splits_tile = form.small_bytes(are_tf32) > 0;
    const double of_others = splits_tile ? static_cast<double>(form.of_instruction()) * tile_k / (warps * kLanes) : 0;
    work.memory = (of_rows + 3 * of_others) * lanes;
    work.f32 = narrow ? 0 : of_rows * splits[form.register_side()] + 3 * of_others + (split ? sums_of_instruction : 0);
  }
  work.integer *= lanes;
  work.f32 *= lanes;
  double load_cycles = 0;
  double registers = 0;
  for (size_t side = 0; side < 2 && !form.tma; ++side) {
    const double elements = (side == 0 ? tile_m : tile_n) * tile_k * blocks * tiles;
    const ContractOperand* below_mask = value_below_mask(demand_, form, side);
    const bool masked = below_mask != nullptr;
    const std::optional<TileCopy>& copy = masked ? copies_below_mask_[side] : copies_[side];
    const bool one_by_one = copy && !copy->along_k && form.reads_along_k(side);
    const double copies = elements / static_cast<double>(one_by_one ? 1 : copy ? copy->elements : form.chunk());
    work.memory += elements * static_cast<double>(form.element_bytes()) / 4;
    work.integer += 4 * copies;
    const Work& element = masked ? elements_below_mask_[side] : elements_[side];
    if (masked || skips_terms) work.integer += 4 * copies;  // whether the row is in the segment, or the term counts
    if (copy) {
      // What moves with k is the same for all copies along k of a thread, and what does not is found before the loop.
      const double found = !copy->strided && copy->along_k ? lanes : copies;
      const auto tests = static_cast<double>(copy->tests.size());
      work.integer += element.integer * std::min(found, copies) + 4 * tests * copies;
      continue;
    }
    // Through registers, which each tile waits for.
    add(&work, element, elements);
    const double each = (side == 0 ? tile_m : tile_n) * tile_k / static_cast<double>(multiply);
    load_cycles = std::max(load_cycles, element.chain) + each * element.instructions();
    const ContractOperand& operand = masked ? *below_mask : demand_.operands[side];
    registers = std::max(registers, graph_registers(*operand.graph, static_cast<double>(form.chunk())));
  }
  const auto m = static_cast<double>(extents.m), n = static_cast<double>(extents.n), k = static_cast<double>(extents.k);
  work.flops = 2 * static_cast<double>(extents.batch) * m * n * k * share_of_k;
  const auto parts_of_result = static_cast<double>(demand_.parts.count);
  const double sums_made = static_cast<double>(extents.batch) * m * n;
  add(&work, after_, sums_made / parts_of_result);
  work.memory += 2 * words * sums_made * rows_.elements();
  work.integer += 6 * sums_made * rows_.elements() / parts_of_result;

  // A k tile: products one after the other on the tensor core of a warp's quarter of the multiprocessor, of which some
  // 7 cycles are each, a step's latency and the barrier. The first tiles are waited for.
  // A warpgroup's products read shared memory themselves, 2,048 multiply-adds a cycle and multiprocessor.
  constexpr double kProductCycles = 7, kWgmmaFma = 2048, kReady = 150;
  const double quarter = std::max(1.0, warps / 4);
  // With an operand in registers, one group after the other: sums are added up, and the next products given.
  const double multiplied =
      form.has_registers() ? tile_m * tile_n * tile_k *
                                     static_cast<double>(form.terms(are_tf32) * form.element_bytes()) / 2 / kWgmmaFma +
                                 kReady
      : form.wgmma ? tile_m * tile_n * tile_k / kWgmmaFma
                   : products * (doubles ? kDoublesCycles : kProductCycles) * quarter + steps * 2 * kSharedCycles;
  // A tile is there so long after it was asked for: measured of tiles of 6 to 48 kB (bench/RESULTS.md, tiles). As many
  // are under way as there are stages, but for the one that is multiplied, and of warpgroups the one before it.
  constexpr double kTileCycles = 1400, kBytesOfTileACycle = 40;
  const double tile_bytes = (tile_m + tile_n) * tile_k * static_cast<double>(form.element_bytes());
  const double under_way = static_cast<double>(form.stages - (form.wgmma && !form.tma ? 2 : 1));
  const double arrives = (kTileCycles + tile_bytes / kBytesOfTileACycle) / under_way;
  const double of_tile = std::max(multiplied + kBarrierCycles + load_cycles, arrives);
  const double each = tile_m * tile_n / static_cast<double>(multiply);
  work.chain = kLoadCycles + tiles * of_tile + 2 * kBarrierCycles + after_.chain +
               each * std::max(8.0, (after_.instructions() + 6) / parts_of_result) * rows_.elements();
  if (form.tma) {
    // Blocks take turns: a multiprocessor that has one more than others is waited for. The next turn's first tiles come
    // while results are made.
    constexpr double kOfResult = 3;
    const double turns = std::ceil(results_tiles / static_cast<double>(tma_blocks(extents, form)));
    work.tensor *= turns * static_cast<double>(tma_blocks(extents, form)) / results_tiles;
    const double of_k_tile = std::max(kBelowClock * multiplied, arrives);
    work.chain = kLoadCycles + kTileCycles +
                 turns * (tiles * of_k_tile + after_.chain + each * (after_.instructions() + kOfResult));
  }
  work.chain += statistics_.add_to(statistics_threads(demand_, form.m, form.n, threads), blocks, &work);
  work.chain += rows_.add_to(form.m, threads, results_tiles, &work);
  if (skips) {
    add(&work, mask_, segments * tile_m * blocks);
    const double turns = std::ceil(segments * kWarp / static_cast<double>(threads));
    work.chain += turns * (mask_.chain + tile_m / kWarp * (mask_.instructions() + kSharedCycles)) + 2 * kBarrierCycles +
                  kSharedCycles + segments * kArithmeticCycles;
  }
  if (skips_terms) {
    const auto terms = static_cast<double>(extents.k);
    add(&work, mask_, terms * blocks);
    const double turns = std::ceil(terms / static_cast<double>(threads));
    work.chain += mask_.chain + turns * (mask_.instructions() + kSharedCycles) + 2 * kBarrierCycles +
                  k_tiles / kWarp * (kSharedCycles + 8 * kArithmeticCycles);
  }
  if (form.splits > 1) {
    // To store a part, to find the last block, and to load all parts.
    const double tile_sums = tile_m * tile_n, all = static_cast<double>(form.splits) * tile_sums * results_tiles;
    const auto group = static_cast<double>(form.group()), groups = static_cast<double>(form.splits / form.group());
    const double turns = groups > 1 ? 2 : 1, parts = groups > 1 ? group + groups : group;
    work.memory += 2 * turns * words * all;
    (doubles ? work.f64 : work.f32) += all;
    // A thread has four loads of four sums each under way.
    const double waits = each / 4 * (std::ceil(group / 4) + (turns > 1 ? std::ceil(groups / 4) : 0)) * kLoadCycles;
    work.chain +=
        turns * (kFoundCycles + kLoadCycles + each * 2) + std::max(waits, parts * tile_sums * 4 / kBytesACycle);
  }
  const double sums = down * across * 4 * (split ? 2 : words);
  const double fragments = form.has_registers() ? 4 * steps * (split ? 3 : 2)
                           : form.wgmma         ? 0
                                                : 2 * words * (down * 4 + across * 2);
  work.registers =
      whole_registers(std::max(sums + fragments + registers, graph_registers(*demand_.epilogue, 1)) + kTileRegisters);
  return work;
}

SimtWork::SimtWork(const ContractDemand& demand)
    : demand_(demand), after_(graph_work(*demand.epilogue)), statistics_(demand.statistics), rows_(demand) {
  for (size_t number = 0; number < demand.operand_count(); ++number) {
    elements_.push_back(graph_work(*demand.operand(number).graph));
    registers_.push_back(graph_registers(*demand.operand(number).graph, 1));
  }
  if (!demand.pair) {
    add_products(demand.dot->shape.dtype, 1, &term_);
    return;
  }
  const DType dtype = accumulator_type(demand.dot->shape.dtype);
  term_ = graph_work(*demand.pair->graph);
  if (demand.pair->function != nullptr) {
    add(&term_, graph_work(*demand.pair->function), 1);
  } else {
    (dtype == DType::kF64 ? term_.f64 : is_float(dtype) ? term_.f32 : term_.integer) += 1;
    if (is_float(dtype)) ++term_.flops;
  }
  // Numbers that it reads are in registers.
  term_.memory = 0;
  for (const DemandNode& node : demand.pair->graph->nodes) {
    const std::optional<TermLoad> load = term_load(demand, node);
    if (!load) continue;
    if (load->row && load->column) ++of_result_;
    if (load->row != load->column) ++of_sides_[load->row ? 0 : 1];
    if (load->term) ++of_term_;
  }
}

Work SimtWork::of(const SimtForm& form, int64_t threads) const {
  const SimtThreads shape = *simt_threads(demand_, form, threads);
  const ContractExtents& extents = demand_.extents;
  const ContractGrid grid = contract_grid(extents, form.m, form.n);
  const double words = dtype_bytes(accumulator_type(demand_.dot->shape.dtype)) / 4.0;
  const auto words_of_result = [&](bool read_alone) {
    return std::max(words, static_cast<double>(bytes_of_result(demand_, read_alone)) / 4);
  };
  const auto sums = static_cast<double>(shape.sums_m() * shape.sums_n()), tile_k = static_cast<double>(form.k);
  const double of_side[2] = {static_cast<double>(shape.sums_m()), static_cast<double>(shape.sums_n())};
  double sides = 0;  // of all operands
  for (size_t number = 0; number < demand_.operand_count(); ++number) sides += of_side[demand_.side_of(number)];
  const double own = sums * of_result_ + of_side[0] * of_sides_[0] + of_side[1] * of_sides_[1];
  const double blocks = static_cast<double>(extents.batch * grid.rows * grid.columns);
  const double tiles = std::ceil(static_cast<double>(extents.k) / tile_k);

  // A thread and k tile. Half of what a warp reads of a tile is read by two lanes at once.
  Work step;
  add(&step, term_, sums * tile_k);
  // Elementary functions of a warp take eight cycles of their unit, beside what else there is.
  constexpr double kSpecialCycles = 8;
  const double product_cycles =
      std::max(step.f32 + step.special + 2 * (step.f64 + step.integer), kSpecialCycles * step.special);
  step.memory = sides * words * tile_k / 2 + of_term_ * tile_k;
  step.integer += 10;
  double load_cycles = kLoadCycles, part = 0, computed = 0;
  for (size_t number = 0; number < demand_.operand_count(); ++number) {
    const SimtThreads::Load& load = shape.loads[number];
    const auto count = static_cast<double>(load.count), elements = count * static_cast<double>(load.elements);
    const DType operand = demand_.operand_type(number);
    const double load_words = std::max(1.0, static_cast<double>(load.elements * dtype_bytes(operand)) / 4);
    step.memory += elements * words;  // to shared memory
    part += load.copied ? count * load_words : elements * words;
    if (load.copied) {
      step.memory += count * load_words;
      step.integer += count * (6 + elements_[number].integer);
      continue;
    }
    step.integer += 6 * count;
    add(&step, elements_[number], elements);
    load_cycles = std::max(load_cycles, elements_[number].chain + elements * elements_[number].instructions());
    computed = std::max(computed, registers_[number]);
  }
  // Blocks are long: while a multiprocessor has one more than others, these have nothing to do.
  const double even = blocks / static_cast<double>(kMultiprocessors);
  const double counted = even > 1 ? blocks * std::ceil(even) / even : blocks;
  Work work;
  add(&work, step, tiles * counted * static_cast<double>(threads));
  work.flops = 0;
  const double results =
      static_cast<double>(extents.batch) * static_cast<double>(extents.m) * static_cast<double>(extents.n);
  const auto parts_of_result = static_cast<double>(demand_.parts.count);
  add(&work, after_, results / parts_of_result);
  work.flops += results * static_cast<double>(extents.k) * term_.flops;
  work.memory += results * own / sums;
  work.memory += 2 * words_of_result(true) * results * rows_.elements();
  work.integer += 6 * results * rows_.elements() / parts_of_result;

  // A k tile: the products of the warps of a quarter of the multiprocessor, or the loads of the next one, which take
  // longer where warps are few; and the barrier.
  const double quarter = std::max(1.0, static_cast<double>(threads) / kWarp / 4);
  const double of_tile = std::max(quarter * (product_cycles + sides * words * tile_k / 4), load_cycles);
  const double each = static_cast<double>(form.m * form.n) / static_cast<double>(threads);
  work.chain = kLoadCycles + tiles * (of_tile + kSharedCycles + kBarrierCycles) + 2 * kBarrierCycles + after_.chain +
               each * std::max(8.0, (after_.instructions() + 6) / parts_of_result) * rows_.elements();
  work.chain += statistics_.add_to(statistics_threads(demand_, form.m, form.n, threads), blocks, &work);
  work.chain += rows_.add_to(form.m, threads, blocks, &work);
  constexpr double kOfLoop = 6;  // addresses, beside those that any kernel has
  work.registers =
      whole_registers(std::max(sums * words_of_result(false) + own + 2 * sides * words + part + computed + kOfLoop,
                               graph_registers(*demand_.epilogue, 1)));
  return work;
}

GemvWork::GemvWork(const ContractDemand& demand, const GemvOperands& operands)
    : demand_(demand),
      operands_(operands),
      element_(graph_work(*demand.operands[operands.matrix].graph)),
      of_vectors_(graph_work(*demand.operands[1 - operands.matrix].graph)),
      after_(graph_work(*demand.epilogue)),
      computed_(std::min(integers_of(*demand.operands[operands.matrix].graph), element_.integer)),
      registers_(graph_registers(*demand.operands[operands.matrix].graph, 1)),
      statistics_(demand.statistics) {}

Work GemvWork::of(const GemvForm& form, int64_t threads) const {
  const GemvThreads shape = *gemv_threads(demand_, operands_, form, threads);
  const auto vectors = static_cast<double>(operands_.vectors), chunk = static_cast<double>(operands_.chunk);
  const auto rows = static_cast<double>(shape.rows), all_threads = static_cast<double>(threads);
  const double blocks = static_cast<double>(operands_.batch * form.splits) *
                        std::ceil(static_cast<double>(operands_.outputs) / static_cast<double>(form.n));
  const double steps = std::ceil(static_cast<double>(shape.split_k) / static_cast<double>(form.k));
  const DType dtype = demand_.dot->shape.dtype;

  // Of a thread and step: elements of the matrix, and their products. A lane's access of 16 bytes takes as long as four
  // of 4.
  const bool copies = operands_.copied != kNoNode;
  Work step;
  add(&step, element_, rows * chunk);
  if (copies) {
    const double words = std::ceil(static_cast<double>(operands_.chunk_bytes(demand_)) / 4);
    // What is resident comes once, which is no part of a step.
    step.memory += rows * ((form.resident ? 1 : 2) * words - chunk);
    // An index is computed once a chunk, what is made of integers for each element.
    step.integer +=
        rows * ((form.resident ? 1 : 8) - (element_.integer - computed_) * (chunk - 1)) + (form.resident ? 4 : 12);
  }
  const double read = operands_.along_k ? chunk : rows;  // elements of each vector
  const double x_bytes = static_cast<double>(dtype_bytes(operands_.vector_type(demand_)));
  step.memory += vectors * (operands_.along_k ? std::max(1.0, read * x_bytes / 4) : read);
  if (operands_.vector_type(demand_) != DType::kF32) step.integer += vectors * read;
  add_products(dtype, vectors * rows * chunk, &step);

  Work work;
  const double lanes = all_threads * blocks;
  add(&work, step, lanes * steps);
  const double of_block = vectors * static_cast<double>(shape.split_k);
  add(&work, of_vectors_, of_block * blocks);
  work.memory += of_block * blocks;
  const double shuffles = operands_.along_k ? std::log2(static_cast<double>(std::min<int64_t>(shape.lanes, kWarp)))
                                            : std::log2(static_cast<double>(kWarp / shape.lanes));
  const double exchanged = static_cast<double>(shape.sums) * vectors * shuffles;
  work.memory += exchanged * lanes;
  work.f32 += exchanged * lanes;
  const double results = static_cast<double>(operands_.batch * operands_.outputs) * vectors;
  const double parts = static_cast<double>(form.splits > 1 ? 2 * form.splits : 0);
  add(&work, after_, results / static_cast<double>(demand_.parts.count));
  work.memory += results * (static_cast<double>(shape.groups) + parts);
  work.flops = 2 * results * static_cast<double>(operands_.k);

  // The vectors come first, then steps, of which some are under way.
  const double of_thread = std::ceil(of_block / all_threads);
  const double loads = form.resident ? 0
                       : copies      ? kLoadCycles / static_cast<double>(form.stages - 1)
                                     : kLoadCycles / 2;
  const double vector_chain =
      of_vectors_.chain + of_thread * std::max(of_vectors_.instructions(), 8.0) + kBarrierCycles;
  // The first copies of the matrix are under way while statistics are made.
  const double statistics = statistics_.add_to(shape.statistics, blocks, &work);
  work.chain = std::max(kLoadCycles, statistics) + vector_chain +
               steps * std::max(loads, kSharedCycles + 2 * step.instructions()) + exchanged * kArithmeticCycles +
               kBarrierCycles + after_.chain +
               std::ceil(vectors * static_cast<double>(form.n) / all_threads) * 2 * kSharedCycles;
  // To store a part, to find the last block, and to load all parts.
  if (form.splits > 1) work.chain += kFoundCycles + static_cast<double>(form.splits) * kSharedCycles + kLoadCycles;
  const double held = static_cast<double>(shape.sums) * vectors + 1.5 * rows * chunk + read;
  work.registers = whole_registers(held + registers_ + 24);
  return work;
}

}  // namespace sinter
