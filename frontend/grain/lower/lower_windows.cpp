// Reductions over windows: a convolution, where one factor is an image and the other a kernel; a reduce-window of one.
#include <algorithm>

#include "frontend/grain/compiler.h"
#include "frontend/grain/lower/reduction.h"

namespace sinter::grain {

// A sum over windows of one factor: image[n, s * i + d * r + c, ..., f; pad 0] * kernel[r, ..., f, o].
std::optional<Part> Compiler::lower_convolution(Expr& expr, Expr& image, Expr& kernel,
                                                const std::vector<Index*>& summed) {
  if (image.kind != Expr::Kind::kAccess || kernel.kind != Expr::Kind::kAccess) return std::nullopt;
  if (image.children[0]->type.element.is_record() || !call_->ambient.empty()) return std::nullopt;
  const DType dtype = expr.type.element.dtype;
  // The kernel's subscripts are indices alone.
  std::vector<Index*> kernel_axes;
  for (const Subscript& subscript : kernel.subscripts) {
    Index* index = subscript.value && !subscript.high ? plain(*subscript.value).index : nullptr;
    if (index == nullptr || contains(kernel_axes, index) || index->first != 0) return std::nullopt;
    kernel_axes.push_back(index);
  }
  struct Window {
    size_t axis;
    Index* at;
    Index* tap;
    int64_t stride, dilation, offset;
  };
  std::vector<Window> windows;
  Index* feature = nullptr;
  size_t feature_axis = 0;
  std::vector<std::pair<size_t, Index*>> batch;
  for (size_t k = 0; k < image.subscripts.size(); ++k) {
    const Subscript& subscript = image.subscripts[k];
    if (!subscript.value || subscript.high) return std::nullopt;
    const std::optional<Affine> sum = affine(*subscript.value);
    const Rule* rule = rule_of(image, k);
    if (!sum || sum->terms.empty() || sum->terms.size() > 2) return std::nullopt;
    if (sum->terms.size() == 1) {
      Index* index = plain(*subscript.value).index;
      if (index == nullptr || index->first != 0) return std::nullopt;
      const int64_t extent = value_of(image.children[0]->type.dims[k], image.loc);
      if (index->extent != extent) return std::nullopt;
      if (contains(summed, index)) {
        if (feature != nullptr || !contains(kernel_axes, index)) return std::nullopt;
        feature = index;
        feature_axis = k;
      } else {
        if (contains(kernel_axes, index)) return std::nullopt;  // groups
        batch.emplace_back(k, index);
      }
      continue;
    }
    auto at = sum->terms[0], tap = sum->terms[1];
    if (contains(summed, at.first)) std::swap(at, tap);
    if (contains(summed, at.first) || !contains(summed, tap.first) || !contains(kernel_axes, tap.first) ||
        contains(kernel_axes, at.first)) {
      return std::nullopt;
    }
    Window window{k,
                  at.first,
                  tap.first,
                  value_of(at.second, image.loc),
                  value_of(tap.second, image.loc),
                  value_of(sum->constant, image.loc)};
    if (window.stride < 1 || window.dilation < 1 || window.at->first != 0 || window.tap->extent < 1 ||
        window.at->extent < 1)
      return std::nullopt;
    if (rule != nullptr && (rule->name != "pad" || !rule->value->number || rule->value->number->real != 0)) {
      const Interval interval = interval_of(*sum);
      if (interval.low < 0 || interval.high >= value_of(image.children[0]->type.dims[k], image.loc))
        return std::nullopt;
    }
    windows.push_back(window);
  }
  // A convolution has an axis for each index, and each index on one axis: not the diagonal of x[i, i + r].
  std::vector<Index*> seen;
  for (const auto& [axis, index] : batch) seen.push_back(index);
  for (const Window& window : windows) {
    for (Index* index : {window.at, window.tap}) {
      if (contains(seen, index)) return std::nullopt;
      seen.push_back(index);
    }
  }
  if (windows.empty() || batch.size() > 1 || summed.size() != windows.size() + (feature != nullptr ? 1 : 0))
    return std::nullopt;
  Index* output = nullptr;
  for (Index* index : kernel_axes) {
    if (contains(summed, index)) continue;
    if (output != nullptr) return std::nullopt;
    output = index;
  }
  for (size_t k = 0; k < image.subscripts.size(); ++k) {
    const std::optional<Affine> sum = affine(*image.subscripts[k].value);
    check_in_range(image, k, interval_of(*sum), value_of(image.children[0]->type.dims[k], image.loc));
  }
  const Part base = lower(*image.children[0]).parts[0];
  const Part weights = lower(*kernel.children[0]).parts[0];
  if (!base.frame.empty() || !weights.frame.empty()) return std::nullopt;
  // Axes that are missing, of batch or features, have one element.
  Instruction* lhs = builder_.here(base.value);
  Instruction* rhs = builder_.here(weights.value);
  ConvolutionDims dims;
  const auto add_axis = [&](Instruction*& value) {
    Dims with_one = value->shape.dims;
    with_one.push_back(1);
    value = builder_.reshape(value, with_one);
    return static_cast<int64_t>(with_one.size()) - 1;
  };
  const auto kernel_axis = [&](const Index* index) {
    return static_cast<int64_t>(std::find(kernel_axes.begin(), kernel_axes.end(), index) - kernel_axes.begin());
  };
  dims.lhs_batch = batch.empty() ? add_axis(lhs) : static_cast<int64_t>(batch[0].first);
  dims.lhs_feature = feature == nullptr ? add_axis(lhs) : static_cast<int64_t>(feature_axis);
  dims.rhs_input_feature = feature == nullptr ? add_axis(rhs) : kernel_axis(feature);
  dims.rhs_output_feature = output == nullptr ? add_axis(rhs) : kernel_axis(output);
  Attributes attributes;
  attributes.window.emplace();
  Dims shape;
  Part result;
  std::vector<const Index*> labels;
  dims.output_batch = 0;
  shape.push_back(batch.empty() ? 1 : batch[0].second->extent);
  labels.push_back(batch.empty() ? nullptr : batch[0].second);
  for (const Window& window : windows) {
    dims.lhs_spatial.push_back(static_cast<int64_t>(window.axis));
    dims.rhs_spatial.push_back(kernel_axis(window.tap));
    dims.output_spatial.push_back(static_cast<int64_t>(shape.size()));
    const int64_t extent = value_of(image.children[0]->type.dims[window.axis], image.loc);
    WindowDimension one_window;
    one_window.size = window.tap->extent;
    one_window.stride = window.stride;
    one_window.rhs_dilate = window.dilation;
    one_window.pad_low = -window.offset;
    one_window.pad_high = window.stride * (window.at->extent - 1) + window.dilation * (window.tap->extent - 1) + 1 -
                          extent + window.offset;
    attributes.window->push_back(one_window);
    shape.push_back(window.at->extent);
    labels.push_back(window.at);
  }
  dims.output_feature = static_cast<int64_t>(shape.size());
  shape.push_back(output == nullptr ? 1 : output->extent);
  labels.push_back(output);
  attributes.dim_labels = dims;
  result.value = builder_.make_as(Opcode::kConvolution, Shape::array(dtype, shape), {lhs, rhs}, attributes);
  Dims kept;
  for (size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == nullptr) continue;
    kept.push_back(shape[i]);
    result.frame.push_back(labels[i]);
  }
  result.value = builder_.reshape(result.value, kept);
  return result;
}

// sum, max, min, prod of one access whose reduced indices are windows: reduce-window.
std::optional<Part> Compiler::lower_reduce_window(Expr& expr) {
  const std::string& word = expr.text;
  Expr& access = plain(*expr.children[0]);
  if (access.kind != Expr::Kind::kAccess ||
      (word != "sum" && word != "max" && word != "min" && word != "prod" && word != "mean"))
    return std::nullopt;
  if (access.children[0]->type.element.is_record()) return std::nullopt;
  const DType dtype = access.type.element.dtype;
  if (!is_float(dtype)) return std::nullopt;
  std::vector<Index*> summed;
  for (const Binder& binder : expr.binders) summed.push_back(binder.index);
  struct Axis {
    Index* at = nullptr;
    WindowDimension window;
  };
  std::vector<Axis> axes;
  size_t windows = 0;
  double fill = 0;
  const double identity = word == "prod" ? 1 : word == "max" ? lowest(dtype) : word == "min" ? -lowest(dtype) : 0;
  for (size_t k = 0; k < access.subscripts.size(); ++k) {
    const Subscript& subscript = access.subscripts[k];
    if (!subscript.value || subscript.high) return std::nullopt;
    const std::optional<Affine> sum = affine(*subscript.value);
    if (!sum || sum->terms.empty() || sum->terms.size() > 2) return std::nullopt;
    const int64_t extent = value_of(access.children[0]->type.dims[k], access.loc);
    const Interval interval = interval_of(*sum);
    const Rule* rule = rule_of(access, k);
    Axis axis;
    for (const auto& [index, factor] : sum->terms) {
      if (contains(summed, index)) {
        if (axis.window.size != 1 || index->extent < 1 || value_of(factor, access.loc) < 1) return std::nullopt;
        axis.window.size = index->extent;
        axis.window.rhs_dilate = value_of(factor, access.loc);
        ++windows;
      } else {
        if (axis.at != nullptr || value_of(factor, access.loc) < 1 || index->extent < 1) return std::nullopt;
        axis.at = index;
        axis.window.stride = value_of(factor, access.loc);
      }
    }
    if (axis.at == nullptr || interval.low > interval.high) return std::nullopt;
    axis.window.pad_low = -interval.low;
    axis.window.pad_high = interval.high - (extent - 1);
    if (sum->terms.size() == 1 && (axis.window.stride != 1 || interval.low != 0 || interval.high != extent - 1))
      return std::nullopt;
    if (axis.window.pad_low > 0 || axis.window.pad_high > 0) {
      if (rule == nullptr) check_in_range(access, k, interval, extent);
      if (rule->name != "pad" || !rule->value->number) return std::nullopt;
      fill = rule->value->number->real;
      if (fill != identity) return std::nullopt;
    }
    for (const Axis& other : axes) {
      if (other.at == axis.at) return std::nullopt;
    }
    axes.push_back(axis);
  }
  if (windows == 0 || windows != summed.size()) return std::nullopt;
  const Part base = lower(*access.children[0]).parts[0];
  Attributes attributes;
  attributes.window.emplace();
  Part result;
  for (const Index* index : base.frame) {
    result.frame.push_back(index);
    attributes.window->emplace_back();
  }
  for (const Axis& axis : axes) {
    result.frame.push_back(axis.at);
    attributes.window->push_back(axis.window);
  }
  const Opcode opcode = word == "prod"  ? Opcode::kMultiply
                        : word == "max" ? Opcode::kMaximum
                        : word == "min" ? Opcode::kMinimum
                                        : Opcode::kAdd;
  attributes.to_apply = builder_.combiner(opcode, dtype);
  result.value = builder_.make(Opcode::kReduceWindow, {base.value, builder_.number(dtype, identity)}, attributes);
  if (word == "mean") {
    int64_t count = 1;
    for (const Index* index : summed) count *= index->extent;
    result = arithmetic("/", result, one(dtype, static_cast<double>(count)));
  }
  return result;
}

}  // namespace sinter::grain
