#include "passes/stages/domain/same_form.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/Hashing.h"
#include "passes/analysis/values/contraction.h"
#include "passes/analysis/values/known_range.h"

namespace sinter {

namespace {

using ValuePair = std::pair<const Instruction*, const Instruction*>;

// What passes have noted on it is part of it: which product a sum contracts with, say.
bool same_operation(const Instruction& a, const Instruction& b) {
  return a.opcode == b.opcode && a.shape == b.shape && a.attributes == b.attributes && a.metadata == b.metadata &&
         a.annotations->frontend_attributes == b.annotations->frontend_attributes &&
         a.annotations->backend_config == b.annotations->backend_config && is_contracted(a) == is_contracted(b) &&
         a.operands().size() == b.operands().size();
}

// True if `less` orders the first of the pairs as it does the second.
template <class Less>
bool same_order(std::vector<ValuePair> pairs, const Less& less) {
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const ValuePair& a, const ValuePair& b) { return less(a.first, b.first); });
  for (size_t i = 1; i < pairs.size(); ++i) {
    const auto& [first, second] = pairs[i - 1];
    if (less(pairs[i].second, second) || less(first, pairs[i].first) != less(second, pairs[i].second)) return false;
  }
  return true;
}

}  // namespace

std::optional<ArrayPairs> same_form(const KernelValues& first, const KernelValues& other) {
  const std::set<const Instruction*>& a_computed = first.context.computed;
  const std::set<const Instruction*>& b_computed = other.context.computed;
  if (a_computed.size() != b_computed.size() || first.outputs.size() != other.outputs.size()) return std::nullopt;
  if (!first.context.counters.empty()) return std::nullopt;
  ArrayPairs found, back;
  std::vector<ValuePair> outputs, parameters;
  for (size_t i = 0; i < first.outputs.size(); ++i) outputs.emplace_back(first.outputs[i], other.outputs[i]);
  std::vector<ValuePair> left(outputs.rbegin(), outputs.rend());
  size_t computed = 0;
  while (!left.empty()) {
    const auto [a, b] = left.back();
    left.pop_back();
    const auto [known, fresh] = found.try_emplace(a, b);
    const auto [known_back, fresh_back] = back.try_emplace(b, a);
    if (known->second != b || known_back->second != a) return std::nullopt;
    if (!fresh) continue;
    if (!a->shape.is_array() || a->opcode != b->opcode || a->shape != b->shape) return std::nullopt;
    if (known_range(*a) != known_range(*b)) return std::nullopt;
    const bool inside = a_computed.count(a) > 0;
    if (inside != (b_computed.count(b) > 0)) return std::nullopt;
    if (inside) {
      if (!same_operation(*a, *b) || first.context.updates_in_place.count(a) > 0 ||
          other.context.updates_in_place.count(b) > 0)
        return std::nullopt;
      ++computed;
      for (size_t i = a->operands().size(); i-- > 0;) left.emplace_back(a->operand(i), b->operand(i));
    } else if (a->opcode == Opcode::kConstant) {
      if (!a->literal.same_value(b->literal)) return std::nullopt;
    } else if (a->opcode == Opcode::kParameter) {
      parameters.emplace_back(a, b);
    } else if (a->opcode == Opcode::kGetTupleElement || a->opcode == Opcode::kOptBarrier) {
      return std::nullopt;
    }
  }
  const auto earlier = [](const Instruction* a, const Instruction* b) { return a->position() < b->position(); };
  const auto by_number = [](const Instruction* a, const Instruction* b) {
    return a->parameter_number < b->parameter_number;
  };
  if (computed != a_computed.size() || !same_order(outputs, earlier) || !same_order(parameters, by_number))
    return std::nullopt;
  return found;
}

size_t form_hash(const KernelValues& values) {
  const auto one = [](const Instruction& value) {
    const Shape& shape = value.shape;
    return llvm::hash_combine(value.opcode, shape.dtype,
                              llvm::hash_combine_range(shape.dims.begin(), shape.dims.end()));
  };
  size_t hash = values.outputs.size();
  for (const Instruction* output : values.outputs) hash = llvm::hash_combine(hash, one(*output));
  for (const Instruction* value : values.context.computed) hash += one(*value);  // whatever their order
  return hash;
}

size_t form_hash(const std::vector<KernelValues>& parts) {
  size_t hash = parts.size();
  for (const KernelValues& values : parts) hash = llvm::hash_combine(hash, form_hash(values));
  return hash;
}

}  // namespace sinter
