// write_out_convolutions: a convolution of one channel with a small kernel becomes a sum of what its places read, each
// times its factor.
//
//   %y = f32[1,1,512,512] convolution(%x, %w), window={size=3x3 pad=1_1x1_1}      x f32[1,1,512,512], w f32[1,1,3,3]
//                                                     =>
//   %p = f32[1,1,514,514] pad(%x, 0)
//   %y = 0 + w[0, 0] * p[:, :, 0:512, 0:512] + w[0, 1] * p[:, :, 0:512, 1:513] + ...
//
// in the order of the kernel's elements, as the convolution adds them up. So it is a stencil like any other: threads
// have several neighbours, whose windows overlap (shifted_load.h), and what is around it, element by element, goes with
// it. What is beside the array is multiplied as zeros.
#include <algorithm>
#include <map>
#include <utility>

#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/shapes/matrix_product.h"
#include "passes/analysis/values/constants.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

// Elements of a kernel that are written out: 7 x 7.
constexpr int64_t kMostTaps = 49;
// Results from which on threads of several are enough to fill a GPU.
constexpr int64_t kLeastResults = int64_t{1} << 16;

bool is_of_one_channel(const Instruction& convolution) {
  if (convolution.opcode != Opcode::kConvolution || !convolution.shape.is_static()) return false;
  const Attributes& attributes = convolution.attributes;
  const ConvolutionDims& labels = *attributes.dim_labels;
  const Shape &array = convolution.operand(0)->shape, &kernel = convolution.operand(1)->shape;
  const DType dtype = convolution.shape.dtype;
  if (array.dtype != dtype || kernel.dtype != dtype || sum_type(dtype) != dtype || is_complex(dtype) ||
      dtype == DType::kPred)
    return false;
  const bool grouped = attributes.feature_group_count.value_or(1) * attributes.batch_group_count.value_or(1) != 1;
  const bool in_order = labels.lhs_batch == labels.output_batch && labels.lhs_feature == labels.output_feature &&
                        labels.lhs_spatial == labels.output_spatial;
  if (grouped || !in_order || !attributes.window || array.dims[labels.lhs_feature] != 1 ||
      kernel.dims[labels.rhs_output_feature] != 1)
    return false;
  const bool is_plain = std::ranges::all_of(*attributes.window, [](const WindowDimension& window) {
    return window.stride == 1 && window.lhs_dilate == 1 && !window.reversal;
  });
  return is_plain && kernel.element_count() > 0 && kernel.element_count() <= kMostTaps &&
         convolution.shape.element_count() >= kLeastResults && !is_contraction(convolution);
}

// What convolutions of one array have in common is made once.
class Stencils {
 public:
  void write_out(Instruction& convolution) {
    const Attributes& attributes = convolution.attributes;
    const ConvolutionDims& labels = *attributes.dim_labels;
    const std::vector<WindowDimension>& window = *attributes.window;
    Instruction* kernel = convolution.operand(1);
    GraphBuilder build(convolution);
    const DType dtype = convolution.shape.dtype;
    const auto rank = static_cast<size_t>(convolution.shape.rank());
    std::vector<PadBounds> beside(rank);
    for (size_t s = 0; s < window.size(); ++s)
      beside[labels.lhs_spatial[s]] = {.low = window[s].pad_low, .high = window[s].pad_high};
    Instruction* nothing = is_float(dtype) ? build.real(dtype, 0) : build.integer(dtype, 0);
    Instruction* padded = padded_with(convolution, beside, nothing);
    Instruction* flat = build.reshape(kernel, {kernel->shape.element_count()});

    Instruction* sum = build.splat(nothing, convolution.shape.dims);
    Instruction* term = nullptr;
    for (int64_t tap = 0; tap < kernel->shape.element_count(); ++tap) {
      std::vector<int64_t> start(rank);
      int64_t left = tap;
      for (int64_t d = kernel->shape.rank(); d-- > 0;) {
        const int64_t place = left % kernel->shape.dims[d];
        left /= kernel->shape.dims[d];
        const auto spatial = std::ranges::find(labels.rhs_spatial, d);
        if (spatial == labels.rhs_spatial.end()) continue;
        const auto s = static_cast<size_t>(spatial - labels.rhs_spatial.begin());
        start[labels.lhs_spatial[s]] = place * window[s].rhs_dilate;
      }
      Instruction* factor = kernel->opcode == Opcode::kConstant && !kernel->literal.is_elided()
                                ? build.constant(scalar_at(kernel->literal, tap))
                                : build.element(flat, tap);
      Instruction* read = part_from(convolution, padded, start);
      if (term != nullptr) sum = build.add({sum, term});
      term = build.multiply({read, build.splat(factor, convolution.shape.dims)});
    }
    become(convolution, Opcode::kAdd, {sum, term});
  }

 private:
  Instruction* padded_with(Instruction& convolution, const std::vector<PadBounds>& beside, Instruction* nothing) {
    Instruction* array = convolution.operand(0);
    std::vector<int64_t> key;
    for (const PadBounds& bounds : beside) key.insert(key.end(), {bounds.low, bounds.high});
    if (std::ranges::all_of(key, [](int64_t bound) { return bound == 0; })) return array;
    Instruction*& known = padded_[{array, key}];
    if (known != nullptr) return known;
    Attributes attributes;
    attributes.padding = beside;
    return known = GraphBuilder(convolution).make(Opcode::kPad, {array, nothing}, std::move(attributes));
  }

  Instruction* part_from(Instruction& convolution, Instruction* array, const std::vector<int64_t>& start) {
    if (array->shape.dims == convolution.shape.dims) return array;
    Instruction*& known = parts_[{array, start}];
    if (known != nullptr && known->shape.dims == convolution.shape.dims) return known;
    Attributes attributes;
    std::vector<SliceBounds>& bounds = attributes.slice.emplace();
    for (size_t d = 0; d < start.size(); ++d) bounds.push_back({start[d], start[d] + convolution.shape.dims[d], 1});
    return known = GraphBuilder(convolution).make(Opcode::kSlice, {array}, std::move(attributes));
  }

  using Part = std::pair<Instruction*, std::vector<int64_t>>;
  std::map<Part, Instruction*> padded_, parts_;  // only looked up
};

}  // namespace

bool write_out_convolutions(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (const auto& computation : module.computations()) {
    std::vector<Instruction*> found;
    for (Instruction& instruction : computation->instructions()) {
      if (is_of_one_channel(instruction)) found.push_back(&instruction);
    }
    Stencils stencils;
    for (Instruction* convolution : found) stencils.write_out(*convolution);
    changed |= !found.empty();
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
