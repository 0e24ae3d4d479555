#include "review/modules/dimension_map.h"

#include <algorithm>
#include <map>

namespace sinter {

namespace {

std::string times(const std::string& product, int64_t factor) {
  return factor == 1 ? product : product + "*" + std::to_string(factor);
}

// An extent or a product of two, times a number that stays.
std::optional<Explanation> explain_product(int64_t from, int64_t to, const std::vector<ExtentChange>& extents) {
  const auto factor = [&](int64_t product, int64_t product_after) -> std::optional<int64_t> {
    if (product <= 0 || product_after <= 0 || from % product != 0 || to % product_after != 0) return std::nullopt;
    return from / product == to / product_after ? std::optional(from / product) : std::nullopt;
  };
  for (const ExtentChange& one : extents) {
    const std::string text = std::to_string(one.from), text_after = std::to_string(one.to);
    if (const auto times_one = factor(one.from, one.to)) {
      if (*times_one == 1) return Explanation();
      return Explanation{times(text, *times_one), times(text_after, *times_one)};
    }
    for (const ExtentChange& other : extents) {
      const auto times_both = factor(one.from * other.from, one.to * other.to);
      if (!times_both) continue;
      return Explanation{times(text + "*" + std::to_string(other.from), *times_both),
                         times(text_after + "*" + std::to_string(other.to), *times_both)};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Explanation> explain(int64_t from, int64_t to, const std::vector<ExtentChange>& extents) {
  if (from <= 0 || to <= 0) return std::nullopt;
  if (const auto product = explain_product(from, to, extents)) return product;
  // The last element.
  if (const auto whole = explain_product(from + 1, to + 1, extents)) {
    if (whole->from.empty()) return Explanation{std::to_string(from + 1) + " - 1", std::to_string(to + 1) + " - 1"};
    return Explanation{whole->from + " - 1", whole->to + " - 1"};
  }
  // Blocks: parts of an extent, or of a product of two.
  std::vector<ExtentChange> wholes = extents;
  for (const ExtentChange& one : extents) {
    for (const ExtentChange& other : extents) wholes.push_back({one.from * other.from, one.to * other.to});
  }
  for (const ExtentChange& whole : wholes) {
    for (int64_t part = 2; part <= 1024; part *= 2) {
      const auto parts = [&](int64_t extent) { return (extent + part - 1) / part; };
      if (parts(whole.from) != from || parts(whole.to) != to) continue;
      const std::string divisor = "/" + std::to_string(part);
      return Explanation{std::to_string(whole.from) + divisor, std::to_string(whole.to) + divisor};
    }
  }
  return std::nullopt;
}

std::vector<ExtentChange> changed_extents(const ModulePair& pair) {
  std::map<std::pair<int64_t, int64_t>, int> counts;
  const auto count = [&](const Instruction& before, int weight) {
    const Instruction* after = pair.alignment.after(&before);
    if (after == nullptr || before.shape.is_tuple() || after->shape.is_tuple()) return;
    const std::vector<int64_t>&dims = before.shape.dims, &others = after->shape.dims;
    if (dims.size() != others.size()) return;
    for (size_t i = 0; i < dims.size(); ++i) {
      if (dims[i] != others[i]) counts[{dims[i], others[i]}] += weight;
    }
  };
  // What the caller gives comes first: all else follows from that.
  constexpr int kOfParameter = 1'000'000;
  for (const Instruction* parameter : pair.before.module->entry()->parameters()) count(*parameter, kOfParameter);
  for (const auto& computation : pair.before.module->computations()) {
    for (const Instruction& instruction : computation->instructions()) count(instruction, 1);
  }
  std::vector<std::pair<int, ExtentChange>> sorted;
  for (const auto& [change, number] : counts) sorted.push_back({number, {change.first, change.second}});
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<ExtentChange> extents;
  for (const auto& [number, change] : sorted) {
    if (!explain(change.from, change.to, extents)) extents.push_back(change);
  }
  return extents;
}

}  // namespace sinter
