// Shape rules of ops that slide a window over an array.
//
// Along one dimension: the base is dilated (lhs_dilate), then padded; the window is dilated (rhs_dilate); it is put
// at every stride-th place where it fits whole. dilated(n, d) = (n - 1) * d + 1, and 0 for n = 0.
#include "ir/infer/infer_window.h"

#include "ir/infer/called_signature.h"
#include "ir/infer/infer_common.h"
#include "ir/infer/infer_reduce.h"

namespace sinter {
namespace {

// 128 bits: every attribute may be any 64-bit number.
__int128 dilated(__int128 size, int64_t dilation) { return size == 0 ? 0 : (size - 1) * dilation + 1; }

// The number of places of the window along one dimension, into `places`.
ShapeError count_places(size_t dimension, int64_t size, const WindowDimension& window, int64_t& places) {
  const std::string where = "window dimension " + std::to_string(dimension) + ": ";
  const auto not_positive = [&](const char* what, int64_t value) {
    return ShapeError{where + what + "=" + std::to_string(value) + " is not positive", ""};
  };
  if (window.size < 0) return {where + "size=" + std::to_string(window.size) + " is negative", ""};
  if (window.stride < 1) return not_positive("stride", window.stride);
  if (window.lhs_dilate < 1) return not_positive("lhs_dilate", window.lhs_dilate);
  if (window.rhs_dilate < 1) return not_positive("rhs_dilate", window.rhs_dilate);

  const __int128 base = dilated(size, window.lhs_dilate) + window.pad_low + window.pad_high;
  const __int128 extent = dilated(window.size, window.rhs_dilate);
  if (base < 0) return {where + "the padding removes more than there is", ""};
  const __int128 count = extent > base ? 0 : (base - extent) / window.stride + 1;
  if (count > kMaxBytes) return {where + "the result is too large", ""};
  places = static_cast<int64_t>(count);
  return {};
}

const std::vector<WindowDimension>& window_of(const Instruction& instruction) {
  static const std::vector<WindowDimension> none;
  return instruction.attributes->window ? *instruction.attributes->window : none;
}

// Sizes of the window's places over all dimensions of `shape`, into `places`.
ShapeError count_all_places(const Instruction& instruction, const Shape& shape, std::vector<int64_t>& places) {
  const std::vector<WindowDimension>& window = window_of(instruction);
  if (static_cast<int64_t>(window.size()) != shape.rank()) {
    return {"the window has " + std::to_string(window.size()) + " dimensions, the operand is " + text(shape), ""};
  }
  places.resize(window.size());
  for (size_t i = 0; i < window.size(); ++i) {
    if (ShapeError error = count_places(i, shape.dims[i], window[i], places[i]); failed(error)) return error;
  }
  return {};
}

// dim_labels names every dimension of the three shapes once: batch or input feature, feature, and spatial ones.
ShapeError check_labels(std::string_view side, const Shape& shape, int64_t first, int64_t second,
                        const std::vector<int64_t>& spatial) {
  std::vector<int64_t> all = {first, second};
  all.insert(all.end(), spatial.begin(), spatial.end());
  if (static_cast<int64_t>(all.size()) != shape.rank()) {
    return {"dim_labels give the " + std::string(side) + " " + std::to_string(all.size()) + " dimensions, it is " +
                text(shape),
            ""};
  }
  return check_dimensions("dim_labels", all, shape);
}

ShapeError check_positive_group(std::string_view name, int64_t count) {
  if (count >= 1) return {};
  return {std::string(name) + "=" + std::to_string(count) + " is not positive", ""};
}

}  // namespace

ShapeResult infer_reduce_window(const Instruction& instruction) {
  if (ShapeError error = check_arrays_and_inits(instruction); failed(error)) return error;
  std::vector<int64_t> dims;
  if (ShapeError error = count_all_places(instruction, operand_shape(instruction, 0), dims); failed(error)) {
    return error;
  }
  std::vector<Shape> results;
  for (size_t i = 0; i < operand_count(instruction) / 2; ++i) {
    results.push_back(Shape::array(operand_shape(instruction, i).dtype, dims));
  }
  return single_or_tuple(std::move(results));
}

ShapeError verify_reduce_window(const Instruction& instruction) { return check_combiner(instruction); }

ShapeResult infer_select_and_scatter(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& operand = operand_shape(instruction, 0);
  const Shape& source = operand_shape(instruction, 1);
  std::vector<int64_t> places;
  if (ShapeError error = count_all_places(instruction, operand, places); failed(error)) return error;
  if (source.dims != places) {
    return ShapeError{
        "the source is " + text(source) + ", the window has " + text(Shape::array(source.dtype, places)) + " places",
        ""};
  }
  if (ShapeError error = check_scalar(instruction, 2, source.dtype); failed(error)) return error;
  return with_type(operand, source.dtype);
}

ShapeError verify_select_and_scatter(const Instruction& instruction) {
  const Shape operand = Shape::scalar(operand_shape(instruction, 0).dtype);
  const Shape source = Shape::scalar(operand_shape(instruction, 1).dtype);
  if (ShapeError error =
          check_signature(**instruction.attributes->select, {operand, operand}, Shape::scalar(DType::kPred));
      failed(error)) {
    return error;
  }
  return check_signature(**instruction.attributes->scatter, {source, source}, source);
}

ShapeResult infer_convolution(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& lhs = operand_shape(instruction, 0);
  const Shape& rhs = operand_shape(instruction, 1);
  const ConvolutionDims& dims = *instruction.attributes->dim_labels;
  const std::vector<WindowDimension>& window = window_of(instruction);
  const size_t spatial = window.size();
  if (dims.lhs_spatial.size() != spatial || dims.rhs_spatial.size() != spatial ||
      dims.output_spatial.size() != spatial) {
    return ShapeError{"dim_labels and window have different numbers of spatial dimensions", ""};
  }
  if (ShapeError error = check_labels("left operand", lhs, dims.lhs_batch, dims.lhs_feature, dims.lhs_spatial);
      failed(error)) {
    return error;
  }
  if (ShapeError error = check_labels("kernel", rhs, dims.rhs_input_feature, dims.rhs_output_feature, dims.rhs_spatial);
      failed(error)) {
    return error;
  }
  Shape result = Shape::array(wider_type(lhs.dtype, rhs.dtype), std::vector<int64_t>(spatial + 2));
  if (ShapeError error = check_labels("result", result, dims.output_batch, dims.output_feature, dims.output_spatial);
      failed(error)) {
    return error;
  }

  const auto size = [](const Shape& shape, int64_t dimension) { return shape.dims[static_cast<size_t>(dimension)]; };
  const int64_t feature_groups = instruction.attributes->feature_group_count.value_or(1);
  const int64_t batch_groups = instruction.attributes->batch_group_count.value_or(1);
  if (ShapeError error = check_positive_group("feature_group_count", feature_groups); failed(error)) return error;
  if (ShapeError error = check_positive_group("batch_group_count", batch_groups); failed(error)) return error;
  if (feature_groups > 1 && batch_groups > 1) {
    return ShapeError{"feature_group_count and batch_group_count are both greater than 1", ""};
  }
  const int64_t batch = size(lhs, dims.lhs_batch);
  const int64_t features = size(lhs, dims.lhs_feature);
  const int64_t kernel_features = size(rhs, dims.rhs_input_feature);
  const int64_t output_features = size(rhs, dims.rhs_output_feature);
  if (static_cast<__int128>(kernel_features) * feature_groups != features) {
    return ShapeError{"the left operand has " + std::to_string(features) + " features, the kernel takes " +
                          std::to_string(kernel_features) + " in each of " + std::to_string(feature_groups) + " groups",
                      ""};
  }
  if (output_features % feature_groups != 0 || output_features % batch_groups != 0 || batch % batch_groups != 0) {
    return ShapeError{"the groups do not divide the output features (" + std::to_string(output_features) +
                          ") or the batch (" + std::to_string(batch) + ")",
                      ""};
  }

  const auto set = [&](int64_t dimension, int64_t value) { result.dims[static_cast<size_t>(dimension)] = value; };
  set(dims.output_batch, batch / batch_groups);
  set(dims.output_feature, output_features);
  for (size_t i = 0; i < spatial; ++i) {
    if (window[i].size != size(rhs, dims.rhs_spatial[i])) {
      return ShapeError{"window size " + std::to_string(window[i].size) + " of spatial dimension " + std::to_string(i) +
                            " differs from the kernel " + text(rhs),
                        ""};
    }
    int64_t places = 0;
    if (ShapeError error = count_places(i, size(lhs, dims.lhs_spatial[i]), window[i], places); failed(error)) {
      return error;
    }
    set(dims.output_spatial[i], places);
  }
  return result;
}

}  // namespace sinter
