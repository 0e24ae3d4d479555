// How blocks compute attention. Of many queries a block has `rows`, whose scores of a tile of `keys` stay in registers:
// each warp has rows of its own, of which it keeps the largest score so far, the sum of exponentials and the sums of
// values. Of few queries (decoding) there are not blocks enough for that, and the keys are what takes time: each warp
// has all rows of its block and tiles of keys of its own, which it copies and waits for alone, `parts` blocks share the
// keys of the same queries, and what warps and blocks have is combined in their order.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "passes/stages/attend/attention.h"

namespace sinter {

struct AttendForm {
  int64_t rows = 128, keys = 64, warps = 4;  // keys: of a tile, which is a block's or, if `by_keys`, a warp's
  bool by_keys = false;                      // warps divide keys, not rows
  int64_t parts = 1;                         // blocks that share the keys of the same rows
  int64_t stages = 2;                        // tiles in shared memory
  int64_t chunk = 8;                         // elements of 16 bytes
  int64_t features = 64, values = 64;        // in shared memory: with zeros up to two instructions' depth
  // Of a key and its values as they are in memory, where others are computed of these: then `stages` tiles are such.
  int64_t raw_bytes = 0;
  int64_t shared_bytes = 0;

  int64_t warp_rows() const { return by_keys ? rows : rows / warps; }
  int64_t mma_k() const { return 2 * chunk; }
  int64_t row() const { return features + chunk; }      // from a query or key to the next
  int64_t value_row() const { return values + chunk; }  // from a key's values to the next
  int64_t result_row() const { return values + 8; }     // of f32
  int64_t walkers() const { return parts * warps; }     // if `by_keys`: warps that share the keys
  // Whether a warp's queries stay in registers beside its results; else they are read again for each tile of keys.
  bool keeps_queries() const {
    constexpr int64_t kMostRegisters = 160;  // of 255 that a lane has
    constexpr int64_t kLanes = 32, kWords = 4;
    return warp_rows() * (features * kWords / chunk + values) / kLanes <= kMostRegisters;
  }
};

// The fastest first; empty where registers or shared memory hold no tile, or a grid has too many blocks.
std::vector<AttendForm> attend_forms(const AttentionDemand& demand);
std::optional<AttendForm> attend_form(const AttentionDemand& demand);

// Blocks that have rows of their own.
int64_t attend_blocks(const AttentionDemand& demand, const AttendForm& form);

// The same in so many parts, up to `most_parts`: 1 where warps divide rows.
int64_t most_parts(const AttentionDemand& demand, const AttendForm& form);
AttendForm in_parts(const AttentionDemand& demand, AttendForm form, int64_t parts);

// Microseconds on an H200, roughly: of one kernel, and of two products with the scores, and the softmax between them,
// in memory (bench/RESULTS.md, attention). Where blocks are few, a kernel takes as long as the one that has most keys.
double attend_us(const AttentionDemand& demand, const AttendForm& form);
// Of kernels before it that store keys and values, where it would copy them as they are in memory; 0: it does not.
double rows_us(const AttentionDemand& demand);
double apart_us(const AttentionDemand& demand);
// Multiply-adds a microsecond of products that have kernels of their own.
double rate_apart(TensorCoreForm::Product product);

// Of the tiles of keys, those that a block needs on average: before a query's first one and behind its last one the
// others are hidden.
double seen_share(const AttentionDemand& demand, const AttendForm& form);

}  // namespace sinter
