// Contractions. Sums are of integers so small that every order gives the same bits.
#include <algorithm>
#include <numeric>

#include "tests/random/operations/generate_ops.h"

namespace sinter {
namespace {

size_t at(int64_t index) { return static_cast<size_t>(index); }

// Types whose products are summed, and the type of the sum.
struct ContractionTypes {
  DType lhs, rhs, result;
};

ContractionTypes contraction_types(Draft& draft) {
  Random& random = draft.random();
  static const std::vector<ContractionTypes> kMixed = {{DType::kBF16, DType::kBF16, DType::kF32},
                                                       {DType::kF16, DType::kF16, DType::kF32},
                                                       {DType::kS8, DType::kS8, DType::kS32},
                                                       {DType::kU8, DType::kU8, DType::kU32},
                                                       {DType::kF32, DType::kF32, DType::kF32}};
  if (random.chance(15)) return random.pick(kMixed);
  const DType dtype = random_dtype(
      draft, [](DType t) { return t != DType::kPred && (is_bits(t) ? dtype_bits(t) >= 8 : exact_limit(t) >= 256); });
  return {dtype, dtype, dtype};
}

double contraction_limit(const ContractionTypes& types, int64_t terms) {
  const double parts = is_complex(types.result) ? 2 : 1;
  const double sum =
      std::floor(std::sqrt(exact_limit(types.result) / (parts * static_cast<double>(std::max<int64_t>(terms, 1)))));
  return std::min({sum, exact_limit(types.lhs), exact_limit(types.rhs), 32.0});
}

}  // namespace

void add_dot(Draft& draft) {
  Random& random = draft.random();
  const ContractionTypes types = contraction_types(draft);
  struct Dimension {
    int64_t size, number;  // number of its pair; -1: free
  };
  const int64_t batches = random.chance(35) ? random.between(1, 2) : 0,
                contracted = random.chance(90) ? random.between(1, 2) : 0;
  const auto size = [&] { return std::min<int64_t>(random.pick(draft.shared.sizes), 64); };
  std::vector<Dimension> lhs, rhs;
  int64_t terms = 1;
  for (int64_t i = 0; i < batches + contracted; ++i) {
    lhs.push_back({size(), i});
    rhs.push_back(lhs.back());
    if (i >= batches) terms *= lhs.back().size;
  }
  for (std::vector<Dimension>* side : {&lhs, &rhs}) {
    const int64_t free = random.between(0, 2);
    for (int64_t i = 0; i < free; ++i) side->push_back({size(), -1});
    for (size_t i = side->size(); i > 1; --i)
      std::swap((*side)[i - 1], (*side)[at(random.below(static_cast<int64_t>(i)))]);
    if (random.chance(60)) {
      std::stable_sort(side->begin(), side->end(), [&](const Dimension& a, const Dimension& b) {
        const auto is_batch = [&](const Dimension& d) { return d.number >= 0 && d.number < batches; };
        return is_batch(a) && !is_batch(b);
      });
    }
  }
  const auto dims = [](const std::vector<Dimension>& side) {
    Sizes result;
    for (const Dimension& dimension : side) result.push_back(dimension.size);
    return result;
  };
  const auto places = [&](const std::vector<Dimension>& side, int64_t first, int64_t last) {
    Sizes result;
    for (int64_t number = first; number < last; ++number) {
      for (size_t d = 0; d < side.size(); ++d) {
        if (side[d].number == number) result.push_back(static_cast<int64_t>(d));
      }
    }
    return result;
  };
  int64_t elements = 1;
  for (const Dimension& dimension : lhs) elements *= dimension.size;
  for (const Dimension& dimension : rhs) elements *= dimension.number < 0 ? dimension.size : 1;
  if (elements * draft.repetitions > 200000 || count(dims(lhs)) > draft.shared.most_elements ||
      count(dims(rhs)) > draft.shared.most_elements || elements > terms * draft.shared.most_elements) {
    return;
  }
  const double limit = contraction_limit(types, terms);
  if (limit < 1) return;
  const Term a = tame(draft, want(draft, types.lhs, dims(lhs)), limit),
             b = tame(draft, want(draft, types.rhs, dims(rhs)), limit);
  Attributes attributes;
  if (batches > 0) {
    attributes.lhs_batch_dims = places(lhs, 0, batches);
    attributes.rhs_batch_dims = places(rhs, 0, batches);
  }
  attributes.lhs_contracting_dims = places(lhs, batches, batches + contracted);
  attributes.rhs_contracting_dims = places(rhs, batches, batches + contracted);
  if (random.chance(20)) attributes.operand_precision = std::vector<std::string>{"highest", "highest"};
  Instruction* node = add_node(draft, Opcode::kDot, {a.node, b.node}, attributes);
  node->shape.dtype = types.result;
  const double parts = is_complex(types.result) ? 2 : 1;
  term_of(draft, node,
          rounded(types.result, parts * a.facts.magnitude * b.facts.magnitude * static_cast<double>(terms), true));
}

void add_convolution(Draft& draft) {
  Random& random = draft.random();
  ContractionTypes types = contraction_types(draft);
  const int64_t spatial = random.pick(std::vector<int64_t>{0, 1, 1, 2, 2, 3});
  const int64_t groups = random.chance(25) ? random.between(2, 3) : 1;
  const bool batch_groups = groups > 1 && random.chance(35);
  int64_t batch = random.between(1, 3), in = random.between(1, 4), out = random.between(1, 4);
  if (batch_groups) batch *= groups;
  if (groups > 1) out *= groups;
  const int64_t lhs_features = groups > 1 && !batch_groups ? in * groups : in;
  std::vector<WindowDimension> window;
  Sizes extents;
  int64_t taps = in, places = 1;
  for (int64_t d = 0; d < spatial; ++d) {
    WindowDimension dimension;
    const int64_t size = random.between(1, spatial == 1 ? 20 : spatial == 2 ? 9 : 5);
    dimension.size = random.between(1, std::min<int64_t>(size, 4));
    dimension.stride = random.chance(60) ? 1 : random.between(2, 3);
    if (random.chance(50)) {
      dimension.pad_low = random.between(-1, dimension.size);
      dimension.pad_high = random.between(-1, dimension.size);
    }
    if (random.chance(20)) dimension.lhs_dilate = random.between(2, 3);
    if (random.chance(20)) dimension.rhs_dilate = 2;
    dimension.reversal = random.chance(15);
    const int64_t base = (size - 1) * dimension.lhs_dilate + 1 + dimension.pad_low + dimension.pad_high;
    if (base < 0) return;
    const int64_t extent = (dimension.size - 1) * dimension.rhs_dilate + 1;
    places *= base < extent ? 0 : (base - extent) / dimension.stride + 1;
    taps *= dimension.size;
    extents.push_back(size);
    window.push_back(dimension);
  }
  if (places * batch * out > draft.shared.most_elements || places * batch * out * taps * draft.repetitions > 200000)
    return;
  const double limit = contraction_limit(types, taps);
  if (limit < 1) return;

  // Where each dimension stands, for the three shapes: 0 and 1 are batch (or input feature) and feature.
  const auto order = [&] {
    Sizes result(at(spatial + 2));
    std::iota(result.begin(), result.end(), 0);
    if (random.chance(60)) {
      for (size_t i = result.size(); i > 1; --i)
        std::swap(result[i - 1], result[at(random.below(static_cast<int64_t>(i)))]);
    }
    return result;
  };
  const Sizes lhs_order = order(), rhs_order = order(), out_order = order();
  Sizes lhs_dims(lhs_order.size()), rhs_dims(rhs_order.size());
  lhs_dims[at(lhs_order[0])] = batch;
  lhs_dims[at(lhs_order[1])] = lhs_features;
  rhs_dims[at(rhs_order[0])] = in;
  rhs_dims[at(rhs_order[1])] = out;
  for (size_t d = 0; d < at(spatial); ++d) {
    lhs_dims[at(lhs_order[d + 2])] = extents[d];
    rhs_dims[at(rhs_order[d + 2])] = window[d].size;
  }
  ConvolutionDims labels;
  labels.lhs_batch = lhs_order[0];
  labels.lhs_feature = lhs_order[1];
  labels.rhs_input_feature = rhs_order[0];
  labels.rhs_output_feature = rhs_order[1];
  labels.output_batch = out_order[0];
  labels.output_feature = out_order[1];
  labels.lhs_spatial.assign(lhs_order.begin() + 2, lhs_order.end());
  labels.rhs_spatial.assign(rhs_order.begin() + 2, rhs_order.end());
  labels.output_spatial.assign(out_order.begin() + 2, out_order.end());
  Attributes attributes;
  if (spatial > 0) attributes.window = window;
  attributes.dim_labels = labels;
  if (groups > 1) (batch_groups ? attributes.batch_group_count : attributes.feature_group_count) = groups;
  const Term a = tame(draft, want(draft, types.lhs, lhs_dims), limit),
             b = tame(draft, want(draft, types.rhs, rhs_dims), limit);
  Instruction* node = add_node(draft, Opcode::kConvolution, {a.node, b.node}, attributes);
  node->shape.dtype = types.result;
  const double parts = is_complex(types.result) ? 2 : 1;
  term_of(draft, node,
          rounded(types.result, parts * a.facts.magnitude * b.facts.magnitude * static_cast<double>(taps), true));
}

// Rows of the left operand times the matrix of their group; or sums of a group's terms, one for each group.
void add_ragged_dot(Draft& draft) {
  Random& random = draft.random();
  const DType dtype = random_dtype(
      draft, [](DType t) { return t != DType::kPred && (is_bits(t) ? dtype_bits(t) >= 8 : exact_limit(t) >= 256); });
  const auto size = [&](int64_t most) { return std::min(random.pick(draft.shared.sizes), most); };
  const int64_t rows = size(32), inner = size(32), columns = size(16), groups = random.between(1, 5);
  if (rows * inner * columns * groups * draft.repetitions > 100000) return;
  const bool batched = random.chance(35);
  const bool contracting = random.chance(40);
  Sizes lhs = {rows, inner}, rhs = {inner, columns}, sizes = {groups};
  Attributes attributes;
  attributes.lhs_contracting_dims = Sizes{batched ? 2 : 1};
  attributes.lhs_ragged_dims = Sizes{(batched ? 1 : 0) + (contracting ? 1 : 0)};
  int64_t contracted = 0;
  if (batched) {
    const int64_t batch = random.between(1, 3);
    lhs.insert(lhs.begin(), batch);
    rhs.insert(rhs.begin(), batch);
    if (random.chance(50)) sizes.insert(sizes.begin(), batch);
    attributes.lhs_batch_dims = Sizes{0};
    attributes.rhs_batch_dims = Sizes{contracting ? 0 : 1};
    ++contracted;
  }
  if (!contracting) {
    rhs.insert(rhs.begin(), groups);
    attributes.rhs_group_dims = Sizes{0};
    ++contracted;
  }
  attributes.rhs_contracting_dims = Sizes{contracted};
  const double limit = contraction_limit({dtype, dtype, dtype}, inner);
  if (limit < 1) return;
  const Term a = tame(draft, want(draft, dtype, lhs), limit), b = tame(draft, want(draft, dtype, rhs), limit);
  // Groups may be empty, or more than fit.
  const Term most = splat(draft, DType::kS32, random.chance(50) ? 3 : 7, sizes);
  const Term group_sizes = add(draft, Opcode::kAnd, {want(draft, DType::kS32, sizes), most}, {});
  const double parts = is_complex(dtype) ? 2 : 1;
  add(draft, Opcode::kRaggedDot, {a, b, group_sizes},
      rounded(dtype, parts * a.facts.magnitude * b.facts.magnitude * static_cast<double>(inner), true), attributes);
}

namespace {

// 1 or 2 for each block of `block` elements along the last dimension, or for all of them.
Term random_scales(Draft& draft, DType dtype, Sizes dims, int64_t block) {
  Random& random = draft.random();
  if (random.chance(20)) return constant(draft, dtype, random.chance(50) ? 2 : 1);
  dims.back() /= block;
  const Term one = splat(draft, dtype, 1, dims), two = splat(draft, dtype, 2, dims);
  return add(draft, Opcode::kSelect, {want(draft, DType::kPred, dims), one, two}, {.magnitude = 2, .integral = true});
}

}  // namespace

// Narrow floats with a scale for each block of them, as they are multiplied in f8 training.
void add_scaled_dot(Draft& draft) {
  static const std::vector<DType> kScales = {DType::kF8E8M0FNU, DType::kF8E8M0FNU, DType::kF32, DType::kBF16};
  static const std::vector<DType> kOperands = {DType::kF8E4M3FN, DType::kF8E5M2, DType::kF4E2M1FN, DType::kBF16,
                                               DType::kF32};
  Random& random = draft.random();
  const auto size = [&](int64_t most) { return std::clamp<int64_t>(random.pick(draft.shared.sizes), 1, most); };
  const DType scale = random.pick(kScales), operand = random.pick(kOperands);
  const int64_t block = random.pick(std::vector<int64_t>{1, 2, 4, 8}), inner = block * size(16);
  const Sizes lhs = {size(24), inner}, rhs = {size(24), inner};
  if (lhs[0] * rhs[0] * inner * draft.repetitions > 100000) return;
  const double limit = std::min(contraction_limit({operand, operand, DType::kF32}, inner) / 2, 8.0);
  const Term a = tame(draft, want(draft, operand, lhs), limit), b = tame(draft, want(draft, operand, rhs), limit);
  const Term a_scales = random_scales(draft, scale, lhs, block), b_scales = random_scales(draft, scale, rhs, block);
  Attributes attributes;
  attributes.lhs_contracting_dims = Sizes{1};
  attributes.rhs_contracting_dims = Sizes{1};
  const double most = 4 * a.facts.magnitude * b.facts.magnitude * static_cast<double>(inner);
  add_stated(draft, Opcode::kScaledDot, Shape::array(DType::kF32, {lhs[0], rhs[0]}), {a, a_scales, b, b_scales},
             rounded(DType::kF32, most, true), attributes);
}

}  // namespace sinter
