// How a block computes a tile of a matrix product on tensor cores: `contract(mma 128x128x32, stages 4)` in the tree is
// a tile of 128 x 128 results, whose operands come to shared memory 32 along k at a time, four such pieces in flight.
// Products of f32 are made of TF32: `mma 3xtf32 ...` of three for each, which is as exact as f32 is, `mma tf32 ...` of
// one. `mma int8 ...` multiplies bytes, signed or not, into 32 bits, `mma f64 ...` doubles.
//
// With `split 8` at the end eight blocks share the sums of a tile: each has an eighth of the k tiles, and the last of
// them to finish adds up their parts in order; of many blocks, or large tiles, the last one of a group what the group
// has, and the last group what groups have. `wgmma 128x256x64, stages 4` is made by warpgroups of 128 threads, 64 rows
// of 16-bit products each, which sm_90a alone has. With `tma` at the end one more warpgroup has the hardware copy whole
// tiles (TMA), and blocks stay: each multiplies one tile after the other, while what the next one needs is on its way.
// `wgmma 3xtf32 ...`, `wgmma tf32 ...` and `wgmma int8 ...` have the left operand in registers, the right one in shared
// memory along k, as the hardware takes it there; `turned` the other way around, each warpgroup 64 columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/module/module.h"
#include "passes/analysis/shapes/matrix_product.h"
#include "passes/analysis/shapes/tf32_values.h"

namespace sinter {

struct TensorCoreForm {
  // What an instruction multiplies.
  enum class Product : uint8_t { k16Bits, kTf32, k3xTf32, kInt8, kF64 };
  Product product = Product::k16Bits;
  bool wgmma = false;                // by warpgroups; else mma.sync of warps
  int64_t m = 128, n = 128, k = 32;  // of a tile
  int64_t stages = 4;
  int64_t splits = 1;   // blocks that share the sums of a tile
  bool tma = false;     // of wgmma: tiles are copied by the hardware
  bool turned = false;  // of wgmma with an operand in registers: it is the right one
  bool operator==(const TensorCoreForm&) const = default;

  // Of f32 in three terms of TF32 those are left out that are zero, of operands that are TF32 as they are.
  int64_t terms(const Tf32Operands& are_tf32 = {}) const {
    return product == Product::k3xTf32 ? 3 - are_tf32[0] - are_tf32[1] : 1;
  }
  int64_t mma_k() const { return product == Product::kF64 ? 8 : 32 / element_bytes(); }
  // Along k: what a row of shared memory has, which is half of that where warps read it 16 bytes a lane.
  int64_t tile_k() const { return (wgmma || product == Product::kF64 ? 128 : 64) / element_bytes(); }
  int64_t element_bytes() const {
    return product == Product::kInt8 ? 1 : product == Product::k16Bits ? 2 : product == Product::kF64 ? 8 : 4;
  }
  int64_t sum_bytes() const { return product == Product::kF64 ? 8 : 4; }
  int64_t chunk() const { return 16 / element_bytes(); }  // elements of a copy
  // Of wgmma: whether one operand is in registers, which; and the results that warpgroups divide, 64 each, and those of
  // an instruction, beside one another.
  bool has_registers() const { return wgmma && product != Product::k16Bits; }
  size_t register_side() const { return turned ? 1 : 0; }
  bool reads_along_k(size_t side) const { return has_registers() && side != register_side(); }
  int64_t divided() const { return turned ? n : m; }
  int64_t of_instruction() const { return turned ? m : n; }
  // Of the block's shared memory: all pieces in flight, and the tile's sums after them in the same place; of `tma` sums
  // of some columns beside them, of `wgmma 3xtf32` the small parts of two pieces of what is multiplied from there.
  int64_t shared_bytes(const Tf32Operands& are_tf32 = {}) const;
  int64_t small_bytes(const Tf32Operands& are_tf32 = {}) const {
    const bool splits = has_registers() && product == Product::k3xTf32 && !are_tf32[1 - register_side()];
    return splits ? 2 * of_instruction() * k * element_bytes() : 0;
  }
  // Of `wgmma`: those that multiply 64 rows each, and those that have tiles copied.
  int64_t warpgroup_threads() const;
  int64_t columns_at_once() const { return m > 128 ? 32 : 64; }  // of `tma`: whose sums are in shared memory
  // k tiles of each block, for so long a K.
  int64_t block_tiles(int64_t extent) const;
  // Of blocks that share a tile, those that add up their parts first; all of them where there is one group.
  int64_t group() const;
};

// Of a block, on the architecture that has warpgroups.
inline constexpr int64_t kSharedBytesOfSm90 = 227 << 10;
// Rows of a tile that a warpgroup of so many threads has.
inline constexpr int64_t kWarpgroup = 128, kWarpgroupRows = 64;

// The part of a tile that each of a block's warps has; nullopt where it cannot be divided among them.
struct WarpTile {
  int64_t m = 64, n = 64;
};
std::optional<WarpTile> warp_tile(const TensorCoreForm& form, int64_t threads);

// Whether a product of such extents has k tiles for each of the blocks that share a tile, which a grid can count.
bool can_split(const TensorCoreForm& form, const ContractExtents& extents);

inline constexpr std::string_view kContract = "contract";
// True for `contract` in any form.
bool is_contract_schedule(std::string_view schedule);
std::string schedule_text(const TensorCoreForm& form);
// "3xtf32 ", as it stands in a form's text; "" of 16-bit floats.
std::string_view product_text(TensorCoreForm::Product product);
// What stands in the parentheses of `contract(...)`: `mma tf32 128x128x16, stages 4`; nullopt: no form is written so.
std::optional<TensorCoreForm> parse_tensor_core_form(std::string_view text);
// That of a schedule; nullopt for `contract` alone.
std::optional<TensorCoreForm> tensor_core_form(std::string_view schedule);

// Whether sums are made in f32: of floats of up to 32 bits.
inline bool sums_in_f32(TensorCoreForm::Product product) {
  return product != TensorCoreForm::Product::kInt8 && product != TensorCoreForm::Product::kF64;
}

// What the dot, or convolution, may be computed in: its types, and the precision it asks for; nullopt: in no such form.
std::optional<TensorCoreForm::Product> tensor_core_product(const Instruction& dot);

}  // namespace sinter
