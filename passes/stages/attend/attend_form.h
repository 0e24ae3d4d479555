// How a block computes attention: `rows` queries, whose scores of a tile of `keys` stay in registers. Each warp has
// rows of its own; of these it keeps the largest score so far, the sum of exponentials and the sums of values.
#pragma once

#include <cstdint>
#include <optional>

#include "passes/stages/attend/attention.h"

namespace sinter {

struct AttendForm {
  int64_t rows = 128, keys = 64, warps = 4;
  int64_t chunk = 8;                   // elements of 16 bytes
  int64_t features = 64, values = 64;  // in shared memory: with zeros up to two instructions' depth
  int64_t shared_bytes = 0;

  int64_t warp_rows() const { return rows / warps; }
  int64_t mma_k() const { return 2 * chunk; }
  int64_t row() const { return features + chunk; }      // from a query or key to the next
  int64_t value_row() const { return values + chunk; }  // from a key's values to the next
  int64_t result_row() const { return values + 8; }     // of f32
};

// nullopt where registers or shared memory hold no tile, or a grid has too many blocks.
std::optional<AttendForm> attend_form(const AttentionDemand& demand);

// Microseconds on an H200, roughly: of one kernel, and of two products with the scores, and the softmax between them,
// in memory (bench/RESULTS.md, attention). Where blocks are few, a kernel takes as long as the one that has most keys.
double attend_us(const AttentionDemand& demand, const AttendForm& form);
double apart_us(const AttentionDemand& demand);

// Of the tiles of keys, those that a block needs on average: behind a query's last one the others are hidden.
double seen_share(const AttentionDemand& demand, const AttendForm& form);

}  // namespace sinter
