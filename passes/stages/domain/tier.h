// Who shares a row of a row stage: the word in `row(warp)`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sinter {

enum class Tier : uint8_t {
  kLanes,   // a few lanes of a warp
  kWarp,    // a warp
  kBlock,   // a block
  kAcross,  // a lane of each warp of a block, whose lanes have 32 rows that are neighbours
};

inline constexpr std::array<std::string_view, 4> kTierWords = {"lanes", "warp", "block", "across"};
inline constexpr std::string_view kRow = "row";
// "row(warp)"
inline std::string row_schedule(Tier tier) {
  return std::string(kRow) + "(" + std::string(kTierWords[static_cast<size_t>(tier)]) + ")";
}
// nullopt of a schedule that is no row's.
inline std::optional<Tier> tier_of(std::string_view schedule) {
  for (size_t tier = 0; tier < kTierWords.size(); ++tier) {
    if (schedule == row_schedule(static_cast<Tier>(tier))) return static_cast<Tier>(tier);
  }
  return std::nullopt;
}

}  // namespace sinter
