// group_places: places of an image that lie side by side become features of a convolution that has few of them.
//
//   %y = bf16[32,112,112,64] convolution(%x, %w), window={size=7x7 stride=2x2 pad=3_3x3_3}, dim_labels=b01f_01io->b01f
//   x bf16[32,224,224,3], w bf16[7,7,3,64]
//                                                     =>
//   %p = bf16[32,224,230,4] pad(%x, 0), padding=0_0x0_0x3_3x0_1
//   %g = bf16[32,224,115,8] reshape(%p)
//   %v = bf16[7,4,8,64] reshape(pad(%w, 0)), padding=0_0x0_1x0_1x0_0
//   %y = bf16[32,112,112,64] convolution(%g, %v), window={size=7x4 stride=2x1 pad=3_3x0_0}, dim_labels=b01f_01io->b01f
//
// Three features of 16 bits are no whole copy to shared memory; two places of four are one of 16 bytes.
//
//   %y = f32[8,64,64,3] convolution(%x, %w), window={size=9x9 pad=4_4x4_4}, ..., w f32[9,9,64,3]
//                                                     =>
//   %v = f32[9,12,64,12] reshape(concatenate of w with zeros before and behind its columns: f32[9,12,64,4,3])
//   %g = f32[8,64,16,12] convolution(%x, %v), window={size=9x12 stride=1x4 pad=4_4x4_4}, ...
//   %y = f32[8,64,64,3] reshape(%g)
//
// Of a tile's 16 columns three results fill three; those of four places fill twelve, and what their windows share is
// read once. Which places become features, of the input, of the result or of both, is what is least to multiply and to
// copy. A place of the window that is no other place's is multiplied by zero, of each result those beside its own
// window (docs/numerics.md). The program is planned without it, too.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "ir/support/ceil_div.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/stages/products/tensor_core_form.h"

namespace sinter {
namespace {

using Dims = std::vector<int64_t>;
using Value = GraphBuilder::Value;

// Products from which on there is anything to gain, and elements of a kernel that is written once more.
constexpr int64_t kLeastProducts = int64_t{1} << 22, kMostWeights = int64_t{1} << 20;
// Features that are few: a copy of 16 bytes has as many of 16 bits, and a narrow tile twice as many columns.
constexpr int64_t kWholeFeatures = 8, kFewOutputs = 8, kNarrowColumns = 16;
constexpr int64_t kMostGrouped = 16;

// How many places side by side are one.
struct Grouping {
  int64_t results = 1, inputs = 1;
  int64_t features = 1;  // of a place of the input, those that are zero included
};

// A convolution along the last of its spatial dimensions, whose places become features.
struct Row {
  int64_t size = 1, stride = 1, pad_low = 0;
  int64_t inputs = 1, results = 1;    // places
  int64_t features = 1, outputs = 1;  // of a place

  // The window of a group's results.
  int64_t window(const Grouping& grouping) const { return size + (grouping.results - 1) * stride; }
  // The same in groups of the input's places.
  int64_t groups(const Grouping& grouping) const { return ceil_div(window(grouping), grouping.inputs); }
};

int64_t extent(const Shape& shape, int64_t dimension) { return shape.dims[static_cast<size_t>(dimension)]; }

std::optional<Row> row_of(const Instruction& convolution) {
  const Attributes& attributes = *convolution.attributes;
  const Shape &input = convolution.operand(0)->shape, &kernel = convolution.operand(1)->shape;
  const Shape& result = convolution.shape;
  if (!result.is_static() || !input.is_static() || !kernel.is_static() || !attributes.window ||
      attributes.window->empty() || !tensor_core_product(convolution))
    return std::nullopt;
  if (attributes.feature_group_count.value_or(1) * attributes.batch_group_count.value_or(1) != 1) return std::nullopt;
  const WindowDimension& window = attributes.window->back();
  if (window.lhs_dilate != 1 || window.rhs_dilate != 1 || window.reversal) return std::nullopt;
  if (window.pad_low < 0 || window.pad_high < 0 || window.pad_low >= window.size) return std::nullopt;
  const ConvolutionDims& labels = *attributes.dim_labels;
  const Row row = {.size = window.size,
                   .stride = window.stride,
                   .pad_low = window.pad_low,
                   .inputs = extent(input, labels.lhs_spatial.back()),
                   .results = extent(result, labels.output_spatial.back()),
                   .features = extent(input, labels.lhs_feature),
                   .outputs = extent(result, labels.output_feature)};
  const int64_t elements = kernel.element_count(), places = result.element_count() / std::max<int64_t>(row.outputs, 1);
  const bool is_large = elements > 0 && elements <= kMostWeights && elements * places >= kLeastProducts &&
                        elements * 2 <= input.element_count();
  const bool has_few = row.features < kWholeFeatures || row.outputs <= kFewOutputs;
  return is_large && has_few && row.results > 1 ? std::optional(row) : std::nullopt;
}

// Cycles of a multiprocessor for each result's place and tap of the other dimensions: products of tensor cores, and
// copies to shared memory.
double cycles_of(const Row& row, const Grouping& grouping, DType dtype) {
  constexpr double kProducts = 1300, kProductsOf3xTf32 = 200, kCyclesOfCopy = 0.1;
  constexpr int64_t kCopyBytes[] = {16, 8, 4, 2, 1};
  const int64_t features = grouping.inputs * grouping.features, bytes = dtype_bytes(dtype);
  const int64_t copied =
      *std::ranges::find_if(kCopyBytes, [&](int64_t copy) { return features * bytes % copy == 0 && copy >= bytes; });
  const auto terms = static_cast<double>(row.groups(grouping) * features);
  const auto columns = static_cast<double>(ceil_div(grouping.results * row.outputs, kNarrowColumns) * kNarrowColumns);
  const double products = columns / (bytes > 2 ? kProductsOf3xTf32 : kProducts);
  const double copies = kCyclesOfCopy * static_cast<double>(bytes) / static_cast<double>(copied);
  return terms * (products + copies) / static_cast<double>(grouping.results);
}

// nullopt where the convolution is as good as it is.
std::optional<Grouping> grouping_of(const Row& row, DType dtype) {
  constexpr double kGain = 0.8;
  constexpr int64_t kWhole = 16;  // bytes of a copy
  if (dtype_bytes(dtype) > 4) return std::nullopt;
  const Grouping none = {.features = row.features};
  Grouping best = none;
  double least = kGain * cycles_of(row, none, dtype);
  for (int64_t results = 1; results <= kMostGrouped; ++results) {
    if (row.results % results != 0) continue;
    for (int64_t inputs = 1; inputs <= kMostGrouped; ++inputs) {
      if (results * row.stride % inputs != 0) continue;
      for (int64_t features = row.features; features <= std::max(row.features, kWholeFeatures); ++features) {
        const bool changes_input = inputs > 1 || features > row.features;
        if (changes_input && (row.features >= kWholeFeatures || inputs * features * dtype_bytes(dtype) % kWhole != 0))
          continue;
        const Grouping grouping = {results, inputs, features};
        const double cycles = cycles_of(row, grouping, dtype);
        if (cycles >= least) continue;
        least = cycles;
        best = grouping;
      }
    }
  }
  const bool changes = best.results > 1 || best.inputs > 1 || best.features > row.features;
  return changes ? std::optional(best) : std::nullopt;
}

class Grouped {
 public:
  Grouped(Instruction& convolution, const Row& row, const Grouping& grouping)
      : convolution_(convolution),
        row_(row),
        grouping_(grouping),
        attributes_(*convolution.attributes),
        build_(convolution) {}

  void make() {
    WindowDimension& window = attributes_.window->back();
    ConvolutionDims& labels = *attributes_.dim_labels;
    const bool groups_inputs = grouping_.inputs > 1 || grouping_.features > row_.features;
    const bool result_last = labels.output_feature + 1 == convolution_.shape.rank() &&
                             labels.output_spatial.back() + 2 == convolution_.shape.rank();
    const Value kernel = kernel_of(result_last);
    const int64_t taps = row_.groups(grouping_) * grouping_.inputs;  // along the row, those that are zero included
    const int64_t step = grouping_.results * row_.stride;
    const int64_t groups = row_.results / grouping_.results;
    const int64_t read = (groups - 1) * step + taps;  // places
    Value input = convolution_.operand(0);
    window.size = row_.groups(grouping_);
    window.stride = step / grouping_.inputs;
    if (groups_inputs) {
      input = input_of(read);
      window.pad_low = window.pad_high = 0;
    } else {
      window.pad_high = std::max<int64_t>(read - row_.inputs - row_.pad_low, 0);
    }
    Shape shape = convolution_.shape;
    if (grouping_.results == 1) {
      become(convolution_, Opcode::kConvolution, {input, kernel}, attributes_);
      return;
    }
    // Features last, of which those of each place are the result's, or places those of each feature.
    const int64_t spatial = std::ssize(*attributes_.window);
    Dims split = {extent(shape, labels.output_batch)};
    for (const int64_t dimension : labels.output_spatial) split.push_back(extent(shape, dimension));
    split.back() = groups;
    Dims dims = split;
    dims.push_back(grouping_.results * row_.outputs);
    const ConvolutionDims before = labels;
    labels.output_batch = 0;
    labels.output_feature = spatial + 1;
    for (int64_t s = 0; s < spatial; ++s) labels.output_spatial[static_cast<size_t>(s)] = s + 1;
    const Value grouped =
        insert_like(convolution_, Opcode::kConvolution, Shape::array(shape.dtype, dims), {input, kernel}, attributes_);
    split.push_back(result_last ? grouping_.results : row_.outputs);
    split.push_back(result_last ? row_.outputs : grouping_.results);
    const Value apart = build_.reshape(grouped, split);
    Dims order;  // of the result, the places of a group behind the row's dimension
    for (int64_t d = 0; d < convolution_.shape.rank(); ++d) {
      if (d == before.output_batch) order.push_back(0);
      if (d == before.output_feature) order.push_back(spatial + (result_last ? 2 : 1));
      for (int64_t s = 0; s < spatial; ++s) {
        if (d == before.output_spatial[static_cast<size_t>(s)]) order.push_back(s + 1);
      }
      if (d == before.output_spatial.back()) order.push_back(spatial + (result_last ? 1 : 2));
    }
    become(convolution_, Opcode::kReshape, {build_.transpose(apart, order)});
  }

 private:
  // [batch, spatial..., features], with zeros beside it, of so many places along the row.
  Value input_of(int64_t read) {
    ConvolutionDims& labels = *attributes_.dim_labels;
    Value input = convolution_.operand(0);
    const auto rank = static_cast<size_t>(input->shape.rank());
    std::vector<PadBounds> padding(rank);
    padding[static_cast<size_t>(labels.lhs_feature)].high = grouping_.features - row_.features;
    // What no window reaches is cut off.
    padding[static_cast<size_t>(labels.lhs_spatial.back())] = {.low = row_.pad_low,
                                                               .high = read - row_.inputs - row_.pad_low};
    input = build_.pad(input, padding);
    Dims order = {labels.lhs_batch};
    order.insert(order.end(), labels.lhs_spatial.begin(), labels.lhs_spatial.end());
    order.push_back(labels.lhs_feature);
    input = build_.transpose(input, order);
    labels.lhs_batch = 0;
    for (size_t s = 0; s < labels.lhs_spatial.size(); ++s) labels.lhs_spatial[s] = static_cast<int64_t>(s) + 1;
    labels.lhs_feature = static_cast<int64_t>(rank) - 1;
    if (grouping_.inputs == 1) return input;
    Dims dims = input->shape.dims;
    dims[rank - 2] /= grouping_.inputs;
    dims[rank - 1] *= grouping_.inputs;
    return build_.reshape(input, dims);
  }

  // [taps..., inputs, outputs], of groups, of each result's place as far along the row as it is.
  Value kernel_of(bool result_last) {
    ConvolutionDims& labels = *attributes_.dim_labels;
    Value kernel = convolution_.operand(1);
    Dims order = labels.rhs_spatial;
    order.push_back(labels.rhs_input_feature);
    order.push_back(labels.rhs_output_feature);
    kernel = build_.transpose(kernel, order);
    const auto rank = static_cast<size_t>(kernel->shape.rank());
    for (size_t s = 0; s < labels.rhs_spatial.size(); ++s) labels.rhs_spatial[s] = static_cast<int64_t>(s);
    labels.rhs_input_feature = static_cast<int64_t>(rank) - 2;
    labels.rhs_output_feature = static_cast<int64_t>(rank) - 1;
    const int64_t taps = row_.groups(grouping_) * grouping_.inputs;
    std::vector<Value> places;
    for (int64_t place = 0; place < grouping_.results; ++place) {
      std::vector<PadBounds> padding(rank);
      const int64_t before = place * row_.stride;
      padding[rank - 3] = {.low = before, .high = taps - row_.size - before};
      padding[rank - 2].high = grouping_.features - row_.features;
      Value of_place = build_.pad(kernel, padding);
      if (grouping_.results > 1) {
        Dims dims = of_place->shape.dims;
        dims.insert(result_last ? dims.end() - 1 : dims.end(), 1);
        of_place = build_.reshape(of_place, dims);
      }
      places.push_back(of_place);
    }
    Value all = places.front();
    if (places.size() > 1) all = build_.concatenate(places, static_cast<int64_t>(result_last ? rank - 1 : rank));
    Dims dims(kernel->shape.dims.begin(), kernel->shape.dims.end() - 3);
    dims.insert(dims.end(),
                {row_.groups(grouping_), grouping_.inputs * grouping_.features, grouping_.results * row_.outputs});
    return build_.reshape(all, dims);
  }

  Instruction& convolution_;
  const Row row_;
  const Grouping grouping_;
  Attributes attributes_;
  GraphBuilder build_;
};

}  // namespace

bool group_places(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* convolution : instructions_of(module, Opcode::kConvolution)) {
    const std::optional<Row> row = row_of(*convolution);
    if (!row) continue;
    const std::optional<Grouping> grouping = grouping_of(*row, convolution->operand(0)->shape.dtype);
    if (!grouping) continue;
    Grouped(*convolution, *row, *grouping).make();
    changed = true;
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
