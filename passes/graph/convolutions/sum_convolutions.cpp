// sum_convolutions: a convolution of few results that are long sums becomes a sum for each place of the window. The
// gradient of a kernel is one: as large as the kernel, each element a sum over all images. A thread an element would
// leave a GPU idle; sums are reduced by as many as there are terms.
//
//   %w = f32[1,1,3,3] convolution(%x, %g), window={size=510x510}, dim_labels=fb01_io01->bf01
//   x f32[64,1,512,512], g f32[64,1,510,510]
//                                                     =>
//   %p = f32[64,1,1,510,510] multiply(broadcast(slice(%x)), broadcast(%g))       for each of the 3 x 3 slices
//   %s = f32[1,1] reduce(%p, 0), dimensions={0,3,4}
//   %w = concatenate of these
//
// Terms beside the array, which the window's padding stands for, are no products: zeros are put in their place. Of
// groups each result is summed in its own. Narrow floats are summed as f32, and rounded once. What tiles multiply
// (is_contraction) is left to them.
#include <algorithm>
#include <optional>

#include "ir/support/ceil_div.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/shapes/matrix_product.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Dims = std::vector<int64_t>;

// Terms of one result, from which on a thread takes longer than further launches do.
constexpr int64_t kLongSum = 2048;
// Places of the window: each is a sum of its own in the text. 7 x 7, or 4 x 4 x 4.
constexpr int64_t kMostPlaces = 64;
// Results whose threads keep a GPU busy.
constexpr int64_t kManyResults = 65536;

// What the dimensions of a product are: of the group, of the left operand's batch, of output features of a group, or
// summed over.
enum class Role : uint8_t { kGroup, kBatch, kFeature, kTerm };

bool is_long_sum(const Instruction& convolution) {
  if (convolution.opcode != Opcode::kConvolution || !convolution.shape.is_static()) return false;
  const Attributes& attributes = convolution.attributes;
  const ConvolutionDims& labels = *attributes.dim_labels;
  const Shape& kernel = convolution.operand(1)->shape;
  const DType dtype = convolution.shape.dtype;
  if (dtype == DType::kPred || is_complex(dtype) || convolution.shape.element_count() >= kManyResults ||
      convolution.shape.element_count() == 0 || is_contraction(convolution)) {
    return false;
  }
  int64_t terms = kernel.dims[labels.rhs_input_feature], places = 1;
  for (size_t d = 0; d < labels.rhs_spatial.size(); ++d) {
    const WindowDimension& window = (*attributes.window)[d];
    if (window.lhs_dilate != 1 || window.reversal) return false;
    terms *= window.size;
    places *= convolution.shape.dims[labels.output_spatial[d]];
  }
  return terms >= kLongSum && places <= kMostPlaces;
}

class Sums {
 public:
  explicit Sums(Instruction& convolution)
      : convolution_(convolution),
        attributes_(convolution.attributes),
        labels_(*attributes_.dim_labels),
        window_(*attributes_.window),
        build_(convolution),
        dtype_(sum_type(convolution.shape.dtype)) {
    find_dims();
  }

  Value make() {
    const Value left = build_.convert(convolution_.operand(0), dtype_);
    const Value right = broadcast_kernel();
    std::vector<Value> sums;
    for (int64_t place = 0; place < places_; ++place) sums.push_back(sum_at(place, left, right));
    // [batch, features, places], then as the result has them.
    Value result = build_.concatenate(sums, 2);
    Dims dims = {result->shape.dims[0], result->shape.dims[1]}, order(convolution_.shape.dims.size());
    order[labels_.output_batch] = 0;
    order[labels_.output_feature] = 1;
    for (const int64_t d : labels_.output_spatial) {
      order[d] = static_cast<int64_t>(dims.size());
      dims.push_back(convolution_.shape.dims[d]);
    }
    result = build_.reshape(result, dims);
    result = build_.transpose(result, order);
    return result;
  }

 private:
  // The dimensions of the products, in the order of the left operand's, output features behind its batch; and where
  // those of the operands are among them.
  void find_dims() {
    const Shape& left = convolution_.operand(0)->shape;
    const Shape& kernel = convolution_.operand(1)->shape;
    const int64_t groups = attributes_.feature_group_count.value_or(1),
                  batches = attributes_.batch_group_count.value_or(1);
    groups_ = groups * batches;  // one of them is 1
    const int64_t features = kernel.dims[labels_.rhs_output_feature] / groups_;
    const auto add = [&](Role role, int64_t extent) {
      roles_.push_back(role);
      dims_.push_back(extent);
      return static_cast<int64_t>(dims_.size()) - 1;
    };
    right_at_.resize(labels_.rhs_spatial.size());
    for (int64_t d = 0; d < left.rank(); ++d) {
      if (d == labels_.lhs_batch) {
        if (batches > 1) left_at_.push_back(group_at_ = add(Role::kGroup, batches));
        left_at_.push_back(add(Role::kBatch, left.dims[d] / batches));
        feature_at_ = add(Role::kFeature, features);
      } else if (d == labels_.lhs_feature) {
        if (groups > 1) left_at_.push_back(group_at_ = add(Role::kGroup, groups));
        left_at_.push_back(input_at_ = add(Role::kTerm, left.dims[d] / groups));
      } else {
        const auto spatial = std::find(labels_.lhs_spatial.begin(), labels_.lhs_spatial.end(), d);
        const auto number = static_cast<size_t>(spatial - labels_.lhs_spatial.begin());
        left_at_.push_back(right_at_[number] = add(Role::kTerm, window_[number].size));
      }
    }
    for (const int64_t d : labels_.output_spatial) places_ *= convolution_.shape.dims[d];
  }

  Value broadcast_kernel() {
    const Value kernel = build_.convert(convolution_.operand(1), dtype_);
    Dims dims, where;
    for (int64_t d = 0; d < kernel->shape.rank(); ++d) {
      if (d == labels_.rhs_output_feature) {
        if (groups_ > 1) {
          dims.push_back(groups_);
          where.push_back(group_at_);
        }
        dims.push_back(kernel->shape.dims[d] / groups_);
        where.push_back(feature_at_);
        continue;
      }
      dims.push_back(kernel->shape.dims[d]);
      const auto spatial = std::find(labels_.rhs_spatial.begin(), labels_.rhs_spatial.end(), d);
      where.push_back(d == labels_.rhs_input_feature ? input_at_ : right_at_[spatial - labels_.rhs_spatial.begin()]);
    }
    // Broadcasts keep the order of dimensions: those of the products.
    Dims order(dims.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return where[a] < where[b]; });
    Value value = build_.reshape(kernel, dims);
    value = build_.transpose(value, order);
    std::sort(where.begin(), where.end());
    return build_.broadcast(value, dims_, where);
  }

  // What the window reads along a spatial dimension, at one of its places: of its elements those from `first` up to
  // `last`, the others are beside the array.
  struct Reach {
    int64_t start = 0, first = 0, last = 0;  // start: of element 0, in the array
  };

  std::vector<Reach> reach_at(int64_t place) const {
    std::vector<Reach> reach(window_.size());
    for (size_t s = window_.size(); s-- > 0;) {
      const WindowDimension& window = window_[s];
      const int64_t steps = convolution_.shape.dims[labels_.output_spatial[s]];
      const int64_t extent = convolution_.operand(0)->shape.dims[labels_.lhs_spatial[s]];
      const int64_t start = place % steps * window.stride - window.pad_low;
      place /= steps;
      const int64_t inside = extent > start ? ceil_div(extent - start, window.rhs_dilate) : 0;
      reach[s] = {start, start < 0 ? ceil_div(-start, window.rhs_dilate) : 0, std::min(window.size, inside)};
    }
    return reach;
  }

  // The terms of the sum that are at one place of the window, those beside the array zeros; nullptr if all are.
  Value terms_at(int64_t place, Value left, Value right) {
    const std::vector<Reach> reach = reach_at(place);
    std::vector<SliceBounds> of_left, of_right;
    for (const int64_t extent : left->shape.dims) of_left.push_back({0, extent, 1});
    for (const int64_t extent : dims_) of_right.push_back({0, extent, 1});
    std::vector<PadBounds> beside(dims_.size());
    bool pads = false;
    for (size_t s = 0; s < window_.size(); ++s) {
      const auto [start, first, last] = reach[s];
      if (first >= last) return nullptr;
      const int64_t dilation = window_[s].rhs_dilate;
      of_left[labels_.lhs_spatial[s]] = {start + first * dilation, start + (last - 1) * dilation + 1, dilation};
      of_right[right_at_[s]] = {first, last, 1};
      beside[right_at_[s]] = {.low = first, .high = window_[s].size - last};
      pads |= first > 0 || last < window_[s].size;
    }
    const Value read = sliced(left, std::move(of_left));
    Dims own, of_terms = dims_;
    for (size_t s = 0; s < window_.size(); ++s) of_terms[right_at_[s]] = reach[s].last - reach[s].first;
    for (const int64_t at : left_at_) own.push_back(of_terms[at]);
    const Value factor = build_.broadcast(build_.reshape(read, own), of_terms, left_at_);
    const Value terms = build_.multiply({factor, sliced(right, std::move(of_right))});
    if (!pads) return terms;
    Attributes attributes;
    attributes.padding = std::move(beside);
    return build_.make(Opcode::kPad, {terms, zero()}, std::move(attributes));
  }

  Value sliced(Value array, std::vector<SliceBounds> bounds) {
    bool whole = true;
    for (size_t d = 0; d < bounds.size(); ++d) whole &= bounds[d] == SliceBounds{0, array->shape.dims[d], 1};
    if (whole) return array;
    Attributes attributes;
    attributes.slice = std::move(bounds);
    return build_.make(Opcode::kSlice, {array}, std::move(attributes));
  }

  // [batch, features, 1]
  Value sum_at(int64_t place, Value left, Value right) {
    Dims summed, order;
    for (size_t d = 0; d < roles_.size(); ++d) {
      if (roles_[d] == Role::kTerm) summed.push_back(static_cast<int64_t>(d));
    }
    const int64_t batch = convolution_.shape.dims[labels_.output_batch];
    const Dims result = {batch, convolution_.shape.dims[labels_.output_feature], 1};
    const Value terms = terms_at(place, left, right);
    if (terms == nullptr) return build_.splat(build_.convert(zero(), convolution_.shape.dtype), result);
    Value sum = build_.convert(reduced(terms, summed), convolution_.shape.dtype);
    std::vector<Role> kept = roles_;
    std::erase(kept, Role::kTerm);
    for (const Role role : {Role::kBatch, Role::kGroup, Role::kFeature}) {
      const auto found = std::find(kept.begin(), kept.end(), role);
      if (found != kept.end()) order.push_back(found - kept.begin());
    }
    sum = build_.transpose(sum, order);
    return build_.reshape(sum, result);
  }

  Value reduced(Value terms, const Dims& summed) {
    if (sum_ == nullptr) {
      sum_ = build_.reduce(terms, zero(), summed, Opcode::kAdd, *convolution_.parent()->parent());
      return sum_;
    }
    return build_.make(Opcode::kReduce, {terms, zero()}, sum_->attributes);  // all sums have one function
  }

  Value zero() {
    if (zero_ == nullptr) zero_ = is_float(dtype_) ? build_.real(dtype_, 0) : build_.integer(dtype_, 0);
    return zero_;
  }

  Instruction& convolution_;
  const Attributes& attributes_;
  const ConvolutionDims& labels_;
  const std::vector<WindowDimension>& window_;
  GraphBuilder build_;
  const DType dtype_;
  int64_t groups_ = 1, places_ = 1;
  Dims dims_;  // of the products
  std::vector<Role> roles_;
  // Where dimensions are among these: the left operand's, in order; of the kernel the spatial ones; the group, input
  // and output features.
  Dims left_at_, right_at_;
  int64_t group_at_ = 0, input_at_ = 0, feature_at_ = 0;
  Value zero_ = nullptr, sum_ = nullptr;  // made where they are first asked for
};

}  // namespace

bool sum_convolutions(Module& module, const GraphPassOptions&) {
  std::vector<Instruction*> found;
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      if (is_long_sum(instruction)) found.push_back(&instruction);
    }
  }
  for (Instruction* convolution : found) convolution->replace_all_uses_with(Sums(*convolution).make());
  if (found.empty()) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
