// The text being compiled, and places in it.
#pragma once

#include <cstdint>
#include <string>

namespace sinter {

// A place: a byte offset into the source text. kNowhere for what no text stands for.
struct Loc {
  static constexpr uint32_t kNowhere = UINT32_MAX;
  uint32_t offset = kNowhere;
  bool known() const { return offset != kNowhere; }
  bool operator==(const Loc&) const = default;
};

struct Source {
  std::string name;  // as the user gave it; "-" is standard input
  std::string text;
};

}  // namespace sinter
