// What operations do with sizes that are known when the program runs: hand them on, read something neutral beyond them,
// or are refused.
#include <algorithm>

#include "ir/module/solver_calls.h"
#include "ir/module/topk_calls.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/analysis/values/constants.h"
#include "passes/graph/sizes/size_flow.h"

namespace sinter {

namespace {

constexpr const char* kCompileSizes =
    "compile the sizes that are needed as one library: sinter compile n8.hlo n64.hlo --name model (docs/entries.md)";

bool contains(const std::vector<int64_t>& list, int64_t number) {
  return std::find(list.begin(), list.end(), number) != list.end();
}

template <class List>
std::vector<int64_t> or_none(const List& list) {
  return list ? *list : std::vector<int64_t>();
}

// The dimensions of a rank that are not in the lists, in order.
std::vector<int64_t> others(int64_t rank, const std::vector<int64_t>& some, const std::vector<int64_t>& more = {}) {
  std::vector<int64_t> left;
  for (int64_t d = 0; d < rank; ++d) {
    if (!contains(some, d) && !contains(more, d)) left.push_back(d);
  }
  return left;
}

bool is_one_place(const WindowDimension& window) {
  return window.size == 1 && window.stride == 1 && window.pad_low == 0 && window.pad_high == 0 &&
         window.lhs_dilate == 1;
}

// Indices are operands from `first` on, one a dimension.
bool has_scalar_indices(const Instruction& instruction, size_t first, int64_t rank) {
  return std::ssize(instruction.operands()) == static_cast<int64_t>(first) + rank &&
         (rank == 0 || instruction.operand(first)->shape.is_scalar());
}

}  // namespace

Sizes SizeFlow::rule(Instruction& instruction) {
  switch (opcode_family(instruction.opcode)) {
    case Family::kElementwise:
      return elementwise(instruction);
    case Family::kIndexMap:
      return moved(instruction);
    case Family::kStructured:
      return structured(instruction);
    case Family::kControl:
      return control(instruction);
    case Family::kRandom:
      return instruction.shape.is_array() ? bounded_by_text(instruction, fixed_sizes(instruction))
                                          : fixed_sizes(instruction);
    case Family::kDevice:
      break;
  }
  return refuse_operands(instruction);
}

Sizes SizeFlow::refuse_operands(const Instruction& instruction) {
  for (const Instruction* operand : instruction.operands()) {
    if (!is_bounded(of(*operand))) continue;
    int size = Sizes::kStatic;
    for (const int of_dimension : of(*operand).dims) size = std::max(size, of_dimension);
    for (const Sizes& element : of(*operand).elements) {
      for (const int of_dimension : element.dims) size = std::max(size, of_dimension);
    }
    if (size != Sizes::kStatic) refuse(instruction, "an operand has", size, kCompileSizes);
  }
  return fixed_sizes(instruction);
}

Sizes SizeFlow::structured(Instruction& instruction) {
  const auto last_of_operand = [&](int64_t back) { return instruction.operand(0)->shape.rank() - back; };
  switch (instruction.opcode) {
    case Opcode::kDot:
      return dot(instruction);
    case Opcode::kConvolution:
      return convolution(instruction);
    case Opcode::kReduce:
      return reduce(instruction);
    case Opcode::kReduceWindow:
    case Opcode::kSelectAndScatter:
      return windows(instruction);
    case Opcode::kScatter:
      return scatter(instruction);
    case Opcode::kMap:
      return elementwise(instruction);
    case Opcode::kSort:
      return apart_from(instruction, *instruction.attributes->dimensions);
    case Opcode::kTopk:
      return apart_from(instruction, {last_of_operand(1)});
    case Opcode::kCholesky:
    case Opcode::kTriangularSolve:
      return apart_from(instruction, {last_of_operand(2), last_of_operand(1)});
    case Opcode::kFft: {
      std::vector<int64_t> dimensions;
      for (int64_t i = std::ssize(*instruction.attributes->fft_length); i > 0; --i)
        dimensions.push_back(last_of_operand(i));
      return apart_from(instruction, dimensions);
    }
    case Opcode::kBatchNormInference: {
      const int64_t feature = *instruction.attributes->feature_index;
      for (size_t i = 0; i < instruction.operands().size(); ++i) {
        if (at(*instruction.operand(i), i == 0 ? feature : 0) != Sizes::kStatic) return refuse_operands(instruction);
      }
      return of(*instruction.operand(0));
    }
    default:
      return refuse_operands(instruction);
  }
}

Sizes SizeFlow::elementwise(const Instruction& instruction) {
  if (instruction.shape.is_tuple()) return of(*instruction.operand(0));
  Sizes sizes = fixed_sizes(instruction);
  for (const Instruction* operand : instruction.operands()) {
    if (operand->shape.rank() == instruction.shape.rank()) sizes = join(sizes, of(*operand), instruction);
  }
  return sizes;
}

Sizes SizeFlow::moved(Instruction& instruction) {
  Sizes sizes = fixed_sizes(instruction);
  const auto& dimensions = instruction.attributes->dimensions;
  switch (instruction.opcode) {
    case Opcode::kIota:
      return bounded_by_text(instruction, sizes);
    case Opcode::kBroadcast:
      for (size_t i = 0; i < dimensions->size(); ++i)
        sizes.dims[static_cast<size_t>((*dimensions)[i])] = at(*instruction.operand(0), static_cast<int64_t>(i));
      return bounded_by_text(instruction, sizes);
    case Opcode::kTranspose:
      for (size_t i = 0; i < dimensions->size(); ++i) sizes.dims[i] = at(*instruction.operand(0), (*dimensions)[i]);
      return sizes;
    case Opcode::kReshape:
    case Opcode::kBitcast:
      return reshape(instruction);
    case Opcode::kReverse:
      for (const int64_t d : *dimensions) {
        const int size = at(*instruction.operand(0), d);
        if (size != Sizes::kStatic)
          refuse(instruction, "turns round", size, "gather rows by places that are computed, or turn the result round");
      }
      return of(*instruction.operand(0));
    case Opcode::kSlice:
    case Opcode::kPad:
      return slice_or_pad(instruction);
    case Opcode::kConcatenate: {
      const int64_t along = dimensions->at(0);
      for (const Instruction* operand : instruction.operands()) {
        Sizes piece = of(*operand);
        if (at(*operand, along) != Sizes::kStatic) {
          refuse(instruction, "puts another array behind", at(*operand, along),
                 "where the second begins would differ from run to run: concatenate along another dimension, or give "
                 "them as one array");
        }
        piece.dims[static_cast<size_t>(along)] = Sizes::kStatic;
        sizes = join(sizes, piece, instruction);
      }
      return sizes;
    }
    case Opcode::kBitcastConvert: {
      const Instruction& operand = *instruction.operand(0);
      const int64_t common = std::min(operand.shape.rank(), instruction.shape.rank());
      for (int64_t d = 0; d < common; ++d) sizes.dims[static_cast<size_t>(d)] = at(operand, d);
      for (int64_t d = common; d < operand.shape.rank(); ++d) {
        if (at(operand, d) != Sizes::kStatic) return refuse_operands(instruction);
      }
      return sizes;
    }
    case Opcode::kDynamicSlice:
      return dynamic_slice(instruction);
    case Opcode::kDynamicUpdateSlice:
      return dynamic_update_slice(instruction);
    case Opcode::kGather:
      return gather(instruction);
    default:
      return refuse_operands(instruction);
  }
}

// Dimensions are taken apart into groups of as many elements on both sides. What is there stands at the beginning of a
// group if its first dimension is the bounded one; it is whole rows of the other side's if these divide it.
Sizes SizeFlow::reshape(const Instruction& instruction) {
  Sizes sizes = fixed_sizes(instruction);
  const Instruction& operand = *instruction.operand(0);
  if (!is_bounded(of(operand))) return sizes;
  const std::vector<int64_t>&from = operand.shape.dims, &to = instruction.shape.dims;
  const auto refuse_group = [&](int size) {
    refuse(instruction, "takes apart, or joins to one before it,", size,
           "what is there would not stand together: transpose it to the front before, or keep it apart");
  };
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    const size_t first = i, first_to = j;
    int64_t elements = 1, elements_to = 1;
    do {
      if (i < from.size() && (elements <= elements_to || j == to.size())) {
        elements *= from[i++];
      } else if (j < to.size()) {
        elements_to *= to[j++];
      }
    } while (elements != elements_to && (i < from.size() || j < to.size()));
    size_t leading = first, leading_to = first_to;
    while (leading < i && from[leading] == 1) ++leading;
    while (leading_to < j && to[leading_to] == 1) ++leading_to;
    for (size_t d = first; d < i; ++d) {
      const int size = at(operand, static_cast<int64_t>(d));
      if (size == Sizes::kStatic) continue;
      const bool fits = d == leading && leading_to < j && elements == elements_to &&
                        sizes.dims[leading_to] == Sizes::kStatic && to[leading_to] % this->size(size).bound == 0;
      if (fits) {
        sizes.dims[leading_to] = size;
      } else {
        refuse_group(size);
      }
    }
  }
  return sizes;
}

Sizes SizeFlow::slice_or_pad(const Instruction& instruction) {
  Sizes sizes = of(*instruction.operand(0));
  for (size_t d = 0; d < sizes.dims.size(); ++d) {
    if (sizes.dims[d] == Sizes::kStatic) continue;
    const int64_t length = instruction.operand(0)->shape.dims[d];
    if (instruction.opcode == Opcode::kSlice) {
      if ((*instruction.attributes->slice)[d] == SliceBounds{.start = 0, .limit = length}) continue;
      refuse(instruction, "takes a part of", sizes.dims[d],
             "the part may not be there: dynamic-slice takes one place of those that are");
    } else {
      if ((*instruction.attributes->padding)[d] == PadBounds{}) continue;
      refuse(instruction, "pads", sizes.dims[d], "give an array that has the padding already");
    }
    sizes.dims[d] = Sizes::kStatic;
  }
  return sizes;
}

// An operand that is an index along a dimension of this size, for one place there.
void SizeFlow::at_place(Instruction& instruction, size_t index, int64_t dimension, int size) {
  if (integer_max(instruction.operand(index)->shape.dtype) <
      instruction.operand(0)->shape.dims[static_cast<size_t>(dimension)]) {
    refuse(instruction, "a short integer is an index along", size, "convert indices to s32");
  }
  mask(instruction, index, {{dimension, size}}, Mask::Neutral::kLastPlace);
}

Sizes SizeFlow::dynamic_slice(Instruction& instruction) {
  const Instruction& operand = *instruction.operand(0);
  Sizes sizes = of(operand);
  for (int64_t d = 0; d < operand.shape.rank(); ++d) {
    const int size = at(operand, d);
    const int64_t length = instruction.shape.dims[static_cast<size_t>(d)];
    if (size == Sizes::kStatic || length == operand.shape.dims[static_cast<size_t>(d)]) continue;
    sizes.dims[static_cast<size_t>(d)] = Sizes::kStatic;
    if (length == 1 && has_scalar_indices(instruction, 1, operand.shape.rank())) {
      at_place(instruction, static_cast<size_t>(d) + 1, d, size);
    } else {
      refuse(instruction, "takes several places of", size, "they may not be there: take one at a time");
    }
  }
  return sizes;
}

Sizes SizeFlow::dynamic_update_slice(Instruction& instruction) {
  const Instruction &operand = *instruction.operand(0), &update = *instruction.operand(1);
  Sizes sizes = of(operand);
  for (int64_t d = 0; d < operand.shape.rank(); ++d) {
    const int size = at(operand, d), of_update = at(update, d);
    const int64_t length = update.shape.dims[static_cast<size_t>(d)];
    if (length == operand.shape.dims[static_cast<size_t>(d)]) {
      sizes.dims[static_cast<size_t>(d)] = join(size, of_update, instruction);
    } else if (of_update != Sizes::kStatic) {
      refuse(instruction, "puts into an array that is longer an update with", of_update,
             "select(...) what is there, or update an array of the same size");
    } else if (size != Sizes::kStatic) {
      if (length == 1 && has_scalar_indices(instruction, 2, operand.shape.rank())) {
        at_place(instruction, static_cast<size_t>(d) + 2, d, size);
      } else {
        refuse(instruction, "updates several places of", size, "they may not be there: update one at a time");
      }
    }
  }
  return sizes;
}

Sizes SizeFlow::gather(const Instruction& instruction) {
  Sizes sizes = fixed_sizes(instruction);
  const Attributes& attributes = *instruction.attributes;
  const Instruction &operand = *instruction.operand(0), &indices = *instruction.operand(1);
  const std::vector<int64_t> batching = or_none(attributes.operand_batching_dims);
  const std::vector<int64_t> kept = others(operand.shape.rank(), *attributes.collapsed_slice_dims, batching);
  for (int64_t d = 0; d < operand.shape.rank(); ++d) {
    const int size = at(operand, d);
    if (size == Sizes::kStatic || contains(batching, d)) continue;
    const bool whole = (*attributes.slice_sizes)[static_cast<size_t>(d)] == operand.shape.dims[static_cast<size_t>(d)];
    const auto place = std::find(kept.begin(), kept.end(), d);
    if (whole && place != kept.end()) {
      const auto offset = static_cast<size_t>(place - kept.begin());
      sizes.dims[static_cast<size_t>((*attributes.offset_dims)[offset])] = size;
    } else {
      refuse(instruction, "takes places of", size,
             "an index that is out of bounds means another place for each size: dynamic-slice, or a product with "
             "compare(indices, iota)");
    }
  }
  const std::vector<int64_t> batch = others(instruction.shape.rank(), *attributes.offset_dims);
  const std::vector<int64_t> of_indices = others(indices.shape.rank(), {*attributes.index_vector_dim});
  for (size_t i = 0; i < batch.size(); ++i) {
    int& size = sizes.dims[static_cast<size_t>(batch[i])];
    size = at(indices, of_indices[i]);
    for (size_t k = 0; k < batching.size(); ++k) {
      if ((*attributes.start_indices_batching_dims)[k] == of_indices[i])
        size = join(size, at(operand, batching[k]), instruction);
    }
  }
  if (*attributes.index_vector_dim < indices.shape.rank()) {
    const int size = at(indices, *attributes.index_vector_dim);
    if (size != Sizes::kStatic) refuse(instruction, "an index is a vector along", size, kCompileSizes);
  }
  return sizes;
}

// An update beyond the size goes nowhere.
Sizes SizeFlow::scatter(Instruction& instruction) {
  const Attributes& attributes = *instruction.attributes;
  const size_t count = instruction.operands().size() / 2;
  const Instruction& indices = *instruction.operand(count);
  const int64_t rank = instruction.operand(0)->shape.rank();
  const std::vector<int64_t> batching = or_none(attributes.input_batching_dims);
  const std::vector<int64_t> window = others(rank, *attributes.inserted_window_dims, batching);
  const std::vector<int64_t> of_indices = others(indices.shape.rank(), {*attributes.index_vector_dim});
  const std::vector<int64_t>& mapped = *attributes.scatter_dims_to_operand_dims;
  if (*attributes.index_vector_dim < indices.shape.rank()) {
    const int size = at(indices, *attributes.index_vector_dim);
    if (size != Sizes::kStatic) refuse(instruction, "an index is a vector along", size, kCompileSizes);
  }
  // All arrays have the sizes of one.
  Sizes sizes = of(*instruction.operand(0)), updates = of(*instruction.operand(count + 1));
  for (size_t i = 1; i < count; ++i) {
    sizes = join(sizes, of(*instruction.operand(i)), instruction);
    updates = join(updates, of(*instruction.operand(count + 1 + i)), instruction);
  }
  const Shape &whole = instruction.operand(0)->shape, &update = instruction.operand(count + 1)->shape;
  for (int64_t d = 0; d < rank; ++d) {
    if (contains(mapped, d) && sizes.dims[static_cast<size_t>(d)] != Sizes::kStatic) {
      refuse(instruction, "updates places of", sizes.dims[static_cast<size_t>(d)],
             "an index that is out of bounds means another place for each size: dynamic-update-slice, or a product "
             "with compare(indices, iota)");
    }
  }
  for (size_t w = 0; w < window.size(); ++w) {
    const auto d = static_cast<size_t>(window[w]), u = static_cast<size_t>((*attributes.update_window_dims)[w]);
    if (update.dims[u] == whole.dims[d]) {
      sizes.dims[d] = join(sizes.dims[d], updates.dims[u], instruction);
    } else if (const int size = std::max(updates.dims[u], sizes.dims[d]); size != Sizes::kStatic) {
      refuse(instruction, "updates a part of", size, kCompileSizes);
    }
  }
  const std::vector<int64_t> of_updates = others(update.rank(), *attributes.update_window_dims);
  std::vector<Dimension> beyond;
  for (size_t i = 0; i < of_indices.size(); ++i) {
    int size = join(at(indices, of_indices[i]), updates.dims[static_cast<size_t>(of_updates[i])], instruction);
    bool batched = false;
    for (size_t k = 0; k < batching.size(); ++k) {
      if ((*attributes.scatter_indices_batching_dims)[k] != of_indices[i]) continue;
      batched = true;
      int& own = sizes.dims[static_cast<size_t>(batching[k])];
      own = join(own, size, instruction);
    }
    if (batched || size == Sizes::kStatic) continue;
    if (mapped.empty()) refuse(instruction, "updates one place by", size, kCompileSizes);
    beyond.push_back({of_indices[i], size});
  }
  mask(instruction, count, beyond, Mask::Neutral::kNowhere);
  if (count == 1) return sizes;
  Sizes all;
  all.elements.assign(count, sizes);
  return all;
}

Sizes SizeFlow::dot(Instruction& instruction) {
  const Attributes& attributes = *instruction.attributes;
  const Instruction &left = *instruction.operand(0), &right = *instruction.operand(1);
  const std::vector<int64_t> left_batch = or_none(attributes.lhs_batch_dims);
  const std::vector<int64_t> right_batch = or_none(attributes.rhs_batch_dims);
  const std::vector<int64_t> left_sum = or_none(attributes.lhs_contracting_dims);
  const std::vector<int64_t> right_sum = or_none(attributes.rhs_contracting_dims);
  Sizes sizes;
  for (size_t i = 0; i < left_batch.size(); ++i)
    sizes.dims.push_back(join(at(left, left_batch[i]), at(right, right_batch[i]), instruction));
  for (const int64_t d : others(left.shape.rank(), left_batch, left_sum)) sizes.dims.push_back(at(left, d));
  for (const int64_t d : others(right.shape.rank(), right_batch, right_sum)) sizes.dims.push_back(at(right, d));
  std::vector<Dimension> of_left, of_right;
  for (size_t i = 0; i < left_sum.size(); ++i) {
    const int size = join(at(left, left_sum[i]), at(right, right_sum[i]), instruction);
    if (size == Sizes::kStatic) continue;
    of_left.push_back({left_sum[i], size});
    of_right.push_back({right_sum[i], size});
  }
  mask(instruction, 0, of_left, Mask::Neutral::kZero);
  mask(instruction, 1, of_right, Mask::Neutral::kZero);
  return sizes;
}

Sizes SizeFlow::convolution(Instruction& instruction) {
  const Attributes& attributes = *instruction.attributes;
  const Instruction &input = *instruction.operand(0), &kernel = *instruction.operand(1);
  const ConvolutionDims& dims = *attributes.dim_labels;
  Sizes sizes = fixed_sizes(instruction);
  const bool is_plain =
      attributes.feature_group_count.value_or(1) == 1 && attributes.batch_group_count.value_or(1) == 1;
  const int batch = at(input, dims.lhs_batch), output = at(kernel, dims.rhs_output_feature);
  const int feature = join(at(input, dims.lhs_feature), at(kernel, dims.rhs_input_feature), instruction);
  if (!is_plain && (feature != Sizes::kStatic || output != Sizes::kStatic)) return refuse_operands(instruction);
  if (attributes.batch_group_count.value_or(1) != 1 && batch != Sizes::kStatic) return refuse_operands(instruction);
  sizes.dims[static_cast<size_t>(dims.output_batch)] = batch;
  sizes.dims[static_cast<size_t>(dims.output_feature)] = output;
  for (size_t i = 0; i < dims.lhs_spatial.size(); ++i) {
    const int of_kernel = at(kernel, dims.rhs_spatial[i]), along = at(input, dims.lhs_spatial[i]);
    if (of_kernel != Sizes::kStatic) refuse(instruction, "the window is as large as", of_kernel, kCompileSizes);
    if (along == Sizes::kStatic) continue;
    if (attributes.window && is_one_place((*attributes.window)[i])) {
      sizes.dims[static_cast<size_t>(dims.output_spatial[i])] = along;
    } else {
      refuse(instruction, "a window goes along", along, kCompileSizes);
    }
  }
  if (feature == Sizes::kStatic) return sizes;
  mask(instruction, 0, {{dims.lhs_feature, feature}}, Mask::Neutral::kZero);
  mask(instruction, 1, {{dims.rhs_input_feature, feature}}, Mask::Neutral::kZero);
  return sizes;
}

Sizes SizeFlow::reduce(Instruction& instruction) {
  const size_t count = instruction.operands().size() / 2;
  Sizes all = of(*instruction.operand(0));
  for (size_t i = 1; i < count; ++i) all = join(all, of(*instruction.operand(i)), instruction);
  std::vector<Dimension> reduced;
  Sizes one;
  for (size_t d = 0; d < all.dims.size(); ++d) {
    const int size = find(all.dims[d]);
    if (!contains(*instruction.attributes->dimensions, static_cast<int64_t>(d))) {
      one.dims.push_back(size);
    } else if (size != Sizes::kStatic) {
      reduced.push_back({static_cast<int64_t>(d), size});
    }
  }
  for (size_t i = 0; i < count; ++i) mask(instruction, i, reduced, Mask::Neutral::kReduced);
  if (instruction.shape.is_array()) return one;
  Sizes results;
  results.elements.assign(count, one);
  return results;
}

// Windows of one place, or that give as many results as there are elements, one step apart: what is beyond is as what
// pads.
Sizes SizeFlow::windows(Instruction& instruction) {
  const bool is_reduce = instruction.opcode == Opcode::kReduceWindow;
  const size_t count = is_reduce ? instruction.operands().size() / 2 : 1;
  Sizes sizes = of(*instruction.operand(0));
  for (size_t i = 1; i < count; ++i) sizes = join(sizes, of(*instruction.operand(i)), instruction);
  if (!is_reduce) {
    const Sizes of_source = of(*instruction.operand(1));
    if (!is_bounded(sizes) && !is_bounded(of_source)) return sizes;
    for (size_t d = 0; d < sizes.dims.size(); ++d) {
      const int size = std::max(sizes.dims[d], of_source.dims[d]);
      if (size == Sizes::kStatic) continue;
      if (is_one_place((*instruction.attributes->window)[d])) {
        sizes.dims[d] = join(sizes.dims[d], of_source.dims[d], instruction);
      } else {
        refuse(instruction, "a window goes along", size, kCompileSizes);
      }
    }
    return sizes;
  }
  const Shape& result = instruction.shape.is_array() ? instruction.shape : instruction.shape.elements[0];
  std::vector<Dimension> along;
  for (size_t d = 0; d < sizes.dims.size(); ++d) {
    if (sizes.dims[d] == Sizes::kStatic) continue;
    const WindowDimension& window = (*instruction.attributes->window)[d];
    if (is_one_place(window)) continue;
    if (window.stride == 1 && window.lhs_dilate == 1 && result.dims[d] == instruction.operand(0)->shape.dims[d]) {
      along.push_back({static_cast<int64_t>(d), sizes.dims[d]});
    } else {
      refuse(instruction, "a window gives another number of results than there are elements of", sizes.dims[d],
             kCompileSizes);
    }
  }
  for (size_t i = 0; i < count; ++i) mask(instruction, i, along, Mask::Neutral::kReduced);
  if (instruction.shape.is_array()) return sizes;
  Sizes results;
  results.elements.assign(count, sizes);
  return results;
}

// Of calls those are left whose function does the same to every element.
Sizes SizeFlow::call(const Instruction& instruction) {
  Sizes sizes = fixed_sizes(instruction);
  if (!is_per_element(**instruction.attributes->to_apply)) return refuse_operands(instruction);
  const bool is_array = instruction.shape.is_array();
  for (const Instruction* operand : instruction.operands()) {
    if (!is_bounded(of(*operand))) continue;
    const auto is_alike = [&](const Shape& shape) { return shape.dims == operand->shape.dims; };
    const std::vector<Shape>& elements = instruction.shape.elements;
    if (!operand->shape.is_array() ||
        !(is_array ? is_alike(instruction.shape) : std::all_of(elements.begin(), elements.end(), is_alike)))
      return refuse_operands(instruction);
    if (is_array) sizes = join(sizes, of(*operand), instruction);
    for (Sizes& element : sizes.elements) element = join(element, of(*operand), instruction);
  }
  return sizes;
}

// The first of rows, and factors and solutions of matrices; what a matrix holds that is not there is nobody's.
Sizes SizeFlow::custom_call(const Instruction& instruction) {
  if (const std::optional<TopkCall> call = topk_call(instruction))
    return apart_from(instruction, {call->is_topk ? instruction.operand(0)->shape.rank() - 1 : call->dimension});
  const std::optional<SolverCall> call = solver_call(instruction);
  using Kind = SolverCall::Kind;
  const auto is_factor = [](Kind kind) {
    return kind == Kind::kCholesky || kind == Kind::kLu || kind == Kind::kQr || kind == Kind::kHouseholder ||
           kind == Kind::kTriangularSolve;
  };
  if (!call || !is_factor(call->kind)) return refuse_operands(instruction);
  const auto batch = static_cast<size_t>(instruction.operand(0)->shape.rank() - 2);
  Sizes of_batch = of(*instruction.operand(0));
  for (const Instruction* operand : instruction.operands()) {
    for (size_t d = 0; d < of(*operand).dims.size(); ++d) {
      const int size = of(*operand).dims[d];
      if (d < batch) {
        of_batch.dims[d] = join(of_batch.dims[d], size, instruction);
      } else if (size != Sizes::kStatic) {
        return refuse_operands(instruction);
      }
    }
  }
  Sizes sizes = fixed_sizes(instruction);
  for (Sizes& array : sizes.elements) {
    for (size_t d = 0; d < batch && d < array.dims.size(); ++d) array.dims[d] = of_batch.dims[d];
  }
  for (size_t d = 0; d < batch && d < sizes.dims.size(); ++d) sizes.dims[d] = of_batch.dims[d];
  return sizes;
}

// Operations on rows or matrices of all operands, which stand along these dimensions.
Sizes SizeFlow::apart_from(const Instruction& instruction, const std::vector<int64_t>& dimensions) {
  Sizes sizes = of(*instruction.operand(0));
  for (const Instruction* operand : instruction.operands()) {
    if (operand->shape.rank() == std::ssize(sizes.dims)) sizes = join(sizes, of(*operand), instruction);
  }
  for (const int64_t d : dimensions) {
    const int size = find(sizes.dims[static_cast<size_t>(d)]);
    if (size != Sizes::kStatic) refuse(instruction, "goes along", size, kCompileSizes);
    sizes.dims[static_cast<size_t>(d)] = Sizes::kStatic;
  }
  if (instruction.shape.is_array()) return sizes;
  Sizes results;
  results.elements.assign(instruction.shape.elements.size(), sizes);
  return results;
}

}  // namespace sinter
