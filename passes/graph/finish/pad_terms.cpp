// pad_terms: products of 16-bit numbers or bytes whose rows have an odd number of terms get zeros behind them.
//
//   %y = bf16[512,512] dot(%x, %w), ...                 x bf16[512,4095], w bf16[4095,512]
//                                                     =>
//   %p = bf16[512,4096] pad(%x, 0), padding=0_0x0_1
//   %q = bf16[4096,512] pad(%w, 0), padding=0_1x0_0
//   %y = bf16[512,512] dot(%p, %q), ...
//
// Of rows that begin at any byte nothing is copied to shared memory as it is: each element goes through a register, as
// often as a tile needs it. An array with zeros is written once, and its rows are whole copies. Likewise the features
// of a convolution. Zeros times zeros change no sum; the scheduler plans without it, too.
//
// A convolution of each channel alone has channels more, which are cut off after it: threads that have neighbouring
// channels read them at once, and share the places of the window.
#include <algorithm>
#include <map>
#include <tuple>

#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/finish/outline.h"
#include "passes/stages/products/tensor_core_form.h"

namespace sinter {
namespace {

constexpr int64_t kRowAlignment = 16, kLeastCopy = 4;  // bytes
// Products of less are no better for it: of rows, columns and terms, and of the larger operand.
constexpr int64_t kLeastExtent = 64, kLeastElements = int64_t{1} << 18;

// The dimension that terms are along, of each operand; nullopt: several are, or no copies are missed.
struct Terms {
  int64_t dimension[2] = {0, 0};
  int64_t count = 0;
};

std::optional<Terms> terms_of(const Instruction& product) {
  if (product.operands().size() != 2 || !product.shape.is_static()) return std::nullopt;
  Terms terms;
  if (product.opcode == Opcode::kDot) {
    for (const size_t side : {0, 1}) {
      const OperandDims dims = operand_dims(product, side);
      if (dims.contracting.size() != 1) return std::nullopt;
      terms.dimension[side] = dims.contracting[0];
    }
  } else if (product.opcode == Opcode::kConvolution) {
    const Attributes& attributes = product.attributes;
    if (attributes.feature_group_count.value_or(1) * attributes.batch_group_count.value_or(1) != 1) return std::nullopt;
    terms.dimension[0] = attributes.dim_labels->lhs_feature;
    terms.dimension[1] = attributes.dim_labels->rhs_input_feature;
  } else {
    return std::nullopt;
  }
  terms.count = product.operand(0)->shape.dims[static_cast<size_t>(terms.dimension[0])];
  return terms;
}

bool gains_copies(const Instruction& product, const Terms& terms) {
  if (terms.count < kLeastExtent || !tensor_core_product(product)) return false;
  bool gains = false;
  int64_t elements = 0;
  for (const size_t side : {0, 1}) {
    const Shape& shape = product.operand(side)->shape;
    const int64_t bytes = dtype_bytes(shape.dtype);
    if (bytes > 2 || shape.element_count() / terms.count < kLeastExtent) return false;
    elements = std::max(elements, shape.element_count());
    gains |= terms.dimension[side] + 1 == shape.rank() && terms.count * bytes % kLeastCopy != 0;
  }
  return gains && elements >= kLeastElements;
}

// Of a convolution of each channel by itself with several taps, the channels; nullopt: of another, or threads have
// whole vectors of them.
std::optional<int64_t> channels_alone(const Instruction& convolution) {
  constexpr int64_t kLeastTaps = 9, kVector = 4;
  const Attributes& attributes = convolution.attributes;
  if (convolution.opcode != Opcode::kConvolution || !convolution.shape.is_static() ||
      attributes.batch_group_count.value_or(1) != 1)
    return std::nullopt;
  const ConvolutionDims& labels = *attributes.dim_labels;
  const Shape &array = convolution.operand(0)->shape, &kernel = convolution.operand(1)->shape;
  const int64_t channels = array.dims[static_cast<size_t>(labels.lhs_feature)];
  const bool alone = attributes.feature_group_count.value_or(1) == channels &&
                     kernel.dims[static_cast<size_t>(labels.rhs_output_feature)] == channels;
  const bool side_by_side =
      labels.lhs_feature + 1 == array.rank() && labels.output_feature + 1 == convolution.shape.rank();
  if (!alone || !side_by_side || channels < kLeastExtent || channels % kVector == 0 || dtype_bytes(array.dtype) > 4 ||
      kernel.element_count() < kLeastTaps * channels || convolution.shape.element_count() < kLeastElements)
    return std::nullopt;
  return channels;
}

// Arrays with zeros behind the last of a dimension: one for all products that read it.
using Padded = std::map<std::tuple<Instruction*, int64_t, int64_t>, Instruction*>;

Instruction* padded(Instruction* operand, int64_t dimension, int64_t more, Padded* all) {
  Instruction*& known = (*all)[{operand, dimension, more}];
  if (known != nullptr) return known;
  GraphBuilder build(**std::ranges::min_element(operand->users(), {}, &Instruction::position));
  std::vector<PadBounds> bounds(operand->shape.dims.size());
  bounds[static_cast<size_t>(dimension)].high = more;
  return known = build.pad(operand, bounds);
}

void pad_channels(Instruction& convolution, int64_t channels, Padded* all) {
  const int64_t whole = kRowAlignment / dtype_bytes(convolution.operand(0)->shape.dtype);
  const int64_t more = (whole - channels % whole) % whole;
  const ConvolutionDims& labels = *convolution.attributes->dim_labels;
  const std::vector<Instruction*> operands = {padded(convolution.operand(0), labels.lhs_feature, more, all),
                                              padded(convolution.operand(1), labels.rhs_output_feature, more, all)};
  Attributes attributes = *convolution.attributes;
  attributes.feature_group_count = channels + more;
  Shape shape = convolution.shape;
  shape.dims[static_cast<size_t>(labels.output_feature)] += more;
  Instruction* wide = insert_like(convolution, Opcode::kConvolution, shape, operands, attributes);
  Attributes part;
  std::vector<SliceBounds>& bounds = part.slice.emplace();
  for (const int64_t extent : convolution.shape.dims) bounds.push_back({0, extent, 1});
  become(convolution, Opcode::kSlice, {wide}, part);
}

}  // namespace

bool pad_terms(Module& module, const GraphPassOptions&) {
  bool changed = false;
  Padded all;
  const std::set<const Computation*> done = computations_of_stages(module);
  for (const Opcode opcode : {Opcode::kDot, Opcode::kConvolution}) {
    for (Instruction* product : instructions_of(module, opcode)) {
      const std::optional<Terms> terms = terms_of(*product);
      if (!terms || done.count(product->parent()) > 0 || !gains_copies(*product, *terms)) continue;
      const int64_t whole = kRowAlignment / dtype_bytes(product->operand(0)->shape.dtype);
      const int64_t more = (whole - terms->count % whole) % whole;
      Instruction* operands[2];
      for (const size_t side : {0, 1})
        operands[side] = padded(product->operand(side), terms->dimension[side], more, &all);
      for (const size_t side : {0, 1}) product->set_operand(side, operands[side]);
      changed = true;
    }
  }
  for (Instruction* convolution : instructions_of(module, Opcode::kConvolution)) {
    if (done.count(convolution->parent()) > 0) continue;
    if (const std::optional<int64_t> channels = channels_alone(*convolution)) {
      pad_channels(*convolution, *channels, &all);
      changed = true;
    }
  }
  return changed;
}

}  // namespace sinter
