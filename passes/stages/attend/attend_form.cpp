#include "passes/stages/attend/attend_form.h"

#include <algorithm>

#include "ir/support/ceil_div.h"
#include "passes/analysis/values/hardware.h"

namespace sinter {

namespace {

using Product = TensorCoreForm::Product;

constexpr int64_t kMostFeatures = 128, kAlignment = 128;

struct Tile {
  int64_t rows, warps, keys;
};

// What products are made in decides what a block can hold, and what it takes. Of a warp's 16 rows and each 8 features a
// lane has 4 registers of queries (2 of 16-bit ones), of each 8 values 4, of each 8 keys 4: those of 32 rows and 64
// features leave room for 64 keys of 16 bits, or 32 of f32. Of the tiles that there is room for the fastest, and rates,
// as measured on an H200 (bench/RESULTS.md, attention).
struct Rates {
  Tile narrow, wide;  // of up to 64 features and values, and of more
  double score_ns;    // a score of 64 features and values, of a multiprocessor that has as many blocks as it can
  double apart_rate;  // multiply-adds a microsecond of products that have kernels of their own
};
constexpr Rates kSixteenBits = {{128, 4, 64}, {64, 4, 32}, 0.2, 3e8};
constexpr Rates kTf32 = {{128, 4, 32}, {64, 4, 16}, 0.35, 1.5e8};
constexpr Rates kThreeTf32 = {{64, 4, 32}, {64, 4, 16}, 1.24, 3.2e7};

const Rates& rates_of(const AttentionDemand& demand) {
  return demand.product == Product::k16Bits ? kSixteenBits : demand.product == Product::kTf32 ? kTf32 : kThreeTf32;
}

int64_t shared_bytes(const AttendForm& form, int64_t element) {
  const int64_t tiles = (form.rows * form.row() + 2 * form.keys * (form.row() + form.value_row())) * element;
  return ceil_div(std::max(tiles, form.rows * form.result_row() * int64_t{4}), kAlignment) * kAlignment;
}

}  // namespace

std::optional<AttendForm> attend_form(const AttentionDemand& demand) {
  if (std::max(demand.features, demand.values) > kMostFeatures) return std::nullopt;
  const int64_t element = dtype_bytes(demand.dtype);
  AttendForm form;
  form.chunk = kAccessBytes / element;
  form.features = ceil_div(demand.features, 2 * form.mma_k()) * 2 * form.mma_k();
  form.values = ceil_div(demand.values, 2 * form.mma_k()) * 2 * form.mma_k();
  const bool narrow = std::max(form.features, form.values) <= 64;
  const Tile& tile = narrow ? rates_of(demand).narrow : rates_of(demand).wide;
  form.rows = tile.rows;
  form.warps = tile.warps;
  form.keys = tile.keys;
  form.shared_bytes = shared_bytes(form, element);
  if (form.shared_bytes > kSharedBytesMost || demand.batch * ceil_div(demand.rows, form.rows) > INT32_MAX)
    return std::nullopt;
  return form;
}

double attend_us(const AttentionDemand& demand, const AttendForm& form) {
  constexpr double kShared = 1.3;  // of a block, beside another that the multiprocessor has
  const double depth = static_cast<double>(form.features + form.values) / 128;
  const auto tiles = static_cast<double>(ceil_div(demand.keys, form.keys));
  const double tile_us = static_cast<double>(form.rows * form.keys) * rates_of(demand).score_ns * depth / 1000;
  const auto blocks = static_cast<double>(demand.batch * ceil_div(demand.rows, form.rows));
  const auto multiprocessors = static_cast<double>(kMultiprocessors);
  const double all = blocks * tiles * seen_share(demand, form) * tile_us / multiprocessors;
  const double longest = tiles * tile_us * (blocks > multiprocessors ? kShared : 1);
  return std::max(all, longest);
}

double apart_us(const AttentionDemand& demand) {
  // Bytes a microsecond, of memory or L2, that products and softmax write and read of each score; two launches more.
  constexpr double kBytes = 4.5e6, kLaunches = 6;
  // Tiles of uneven sizes are filled up, and rows that are no multiples of 16 bytes take twice as long.
  constexpr int64_t kTile = 64;
  const auto padded = static_cast<double>(demand.batch * ceil_div(demand.rows, kTile) * ceil_div(demand.keys, kTile)) *
                      static_cast<double>(kTile * kTile);
  const bool even = demand.keys * dtype_bytes(demand.dtype) % kAccessBytes == 0;
  const auto scores = static_cast<double>(demand.batch * demand.rows * demand.keys);
  const auto depth = static_cast<double>(demand.features + demand.values);
  const double of_score = static_cast<double>(8 + 2 * dtype_bytes(demand.dtype)) * (even ? 1 : 2);
  return padded * depth / rates_of(demand).apart_rate + scores * of_score / kBytes + kLaunches;
}

double seen_share(const AttentionDemand& demand, const AttendForm& form) {
  if (!demand.hidden) return 1;
  const int64_t tiles = ceil_div(demand.keys, form.keys), blocks = ceil_div(demand.rows, form.rows);
  double seen = 0;
  for (int64_t block = 0; block < blocks; ++block) {
    const int64_t row = std::min((block + 1) * form.rows, demand.rows) - 1;
    const int64_t last = demand.hidden->last
                             .substitute([&](const IndexExpr::Atom& atom) {
                               return std::optional(IndexExpr(atom.id == kAttendRow ? row : 0));
                             })
                             .constant();
    seen += static_cast<double>(std::clamp<int64_t>(last / form.keys + 1, 0, tiles));
  }
  return seen / static_cast<double>(tiles * blocks);
}

}  // namespace sinter
