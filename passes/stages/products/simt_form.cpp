#include "passes/stages/products/simt_form.h"

#include <algorithm>
#include <bit>

#include "ir/values/dtype.h"
#include "passes/analysis/functions/emittable.h"
#include "passes/analysis/values/hardware.h"
#include "passes/stages/products/form_text.h"
#include "passes/stages/products/pair_term.h"
#include "passes/stages/products/tensor_core_form.h"
#include "passes/stages/products/tile_copy.h"

namespace sinter {

namespace {

constexpr int64_t kLeastSide = 32, kMostSide = 256, kMostK = 32;
// Of a thread, in registers: its sums, and its part of the k tile that is on its way.
constexpr int64_t kMostSumRegisters = 64, kMostPartRegisters = 48;
constexpr int64_t kRegisterBytes = 4;

// The squarest part for each warp: a thread loads its rows and columns from shared memory.
bool divide_among_warps(const SimtForm& form, int64_t warps, int64_t element_bytes, SimtThreads* threads) {
  const int64_t piece_m = SimtThreads::kLanesM * threads->chunk, piece_n = SimtThreads::kLanesN * threads->chunk;
  std::optional<int64_t> best;
  for (int64_t down = 1; down <= warps; ++down) {
    if (warps % down != 0 || form.m % down != 0 || form.n % (warps / down) != 0) continue;
    const int64_t m = form.m / down, n = form.n / (warps / down);
    if (m % piece_m != 0 || n % piece_n != 0) continue;
    const int64_t loaded = m / SimtThreads::kLanesM + n / SimtThreads::kLanesN;
    if (best && loaded > *best) continue;
    best = loaded;
    threads->warp_m = m;
    threads->warp_n = n;
  }
  return best && threads->sums_m() * threads->sums_n() * std::max(element_bytes, kRegisterBytes) <=
                     kMostSumRegisters * kRegisterBytes;
}

std::optional<SimtThreads::Load> load_of(const ContractOperand& operand, DType dtype, int64_t elements, int64_t threads,
                                         int64_t most) {
  SimtThreads::Load load = {.along_k = operand.k_contiguous};
  if (elements % threads != 0) return std::nullopt;
  const int64_t each = elements / threads;
  if (const std::optional<TileCopy> copy = tile_copy(operand, dtype)) {
    load.copied = true;
    load.along_k = copy->along_k;
    // Of a longer group of neighbours, any part is one too.
    load.elements = std::min({copy->elements, each, most});
  }
  if (each % load.elements != 0) return std::nullopt;
  load.count = each / load.elements;
  return load;
}

}  // namespace

std::string schedule_text(const SimtForm& form) {
  return std::string(kContract) + "(simt " + std::to_string(form.m) + "x" + std::to_string(form.n) + "x" +
         std::to_string(form.k) + ")";
}

std::optional<SimtForm> parse_simt_form(std::string_view text) {
  SimtForm form;
  const bool good = take_word(&text, "simt ") && take_number(&text, &form.m, kLeastSide, kMostSide) &&
                    take_word(&text, "x") && take_number(&text, &form.n, kLeastSide, kMostSide) &&
                    take_word(&text, "x") && take_number(&text, &form.k, SimtThreads::kDepth, kMostK) && text.empty() &&
                    is_power_of_two(form.m) && is_power_of_two(form.n) && is_power_of_two(form.k);
  return good ? std::optional(form) : std::nullopt;
}

std::optional<SimtForm> simt_form(std::string_view schedule) {
  if (!is_contract_schedule(schedule) || schedule == kContract || !schedule.ends_with(")")) return std::nullopt;
  schedule.remove_prefix(kContract.size() + 1);
  schedule.remove_suffix(1);
  return parse_simt_form(schedule);
}

std::optional<SimtThreads> simt_threads(const ContractDemand& demand, const SimtForm& form, int64_t threads) {
  if (threads % kWarp != 0 || threads > kMostThreads || !is_power_of_two(threads)) return std::nullopt;
  const bool of_pairs = demand.pair.has_value();
  if ((!of_pairs && demand.dot->operands().size() != 2) || !demand.are_whole(form.n)) return std::nullopt;
  const int64_t bytes = dtype_bytes(accumulator_type(demand.dot->shape.dtype));
  if (!of_pairs && bytes < kRegisterBytes) return std::nullopt;  // sums of bytes in bytes
  // Tiles hold operands in the type that is summed, but of pairs as they are.
  const auto tile_bytes = [&](size_t number) {
    return of_pairs ? int64_t{dtype_bytes(demand.operand_type(number))} : bytes;
  };
  int64_t widest = std::max(bytes, kRegisterBytes);
  if (of_pairs) {
    for (const PairTerm::Value& value : demand.pair->values)
      widest = std::max(widest, int64_t{dtype_bytes(value.begin.shape().dtype)});
  }
  for (size_t number = 0; number < demand.operand_count(); ++number) widest = std::max(widest, tile_bytes(number));
  SimtThreads result = {.chunk = kAccessBytes / widest};
  if (!divide_among_warps(form, threads / kWarp, bytes, &result)) return std::nullopt;
  int64_t part_bytes = 0, stage_bytes = 0;
  for (size_t number = 0; number < demand.operand_count(); ++number) {
    const DType dtype = demand.operand_type(number);
    const int64_t element_bytes = dtype_bytes(dtype), rows = demand.side_of(number) == 0 ? form.m : form.n;
    const int64_t elements = rows * form.k;
    // What is stored to shared memory is one access of the type of sums, and what is loaded is one.
    const int64_t most = std::min(result.chunk, kAccessBytes / element_bytes);
    const std::optional<SimtThreads::Load> load = load_of(demand.operand(number), dtype, elements, threads, most);
    if (!load) return std::nullopt;
    result.loads.push_back(*load);
    part_bytes += elements / threads *
                  std::max(load->copied ? element_bytes : tile_bytes(number), kRegisterBytes / load->elements);
    stage_bytes += form.k * (rows + result.chunk) * tile_bytes(number);
  }
  if (part_bytes > kMostPartRegisters * kRegisterBytes) return std::nullopt;
  result.shared_bytes =
      std::max(SimtThreads::kStages * stage_bytes, form.m * form.n * bytes_of_result(demand, /*read_alone=*/true));
  result.shared_bytes = demand.rows.empty()
                            ? bytes_with_statistics(result.shared_bytes, kAccessBytes, demand.statistics,
                                                    statistics_threads(demand, form.m, form.n, threads))
                            : bytes_with_statistics(result.shared_bytes, kAccessBytes, demand.rows.statistics,
                                                    threads_of_rows(form.m, threads));
  return result.shared_bytes <= kSharedBytesMost ? std::optional(result) : std::nullopt;
}

std::optional<SimtOfRows> simt_of_rows(const ContractDemand& demand) {
  const int64_t columns = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(demand.rows.length)));
  if (columns > kMostSide) return std::nullopt;
  for (const int64_t threads : {128, 256, 64}) {
    for (const int64_t rows : {64, 32}) {
      for (const int64_t k : {8, 16, 32}) {
        const SimtForm form = {.m = rows, .n = std::max(columns, kLeastSide), .k = k};
        if (simt_threads(demand, form, threads)) return SimtOfRows{form, threads};
      }
    }
  }
  return std::nullopt;
}

}  // namespace sinter
