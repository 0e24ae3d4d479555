#include "passes/analysis/values/known_range.h"

#include "llvm/ADT/StringRef.h"

namespace sinter {

std::optional<std::pair<int64_t, int64_t>> known_range(const Instruction& instruction) {
  const auto& marks = instruction.annotations->frontend_attributes;
  const auto mark = marks.find(kRangeAttribute);
  if (mark == marks.end()) return std::nullopt;
  const auto [low, high] = llvm::StringRef(mark->second).split("..");
  std::pair<int64_t, int64_t> range;
  if (low.getAsInteger(10, range.first) || high.getAsInteger(10, range.second)) return std::nullopt;
  return range;
}

}  // namespace sinter
