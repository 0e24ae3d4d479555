// take_patches: a convolution each of whose filters has one tap that is 1, and zeros, is no sum: it takes an element of
// its input. jax.lax.conv_general_dilated_patches makes such filters, comparing iotas.
//
//   %p = f32[8,14,14,768] convolution(%x, %one_hot), window={size=16x16 stride=16x16}, dim_labels=b01f_01io->b01f,
//        feature_group_count=3
//   x f32[8,224,224,3], filter o of one_hot f32[16,16,1,768] has its 1 at o % 256 / 16, o % 16
//                                                     =>
//   %at = s32[14,14,768,3] concatenate(row * 16 + o % 256 / 16, column * 16 + o % 16, o / 256)
//   %p = f32[8,14,14,768] gather(%x, %at), offset_dims={0}, collapsed_slice_dims={1,2,3}, ...
//
// What the window finds beside the input, or between elements of a dilated one, is padded to it. An infinity or NaN of
// the input times a tap that is zero would be NaN (docs/numerics.md).
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "ir/evaluate/evaluate.h"
#include "ir/ops/op_table.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Dims = std::vector<int64_t>;
using Value = GraphBuilder::Value;

// Elements of filters, and of what they are made of, that are computed to see what they are.
constexpr int64_t kMostKnown = 1 << 20;

// What is made of constants and iotas alone, by operations that move elements or compute each from those at its place.
class KnownValues {
 public:
  std::optional<Literal> of(const Instruction& value) {
    const auto known = values_.find(&value);
    if (known != values_.end()) return known->second;
    return values_[&value] = computed(value);
  }

 private:
  std::optional<Literal> computed(const Instruction& value) {
    if (!value.shape.is_array() || !value.shape.is_static()) return std::nullopt;
    elements_ += value.shape.element_count();
    if (elements_ > 4 * kMostKnown || value.shape.element_count() > kMostKnown) return std::nullopt;
    switch (value.opcode) {
      case Opcode::kConstant:
      case Opcode::kIota:
      case Opcode::kBroadcast:
      case Opcode::kReshape:
      case Opcode::kTranspose:
      case Opcode::kReverse:
      case Opcode::kConvert:
      case Opcode::kCompare:
      case Opcode::kSelect:
      case Opcode::kAnd:
      case Opcode::kAdd:
      case Opcode::kSubtract:
      case Opcode::kMultiply:
        break;
      default:
        return std::nullopt;
    }
    std::vector<Literal> operands;
    for (const Instruction* operand : value.operands()) {
      std::optional<Literal> known = of(*operand);
      if (!known || known->is_elided()) return std::nullopt;
      operands.push_back(std::move(*known));
    }
    return evaluate_instruction(value, operands);
  }

  std::map<const Instruction*, std::optional<Literal>> values_;  // only looked up
  int64_t elements_ = 0;
};

// The number `o / divisor % extent`.
struct Progression {
  int64_t divisor = 1;
  int64_t extent = 1;
};

// nullopt where the numbers are no such ones.
std::optional<Progression> progression_of(const Dims& numbers) {
  Progression found;
  const auto count = static_cast<int64_t>(numbers.size());
  while (found.divisor < count && numbers[found.divisor] == numbers[0]) ++found.divisor;
  found.extent = *std::ranges::max_element(numbers) + 1;
  for (int64_t o = 0; o < count; ++o) {
    if (numbers[o] != o / found.divisor % found.extent) return std::nullopt;
  }
  return found;
}

// Where the filters have their 1: of each spatial dimension, then of the input's features.
using TapPlaces = std::vector<Progression>;

bool may_take(const Instruction& convolution) {
  if (!convolution.shape.is_static()) return false;
  const Shape& input = convolution.operand(0)->shape;
  const Shape& kernel = convolution.operand(1)->shape;
  const DType dtype = convolution.shape.dtype;
  if (input.dtype != dtype || kernel.dtype != dtype || dtype == DType::kPred || is_complex(dtype)) return false;
  if (convolution.attributes->batch_group_count.value_or(1) != 1) return false;
  if (convolution.shape.element_count() == 0 || kernel.element_count() > kMostKnown) return false;
  const auto reversed = [](const WindowDimension& window) { return window.reversal; };
  const auto& window = convolution.attributes->window;
  return (is_float(dtype) || is_integer(dtype)) && window && std::ranges::none_of(*window, reversed);
}

std::optional<TapPlaces> tap_places(const Instruction& convolution, const Literal& kernel) {
  const ConvolutionDims& labels = *convolution.attributes->dim_labels;
  const Dims& dims = kernel.shape().dims;
  const int64_t filters = dims[labels.rhs_output_feature], inputs = dims[labels.rhs_input_feature];
  const int64_t groups = convolution.attributes->feature_group_count.value_or(1);
  const bool real = is_float(kernel.shape().dtype);
  Dims ones(filters, -1);  // of each filter, its tap
  for (int64_t tap = 0; tap < kernel.element_count(); ++tap) {
    const double weight = real ? kernel.real_at(tap) : static_cast<double>(kernel.integer_at(tap));
    if (weight == 0) continue;
    int64_t below = 1;
    for (auto d = static_cast<size_t>(labels.rhs_output_feature) + 1; d < dims.size(); ++d) below *= dims[d];
    const int64_t filter = tap / below % filters;
    if (weight != 1 || ones[filter] >= 0) return std::nullopt;
    ones[filter] = tap;
  }
  std::vector<Dims> numbers(labels.rhs_spatial.size() + 1, Dims(filters));
  for (int64_t filter = 0; filter < filters; ++filter) {
    if (ones[filter] < 0) return std::nullopt;
    Dims index(dims.size());
    for (size_t d = dims.size(), rest = ones[filter]; d-- > 0; rest /= dims[d])
      index[d] = static_cast<int64_t>(rest) % dims[d];
    for (size_t s = 0; s < labels.rhs_spatial.size(); ++s) numbers[s][filter] = index[labels.rhs_spatial[s]];
    numbers.back()[filter] = filter / (filters / groups) * inputs + index[labels.rhs_input_feature];
  }
  TapPlaces places;
  for (const Dims& along : numbers) {
    const std::optional<Progression> progression = progression_of(along);
    if (!progression) return std::nullopt;
    places.push_back(*progression);
  }
  return places;
}

class Patches {
 public:
  Patches(Instruction& convolution, const TapPlaces& places)
      : convolution_(convolution),
        labels_(*convolution.attributes->dim_labels),
        window_(*convolution.attributes->window),
        places_(places),
        build_(convolution) {
    for (int64_t d = 0; d < convolution.shape.rank(); ++d) {
      if (d != labels_.output_batch) dims_.push_back(convolution.shape.dims[d]);
    }
  }

  Value make() {
    const Value input = padded();
    Dims pieces = dims_;
    pieces.push_back(1);
    std::vector<Value> numbers;
    Attributes attributes;
    attributes.start_index_map.emplace();
    const Value filter = build_.iota(DType::kS32, dims_, position(labels_.output_feature));
    for (size_t s = 0; s <= window_.size(); ++s) {
      Value number = scaled(progression(filter, places_[s]), s < window_.size() ? window_[s].rhs_dilate : 1);
      if (s < window_.size()) {
        const Value place = build_.iota(DType::kS32, dims_, position(labels_.output_spatial[s]));
        number = build_.add({scaled(place, window_[s].stride), number});
      }
      numbers.push_back(build_.reshape(number, pieces));
      attributes.start_index_map->push_back(s < window_.size() ? labels_.lhs_spatial[s] : labels_.lhs_feature);
    }
    attributes.collapsed_slice_dims = attributes.start_index_map;
    std::ranges::sort(*attributes.collapsed_slice_dims);
    attributes.offset_dims = Dims{labels_.output_batch};
    attributes.index_vector_dim = static_cast<int64_t>(dims_.size());
    attributes.slice_sizes = Dims(input->shape.dims.size(), 1);
    (*attributes.slice_sizes)[labels_.lhs_batch] = input->shape.dims[labels_.lhs_batch];
    const Value at = build_.concatenate(numbers, static_cast<int64_t>(dims_.size()));
    return build_.make(Opcode::kGather, {input, at}, std::move(attributes));
  }

 private:
  // Of a dimension of the result, among those that the places have: all but the batch.
  int64_t position(int64_t dimension) const { return dimension - (dimension > labels_.output_batch ? 1 : 0); }

  Value scaled(Value numbers, int64_t factor) {
    return factor == 1 ? numbers : build_.multiply({numbers, build_.integer(DType::kS32, factor, dims_)});
  }

  Value progression(Value filter, const Progression& of) {
    if (of.extent == 1) return build_.integer(DType::kS32, 0, dims_);
    const auto with = [&](Opcode opcode, Value number, int64_t by) {
      return by == 1 ? number : build_.make(opcode, {number, build_.integer(DType::kS32, by, dims_)});
    };
    const Value number = with(Opcode::kDivide, filter, of.divisor);
    const int64_t filters = convolution_.shape.dims[labels_.output_feature];
    return of.divisor * of.extent >= filters ? number : with(Opcode::kRemainder, number, of.extent);
  }

  Value padded() {
    const Value input = convolution_.operand(0);
    std::vector<PadBounds> bounds(input->shape.dims.size());
    for (size_t s = 0; s < window_.size(); ++s) {
      bounds[labels_.lhs_spatial[s]] = {
          .low = window_[s].pad_low, .high = window_[s].pad_high, .interior = window_[s].lhs_dilate - 1};
    }
    return build_.pad(input, bounds);
  }

  Instruction& convolution_;
  const ConvolutionDims& labels_;
  const std::vector<WindowDimension>& window_;
  const TapPlaces& places_;
  GraphBuilder build_;
  Dims dims_;  // of the result, without the batch
};

}  // namespace

bool take_patches(Module& module, const GraphPassOptions&) {
  KnownValues known;
  bool changed = false;
  for (Instruction* convolution : instructions_of(module, Opcode::kConvolution)) {
    if (!may_take(*convolution)) continue;
    const std::optional<Literal> kernel = known.of(*convolution->operand(1));
    if (!kernel || kernel->is_elided()) continue;
    const std::optional<TapPlaces> places = tap_places(*convolution, *kernel);
    if (!places) continue;
    convolution->replace_all_uses_with(Patches(*convolution, *places).make());
    changed = true;
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
