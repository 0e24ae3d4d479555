#include "passes/lower/describe/dimension_text.h"

#include <cstdint>
#include <vector>

namespace sinter {

std::string slice_text(const Instruction& slice) {
  std::string text;
  for (size_t d = 0; d < slice.attributes->slice->size(); ++d) {
    const SliceBounds& bounds = (*slice.attributes->slice)[d];
    text += text.empty() ? "[" : ",";
    const bool whole = bounds.start == 0 && bounds.limit == slice.operand(0)->shape.dims[d];
    if (bounds.limit == bounds.start + 1 && !whole) {
      text += std::to_string(bounds.start);
      continue;
    }
    text += whole ? ":" : std::to_string(bounds.start) + ":" + std::to_string(bounds.limit);
    if (bounds.stride != 1) text += ":" + std::to_string(bounds.stride);
  }
  return text + "]";
}

std::string dot_text(const Instruction& dot) {
  const Attributes& attributes = dot.attributes;
  const std::vector<int64_t> none;
  const std::vector<int64_t>& lhs_contracted =
      attributes.lhs_contracting_dims ? *attributes.lhs_contracting_dims : none;
  const std::vector<int64_t>& rhs_contracted =
      attributes.rhs_contracting_dims ? *attributes.rhs_contracting_dims : none;
  const std::vector<int64_t>& lhs_batch = attributes.lhs_batch_dims ? *attributes.lhs_batch_dims : none;
  const std::vector<int64_t>& rhs_batch = attributes.rhs_batch_dims ? *attributes.rhs_batch_dims : none;
  const size_t left = dot.operand(0)->shape.dims.size(), right = dot.operand(1)->shape.dims.size();
  const bool last = lhs_contracted == std::vector<int64_t>{static_cast<int64_t>(left) - 1};
  const bool plain = last && rhs_contracted == std::vector<int64_t>{0};
  if ((plain && lhs_batch.empty()) || left + right > 26) return "";
  std::string lhs, rhs(right, ' '), batch, free;
  for (size_t d = 0; d < left; ++d) lhs += static_cast<char>('a' + d);
  std::string own = lhs;
  const auto join = [&](const std::vector<int64_t>& from, const std::vector<int64_t>& to, std::string* result) {
    for (size_t i = 0; i < from.size(); ++i) {
      const char letter = lhs[from[i]];
      rhs[to[i]] = letter;
      own.erase(own.find(letter), 1);
      if (result != nullptr) *result += letter;
    }
  };
  join(lhs_batch, rhs_batch, &batch);
  join(lhs_contracted, rhs_contracted, nullptr);
  char next = static_cast<char>('a' + left);
  for (char& letter : rhs) {
    if (letter == ' ') free += letter = next++;
  }
  return lhs + "," + rhs + "->" + batch + own + free;
}

}  // namespace sinter
