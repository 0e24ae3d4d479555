// Batch normalisation, of numbers for which nothing rounds: deviations are powers of two, and so is the number of
// elements of a feature.
#include <algorithm>

#include "tests/random/operations/generate_ops.h"

namespace sinter {
namespace {

bool is_normalised(DType dtype) {
  return dtype == DType::kF32 || dtype == DType::kF64 || dtype == DType::kF16 || dtype == DType::kBF16;
}

// An array with features along one dimension.
struct Normalised {
  DType dtype = DType::kF32;
  Sizes dims;
  int64_t feature = 0;
  Sizes features() const { return {dims[static_cast<size_t>(feature)]}; }
};

constexpr int64_t kMostOfFeature = 64;

Normalised random_layout(Draft& draft) {
  static const std::vector<int64_t> kPowers = {1, 2, 2, 4, 4, 8, 16, 32};
  Random& random = draft.random();
  Normalised layout{.dtype = random_dtype(draft, is_normalised), .dims = {}};
  const int64_t rank = random.between(2, 4);
  int64_t left = kMostOfFeature;
  for (int64_t d = 0; d < rank; ++d) {
    layout.dims.push_back(std::min(random.pick(kPowers), left));
    left /= layout.dims.back();
  }
  layout.feature = random.below(rank);
  layout.dims[static_cast<size_t>(layout.feature)] = std::min<int64_t>(random.pick(draft.shared.sizes), 40);
  return layout;
}

Term spread(Draft& draft, const Normalised& layout, const Term& features, const Sizes& dims) {
  Attributes attributes;
  attributes.dimensions = Sizes{layout.feature};
  return add_stated(draft, Opcode::kBroadcast, Shape::array(layout.dtype, dims), {features}, features.facts,
                    attributes);
}

// One of two numbers for each element.
Term either_number(Draft& draft, DType dtype, const Sizes& dims, double a, double b) {
  const Term first = splat(draft, dtype, a, dims), second = splat(draft, dtype, b, dims);
  return add(draft, Opcode::kSelect, {want(draft, DType::kPred, dims), first, second},
             either(first.facts, second.facts));
}

Attributes norm_attributes(const Normalised& layout, double epsilon) {
  Attributes attributes;
  attributes.epsilon = epsilon;
  attributes.feature_index = layout.feature;
  return attributes;
}

Term small(Draft& draft, const Normalised& layout, const Sizes& dims, double limit) {
  return tame(draft, want(draft, layout.dtype, dims), limit);
}

// Variances that make a power of two with epsilon, whose root is taken.
struct Variances {
  double a, b, epsilon;
};

// Half of the elements are as far above the mean as the other half is below it.
void add_training(Draft& draft, Normalised layout) {
  struct Deviations {
    double a, b, epsilon;
  };
  static const std::vector<Deviations> kDeviations = {{1, 2, 0}, {1, 1, 3}, {0, 0, 0.25},
                                                      {2, 4, 0}, {1, 1, 0}, {0, 0, 1}};
  Random& random = draft.random();
  int64_t halved = random.below(static_cast<int64_t>(layout.dims.size()));
  if (halved == layout.feature) halved = (halved + 1) % static_cast<int64_t>(layout.dims.size());
  const Deviations deviations = random.pick(kDeviations);
  const Term mean = small(draft, layout, layout.features(), 4);
  const Term deviation = either_number(draft, layout.dtype, layout.features(), deviations.a, deviations.b);
  // A draw of signs is as good as another: the other half has the opposite ones.
  const Term away = spread(draft, layout, deviation, layout.dims);
  const Term signs = either_number(draft, layout.dtype, layout.dims, 1, -1);
  const Term distance = add(draft, Opcode::kMultiply, {away, signs}, away.facts);
  const Term centre = spread(draft, layout, mean, layout.dims);
  const Facts facts = {.magnitude = 8, .integral = true};
  const Term above = add(draft, Opcode::kAdd, {centre, distance}, facts),
             below = add(draft, Opcode::kSubtract, {centre, distance}, facts);
  Attributes joined;
  joined.dimensions = Sizes{halved};
  const Term x = add(draft, Opcode::kConcatenate, {above, below}, facts, joined);
  const Term scale = small(draft, layout, layout.features(), 4), offset = small(draft, layout, layout.features(), 4);
  Instruction* norm = add_node(draft, Opcode::kBatchNormTraining, {x.node, scale.node, offset.node},
                               norm_attributes(layout, deviations.epsilon));
  add_elements(draft, norm, {{.magnitude = 8, .integral = false}, facts, {.magnitude = 16, .integral = true}});
}

}  // namespace

void add_batch_norm(Draft& draft) {
  static const std::vector<Variances> kVariances = {{1, 4, 0}, {0, 3, 1}, {3, 15, 1}, {0, 12, 4}, {16, 4, 0}};
  if (draft.scalars_only) return;
  Random& random = draft.random();
  const Normalised layout = random_layout(draft);
  if (count(layout.dims) * draft.repetitions > draft.shared.most_elements * 4) return;
  if (random.chance(35)) return add_training(draft, layout);
  const Variances variances = random.pick(kVariances);
  const Attributes attributes = norm_attributes(layout, variances.epsilon);
  const Term x = small(draft, layout, layout.dims, 4), scale = small(draft, layout, layout.features(), 2),
             mean = small(draft, layout, layout.features(), 4),
             variance = either_number(draft, layout.dtype, layout.features(), variances.a, variances.b);
  if (random.chance(50)) {
    const Term offset = small(draft, layout, layout.features(), 4);
    add(draft, Opcode::kBatchNormInference, {x, scale, offset, mean, variance}, {.magnitude = 20, .integral = false},
        attributes);
    return;
  }
  const Term gradient = small(draft, layout, layout.dims, 2);
  Instruction* norm = add_node(draft, Opcode::kBatchNormGrad,
                               {x.node, scale.node, mean.node, variance.node, gradient.node}, attributes);
  const Facts facts = {.magnitude = 2048, .integral = false};
  add_elements(draft, norm, {facts, facts, facts});
}

}  // namespace sinter
