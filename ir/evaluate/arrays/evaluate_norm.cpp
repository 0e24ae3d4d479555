// Evaluating the batch-norm ops, in f64: statistics over all dimensions but the feature one.
#include <cmath>

#include "ir/evaluate/arrays/evaluate_arrays.h"
#include "ir/evaluate/elements/evaluate_wide.h"
#include "ir/ops/evaluate_ops.h"

namespace sinter {
namespace {

using Values = std::vector<double>;

// Which feature an element belongs to, and how many elements a feature has.
struct Features {
  Features(const Instruction& instruction, const Shape& shape) {
    const auto d = static_cast<size_t>(*instruction.attributes->feature_index);
    stride = static_cast<size_t>(strides(shape.dims)[d]);
    count = static_cast<size_t>(shape.dims[d]);
    size = count == 0 ? 0 : static_cast<double>(shape.element_count()) / static_cast<double>(count);
  }
  size_t of(size_t element) const { return element / stride % count; }
  size_t stride = 1;
  size_t count = 0;
  double size = 0;
};

Values mean_of(const Values& x, const Features& features) {
  Values mean(features.count, 0);
  for (size_t i = 0; i < x.size(); ++i) mean[features.of(i)] += x[i];
  for (double& value : mean) value /= features.size;
  return mean;
}

Values variance_of(const Values& x, const Values& mean, const Features& features) {
  Values variance(features.count, 0);
  for (size_t i = 0; i < x.size(); ++i) {
    const double difference = x[i] - mean[features.of(i)];
    variance[features.of(i)] += difference * difference;
  }
  for (double& value : variance) value /= features.size;
  return variance;
}

Values normalise(const Instruction& instruction, const Values& x, const Values& scale, const Values& offset,
                 const Values& mean, const Values& variance, const Features& features) {
  const double epsilon = *instruction.attributes->epsilon;
  Values y;
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t f = features.of(i);
    y.push_back((x[i] - mean[f]) / std::sqrt(variance[f] + epsilon) * scale[f] + offset[f]);
  }
  return y;
}

}  // namespace

Literal evaluate_batch_norm_training(const Instruction& instruction, std::span<const Literal> operands,
                                     EvaluateContext&) {
  const Features features(instruction, operands[0].shape());
  const Values x = elements::widen<double>(operands[0]);
  const Values mean = mean_of(x, features);
  const Values variance = variance_of(x, mean, features);
  const Values y = normalise(instruction, x, elements::widen<double>(operands[1]), elements::widen<double>(operands[2]),
                             mean, variance, features);
  const std::vector<Shape>& shapes = instruction.shape.elements;
  return Literal::tuple(
      {elements::narrow(y, shapes[0]), elements::narrow(mean, shapes[1]), elements::narrow(variance, shapes[2])});
}

Literal evaluate_batch_norm_inference(const Instruction& instruction, std::span<const Literal> operands,
                                      EvaluateContext&) {
  const Features features(instruction, operands[0].shape());
  const Values y = normalise(instruction, elements::widen<double>(operands[0]), elements::widen<double>(operands[1]),
                             elements::widen<double>(operands[2]), elements::widen<double>(operands[3]),
                             elements::widen<double>(operands[4]), features);
  return elements::narrow(y, instruction.shape);
}

Literal evaluate_batch_norm_grad(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext&) {
  const Features features(instruction, operands[0].shape());
  const Values x = elements::widen<double>(operands[0]);
  const Values scale = elements::widen<double>(operands[1]);
  const Values mean = elements::widen<double>(operands[2]);
  const Values variance = elements::widen<double>(operands[3]);
  const Values dy = elements::widen<double>(operands[4]);
  const double epsilon = *instruction.attributes->epsilon;
  const auto normal = [&](size_t i) {
    const size_t f = features.of(i);
    return (x[i] - mean[f]) / std::sqrt(variance[f] + epsilon);
  };
  Values scale_gradient(features.count, 0), offset_gradient(features.count, 0), gradient;
  for (size_t i = 0; i < x.size(); ++i) {
    scale_gradient[features.of(i)] += dy[i] * normal(i);
    offset_gradient[features.of(i)] += dy[i];
  }
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t f = features.of(i);
    const double centred = dy[i] - offset_gradient[f] / features.size - normal(i) * scale_gradient[f] / features.size;
    gradient.push_back(scale[f] / std::sqrt(variance[f] + epsilon) * centred);
  }
  const std::vector<Shape>& shapes = instruction.shape.elements;
  return Literal::tuple({elements::narrow(gradient, shapes[0]), elements::narrow(scale_gradient, shapes[1]),
                         elements::narrow(offset_gradient, shapes[2])});
}

}  // namespace sinter
