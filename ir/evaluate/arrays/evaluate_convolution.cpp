// Evaluating convolution: cross-correlation with stride, padding, dilation of both sides, reversal and groups.
#include "ir/evaluate/arrays/evaluate_arrays.h"
#include "ir/evaluate/elements/evaluate_wide.h"
#include "ir/ops/evaluate_ops.h"

namespace sinter {
namespace {

using elements::Dims;

// `count` neighbouring output positions that one kernel tap reaches, and the input positions they read there.
struct Run {
  int64_t output = 0;
  int64_t input = 0;
  int64_t input_step = 1;
  int64_t count = 0;
};

// Extends the last run by the pair if that continues it.
void append_pair(std::vector<Run>& runs, int64_t output, int64_t input) {
  if (!runs.empty()) {
    Run& last = runs.back();
    if (last.output + last.count == output) {
      if (last.count == 1) last.input_step = input - last.input;
      if (last.input + last.count * last.input_step == input) {
        ++last.count;
        return;
      }
    }
  }
  runs.push_back({output, input, 1, 1});
}

// The runs of each kernel tap; taps that fall into padding, or between elements of a dilated input, have none.
std::vector<std::vector<Run>> find_runs(const std::vector<WindowDimension>& window, const Dims& input,
                                        const Dims& kernel, const Dims& output) {
  const Dims input_strides = strides(input);
  const Dims output_strides = strides(output);
  std::vector<std::vector<Run>> runs;
  Dims tap(kernel.size(), 0);
  if (elements::product(kernel) == 0) return runs;
  do {
    std::vector<Run>& of_tap = runs.emplace_back();
    Dims position(output.size(), 0);
    if (elements::product(output) == 0) continue;
    do {
      int64_t from = 0;
      bool inside = true;
      for (size_t d = 0; d < position.size() && inside; ++d) {
        const WindowDimension& w = window[d];
        const int64_t step = w.reversal ? kernel[d] - 1 - tap[d] : tap[d];
        const int64_t base = position[d] * w.stride + step * w.rhs_dilate - w.pad_low;
        inside = base >= 0 && base % w.lhs_dilate == 0 && base / w.lhs_dilate < input[d];
        from += base / w.lhs_dilate * input_strides[d];
      }
      if (inside) append_pair(of_tap, elements::linear_index(position, output_strides), from);
    } while (elements::next_index(position, output));
  } while (elements::next_index(tap, kernel));
  return runs;
}

// Output feature o of a batch entry: the sum over input features and taps.
template <class T>
void correlate(const T* input, int64_t input_size, const T* kernel, int64_t features,
               const std::vector<std::vector<Run>>& taps, T* output) {
  for (int64_t f = 0; f < features; ++f) {
    for (size_t t = 0; t < taps.size(); ++t) {
      const T factor = kernel[f * static_cast<int64_t>(taps.size()) + static_cast<int64_t>(t)];
      for (const Run& run : taps[t]) {
        T* target = output + run.output;
        const T* source = input + f * input_size + run.input;
        for (int64_t i = 0; i < run.count; ++i) {
          target[i] =
              elements::wrapping_add(target[i], elements::wrapping_multiply(factor, source[i * run.input_step]));
        }
      }
    }
  }
}

Dims label_order(int64_t first, int64_t second, const std::vector<int64_t>& spatial) {
  Dims order = {first, second};
  order.insert(order.end(), spatial.begin(), spatial.end());
  return order;
}

}  // namespace

Literal evaluate_convolution(const Instruction& instruction, std::span<const Literal> operands,
                             EvaluateContext& context) {
  const Attributes& attributes = instruction.attributes;
  const ConvolutionDims& labels = *attributes.dim_labels;
  const std::vector<WindowDimension> window = attributes.window.value_or(std::vector<WindowDimension>{});
  const int64_t feature_groups = attributes.feature_group_count.value_or(1);
  const int64_t batch_groups = attributes.batch_group_count.value_or(1);
  const Dims output_order = label_order(labels.output_batch, labels.output_feature, labels.output_spatial);

  // [batch, feature, spatial...] and [output feature, input feature, spatial...]
  const Literal input =
      elements::permute(operands[0], label_order(labels.lhs_batch, labels.lhs_feature, labels.lhs_spatial));
  const Literal kernel = elements::permute(
      operands[1], label_order(labels.rhs_output_feature, labels.rhs_input_feature, labels.rhs_spatial));
  const Shape output = Shape::array(instruction.shape.dtype, elements::pick(instruction.shape.dims, output_order));
  const auto spatial = [](const Shape& shape) { return Dims(shape.dims.begin() + 2, shape.dims.end()); };
  const std::vector<std::vector<Run>> taps =
      find_runs(window, spatial(input.shape()), spatial(kernel.shape()), spatial(output));

  const int64_t batches = output.dims[0];
  const int64_t features = output.dims[1];
  const int64_t kernel_features = kernel.shape().dims[1];
  const int64_t input_features = input.shape().dims[1];
  const int64_t input_size = elements::product(spatial(input.shape()));
  const int64_t output_size = elements::product(spatial(output));
  const auto tap_count = static_cast<int64_t>(taps.size());
  context.count_product({output.element_count(), kernel_features, tap_count});

  const Literal result = elements::visit_wide(input.shape().dtype, kernel.shape().dtype, output.dtype, [&]<class T>(T) {
    const std::vector<T> x = elements::widen<T>(input);
    const std::vector<T> w = elements::widen<T>(kernel);
    std::vector<T> y(static_cast<size_t>(output.element_count()), T(0));
    for (int64_t b = 0; b < batches; ++b) {
      for (int64_t o = 0; o < features; ++o) {
        const int64_t feature_group = o / (features / feature_groups);
        const int64_t batch_group = o / (features / batch_groups);
        const int64_t from_batch = batch_group * batches + b;
        const int64_t from = (from_batch * input_features + feature_group * kernel_features) * input_size;
        correlate(x.data() + from, input_size, w.data() + o * kernel_features * tap_count, kernel_features, taps,
                  y.data() + (b * features + o) * output_size);
      }
    }
    return elements::narrow(y, output);
  });
  Dims back(output_order.size(), 0);
  for (size_t i = 0; i < back.size(); ++i) back[static_cast<size_t>(output_order[i])] = static_cast<int64_t>(i);
  return elements::permute(result, back).with_shape(instruction.shape);
}

}  // namespace sinter
