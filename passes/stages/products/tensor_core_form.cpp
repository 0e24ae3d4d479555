#include "passes/stages/products/tensor_core_form.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "passes/analysis/shapes/dot_precision.h"
#include "passes/analysis/values/hardware.h"
#include "passes/stages/products/form_text.h"

namespace sinter {

namespace {

constexpr int64_t kMmaM = 16, kMmaN = 8;
constexpr int64_t kMostNumber = 1024;  // of a form's text

using Product = TensorCoreForm::Product;

// Narrower rows of bytes would lie in half the banks.
int64_t least_rows(const TensorCoreForm& form) { return form.product == Product::kInt8 || form.wgmma ? 64 : 32; }

// Those of 16- and 32-bit floats may be as few as an instruction's two.
int64_t least_columns(const TensorCoreForm& form) {
  return least_rows(form) == 32 && form.product != Product::kF64 ? 2 * kMmaN : least_rows(form);
}

// Of a warpgroup's sums a thread has half of an instruction's columns, of 3xTF32 those of a k tile, too. Of 65,536
// registers those of all threads leave as many for what else there is, or what an operand in registers takes.
bool fits_registers(const TensorCoreForm& form, int64_t threads) {
  constexpr int64_t kOfRows = 80, kOfThread = 255, kOfBlock = 65536;
  if (!form.has_registers()) return form.of_instruction() * threads <= kOfBlock;
  const int64_t held = form.of_instruction() / 2 * (form.terms() == 3 ? 2 : 1) + kOfRows;
  return held <= kOfThread && held * threads <= kOfBlock;
}

}  // namespace

std::string_view product_text(Product product) {
  constexpr std::string_view kTexts[] = {"", "tf32 ", "3xtf32 ", "int8 ", "f64 "};
  return kTexts[static_cast<size_t>(product)];
}

int64_t TensorCoreForm::shared_bytes(const Tf32Operands& are_tf32) const {
  const int64_t alignment = wgmma ? 1024 : 128;  // which a flag beside the tiles takes whole
  if (tma) {
    constexpr int64_t kBarrierBytes = 8;
    const int64_t sums = m * columns_at_once() * sum_bytes();
    return ceil_div(stages * ((m + n) * k * element_bytes() + 2 * kBarrierBytes) + sums, alignment) * alignment;
  }
  return std::max(stages * (m + n) * k * element_bytes(), m * n * sum_bytes()) + small_bytes(are_tf32) +
         (splits > 1 ? alignment : 0);
}

int64_t TensorCoreForm::warpgroup_threads() const { return (divided() / kWarpgroupRows + (tma ? 1 : 0)) * kWarpgroup; }

int64_t TensorCoreForm::block_tiles(int64_t extent) const { return ceil_div(ceil_div(extent, k), splits); }

int64_t TensorCoreForm::group() const {
  // What it takes to count blocks a second time, in parts that come to the last block.
  const int64_t parts_to_count = kFoundCycles / (m * n * sum_bytes() / kBytesACycle);
  int64_t best = splits, parts = splits - parts_to_count;
  for (int64_t size = 2; size * 2 <= splits; ++size) {
    if (splits % size != 0 || size + splits / size >= parts) continue;
    best = size;
    parts = size + splits / size;
  }
  return best;
}

bool can_split(const TensorCoreForm& form, const ContractExtents& extents) {
  if (form.splits == 1) return true;
  const ContractGrid grid = contract_grid(extents, form.m, form.n);
  constexpr int64_t kMostBlocksZ = 65535;
  const int64_t sums = grid.rows * grid.columns * extents.batch * form.splits * form.m * form.n;
  return !grid.folded && extents.batch * form.splits <= kMostBlocksZ && sums <= INT32_MAX &&
         form.block_tiles(extents.k) * form.k * (form.splits - 1) < extents.k;
}

std::optional<WarpTile> warp_tile(const TensorCoreForm& form, int64_t threads) {
  if (threads % kWarp != 0 || threads > kMostThreads) return std::nullopt;
  if (form.m < least_rows(form) || form.n < least_columns(form)) return std::nullopt;
  if (form.wgmma) {
    // One block has a multiprocessor to itself where tiles are copied by the hardware, and who asks for them has few.
    const int64_t multiply = form.divided() / kWarpgroupRows * kWarpgroup;
    if (threads != form.warpgroup_threads() || !fits_registers(form, multiply)) return std::nullopt;
    return form.turned ? WarpTile{form.m, kMmaM} : WarpTile{kMmaM, form.n};
  }
  const int64_t warps = threads / kWarp;
  // The squarest part: each warp reads its rows and columns from shared memory.
  std::optional<WarpTile> best;
  for (int64_t down = 1; down <= warps; ++down) {
    if (warps % down != 0 || form.m % down != 0 || form.n % (warps / down) != 0) continue;
    const WarpTile tile = {form.m / down, form.n / (warps / down)};
    if (tile.m % kMmaM != 0 || tile.n % (2 * kMmaN) != 0) continue;
    if (!best || tile.m + tile.n < best->m + best->n || (tile.m + tile.n == best->m + best->n && tile.m > best->m))
      best = tile;
  }
  if (!best) return std::nullopt;
  // Each thread makes as many copies as the others.
  for (const int64_t rows : {form.m, form.n}) {
    if (rows * form.k % (form.chunk() * threads) != 0) return std::nullopt;
  }
  // Sums and what is multiplied next stay in a thread's registers.
  constexpr int64_t kMostSums = 128;  // of 255 registers
  const int64_t registers_of_sum = form.terms() == 3 ? 2 : form.sum_bytes() / 4;
  if (best->m * best->n / kWarp * registers_of_sum > kMostSums) return std::nullopt;
  return best;
}

bool is_contract_schedule(std::string_view schedule) {
  return schedule == kContract || schedule.starts_with(std::string(kContract) + "(");
}

std::string schedule_text(const TensorCoreForm& form) {
  return std::string(kContract) + (form.wgmma ? "(wgmma " : "(mma ") + std::string(product_text(form.product)) +
         std::to_string(form.m) + "x" + std::to_string(form.n) + "x" + std::to_string(form.k) + ", stages " +
         std::to_string(form.stages) + (form.splits > 1 ? ", split " + std::to_string(form.splits) : "") +
         (form.tma      ? ", tma)"
          : form.turned ? ", turned)"
                        : ")");
}

std::optional<TensorCoreForm> parse_tensor_core_form(std::string_view text) {
  TensorCoreForm form;
  form.wgmma = take_word(&text, "wgmma ");
  if (!form.wgmma && !take_word(&text, "mma ")) return std::nullopt;
  for (const Product product : {Product::kTf32, Product::k3xTf32, Product::kInt8, Product::kF64}) {
    if (form.wgmma && product == Product::kF64) continue;
    if (take_word(&text, product_text(product))) form.product = product;
  }
  if (!take_number(&text, &form.m, 1, kMostNumber) || !take_word(&text, "x") ||
      !take_number(&text, &form.n, 1, kMostNumber) || !take_word(&text, "x") ||
      !take_number(&text, &form.k, 1, kMostNumber) || !take_word(&text, ", stages ") ||
      !take_number(&text, &form.stages, 1, kMostNumber))
    return std::nullopt;
  if (form.wgmma && !form.has_registers() && text == ", tma") {
    form.tma = true;
    text = {};
  }
  if (take_word(&text, ", split ") && (!take_number(&text, &form.splits, 1, kMostNumber) || form.splits == 1))
    return std::nullopt;
  form.turned = form.has_registers() && take_word(&text, ", turned");
  if (!text.empty()) return std::nullopt;
  const bool sides = is_power_of_two(form.m) && is_power_of_two(form.n) && form.m >= least_rows(form) &&
                     form.n >= least_columns(form) && form.m <= 256 && form.n <= 256;
  const bool depth = form.k == form.tile_k();
  const int64_t fewest = form.wgmma && !form.tma ? 3 : 2, most = form.wgmma ? kSharedBytesOfSm90 : kSharedBytesMost;
  const bool fits = form.stages >= fewest && form.stages <= 8 && form.shared_bytes() <= most;
  return sides && depth && fits ? std::optional(form) : std::nullopt;
}

std::optional<TensorCoreForm> tensor_core_form(std::string_view schedule) {
  if (!is_contract_schedule(schedule) || schedule == kContract || !schedule.ends_with(")")) return std::nullopt;
  schedule.remove_prefix(kContract.size() + 1);
  schedule.remove_suffix(1);
  return parse_tensor_core_form(schedule);
}

std::optional<Product> tensor_core_product(const Instruction& dot) {
  const DType left = dot.operand(0)->shape.dtype, right = dot.operand(1)->shape.dtype, result = dot.shape.dtype;
  if (left != right || dot.operands().size() != 2) return std::nullopt;
  if (left == DType::kBF16 || left == DType::kF16) {
    return result == left || result == DType::kF32 ? std::optional(Product::k16Bits) : std::nullopt;
  }
  if (left == DType::kS8 || left == DType::kU8) {
    return result == DType::kS32 || result == DType::kU32 ? std::optional(Product::kInt8) : std::nullopt;
  }
  if (left == DType::kF64 && result == DType::kF64) return Product::kF64;
  if (left != DType::kF32 || result != DType::kF32) return std::nullopt;
  const std::string precision = dot_precision(dot);
  if (precision == "f32") return std::nullopt;
  return precision == "tf32" ? Product::kTf32 : Product::k3xTf32;
}

}  // namespace sinter
