// How blocks compute a chain: each has `rows`, and takes tiles of `columns` one after the other. A warp has rows of its
// own, whose products and weights of a tile, and whose results so far, are in registers. Of 16-bit floats, where the
// program asks for such products (asked_forms.h), a warpgroup multiplies: 64 rows, of which each warp has 16.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/kernel/work.h"
#include "passes/stages/chain/chain.h"

namespace sinter {

// As a warpgroup reads 16-bit floats from shared memory, so many lie side by side (templates/device/wgmma.cuh).
inline constexpr int64_t kRowElements = 64;

struct ChainForm {
  bool by_warpgroup = false;
  int64_t rows = 128, warps = 4, columns = 64;
  int64_t chunk = 8;  // elements of 16 bytes
  // Of each of the demand's tiles: features, with zeros up to two instructions', or a row of shared memory
  // (kRowElements).
  std::vector<int64_t> depths;
  int64_t shared_bytes = 0;

  int64_t warp_rows() const { return rows / warps; }
  int64_t mma_k() const { return 2 * chunk; }
};

// The fastest; nullopt where registers or shared memory hold no tile, or a grid has too many blocks. `by_any`: products
// that the compiler has not yet asked for are a warpgroup's, too.
std::optional<ChainForm> chain_form(const ChainDemand& demand, bool by_any = false);

// Microseconds on an H200, roughly.
double chain_us(const ChainDemand& demand, const ChainForm& form);
// Of all its blocks, counted for the cost model; what follows the results is not.
Work chain_work(const ChainDemand& demand, const ChainForm& form);

}  // namespace sinter
