// lead_groups: a convolution in groups whose features stand last is one whose features stand first, transposed: each
// group is then a matrix product of its own, of the group's features by all places, whose results lie together.
//
//   %y = f32[8,56,56,256] convolution(%x, %w), feature_group_count=8, dim_labels=b01f_01io->b01f
//                                                     =>
//   %f = f32[256,8,56,56] convolution(%x, %w), feature_group_count=8, dim_labels=b01f_01io->fb01
//   %y = f32[8,56,56,256] transpose(%f), dimensions={1,2,3,0}
//
// Groups of few features, a feature a channel above all, stay as they are: a thread makes each of their results.
#include "passes/analysis/shapes/matrix_product.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

// With its features first, then the batch and the spatial dimensions.
Instruction* with_features_first(Instruction& convolution) {
  Attributes attributes = *convolution.attributes;
  ConvolutionDims& labels = *attributes.dim_labels;
  std::vector<int64_t> from = {labels.output_feature, labels.output_batch};
  from.insert(from.end(), labels.output_spatial.begin(), labels.output_spatial.end());
  std::vector<int64_t> dims;
  for (const int64_t d : from) dims.push_back(convolution.shape.dims[static_cast<size_t>(d)]);
  labels.output_feature = 0;
  labels.output_batch = 1;
  for (size_t s = 0; s < labels.output_spatial.size(); ++s) labels.output_spatial[s] = static_cast<int64_t>(s) + 2;
  return insert_like(convolution, Opcode::kConvolution, Shape::array(convolution.shape.dtype, dims),
                     convolution.operands(), std::move(attributes));
}

}  // namespace

bool lead_groups(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* convolution : instructions_of(module, Opcode::kConvolution)) {
    const Attributes& attributes = *convolution->attributes;
    const bool has_groups =
        attributes.feature_group_count.value_or(1) > 1 || attributes.batch_group_count.value_or(1) > 1;
    const ConvolutionDims labels = *attributes.dim_labels;
    if (!has_groups || labels.output_feature != convolution->shape.rank() - 1 || !convolution->shape.is_static())
      continue;
    Instruction* first = with_features_first(*convolution);
    if (!is_contraction(*first)) {
      remove_instructions(*convolution->parent(), {first});
      continue;
    }
    std::vector<int64_t> permutation(static_cast<size_t>(convolution->shape.rank()));
    permutation[static_cast<size_t>(labels.output_feature)] = 0;
    permutation[static_cast<size_t>(labels.output_batch)] = 1;
    for (size_t s = 0; s < labels.output_spatial.size(); ++s)
      permutation[static_cast<size_t>(labels.output_spatial[s])] = static_cast<int64_t>(s) + 2;
    Attributes turned;
    turned.dimensions = permutation;
    become(*convolution, Opcode::kTranspose, {first}, std::move(turned));
    changed = true;
  }
  return changed;
}

}  // namespace sinter
