// spread_arguments: a long function that broadcasts its arguments to the shape of its results, and does the same to
// every element of them, is given them as they are then. jax.vmap over keys leaves threefry2x32 so: a key for each row,
// the counters along it.
//
//   call(k0: u32[64,1], k1: u32[64,1], x0: u32[1,2], x1: u32[1,2]), of u32[64,2]
//     =>  call(broadcast(k0), broadcast(k1), broadcast(x0), broadcast(x1)), all of u32[64,2]
//
// The function is per element then (per_element.h), and inline_calls lets its calls stand.
#include <algorithm>
#include <iterator>
#include <optional>
#include <ranges>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/module/device_functions.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/analysis/values/constants.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

constexpr int64_t kOfOneElement = -1;

// For each dimension of a value that of the results along which it lies, or kOfOneElement.
using Place = std::vector<int64_t>;
using Places = std::unordered_map<const Instruction*, Place>;

bool is_single(const Instruction& value) { return value.shape.element_count() == 1; }

// The dimensions of all results, if they have the same.
std::optional<std::vector<int64_t>> dims_of_results(const Computation& computation) {
  const Instruction* root = computation.root();
  const std::vector<Shape> results = root->opcode == Opcode::kTuple ? root->shape.elements : std::vector{root->shape};
  if (results.empty()) return std::nullopt;
  for (const Shape& result : results) {
    if (!result.is_array() || !result.is_static() || result.dims != results[0].dims) return std::nullopt;
  }
  return results[0].dims;
}

// Of what an operation that keeps the order of elements reads, if it has the place `place`.
std::optional<Place> place_before(const Instruction& value, const Place& place) {
  const std::vector<int64_t>& from = value.operand(0)->shape.dims;
  Place before(from.size(), kOfOneElement);
  if (value.opcode == Opcode::kBroadcast) {
    for (size_t d = 0; d < from.size(); ++d) {
      if (from[d] > 1) before[d] = place[value.attributes->dimensions->at(d)];
    }
    return before;
  }
  if (squeezed_dims(from) != squeezed_dims(value.shape.dims)) return std::nullopt;
  size_t next = 0;
  for (size_t d = 0; d < from.size(); ++d) {
    if (from[d] == 1) continue;
    while (value.shape.dims[next] == 1) ++next;
    before[d] = place[next++];
  }
  return before;
}

// Of all that the results are computed of, where each value lies in one place of them alone; nullopt if one does not.
std::optional<Places> places_in_results(const Computation& computation, const std::vector<int64_t>& dims) {
  Places places;
  bool agree = true;
  const auto put = [&](const Instruction& value, Place place) {
    const std::vector<int64_t>& own = value.shape.dims;
    if (own.size() != place.size()) agree = false;
    for (size_t d = 0; agree && d < own.size(); ++d) {
      if (own[d] == 1) place[d] = kOfOneElement;
      agree = own[d] == 1 || own[d] == dims[place[d]];
    }
    // Dimensions stay in their order.
    int64_t last = kOfOneElement;
    for (const int64_t d : place) {
      if (d == kOfOneElement) continue;
      agree &= d > last;
      last = d;
    }
    agree &= places.try_emplace(&value, place).first->second == place;
  };
  for (const Instruction& value : computation.instructions() | std::views::reverse) {
    if (!agree) return std::nullopt;
    if (&value == computation.root() && value.opcode == Opcode::kTuple) {
      for (const Instruction* result : value.operands()) put(*result, iota_list(std::ssize(dims)));
      continue;
    }
    if (&value == computation.root()) put(value, iota_list(std::ssize(dims)));
    const auto found = places.find(&value);
    if (found == places.end() && value.opcode != Opcode::kParameter) return std::nullopt;
    if (value.opcode == Opcode::kConstant && !splat_value(value)) return std::nullopt;
    if (value.opcode == Opcode::kParameter || value.opcode == Opcode::kConstant) continue;
    const Place place = found->second;
    const bool keeps_order = value.opcode == Opcode::kBroadcast || value.opcode == Opcode::kReshape;
    if (keeps_order && is_single(*value.operand(0))) {
      put(*value.operand(0), Place(value.operand(0)->shape.dims.size(), kOfOneElement));
    } else if (keeps_order) {
      const std::optional<Place> before = place_before(value, place);
      if (!before) return std::nullopt;
      put(*value.operand(0), *before);
    } else {
      for (const Instruction* operand : value.operands()) {
        if (operand->shape.dims != value.shape.dims) return std::nullopt;
        put(*operand, place);
      }
    }
  }
  return agree ? std::optional(places) : std::nullopt;
}

Rare<Attributes> to_dimensions(std::vector<int64_t> dimensions) {
  Attributes attributes;
  attributes.dimensions = std::move(dimensions);
  return attributes;
}

// Gives every array of the computation the dimensions of its results; what had one element has it still.
void spread(Computation& computation, const std::vector<int64_t>& dims) {
  std::vector<Instruction*> arrays, left_out;
  for (Instruction& value : computation.instructions()) {
    if (value.shape.is_array() && !is_single(value)) arrays.push_back(&value);
  }
  for (Instruction* value : arrays) {
    value->shape = Shape::array(value->shape.dtype, dims);
    const bool keeps_order = value->opcode == Opcode::kBroadcast || value->opcode == Opcode::kReshape;
    if (value->opcode == Opcode::kConstant) {
      become_splat(*value, *splat_value(*value));
    } else if (keeps_order && is_single(*value->operand(0))) {
      become(*value, Opcode::kBroadcast, {insert_reshape(*value, value->operand(0), {})}, to_dimensions({}));
    } else if (keeps_order) {
      value->replace_all_uses_with(value->operand(0));
      left_out.push_back(value);
    }
  }
  std::ranges::reverse(left_out);
  remove_instructions(computation, left_out);
}

// The argument as a parameter has it that lies at `place` of the results.
Instruction* spread_argument(Instruction& call, Instruction* argument, const Place& place,
                             const std::vector<int64_t>& dims) {
  std::vector<int64_t> along;
  std::ranges::copy_if(place, std::back_inserter(along), [](int64_t d) { return d != kOfOneElement; });
  Instruction* squeezed = insert_reshape(call, argument, squeezed_dims(argument->shape.dims));
  return insert_like(call, Opcode::kBroadcast, Shape::array(argument->shape.dtype, dims), {squeezed},
                     to_dimensions(along));
}

}  // namespace

bool spread_arguments(Module& module, const GraphPassOptions&) {
  std::unordered_map<const Computation*, Computation*> spread_of;  // nullptr of one that stays
  bool changed = false;
  for (Instruction* call : instructions_of(module, Opcode::kCall)) {
    Computation* callee = *call->attributes->to_apply;
    if (is_user_function(*callee) || count_operations(*callee) <= kVeryLongFunction || is_per_element(*callee))
      continue;
    const std::optional<std::vector<int64_t>> dims = dims_of_results(*callee);
    const std::optional<Places> places = dims ? places_in_results(*callee, *dims) : std::nullopt;
    if (!places) continue;
    const auto [known, is_new] = spread_of.try_emplace(callee, nullptr);
    if (is_new) {
      Computation* copy = clone_computation(*callee);
      spread(*copy, *dims);
      if (is_per_element(*copy)) known->second = copy;
    }
    if (known->second == nullptr) continue;
    for (size_t i = 0; i < callee->parameters().size(); ++i) {
      const auto place = places->find(callee->parameters()[i]);
      if (place == places->end() || is_single(*place->first) || place->first->shape.dims == *dims) continue;
      call->set_operand(i, spread_argument(*call, call->operand(i), place->second, *dims));
    }
    call->attributes.edit().to_apply = known->second;
    changed = true;
  }
  if (spread_of.empty()) return false;
  module.sort_computations();
  remove_dead_code(module);
  return changed;
}

}  // namespace sinter
