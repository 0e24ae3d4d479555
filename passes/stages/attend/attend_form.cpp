#include "passes/stages/attend/attend_form.h"

#include <algorithm>
#include <cmath>

#include "ir/support/ceil_div.h"
#include "passes/analysis/values/hardware.h"
#include "passes/stages/attend/attend_work.h"

namespace sinter {

namespace {

using Product = TensorCoreForm::Product;

constexpr int64_t kMostFeatures = 256, kMostValuesOfThreeTerms = 192, kAlignment = 128;

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

const Rates& rates_of(Product product) {
  return product == Product::k16Bits ? kSixteenBits : product == Product::kTf32 ? kTf32 : kThreeTf32;
}
const Rates& rates_of(const AttentionDemand& demand) { return rates_of(demand.product); }

// Where warps divide keys: rows of one instruction, and as many keys at a time as two of them take (of f32 with many
// features one: registers and shared memory have no room for more).
constexpr int64_t kRowsOfInstruction = 16, kWarpsByKeys = 4;
// Of more rows than this, whose blocks would each read all keys, warps divide rows, if there are blocks enough: that
// has been measured.
constexpr int64_t kMostRowsByKeys = 64;
// Bytes of a warp's tiles in shared memory: of so many a multiprocessor has enough on their way, in three blocks.
constexpr int64_t kBytesOfWarp = 19 << 10;
constexpr int64_t kMostKeyParts = 256;
// Of fewer rows a block, to be worth it.
constexpr double kMuchLess = 0.9;

// Cycles of an H200 in a microsecond.
constexpr double kCycles = 1.75e3;
// Bytes of memory in a microsecond, and of the L2 cache.
constexpr double kBytesAUs = 4.3e6, kBytesOfL2AUs = 7e6;

int64_t tile_bytes(const AttendForm& form, int64_t element) {
  return form.keys * (form.row() + form.value_row()) * element;
}

// All tiles that a warp, or a block, has in shared memory.
int64_t bytes_of_tiles(const AttendForm& form, int64_t element) {
  if (form.raw_bytes == 0) return form.stages * tile_bytes(form, element);
  return tile_bytes(form, element) + form.stages * form.keys * form.raw_bytes;
}

int64_t shared_bytes(const AttendForm& form, int64_t element) {
  const int64_t tiles = (form.by_keys ? form.warps : 1) * bytes_of_tiles(form, element);
  int64_t results = form.rows * form.result_row() * int64_t{4}, scales = 0;
  if (form.by_keys) {
    constexpr int64_t kOfRow = 2;  // the largest score and the sum
    results = form.warps * form.rows * (form.result_row() + kOfRow) * int64_t{4};
    scales = (std::max(form.warps, form.parts) + 1) * form.rows * int64_t{4};
  }
  const int64_t most = std::max(form.rows * form.row() * element + tiles, results);
  return ceil_div(ceil_div(most, kAlignment) * kAlignment + scales, kAlignment) * kAlignment;
}

bool has_room(const AttentionDemand& demand, const AttendForm& form) {
  return form.shared_bytes <= kSharedBytesMost && demand.batch * ceil_div(demand.rows, form.rows) <= INT32_MAX;
}

// What an instruction takes of weights: of 16 bits those that two have given.
int64_t least_keys(const AttentionDemand& demand) { return demand.product == Product::k16Bits ? 16 : 8; }

std::optional<AttendForm> in_tiles(const AttentionDemand& demand, AttendForm form, const Tile& tile) {
  form.rows = tile.rows;
  form.warps = tile.warps;
  // Of many features fewer keys at a time.
  for (form.keys = tile.keys; form.keys >= least_keys(demand); form.keys /= 2) {
    form.shared_bytes = shared_bytes(form, dtype_bytes(demand.dtype));
    if (has_room(demand, form)) return form;
  }
  return std::nullopt;
}

// Warps divide rows: as many as are fastest of many blocks, and as few as an instruction has.
std::vector<AttendForm> forms_by_rows(const AttentionDemand& demand, const AttendForm& form) {
  const bool narrow = std::max(form.features, form.values) <= 64;
  const Tile& tile = narrow ? rates_of(demand).narrow : rates_of(demand).wide;
  std::vector<AttendForm> forms;
  for (const int64_t rows : {tile.rows, tile.warps * kRowsOfInstruction}) {
    if (!forms.empty() && rows >= forms[0].rows) break;
    if (const std::optional<AttendForm> found = in_tiles(demand, form, {rows, tile.warps, tile.keys}))
      forms.push_back(*found);
  }
  return forms;
}

// Warps divide keys, in as many parts as are fastest.
std::optional<AttendForm> form_by_keys(const AttentionDemand& demand, AttendForm form) {
  const int64_t element = dtype_bytes(demand.dtype);
  const bool wide = std::max(form.features, form.values) > 64;
  form.by_keys = true;
  form.rows = kRowsOfInstruction;
  form.warps = kWarpsByKeys;
  form.keys = element == 4 && wide ? 8 : 16;
  for (form.stages = 4; form.stages > 2 && bytes_of_tiles(form, element) > kBytesOfWarp;) form.stages -= 2;
  // Of many features fewer warps have room for their tiles.
  while (form.warps > 1 && !has_room(demand, in_parts(demand, form, 1))) form.warps /= 2;
  std::optional<AttendForm> best;
  for (int64_t parts = 1; parts <= most_parts(demand, form); ++parts) {
    const AttendForm candidate = in_parts(demand, form, parts);
    if (has_room(demand, candidate) && (!best || attend_us(demand, candidate) < attend_us(demand, *best)))
      best = candidate;
  }
  return best;
}

// In memory.
double bytes_of(const AttentionDemand& demand) {
  return static_cast<double>(
      demand.batch * demand.keys *
      (demand.features * dtype_bytes(demand.sources[1].dtype) + demand.values * dtype_bytes(demand.sources[2].dtype)));
}

// Of a multiprocessor that has as many blocks as it can.
double score_us(const AttentionDemand& demand, const AttendForm& form) {
  return rates_of(demand).score_ns / 1000 * static_cast<double>(form.features + form.values) / 128;
}

// The same of a form: measured of TF32 (bench/RESULTS.md).
double score_us_of(const AttentionDemand& demand, const AttendForm& form) {
  const bool slower = demand.product == Product::kTf32 && form.warp_rows() == kRowsOfInstruction;
  return score_us(demand, form) * (slower ? 1.15 : 1);
}

// Keys and values, from memory.
double memory_us(const AttentionDemand& demand) { return bytes_of(demand) / kBytesAUs; }

// Tiles with keys that block `block` of the first element of the batch sees.
int64_t seen_tiles(const AttentionDemand& demand, const AttendForm& form, int64_t block) {
  const int64_t tiles = ceil_div(demand.keys, form.keys);
  if (!demand.hidden || form.by_keys) return tiles;
  const auto tile_of = [&](const IndexExpr& key, int64_t row) {
    const int64_t number = key.substitute([&](const IndexExpr::Atom& atom) {
                                return std::optional(IndexExpr(atom.id == kAttendRow ? row : 0));
                              })
                               .constant();
    return std::clamp<int64_t>(number < 0 ? -1 : number / form.keys, -1, tiles - 1);
  };
  const int64_t last = tile_of(demand.hidden->last, std::min((block + 1) * form.rows, demand.rows) - 1);
  const int64_t first = demand.hidden->first ? tile_of(*demand.hidden->first, block * form.rows) : 0;
  const int64_t seen = last - std::max<int64_t>(first, 0) + 1;
  return seen > 0 ? seen : tiles;  // of no key it takes all
}

// By the block that sees most.
double most_seen(const AttentionDemand& demand, const AttendForm& form) {
  int64_t most = 0;
  for (int64_t block = 0; block < ceil_div(demand.rows, form.rows); ++block)
    most = std::max(most, seen_tiles(demand, form, block));
  return static_cast<double>(most);
}

// Of the multiprocessor that has most of the blocks, where all see the same keys.
double busiest_us(const AttentionDemand& demand, const AttendForm& form) {
  const int64_t rows = ceil_div(attend_blocks(demand, form), kMultiprocessors) * form.rows;
  const int64_t keys = ceil_div(demand.keys, form.keys) * form.keys;
  return static_cast<double>(rows * keys) * score_us_of(demand, form);
}

double us_by_keys(const AttentionDemand& demand, const AttendForm& form) {
  constexpr double kQuarters = 4, kResident = 3;  // blocks of a multiprocessor
  const Work work = attend_work(demand, form);
  const auto multiprocessors = static_cast<double>(kMultiprocessors);
  const auto blocks = static_cast<double>(demand.batch * ceil_div(demand.rows, form.rows) * form.parts);
  const double busy = std::min(blocks, multiprocessors);
  const double issue = work.instructions() / kWarp / kQuarters / busy;
  const double waves = std::ceil(blocks / (multiprocessors * kResident));
  // No faster than warps that divide rows; of 16 bits slower, where these load keys for 32 rows at once.
  const double slower = demand.product == Product::k3xTf32 ? 1 : 1.3;
  const auto scores = static_cast<double>(demand.batch * ceil_div(demand.rows, form.rows) * form.rows * demand.keys);
  const double longest = std::ceil(blocks / multiprocessors) / blocks;  // of a multiprocessor, of all blocks
  const double computed = scores * longest * score_us(demand, form) * slower;
  const double took = std::max(std::max(issue, waves * work.chain) / kCycles, computed);
  // Each block of rows reads all keys again.
  const double again = static_cast<double>(ceil_div(demand.rows, form.rows)) * bytes_of(demand) / kBytesOfL2AUs;
  return std::max({memory_us(demand), again, took}) + work.after / kCycles;
}

}  // namespace

int64_t most_parts(const AttentionDemand& demand, const AttendForm& form) {
  if (!form.by_keys) return 1;
  return std::clamp<int64_t>(ceil_div(demand.keys, form.keys * form.warps), 1, kMostKeyParts);
}

AttendForm in_parts(const AttentionDemand& demand, AttendForm form, int64_t parts) {
  form.parts = parts;
  form.shared_bytes = shared_bytes(form, dtype_bytes(demand.dtype));
  return form;
}

int64_t attend_blocks(const AttentionDemand& demand, const AttendForm& form) {
  return demand.batch * ceil_div(demand.rows, form.rows);
}

std::vector<AttendForm> attend_forms(const AttentionDemand& demand) {
  // Three terms need more registers beside results: ptxas has spilled of more.
  const int64_t most_values = demand.product == Product::k3xTf32 ? kMostValuesOfThreeTerms : kMostFeatures;
  if (demand.features > kMostFeatures || demand.values > most_values) return {};
  AttendForm form;
  form.chunk = kAccessBytes / dtype_bytes(demand.dtype);
  form.features = ceil_div(demand.features, 2 * form.mma_k()) * 2 * form.mma_k();
  // Two eights of values are added at a time, and two instructions' depth of features.
  constexpr int64_t kTwoEights = 16;
  form.values = ceil_div(demand.values, kTwoEights) * kTwoEights;
  if (demand.converts())
    form.raw_bytes =
        form.features * dtype_bytes(demand.sources[1].dtype) + form.values * dtype_bytes(demand.sources[2].dtype);
  std::vector<AttendForm> forms = forms_by_rows(demand, form);
  const auto fills = [&](const AttendForm& of) { return attend_blocks(demand, of) >= kMultiprocessors; };
  const bool many = !forms.empty() && fills(forms[0]);
  if (demand.rows <= kMostRowsByKeys || forms.empty() || !fills(forms.back())) {
    if (const std::optional<AttendForm> by_keys = form_by_keys(demand, form)) forms.push_back(*by_keys);
  }
  // Of many blocks fewer rows have been measured to take as long, or longer: they are better where the multiprocessor
  // that has most of them has fewer rows in all.
  const int64_t most_rows = forms.empty() ? 0 : forms[0].rows;
  const auto us = [&](const AttendForm& of) -> double {
    const bool fewer = many && !of.by_keys && of.rows < most_rows;
    if (fewer && (demand.hidden || busiest_us(demand, of) > kMuchLess * busiest_us(demand, forms[0]))) return INFINITY;
    const double took = attend_us(demand, of);
    return !many || demand.hidden || of.by_keys ? took : std::max(took, busiest_us(demand, of));
  };
  std::stable_sort(forms.begin(), forms.end(), [&](const AttendForm& a, const AttendForm& b) { return us(a) < us(b); });
  return forms;
}

std::optional<AttendForm> attend_form(const AttentionDemand& demand) {
  const std::vector<AttendForm> forms = attend_forms(demand);
  return forms.empty() ? std::nullopt : std::optional(forms[0]);
}

double attend_us(const AttentionDemand& demand, const AttendForm& form) {
  if (form.by_keys) return us_by_keys(demand, form);
  constexpr double kShared = 1.3;  // of a block, beside another that the multiprocessor has
  const auto tiles = static_cast<double>(ceil_div(demand.keys, form.keys));
  const double tile_us = static_cast<double>(form.rows * form.keys) * score_us_of(demand, form);
  const auto blocks = static_cast<double>(demand.batch * ceil_div(demand.rows, form.rows));
  const auto multiprocessors = static_cast<double>(kMultiprocessors);
  const double all = blocks * tiles * seen_share(demand, form) * tile_us / multiprocessors;
  const double longest = most_seen(demand, form) * tile_us * (blocks > multiprocessors ? kShared : 1);
  constexpr double kQuarters = 4;
  const double converted = blocks * tiles * seen_share(demand, form) * converting(demand, form) / kWarp / kQuarters /
                           std::min(blocks, multiprocessors) / kCycles;
  return std::max(all, longest) + converted;
}

double rows_us(const AttentionDemand& demand) {
  double bytes = 0;
  for (const size_t number : {size_t{1}, size_t{2}}) {
    const RowSource& rows = demand.sources[number];
    if (!rows.computes && rows.row_loads == 0) continue;
    const auto elements =
        static_cast<double>(demand.batch * demand.keys * (number == 1 ? demand.features : demand.values));
    bytes += elements * static_cast<double>(dtype_bytes(rows.dtype) + dtype_bytes(demand.dtype));
  }
  constexpr double kLaunch = 3;
  return bytes == 0 ? 0 : bytes / kBytesAUs + kLaunch;
}

double apart_us(const AttentionDemand& demand) {
  // Bytes a microsecond, of memory or L2, that products and softmax write and read of each score; two launches more.
  constexpr double kBytes = 4.5e6, kLaunches = 6;
  // Tiles of uneven sizes are filled up, and rows that are no multiples of 16 bytes take twice as long. Few rows are
  // vectors: their products take as long as it takes to read the keys, and the values.
  constexpr int64_t kTile = 64, kVectors = 16;
  const bool vectors = demand.rows <= kVectors;
  const int64_t rows = vectors ? demand.rows : ceil_div(demand.rows, kTile) * kTile;
  const auto padded = static_cast<double>(demand.batch * rows * ceil_div(demand.keys, kTile) * kTile);
  const bool even = demand.keys * dtype_bytes(demand.dtype) % kAccessBytes == 0;
  const auto scores = static_cast<double>(demand.batch * demand.rows * demand.keys);
  const auto depth = static_cast<double>(demand.features + demand.values);
  const double of_score = static_cast<double>(8 + 2 * dtype_bytes(demand.dtype)) * (even ? 1 : 2);
  const double products = padded * depth / rates_of(demand).apart_rate;
  return (vectors ? std::max(products, memory_us(demand)) : products) + scores * of_score / kBytes + kLaunches;
}

double rate_apart(Product product) { return rates_of(product).apart_rate; }

double seen_share(const AttentionDemand& demand, const AttendForm& form) {
  const int64_t blocks = ceil_div(demand.rows, form.rows);
  double seen = 0;
  for (int64_t block = 0; block < blocks; ++block) seen += static_cast<double>(seen_tiles(demand, form, block));
  return seen / static_cast<double>(ceil_div(demand.keys, form.keys) * blocks);
}

}  // namespace sinter
