#include "passes/schedule/groups/choose_contract.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/emittable.h"
#include "passes/analysis/values/hardware.h"
#include "passes/schedule/cost/contract_work.h"
#include "passes/stages/products/asked_forms.h"
#include "passes/stages/products/gemv_form.h"
#include "passes/stages/products/simt_form.h"
#include "passes/stages/products/tensor_core_form.h"
#include "passes/stages/products/tile_copy.h"
#include "passes/stages/products/tma_tiles.h"

namespace sinter {

namespace {

// Tiles to choose from, the larger first: operands are read from memory less often by a larger tile, and more blocks
// make smaller ones.
struct Candidate {
  int64_t m, n, threads, stages;
};
constexpr Candidate kCandidates[] = {{128, 128, 256, 4}, {128, 128, 128, 4}, {128, 64, 128, 4}, {128, 64, 128, 6},
                                     {64, 128, 128, 4},  {64, 128, 128, 6},  {64, 64, 128, 4},  {64, 64, 128, 8},
                                     {64, 32, 128, 4},   {32, 64, 128, 4},   {32, 64, 128, 8},  {32, 32, 128, 4},
                                     {32, 32, 128, 8}};

// Further tiles of doubles, whose sums are two registers each: with a warp for each 32 x 32.
constexpr Candidate kCandidatesOfDoubles[] = {{128, 64, 256, 4}, {64, 128, 256, 4}};

// Further tiles of 16- and 32-bit floats, of products of few columns: groups of a convolution, or its few features.
constexpr int64_t kFewColumns = 16;
constexpr Candidate kCandidatesOfFewColumns[] = {
    {128, kFewColumns, 64, 4}, {64, kFewColumns, 64, 4}, {128, kFewColumns, 64, 6}, {64, kFewColumns, 64, 6}};

// The same of products of few columns or rows that are more: of groups of 24 or 32 features.
constexpr int64_t kFewSides = 32;
constexpr Candidate kCandidatesOfFewSides[] = {
    {128, kFewSides, 128, 4}, {128, kFewSides, 128, 6}, {128, kFewSides, 64, 4}, {128, kFewSides, 64, 6}};
constexpr Candidate kCandidatesOfFewRows[] = {
    {kFewSides, 128, 128, 4}, {kFewSides, 128, 128, 6}, {kFewSides, 128, 64, 4}, {kFewSides, 128, 64, 6}};

// Further tiles, where a block is to have whole rows of results, or pieces of them.
constexpr Candidate kCandidatesOfRows[] = {{64, 256, 256, 3}, {64, 256, 256, 4}, {32, 256, 128, 3},
                                           {32, 256, 128, 4}, {32, 128, 128, 4}, {32, 128, 128, 6}};

// The same of warpgroups, with as many stages as let two blocks share a multiprocessor, or as there is room for.
struct WgmmaCandidate {
  int64_t m, n, stages;
};
constexpr WgmmaCandidate kWgmmaCandidates[] = {{128, 256, 4}, {256, 128, 4}, {128, 128, 3}, {128, 128, 6}, {64, 256, 4},
                                               {64, 128, 4},  {64, 128, 8},  {64, 64, 4},   {64, 64, 8}};
// Further ones of many rows and a convolution's 64 features, where all multiprocessors have such tiles.
constexpr WgmmaCandidate kWgmmaCandidatesOfRows[] = {{256, 64, 4}, {128, 64, 3}, {128, 64, 4}};

// The same where the hardware copies tiles: as many stages as there is room for.
constexpr WgmmaCandidate kTmaCandidates[] = {{128, 256, 4}, {256, 128, 4}, {128, 128, 6},
                                             {64, 256, 5},  {64, 128, 8},  {64, 64, 8}};

// The same with an operand in registers: results that warpgroups divide, and those of an instruction. Two blocks, or
// three, share a multiprocessor where their stages leave room.
constexpr WgmmaCandidate kRegisterCandidates[] = {{128, 256, 4}, {128, 128, 4}, {128, 128, 3}, {64, 256, 3},
                                                  {64, 128, 4},  {64, 128, 3},  {128, 64, 4},  {128, 64, 3},
                                                  {64, 64, 4},   {64, 64, 3}};

// In a form, in a launch of so many blocks of so many threads; `cost`: what each form reads and writes.
template <class Form>
ContractChoice in_form(const Form& form, const Work& work, LaunchCost cost, int64_t shared_bytes,
                       const int64_t (&grid)[3], int64_t threads) {
  cost.work = work;
  cost.launch.blocks = grid[0] * grid[1] * grid[2];
  cost.launch.threads = threads;
  cost.launch.shared_bytes = shared_bytes;
  return {schedule_text(form), threads, {grid[0], grid[1], grid[2]}, cost};
}

// Keeps the choice that takes less time: `better`, or what was there. `threads`: that blocks have; 0: any number.
class Fastest {
 public:
  Fastest(ContractChoice first, const Gpu& gpu, int64_t threads)
      : gpu_(gpu),
        threads_(threads),
        choice_(std::move(first)),
        bytes_(choice_.cost.launch.bytes),
        us_(has_threads(choice_.threads) ? predicted_us(choice_.cost, gpu) : std::numeric_limits<double>::infinity()) {}

  // Whether a form may have so many threads a block.
  bool has_threads(int64_t threads) const { return threads_ == 0 || threads == threads_; }
  // Those that a form has which any number can divide.
  int64_t threads_or(int64_t wanted) const { return threads_ == 0 ? wanted : threads_; }

  // A launch of so many blocks; `more_bytes`: what it writes and reads again; `alone`: Launch::alone.
  template <class Form>
  void offer(const Form& form, const Work& work, int64_t shared_bytes, const int64_t (&grid)[3], int64_t threads,
             int64_t more_bytes = 0, bool alone = false) {
    if (!has_threads(threads)) return;
    LaunchCost cost = choice_.cost;
    cost.launch.bytes = bytes_ + more_bytes;
    cost.launch.alone = alone;
    ContractChoice offered = in_form(form, work, cost, shared_bytes, grid, threads);
    const double us = predicted_us(offered.cost, gpu_);
    if (us > us_ || (us == us_ && !prefers_next_)) return;
    prefers_next_ = false;
    us_ = us;
    choice_ = std::move(offered);
  }
  // The next one that takes as long is better, too.
  void prefer_next() { prefers_next_ = true; }
  ContractChoice choice() { return std::move(choice_); }

 private:
  const Gpu& gpu_;
  const int64_t threads_;
  ContractChoice choice_;
  const int64_t bytes_;  // that each form reads and writes
  double us_;
  bool prefers_next_ = false;
};

// All tiles of mma.sync, and of wgmma where that is asked for, the larger first.
std::vector<std::pair<TensorCoreForm, int64_t>> tensor_core_tiles(const ContractDemand& demand) {
  const Instruction& dot = *demand.dot;
  std::vector<std::pair<TensorCoreForm, int64_t>> tiles;
  const std::optional<TensorCoreForm::Product> product = tensor_core_product(dot);
  if (!product) return tiles;
  if (*product == TensorCoreForm::Product::k16Bits && is_asked_for(dot, kWgmma)) {
    const auto add = [&](const WgmmaCandidate& candidate) {
      const TensorCoreForm form = {
          .wgmma = true, .m = candidate.m, .n = candidate.n, .k = 64, .stages = candidate.stages};
      tiles.emplace_back(form, form.warpgroup_threads());
    };
    for (const WgmmaCandidate& candidate : kWgmmaCandidates) add(candidate);
    for (const WgmmaCandidate& candidate : kWgmmaCandidatesOfRows) {
      const ContractGrid grid = contract_grid(demand.extents, candidate.m, candidate.n);
      if (grid.rows * grid.columns * demand.extents.batch >= kMultiprocessors) add(candidate);
    }
  }
  if (*product == TensorCoreForm::Product::k16Bits && is_asked_for(dot, kTma)) {
    for (const WgmmaCandidate& candidate : kTmaCandidates) {
      const TensorCoreForm form = {
          .wgmma = true, .m = candidate.m, .n = candidate.n, .k = 64, .stages = candidate.stages, .tma = true};
      tiles.emplace_back(form, form.warpgroup_threads());
    }
  }
  if (*product != TensorCoreForm::Product::k16Bits && *product != TensorCoreForm::Product::kF64 &&
      is_asked_for(dot, kWgmma)) {
    for (const WgmmaCandidate& candidate : kRegisterCandidates) {
      for (const bool turned : {false, true}) {
        TensorCoreForm form = {.product = *product, .wgmma = true, .m = candidate.m, .n = candidate.n};
        if (turned) std::swap(form.m, form.n);
        form.stages = candidate.stages;
        form.turned = turned;
        form.k = form.tile_k();
        if (form.shared_bytes() <= kSharedBytesOfSm90) tiles.emplace_back(form, form.warpgroup_threads());
      }
    }
  }
  const auto add = [&](std::span<const Candidate> candidates) {
    for (const Candidate& candidate : candidates) {
      TensorCoreForm form = {.product = *product, .m = candidate.m, .n = candidate.n, .stages = candidate.stages};
      form.k = form.tile_k();
      tiles.emplace_back(form, candidate.threads);
    }
  };
  if (*product == TensorCoreForm::Product::kF64) add(kCandidatesOfDoubles);
  add(kCandidates);
  if (!demand.rows.empty()) add(kCandidatesOfRows);
  if (demand.extents.n <= kFewColumns) add(kCandidatesOfFewColumns);
  if (demand.extents.n <= kFewSides) add(kCandidatesOfFewSides);
  if (demand.extents.m <= kFewSides) add(kCandidatesOfFewRows);
  return tiles;
}

void offer_tensor_cores(const ContractDemand& demand, const Gpu& gpu, Fastest* fastest) {
  // Sums of a warp and lane, of which so many leave registers for what else there is: the index of a copy, the terms of
  // TF32, elements on their way through registers. ptxas has spilled above.
  constexpr int64_t kManySums = 64;
  const auto is_simple = [&](const ContractOperand& operand) {
    const std::optional<TileCopy> copy = tile_copy(operand, demand.dot->operand(0)->shape.dtype);
    return copy && copy->strided;
  };
  const bool simple = is_simple(demand.operands[0]) && is_simple(demand.operands[1]);
  const bool copies = is_asked_for(*demand.dot, kTma) && has_tma_operands(demand);  // the hardware does
  const TensorCoreWork work(demand);
  // Few tiles leave multiprocessors idle: several blocks share each, of a pipeline's length at least.
  constexpr int64_t kMostSplits = 256, kLeastTiles = 8, kBlocksEach = 4;
  for (auto [form, wanted] : tensor_core_tiles(demand)) {
    const int64_t threads = form.wgmma ? wanted : fastest->threads_or(wanted);
    const std::optional<WarpTile> part = warp_tile(form, threads);
    const bool leaves_registers = simple && (form.product == TensorCoreForm::Product::k16Bits || form.has_registers());
    if (!part || !demand.are_whole(form.n) || !can_be_read(demand, form, threads)) continue;
    if (!form.tma && !can_copy(demand, form, threads)) continue;
    // With an operand in registers those of three terms have the sums of a k tile, too.
    const int64_t registers_of_sum = form.has_registers() && form.terms() == 3 ? 2 : form.sum_bytes() / 4;
    if (!leaves_registers && part->m * part->n / kWarp * registers_of_sum > kManySums) continue;
    if (form.tma) {
      if (!copies || !can_count_tiles(demand.extents, form) || !tma_has_parts(demand, form)) continue;
      const int64_t grid[3] = {tma_blocks(demand.extents, form), 1, 1};
      fastest->offer(form, work.of(form, threads), form.shared_bytes(), grid, threads, 0, true);
      continue;
    }
    const ContractGrid tiles = contract_grid(demand.extents, form.m, form.n);
    const int64_t blocks = tiles.grid[0] * tiles.grid[1] * tiles.grid[2];
    for (; form.splits <= kMostSplits; form.splits *= 2) {
      const bool too_many = blocks * form.splits > kBlocksEach * gpu.multiprocessors;
      if (form.splits > 1 && (too_many || form.block_tiles(demand.extents.k) < kLeastTiles)) break;
      if (!can_split(form, demand.extents) || !makes_statistics(demand, form, threads)) continue;
      const int64_t grid[3] = {tiles.grid[0], tiles.grid[1], tiles.grid[2] * form.splits};
      const int64_t parts = form.splits > 1 ? blocks * form.splits * form.m * form.n * form.sum_bytes() : 0;
      fastest->offer(form, work.of(form, threads), shared_bytes(demand, form, threads), grid, threads, 2 * parts);
    }
  }
}

// For what tensor cores do not take.
void offer_simt(const ContractDemand& demand, Fastest* fastest) {
  struct SimtCandidate {
    SimtForm form;
    int64_t threads;
  };
  // The larger first, as above. Sums that are wider than f32 leave registers for half of them.
  constexpr SimtCandidate kSimtCandidates[] = {
      {{128, 128, 8}, 256}, {{128, 64, 8}, 256}, {{128, 64, 16}, 128}, {{64, 64, 16}, 128}, {{64, 64, 8}, 128},
      {{64, 32, 16}, 128},  {{64, 32, 16}, 64},  {{64, 32, 8}, 128},   {{32, 32, 32}, 64},  {{32, 32, 16}, 64}};
  constexpr SimtCandidate kOfRows[] = {
      {{64, 256, 8}, 256}, {{32, 256, 8}, 256}, {{32, 256, 8}, 128}, {{64, 128, 8}, 128}, {{32, 128, 8}, 128}};
  const SimtWork work(demand);
  const auto offer = [&](std::span<const SimtCandidate> candidates) {
    for (const auto& [form, wanted] : candidates) {
      const int64_t threads = fastest->threads_or(wanted);
      const std::optional<SimtThreads> shape = simt_threads(demand, form, threads);
      if (!shape) continue;
      const ContractGrid tiles = contract_grid(demand.extents, form.m, form.n);
      fastest->offer(form, work.of(form, threads), shape->shared_bytes, tiles.grid, threads);
    }
  };
  offer(kSimtCandidates);
  if (!demand.rows.empty()) offer(kOfRows);
}

// Steps of a block in all shapes that its threads can divide: as many lanes along what neighbours in memory differ in
// as read whole sectors, and a few chunks a thread.
void offer_gemv(const ContractDemand& demand, Fastest* fastest) {
  const std::optional<GemvOperands> operands = gemv_operands(demand);
  if (!operands) return;
  const GemvWork work(demand, *operands);
  const int64_t sums = operands->batch * operands->vectors * operands->outputs;
  const int64_t parts = sums * dtype_bytes(accumulator_type(demand.dot->shape.dtype));
  constexpr int64_t kMostUnderWay = 64 * 1024;
  const int64_t block = fastest->threads_or(kGemvThreads);
  fastest->prefer_next();  // it needs no tensor cores, and is simpler to read
  for (const int64_t lanes : {4, 8, 16, 32, 64, 256}) {
    for (const int64_t rows : {1, 2, 4, 8}) {
      for (const int64_t splits : {1, 2, 4, 8, 16}) {
        const int64_t along = lanes * operands->chunk, across = block / lanes * rows;
        GemvForm form = {.n = operands->along_k ? across : along, .k = operands->along_k ? along : across};
        form.splits = splits;
        const int64_t of_step = rows * block * operands->chunk_bytes(demand);
        form.stages = operands->copied == kNoNode ? 1 : std::clamp<int64_t>(kMostUnderWay / of_step, 2, 8);
        const std::optional<GemvThreads> threads = gemv_threads(demand, *operands, form, block);
        if (!threads) continue;
        const int64_t grid[3] = {ceil_div(operands->outputs, form.n), splits, operands->batch};
        fastest->offer(form, work.of(form, block), threads->shared_bytes, grid, block,
                       splits > 1 ? 2 * splits * parts : 0);
      }
    }
  }
}

// A thread an element.
ContractChoice by_elements(const ContractDemand& demand) {
  ContractChoice choice = {.schedule = std::string(kContract), .threads = kContractTile * kContractTile};
  const ContractGrid grid = contract_grid(demand.extents, kContractTile);
  std::copy(std::begin(grid.grid), std::end(grid.grid), std::begin(choice.grid));
  choice.cost = contract_cost(demand);
  return choice;
}

// Where each result is made of several columns, which no thread an element has.
ContractChoice in_parts(const ContractDemand& demand) {
  const SimtForm form = parts_form(demand);
  const ContractGrid grid = contract_grid(demand.extents, form.m, form.n);
  const int64_t shared_bytes = simt_threads(demand, form, kPartsThreads)->shared_bytes;
  return in_form(form, SimtWork(demand).of(form, kPartsThreads), contract_cost(demand), shared_bytes, grid.grid,
                 kPartsThreads);
}

// Where a block has whole rows of results.
ContractChoice in_rows(const ContractDemand& demand) {
  const auto [form, threads] = *simt_of_rows(demand);
  const ContractGrid grid = contract_grid(demand.extents, form.m, form.n);
  return in_form(form, SimtWork(demand).of(form, threads), contract_cost(demand),
                 simt_threads(demand, form, threads)->shared_bytes, grid.grid, threads);
}

// Where a block makes statistics of the vectors of a skinny product.
ContractChoice with_statistics(const ContractDemand& demand, const GemvForm& form) {
  const GemvOperands operands = *gemv_operands(demand);
  const int64_t grid[3] = {ceil_div(operands.outputs, form.n), 1, operands.batch};
  return in_form(form, GemvWork(demand, operands).of(form, kGemvThreads), contract_cost(demand),
                 gemv_threads(demand, operands, form, kGemvThreads)->shared_bytes, grid, kGemvThreads);
}

}  // namespace

ContractChoice choose_contract(const ContractDemand& demand, const Gpu* gpu, bool tensor_cores, int64_t threads) {
  std::optional<GemvForm> skinny;
  if (!demand.statistics.empty()) skinny = any_gemv_form(demand);
  ContractChoice first = skinny                                         ? with_statistics(demand, *skinny)
                         : demand.parts.count > 1 || demand.partner > 0 ? in_parts(demand)
                         : !demand.rows.empty()                         ? in_rows(demand)
                                                                        : by_elements(demand);
  if (gpu == nullptr) return first;
  Fastest fastest(std::move(first), *gpu, threads);
  if (skinny) {
    offer_gemv(demand, &fastest);
    return fastest.choice();
  }
  // Of few terms three of TF32 each are no gain: tiles without tensor cores are shorter, and sum in order.
  const std::optional<TensorCoreForm::Product> product = tensor_core_product(*demand.dot);
  const bool few_terms = product == TensorCoreForm::Product::k3xTf32 && is_shallow_product(*demand.dot);
  const bool doubles = product == TensorCoreForm::Product::kF64;  // both ways sum alike
  const bool on_tensor_cores = tensor_cores && product && !few_terms;
  if (!on_tensor_cores || doubles) offer_simt(demand, &fastest);
  if (on_tensor_cores && (doubles ? gpu->tensor_f64_fma : gpu->tensor_fma) > 0)
    offer_tensor_cores(demand, *gpu, &fastest);
  offer_gemv(demand, &fastest);
  return fastest.choice();
}

std::optional<ContractChoice> resident_contract(const ContractDemand& demand, const Gpu& gpu) {
  const std::optional<GemvOperands> operands = gemv_operands(demand);
  if (!operands) return std::nullopt;
  const GemvWork work(demand, *operands);
  constexpr int64_t kThreads = kGemvThreads, kHelperBytes = 3 << 10;
  std::optional<ContractChoice> best;
  for (const int64_t lanes : {1, 2, 4, 8, 16, 32, 64, 256}) {
    for (const int64_t rows : {1, 2, 4, 8}) {
      const int64_t along = lanes * operands->chunk, across = kThreads / lanes * rows;
      const GemvForm form = {.n = operands->along_k ? across : along,
                             .k = operands->along_k ? along : across,
                             .stages = 1,
                             .resident = true};
      const std::optional<GemvThreads> threads = gemv_threads(demand, *operands, form, kThreads);
      if (!threads || threads->shared_bytes + kHelperBytes > gpu.shared_bytes) continue;
      const int64_t grid[3] = {ceil_div(operands->outputs, form.n), 1, operands->batch};
      if (grid[0] * grid[2] > gpu.multiprocessors) continue;
      ContractChoice choice =
          in_form(form, work.of(form, kThreads), contract_cost(demand), threads->shared_bytes, grid, kThreads);
      if (!best || predicted_us(choice.cost, gpu) < predicted_us(best->cost, gpu)) best = std::move(choice);
    }
  }
  return best;
}

}  // namespace sinter
