#include "ir/support/nearest_word.h"

#include <llvm/ADT/StringRef.h>

namespace sinter {

std::string nearest_word(std::string_view word, const std::vector<std::string_view>& candidates) {
  std::string_view best;
  // One error in three letters is still the same word.
  unsigned best_distance = static_cast<unsigned>(word.size() / 3 + 1);
  for (const std::string_view candidate : candidates) {
    const unsigned distance = llvm::StringRef(word).edit_distance(candidate, true, best_distance);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return std::string(best);
}

}  // namespace sinter
