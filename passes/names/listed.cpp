#include "passes/names/listed.h"

namespace sinter {

std::string listed(const std::vector<std::string>& names, const std::string& last, size_t most) {
  if (names.size() <= 1) return names.empty() ? "" : names[0];
  const bool all = names.size() <= most;
  const size_t named = (all ? names.size() : most) - 1;
  std::string text = names[0];
  for (size_t i = 1; i < named; ++i) text += ", " + names[i];
  return text + " " + last + " " + (all ? names.back() : std::to_string(names.size() - named) + " others");
}

}  // namespace sinter
