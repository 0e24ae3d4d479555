#include "passes/stages/products/contract_convolution.h"

#include <algorithm>

#include "passes/analysis/shapes/dot_dimensions.h"

namespace sinter {

namespace {

// The innermost dimension that neighbours in memory differ in.
int64_t innermost(const Shape& shape) {
  int64_t d = shape.rank() - 1;
  while (d > 0 && shape.dims[d] == 1) --d;
  return d;
}

}  // namespace

ContractOperand demand_convolution_operand(const KernelValues& kernel, const Instruction& convolution,
                                           const ConvolutionMatrices& matrices, size_t side) {
  const ConvolutionDims& labels = *convolution.attributes->dim_labels;
  const size_t spatial = labels.output_spatial.size();
  const Shape& output = convolution.shape;
  const Shape& input = convolution.operand(0)->shape;
  const Shape& weights = convolution.operand(1)->shape;
  ContractOperand operand;
  operand.graph = std::make_unique<DemandGraph>(kernel.context);
  DemandGraph& graph = *operand.graph;
  operand.batch = graph.add_coordinate(matrices.extents.batch, CoordinateRole::kBatch);
  operand.outer = graph.add_coordinate(side == 0 ? matrices.extents.m : matrices.extents.n,
                                       side == 0 ? CoordinateRole::kRow : CoordinateRole::kColumn);
  operand.k = graph.add_coordinate(matrices.extents.k, CoordinateRole::kTerm);
  const auto parts = [](const IndexExpr& whole, const Shape& shape, const std::vector<int64_t>& dims,
                        std::vector<IndexExpr>* index) {
    const std::vector<IndexExpr> each = delinearize(whole, sizes(shape, dims));
    for (size_t i = 0; i < dims.size(); ++i) (*index)[dims[i]] = each[i];
  };
  std::vector<IndexExpr> tap(weights.dims.size());
  parts(graph.coordinate(operand.k), weights, matrices.taps, &tap);
  std::vector<int64_t> of_batch = sizes(output, matrices.batch);
  of_batch.push_back(matrices.groups);
  const std::vector<IndexExpr> batch = delinearize(graph.coordinate(operand.batch), of_batch);
  // What an index has of a dimension that the groups divide.
  const auto in_group = [&](const IndexExpr& within, int64_t size, bool divides) {
    return matrices.groups > 1 && divides ? batch.back() * size + within : within;
  };
  const bool of_features = convolution.attributes->feature_group_count.value_or(1) > 1;

  NodeId node = kNoNode;
  if ((side == 0) == matrices.kernel_rows) {
    tap[labels.rhs_output_feature] =
        in_group(graph.coordinate(operand.outer), weights.dims[labels.rhs_output_feature] / matrices.groups, true);
    node = graph.demand(convolution.operand(1), tap);
  } else {
    std::vector<IndexExpr> position(output.dims.size());
    for (size_t i = 0; i < matrices.batch.size(); ++i) position[matrices.batch[i]] = batch[i];
    parts(graph.coordinate(operand.outer), output, side == 0 ? matrices.rows : matrices.columns, &position);
    std::vector<IndexExpr> index(input.dims.size());
    index[labels.lhs_batch] = in_group(position[labels.output_batch], output.dims[labels.output_batch], !of_features);
    index[labels.lhs_feature] =
        in_group(tap[labels.rhs_input_feature], weights.dims[labels.rhs_input_feature], of_features);
    std::vector<WindowDimension> window = convolution.attributes->window.value_or(std::vector<WindowDimension>{});
    window.resize(spatial);
    std::vector<WindowPlace> places;
    for (size_t d = 0; d < spatial; ++d) {
      const int64_t size = input.dims[labels.lhs_spatial[d]];
      places.push_back(window_place(window[d], position[labels.output_spatial[d]], tap[labels.rhs_spatial[d]], size));
    }
    node = graph.demand_window(convolution, window, labels.lhs_spatial, places, std::move(index));
  }
  if (graph.failure) return operand;
  graph.results.push_back(node);
  graph.finish({});
  const bool of_kernel = (side == 0) == matrices.kernel_rows;
  operand.is_matrix = of_kernel;
  if (of_kernel) {
    operand.k_contiguous = labels.rhs_output_feature != innermost(weights);
  } else {
    operand.k_contiguous = innermost(input) == labels.lhs_feature && matrices.taps.back() == labels.rhs_input_feature;
  }
  return operand;
}

}  // namespace sinter
