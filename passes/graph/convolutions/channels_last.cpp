// channels_last: convolutions whose features stand before their spatial dimensions, and what lies between them, have
// their features last.
//
//   %y = f32[32,64,56,56] convolution(%x, %w), window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01
//   %z = f32[32,64,56,56] convolution(maximum(%y, 0), %v), ..., dim_labels=bf01_oi01->bf01
//                                                     =>
//   %t = f32[32,56,56,64] transpose(%x), dimensions={0,2,3,1}
//   %u = f32[3,3,64,64] transpose(%w), dimensions={2,3,1,0}
//   %l = f32[32,56,56,64] convolution(%t, %u), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
//   %z = f32[32,64,56,56] convolution(maximum(%l, 0), ...), ..., dim_labels=b01f_01io->bf01
//
// The terms of a sum then lie side by side, for each tap as many as there are features: tiles copy 16 bytes at a time.
// Along a spatial dimension a tap's elements begin at any byte, and are copied one by one. What is computed element by
// element, padded, put together, repeated or reduced over windows on the way keeps that order, and so does what a dot
// sums over the features of, or gives by way of a transpose; elsewhere, at parameters, results and whatever else there
// is, arrays are transposed, and a result that no convolution reads keeps its order, where tiles are full so. The
// program is planned without it, too.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "ir/module/device_functions.h"
#include "ir/support/ceil_div.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Dims = std::vector<int64_t>;

// Of fewer features a tap has no 16 bytes.
constexpr int64_t kFewestFeatures = 8;
// So many, in a group, are a narrow tile's columns; places of an image are a wider one's, of which they should leave
// less than an eighth empty.
constexpr int64_t kFewColumns = 16, kColumns = 64, kFilled = 8;

// An array's first dimension, those behind the second, the second: [batch, features, spatial...] with features last.
Dims features_last(int64_t rank) {
  Dims order = {0};
  for (int64_t d = 2; d < rank; ++d) order.push_back(d);
  order.push_back(1);
  return order;
}

Dims features_second(int64_t rank) {
  Dims order = {0, rank - 1};
  for (int64_t d = 1; d + 1 < rank; ++d) order.push_back(d);
  return order;
}

// Where a dimension stands in that order.
int64_t place_of(int64_t dim, int64_t rank) { return dim == 0 ? 0 : dim == 1 ? rank - 1 : dim - 1; }

Dims places_of(Dims dims, int64_t rank) {
  for (int64_t& dim : dims) dim = place_of(dim, rank);
  return dims;
}

template <class Values>
Values in_order(const Values& values) {
  Values result;
  for (const int64_t d : features_last(std::ssize(values))) result.push_back(values[static_cast<size_t>(d)]);
  return result;
}

bool are_behind(const Dims& spatial) {
  for (size_t s = 0; s < spatial.size(); ++s) {
    if (spatial[s] != static_cast<int64_t>(s) + 2) return false;
  }
  return !spatial.empty();
}

// Which arrays of a convolution have their features last: all but its kernel, or the gradient of that, of which the
// window has more places than the result.
struct Turned {
  bool input = false, kernel = false, result = false;
};

Turned turned_of(const Instruction& convolution) {
  if (convolution.opcode != Opcode::kConvolution || !convolution.shape.is_static()) return {};
  const Shape &input = convolution.operand(0)->shape, &kernel = convolution.operand(1)->shape;
  const ConvolutionDims& labels = *convolution.attributes->dim_labels;
  const auto is_turned = [](const Shape& shape, const Dims& spatial) {
    return are_behind(spatial) && shape.dims[1] >= kFewestFeatures;
  };
  const bool gives_kernel = product(kernel, labels.rhs_spatial) > product(convolution.shape, labels.output_spatial);
  return {.input = is_turned(input, labels.lhs_spatial),
          .kernel = gives_kernel && is_turned(kernel, labels.rhs_spatial),
          .result = !gives_kernel && are_behind(labels.output_spatial)};
}

// Whether tiles of results are mostly empty where places are their columns, not features: then a result is transposed
// for itself.
bool is_better_last(const Instruction& convolution) {
  const Attributes& attributes = *convolution.attributes;
  const ConvolutionDims& labels = *attributes.dim_labels;
  const int64_t places = product(convolution.shape, labels.output_spatial);
  const int64_t columns = ceil_div(places, kColumns) * kColumns;
  const int64_t features = convolution.shape.dims[static_cast<size_t>(labels.output_feature)];
  return features / attributes.feature_group_count.value_or(1) <= kFewColumns || (columns - places) * kFilled > columns;
}

// Whether a convolution's kernel, [output features, input features, taps...] or the other way around, is to have its
// taps first.
bool has_taps_last(const Instruction& convolution) {
  const Dims& spatial = convolution.attributes->dim_labels->rhs_spatial;
  return are_behind(spatial) && product(convolution.operand(1)->shape, spatial) > 1;
}

// Whether it has the features of its operand, whose other dimensions alone it changes: a reshape, or a broadcast that
// repeats places.
bool keeps_features(const Instruction& value) {
  if (value.opcode != Opcode::kReshape && value.opcode != Opcode::kBroadcast) return false;
  const Shape& operand = value.operand(0)->shape;
  if (operand.rank() < 3 || value.shape.rank() < 3) return false;
  if (value.opcode == Opcode::kReshape)
    return std::equal(operand.dims.begin(), operand.dims.begin() + 2, value.shape.dims.begin());
  const Dims& where = *value.attributes->dimensions;
  return where[0] == 0 && where[1] == 1 && std::ranges::is_sorted(where);
}

// The dimensions of a dot's operand that it sums over.
Dims summed_by(const Instruction& dot, size_t side) { return operand_dims(dot, side).contracting; }

// Whether a dot's results are the same where an operand has its features last.
bool dots_in_order(const Instruction& dot, size_t side) {
  const OperandDims dims = operand_dims(dot, side);
  return std::ranges::is_sorted(places_of(dims.free, dot.operand(side)->shape.rank()));
}

// The arrays of one computation that have their features last.
class FeaturesLast {
 public:
  explicit FeaturesLast(Computation& computation) : computation_(computation) {}

  bool run() {
    find();
    if (!reads_any_) return false;
    std::vector<Instruction*> all;
    for (Instruction& value : computation_.instructions()) all.push_back(&value);
    for (Instruction* value : all) {
      if (value->opcode == Opcode::kConvolution) {
        turn_convolution(*value);
      } else if (turned_.contains(value)) {
        give(*value, make(*value));
      } else if (value->opcode == Opcode::kReduce && reduces_in_order(*value)) {
        turn_reduction(*value);
      } else if (value->opcode == Opcode::kDot) {
        turn_dot(*value);
      }
    }
    return true;
  }

 private:
  // From convolutions on, along all that keeps an array's dimensions apart.
  void find() {
    std::vector<Instruction*> queue;
    const auto add = [&](Instruction* value) {
      if (may_be_turned(*value) && turned_.insert(value).second) queue.push_back(value);
    };
    for (Instruction& value : computation_.instructions()) {
      const Turned turned = turned_of(value);
      if (turned.input) add(value.operand(0));
      if (turned.kernel) add(value.operand(1));
      reads_any_ |= turned.input || turned.kernel;
      if (turned.result) add(&value);
    }
    for (size_t next = 0; next < queue.size(); ++next) {
      Instruction* value = queue[next];
      for (Instruction* operand : value->operands()) {
        if (takes_turned(*value, *operand)) add(operand);
      }
      for (Instruction* user : value->users()) {
        if (user->shape.is_array() && takes_turned(*user, *value)) add(user);
        if (user->opcode != Opcode::kDot || !sums_features(*user, *value)) continue;
        for (Instruction* turns : user->users()) {
          if (turns->opcode == Opcode::kTranspose) add(turns);
        }
      }
      if (value->opcode != Opcode::kTranspose || value->operand(0)->opcode != Opcode::kDot) continue;
      for (Instruction* operand : value->operand(0)->operands()) {
        if (sums_features(*value->operand(0), *operand)) add(operand);
      }
    }
    // What nothing needs so keeps its order.
    for (auto value = computation_.instructions().rbegin(); value != computation_.instructions().rend(); ++value) {
      if (turned_.contains(&*value) && !is_needed(*value)) turned_.erase(&*value);
    }
  }

  // Whether the value with its features last is made of its operand's that has them last, too.
  static bool takes_turned(const Instruction& value, const Instruction& operand) {
    if (value.opcode == Opcode::kConvolution || value.opcode == Opcode::kTranspose) return false;
    return keeps_features(value) || (value.opcode != Opcode::kBroadcast && value.opcode != Opcode::kReshape &&
                                     operand.shape.rank() == value.shape.rank());
  }

  bool is_needed(Instruction& value) const {
    if (value.opcode == Opcode::kConvolution && turned_of(value).input && is_better_last(value)) return true;
    return std::ranges::any_of(value.users(), [&](Instruction* user) {
      if (user->opcode == Opcode::kDot) return sums_features(*user, value);
      if (user->opcode != Opcode::kConvolution) return turned_.contains(user) && takes_turned(*user, value);
      const Turned turned = turned_of(*user);
      return (turned.input && user->operand(0) == &value) || (turned.kernel && user->operand(1) == &value);
    });
  }

  // Whether a dot's terms lie side by side where the operand has its features last.
  static bool sums_features(const Instruction& dot, const Instruction& operand) {
    for (const size_t side : {0, 1}) {
      if (dot.operand(side) == &operand && summed_by(dot, side) == Dims{1} && dots_in_order(dot, side)) return true;
    }
    return false;
  }

  static bool may_be_turned(const Instruction& value) {
    if (!value.shape.is_array() || value.shape.rank() < 3 || !value.shape.is_static()) return false;
    switch (value.opcode) {
      case Opcode::kConvolution:
        return turned_of(value).result;
      case Opcode::kBroadcast:
        return value.operand(0)->shape.rank() < value.shape.rank();
      case Opcode::kReshape:
        return keeps_features(value);
      case Opcode::kTranspose:
      case Opcode::kIota:
      case Opcode::kPad:
      case Opcode::kSlice:
      case Opcode::kReverse:
      case Opcode::kConcatenate:
        return true;
      case Opcode::kReduceWindow:
      case Opcode::kSelectAndScatter:
        return keeps_order(*value.attributes->window);
      default:
        return family_of(value) == Family::kElementwise && value.opcode != Opcode::kCustomCall &&
               !value.operands().empty() && value.control_predecessors.empty() &&
               std::ranges::all_of(value.operands(), [&](const Instruction* operand) {
                 return operand->shape.is_scalar() || operand->shape.dims == value.shape.dims;
               });
    }
  }

  // Whether a window's elements stay in their order: of equal ones the first may be chosen.
  static bool keeps_order(const std::vector<WindowDimension>& window) {
    return window[1].size == 1 ||
           std::all_of(window.begin() + 2, window.end(), [](const WindowDimension& d) { return d.size == 1; });
  }

  // The array with its features last, which is computed so, or transposed once for all.
  Instruction* turned(Instruction* array, Instruction& reader) {
    Instruction*& known = made_[array];
    if (known == nullptr) known = GraphBuilder(reader).transpose(array, features_last(array->shape.rank()));
    return known;
  }

  // What still reads the array as it was reads it transposed back.
  void give(Instruction& value, Instruction* last) {
    made_[&value] = last;
    Attributes attributes;
    attributes.dimensions = features_second(value.shape.rank());
    become(value, Opcode::kTranspose, {last}, std::move(attributes));
  }

  Instruction* make(Instruction& value) {
    const int64_t rank = value.shape.rank();
    Attributes attributes = *value.attributes;
    if (keeps_features(value) && attributes.dimensions) attributes.dimensions = in_order(*attributes.dimensions);
    if (value.opcode == Opcode::kTranspose) attributes.dimensions = in_order(*attributes.dimensions);
    if (value.opcode == Opcode::kBroadcast || value.opcode == Opcode::kConcatenate || value.opcode == Opcode::kReverse)
      attributes.dimensions = places_of(*attributes.dimensions, rank);
    if (attributes.iota_dimension) attributes.iota_dimension = place_of(*attributes.iota_dimension, rank);
    if (attributes.padding) attributes.padding = in_order(*attributes.padding);
    if (attributes.slice) attributes.slice = in_order(*attributes.slice);
    if (attributes.window) attributes.window = in_order(*attributes.window);
    std::vector<Instruction*> operands;
    for (Instruction* operand : value.operands())
      operands.push_back(takes_turned(value, *operand) ? turned(operand, value) : operand);
    return insert_like(value, value.opcode, Shape::array(value.shape.dtype, in_order(value.shape.dims)), operands,
                       std::move(attributes));
  }

  void turn_convolution(Instruction& convolution) {
    const Turned is = turned_of(convolution);
    const bool turns_result = turned_.contains(&convolution);
    if (!is.input && !is.kernel && !turns_result) return;
    Attributes attributes = *convolution.attributes;
    ConvolutionDims& labels = *attributes.dim_labels;
    const auto place = [](int64_t rank, int64_t* first, int64_t* second, Dims* spatial) {
      *first = place_of(*first, rank);
      *second = place_of(*second, rank);
      *spatial = places_of(*spatial, rank);
    };
    const int64_t rank = convolution.shape.rank();
    Instruction *input = convolution.operand(0), *kernel = convolution.operand(1);
    if (is.input) {
      input = turned(input, convolution);
      place(rank, &labels.lhs_batch, &labels.lhs_feature, &labels.lhs_spatial);
    }
    if (is.kernel) {
      kernel = turned(kernel, convolution);
      place(rank, &labels.rhs_input_feature, &labels.rhs_output_feature, &labels.rhs_spatial);
    } else if (is.input && has_taps_last(convolution)) {
      kernel = taps_first(kernel, convolution);
      const auto behind = [&](int64_t feature) { return rank - 1 - feature; };
      labels.rhs_input_feature = behind(labels.rhs_input_feature);
      labels.rhs_output_feature = behind(labels.rhs_output_feature);
      for (int64_t& d : labels.rhs_spatial) d -= 2;
    }
    if (turns_result) {
      place(rank, &labels.output_batch, &labels.output_feature, &labels.output_spatial);
      const Shape shape = Shape::array(convolution.shape.dtype, in_order(convolution.shape.dims));
      give(convolution, insert_like(convolution, Opcode::kConvolution, shape, {input, kernel}, std::move(attributes)));
    } else {
      become(convolution, Opcode::kConvolution, {input, kernel}, std::move(attributes));
    }
  }

  // [output features, input features, taps...] as [taps..., input features, output features].
  Instruction* taps_first(Instruction* kernel, Instruction& convolution) {
    Instruction*& known = taps_first_[kernel];
    if (known != nullptr) return known;
    Dims order;
    for (int64_t d = 2; d < kernel->shape.rank(); ++d) order.push_back(d);
    order.insert(order.end(), {1, 0});
    return known = GraphBuilder(convolution).transpose(kernel, order);
  }

  // Whether a reduction of what is turned gives its results in their order, and adds up terms in theirs.
  bool reduces_in_order(const Instruction& reduce) const {
    if (reduce.operands().size() != 2 || !turned_.contains(reduce.operand(0))) return false;
    const int64_t rank = reduce.operand(0)->shape.rank();
    Dims reduced = *reduce.attributes->dimensions, kept;
    std::ranges::sort(reduced);
    for (int64_t d = 0; d < rank; ++d) {
      if (!std::ranges::binary_search(reduced, d)) kept.push_back(d);
    }
    return std::ranges::is_sorted(places_of(reduced, rank)) && std::ranges::is_sorted(places_of(kept, rank));
  }

  void turn_reduction(Instruction& reduce) {
    Attributes attributes = *reduce.attributes;
    attributes.dimensions = places_of(*attributes.dimensions, reduce.operand(0)->shape.rank());
    become(reduce, Opcode::kReduce, {made_.at(reduce.operand(0)), reduce.operand(1)}, std::move(attributes));
  }

  void turn_dot(Instruction& dot) {
    for (const size_t side : {0, 1}) {
      Instruction* operand = dot.operand(side);
      if (!turned_.contains(operand) || !dots_in_order(dot, side)) continue;
      Attributes& attributes = dot.attributes.edit();
      for (auto* dims : {side == 0 ? &attributes.lhs_contracting_dims : &attributes.rhs_contracting_dims,
                         side == 0 ? &attributes.lhs_batch_dims : &attributes.rhs_batch_dims}) {
        if (*dims) *dims = places_of(**dims, operand->shape.rank());
      }
      dot.set_operand(side, made_.at(operand));
    }
  }

  Computation& computation_;
  bool reads_any_ = false;                           // whether a convolution reads any
  std::set<Instruction*> turned_;                    // only looked up
  std::map<Instruction*, Instruction*> made_;        // with their features last; only looked up
  std::map<Instruction*, Instruction*> taps_first_;  // likewise, kernels
};

}  // namespace

bool channels_last(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (const auto& computation : module.computations()) changed |= FeaturesLast(*computation).run();
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
