// How a block computes a tile of a matrix product of what tensor cores do not take (exact f32, f64, integers, complex
// numbers): `contract(simt 128x128x8)` in the tree is a tile of 128 x 128 results, whose operands come to shared memory
// 8 along k at a time. Each thread has 8 x 8 of the results, or as many as its registers hold, in pieces of 16 bytes:
// what it loads of a row or column of the tile it multiplies with as many of the other. While one k tile is multiplied,
// the next one is on its way through registers, where what stands before the product is computed.
//
// A sum has its terms in the order of k, as a thread an element has them: the same bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "passes/stages/products/contract.h"

namespace sinter {

struct SimtForm {
  int64_t m = 128, n = 128, k = 8;  // of a tile
  bool operator==(const SimtForm&) const = default;
};

// In which results of several columns are made where no GPU says what is faster: with a thread an element, no thread
// has them all.
inline SimtForm parts_form(const ContractDemand& demand) {
  constexpr int64_t kColumns = 64;
  return {.m = 64, .n = std::max(kColumns, 2 * demand.partner), .k = 8};
}
inline constexpr int64_t kPartsThreads = 128;

std::string schedule_text(const SimtForm& form);
// What stands in the parentheses: `simt 128x128x8`; nullopt: no form is written so.
std::optional<SimtForm> parse_simt_form(std::string_view text);
// That of a schedule; nullopt for a contraction in another form.
std::optional<SimtForm> simt_form(std::string_view schedule);

// How the threads of a block divide a tile, and what they load of its operands.
struct SimtThreads {
  static constexpr int64_t kStages = 2;               // k tiles in shared memory
  static constexpr int64_t kLanesM = 8, kLanesN = 4;  // how the lanes of a warp divide its part
  static constexpr int64_t kDepth = 8;  // along k, what threads side by side load of a row: 32 bytes or more

  int64_t warp_m = 64, warp_n = 32;  // of a warp
  int64_t chunk = 4;                 // elements of 16 bytes, of the type of sums
  // Of an operand, by number: what a thread loads at once, and how often of a k tile.
  struct Load {
    bool copied = false;  // elements of one array, as they are
    bool along_k = true;  // the elements of a load differ in k, not in m or n
    int64_t elements = 1, count = 1;
  };
  std::vector<Load> loads;
  int64_t shared_bytes = 0;

  int64_t sums_m() const { return warp_m / kLanesM; }
  int64_t sums_n() const { return warp_n / kLanesN; }
};
// In tiles of so many columns, and few rows: where a block is to have whole rows of results (result_rows.h), or pieces
// of them; nullopt where no thread has room for its sums.
struct SimtOfRows {
  SimtForm form;
  int64_t threads = 128;
};
std::optional<SimtOfRows> simt_of_rows(const ContractDemand& demand);
// nullopt where they cannot, or would need too many registers or too much shared memory.
std::optional<SimtThreads> simt_threads(const ContractDemand& demand, const SimtForm& form, int64_t threads);

}  // namespace sinter
