// undilate_convolutions: a convolution whose input is dilated as far as its window reaches, as jax.lax.conv_transpose
// makes one to enlarge an image, meets one element of the input for each result: the others are the zeros between. It
// is a product with the whole kernel, whose results are put side by side.
//
//   %y = f32[8,64,64,3] convolution(%x, %w), window={size=2x2 pad=1_1x1_1 lhs_dilate=2x2}, dim_labels=b01f_01io->b01f
//   x f32[8,32,32,16], w f32[2,2,16,3]
//                                                     =>
//   %p = f32[8,32,32,2,2,3] dot(%x, reverse(%w, {0,1})), lhs_contracting_dims={3}, rhs_contracting_dims={2}
//   %t = f32[8,32,2,32,2,3] transpose(%p), dimensions={0,1,3,2,4,5}
//   %y = f32[8,64,64,3] reshape(%t)
//
// Each result is the sum of the same products in the same order. Where the window begins further inside, results at the
// borders are left out.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Dims = std::vector<int64_t>;

// What is left out at the beginning of a dimension, of the results that all elements of the input have.
int64_t left_out(const WindowDimension& window) { return window.size - 1 - window.pad_low; }

bool meets_one_element(const Instruction& convolution) {
  if (!convolution.shape.is_static()) return false;
  const Attributes& attributes = convolution.attributes;
  if (attributes.feature_group_count.value_or(1) != 1 || attributes.batch_group_count.value_or(1) != 1) return false;
  const ConvolutionDims& labels = *attributes.dim_labels;
  const Shape& input = convolution.operand(0)->shape;
  if (convolution.shape.element_count() == 0 || input.element_count() == 0) return false;
  bool dilates = false;
  for (size_t s = 0; s < labels.lhs_spatial.size(); ++s) {
    const WindowDimension& window = (*attributes.window)[s];
    if (window.lhs_dilate != window.size || window.stride != 1 || window.rhs_dilate != 1) return false;
    const int64_t all = input.dims[labels.lhs_spatial[s]] * window.size;
    const int64_t kept = convolution.shape.dims[labels.output_spatial[s]];
    if (left_out(window) < 0 || left_out(window) + kept > all) return false;
    dilates |= window.size > 1;
  }
  return dilates;
}

Instruction* put_side_by_side(Instruction& convolution) {
  const Attributes& attributes = convolution.attributes;
  const ConvolutionDims& labels = *attributes.dim_labels;
  const std::vector<WindowDimension>& window = *attributes.window;
  Instruction* input = convolution.operand(0);
  GraphBuilder build(convolution);
  // Of the last element that the window meets first.
  Instruction* kernel = convolution.operand(1);
  for (size_t s = 0; s < window.size(); ++s) {
    if (!window[s].reversal && window[s].size > 1) kernel = build.reverse(kernel, labels.rhs_spatial[s]);
  }
  // The dimensions of the product: the input's and the kernel's, without those that are summed over.
  Dims dims, of_input(input->shape.dims.size()), of_kernel(kernel->shape.dims.size());
  for (int64_t d = 0; d < input->shape.rank(); ++d) {
    if (d == labels.lhs_feature) continue;
    of_input[d] = static_cast<int64_t>(dims.size());
    dims.push_back(input->shape.dims[d]);
  }
  for (int64_t d = 0; d < kernel->shape.rank(); ++d) {
    if (d == labels.rhs_input_feature) continue;
    of_kernel[d] = static_cast<int64_t>(dims.size());
    dims.push_back(kernel->shape.dims[d]);
  }
  Attributes of_dot;
  of_dot.lhs_contracting_dims = Dims{labels.lhs_feature};
  of_dot.rhs_contracting_dims = Dims{labels.rhs_input_feature};
  of_dot.operand_precision = attributes.operand_precision;
  Instruction* value = insert_like(convolution, Opcode::kDot, Shape::array(convolution.shape.dtype, dims),
                                   {input, kernel}, std::move(of_dot));
  // As the result has them; of a spatial dimension the input's, then the kernel's.
  Dims order, joined;
  for (int64_t d = 0; d < convolution.shape.rank(); ++d) {
    const auto spatial = std::find(labels.output_spatial.begin(), labels.output_spatial.end(), d);
    if (d == labels.output_batch) {
      order.push_back(of_input[labels.lhs_batch]);
      joined.push_back(convolution.shape.dims[d]);
    } else if (spatial == labels.output_spatial.end()) {
      order.push_back(of_kernel[labels.rhs_output_feature]);
      joined.push_back(convolution.shape.dims[d]);
    } else {
      const auto s = static_cast<size_t>(spatial - labels.output_spatial.begin());
      order.push_back(of_input[labels.lhs_spatial[s]]);
      order.push_back(of_kernel[labels.rhs_spatial[s]]);
      joined.push_back(input->shape.dims[labels.lhs_spatial[s]] * window[s].size);
    }
  }
  value = build.transpose(value, order);
  value = build.reshape(value, joined);
  for (size_t s = 0; s < window.size(); ++s) {
    const int64_t d = labels.output_spatial[s], kept = convolution.shape.dims[d];
    if (kept < joined[d]) value = build.slice(value, d, left_out(window[s]), left_out(window[s]) + kept);
  }
  return value;
}

}  // namespace

bool undilate_convolutions(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* convolution : instructions_of(module, Opcode::kConvolution)) {
    if (!meets_one_element(*convolution)) continue;
    convolution->replace_all_uses_with(put_side_by_side(*convolution));
    changed = true;
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
