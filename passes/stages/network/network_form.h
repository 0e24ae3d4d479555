// How blocks compute a network. A block has some rows, whose activations stay in shared memory from layer to layer, and
// all columns of each layer, which its warps divide. Weights come to shared memory a tile at a time, in the order in
// which they are multiplied: some terms of a layer, all columns.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/kernel/work.h"
#include "passes/stages/network/network.h"
#include "passes/stages/products/result_rows.h"

namespace sinter {

struct NetworkForm {
  TensorCoreForm::Product product = TensorCoreForm::Product::k16Bits;
  int64_t warps_m = 1, warps_n = 8;  // below and beside one another
  int64_t mmas_m = 1;                // instructions below one another, of 16 rows each, that a warp makes
  int64_t tile_k = 16, stages = 2;   // terms of a tile of weights; tiles in shared memory
  int64_t row = 0, weight_row = 0;   // elements from a row of activations, or of weights, to the next one
  int64_t tile = 0;                  // elements of a tile of weights
  int64_t kept_row = 0;  // f32 to the next row of what layers keep apart for reductions of rows; 0: none does
  int64_t shared_bytes = 0;
  int64_t together = 1;  // blocks that a multiprocessor has at a time: each finds work while others wait

  static constexpr int64_t kWarps = 8;
  int64_t rows() const { return warps_m * mmas_m * 16; }  // of a block
  // How threads divide rows that are reduced.
  StatisticsThreads row_threads() const { return threads_of_rows(rows(), kWarps * kWarp); }
  int64_t chunk() const { return product == TensorCoreForm::Product::k16Bits ? 8 : 4; }  // elements of 16 bytes
  int64_t mma_k() const { return 2 * chunk(); }
  int64_t turned_row() const { return tile_k + chunk(); }  // from a column's terms to the next one's, of turned weights
  // Instructions beside one another, of 8 columns each, that a warp makes of a layer.
  int64_t mmas_n(int64_t columns) const;
};

// Terms of a layer, and columns, in shared memory: zeros behind the last up to a multiple of this.
inline constexpr int64_t kNetworkUnit = 16;

// The fastest; nullopt where registers or shared memory hold no layer, or a grid has too many blocks.
std::optional<NetworkForm> network_form(const NetworkDemand& demand);

Work network_work(const NetworkDemand& demand, const NetworkForm& form);

// Microseconds on an H200, roughly: of one kernel, and of one for each layer.
double network_us(const NetworkDemand& demand, const NetworkForm& form);
double layers_us(const NetworkDemand& demand);

}  // namespace sinter
