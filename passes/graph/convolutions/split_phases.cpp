// split_phases: a convolution whose input is dilated becomes convolutions of the input as it is, one for each phase of
// the results. The gradient of a convolution in steps, with respect to its input, is such a convolution, and so is
// jax.lax.conv_transpose: of the elements that its window meets all are zeros but one in lhs_dilate.
//
//   %y = f32[32,64,64,128] convolution(%x, %w), window={size=3x3 pad=2_1x2_1 lhs_dilate=2x2}
//   x f32[32,32,32,256], w f32[3,3,256,128]
//                                                     =>
//   %w.0 = f32[2,2,256,128] slice(%w), slice={[0:3:2], [0:3:2], [0:256], [0:128]}
//   %y.0 = f32[32,32,32,128] convolution(%x, %w.0), window={size=2x2 pad=1_0x1_0}
//   three more, of windows of 2x1, 1x2 and 1x1, and
//   %y = f32[32,64,64,128] reshape(concatenate of these: f32[32,32,2,32,2,128])
//
// Results p, p + phases, p + 2 * phases, ... are a phase: the window's taps t, t + lhs_dilate, ... meet elements for
// them, the others zeros. Phases side by side that have as many taps, from the same element on, are one convolution of
// several times the features; so are all of a convolution to few features, whose taps are those that any phase has: a
// narrow tile is filled, and elements are read once. Each result is the sum of the same products in the same order,
// without those of the zeros between. Where a phase meets no element, its results are zeros.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "ir/support/ceil_div.h"
#include "passes/analysis/shapes/matrix_product.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/stages/products/tensor_core_form.h"

namespace sinter {
namespace {

// Phases one after the other with as many taps, which meet the input's elements from the same one on.
struct PhaseRun {
  int64_t first = 0, count = 1;
  int64_t taps = 0;
  int64_t begin = 0;  // the element that the first tap meets for the phase's first result; before the input if < 0
};

// A spatial dimension: its results are `steps` of `phases`, of which the last may be too many.
struct PhasedDimension {
  int64_t phases = 1, steps = 0;
  int64_t stride = 1;  // of a phase's window, in elements of the input
  bool dilated = false;
  bool joined = false;  // all phases of all dimensions are one convolution
  std::vector<PhaseRun> runs;
};

PhasedDimension phases_of(const WindowDimension& window, int64_t results, bool joins) {
  PhasedDimension dimension;
  dimension.steps = results;
  dimension.dilated = window.lhs_dilate > 1;
  if (!dimension.dilated) {
    dimension.runs = {{.taps = window.size}};
    return dimension;
  }
  const int64_t dilation = window.lhs_dilate, common = std::gcd(dilation, window.stride);
  dimension.phases = dilation / common;
  dimension.stride = window.stride / common;
  dimension.steps = ceil_div(results, dimension.phases);
  for (int64_t phase = 0; phase < dimension.phases; ++phase) {
    // Where the window begins in the dilated input, and the first tap from there that meets an element.
    const int64_t at = phase * window.stride - window.pad_low;
    const int64_t tap = at > 0 ? (dilation - at % dilation) % dilation : -at % dilation;
    PhaseRun run = {.first = phase};
    if (tap < window.size) {
      run.taps = ceil_div(window.size - tap, dilation);
      run.begin = (at + tap) / dilation;
    }
    PhaseRun* last = dimension.runs.empty() ? nullptr : &dimension.runs.back();
    if (last != nullptr && last->taps == run.taps && last->begin == run.begin && (joins || run.taps == 0)) {
      ++last->count;
    } else {
      dimension.runs.push_back(run);
    }
  }
  return dimension;
}

// All of them, with the taps that any has.
PhaseRun all_phases(const PhasedDimension& dimension) {
  PhaseRun all = {.count = dimension.phases, .begin = dimension.runs[0].begin};
  int64_t end = all.begin;
  for (const PhaseRun& run : dimension.runs) {
    all.begin = std::min(all.begin, run.begin);
    end = std::max(end, run.begin + run.taps);
  }
  all.taps = end - all.begin;
  return all;
}

// Columns of the narrowest tile.
constexpr int64_t kTileColumns = 16;

// Whether less is multiplied in tiles where all phases are one convolution, with zeros for the taps that a phase lacks.
bool are_better_joined(const Instruction& convolution, const std::vector<PhasedDimension>& dimensions, bool any_size) {
  constexpr int64_t kLeastColumns = 8, kLeastTerms = 16, kLeastProducts = int64_t{1} << 22;
  const ConvolutionDims& labels = *convolution.attributes->dim_labels;
  const int64_t features = convolution.shape.dims[labels.output_feature];
  int64_t phases = 1, apart = 1, joined = 1;
  size_t runs = 1;
  for (const PhasedDimension& dimension : dimensions) {
    const PhaseRun all = all_phases(dimension);
    phases *= dimension.phases;
    runs *= dimension.runs.size();
    joined *= all.taps;
    int64_t taps = 0;
    for (const PhaseRun& run : dimension.runs) {
      if (run.taps == 0) return false;
      taps += run.taps;
    }
    apart *= taps;
  }
  const auto columns = [](int64_t count) { return ceil_div(count, kTileColumns) * kTileColumns; };
  const int64_t terms = joined * convolution.operand(1)->shape.dims[labels.rhs_input_feature];
  const bool is_large = terms >= kLeastTerms && convolution.shape.element_count() >= kLeastProducts / terms;
  return runs > 1 && tensor_core_product(convolution) && phases * features >= kLeastColumns && (is_large || any_size) &&
         columns(phases * features) * joined < columns(features) * apart;
}

// The spatial dimensions of a convolution with a dilated input; none of another one, or where there is none to take.
std::vector<PhasedDimension> phased_dimensions(const Instruction& convolution, bool any_size) {
  const Attributes& attributes = convolution.attributes;
  const Shape &input = convolution.operand(0)->shape, &result = convolution.shape;
  if (!result.is_static() || !input.is_static() || result.element_count() == 0 || input.element_count() == 0) return {};
  if (attributes.batch_group_count.value_or(1) != 1 || result.dtype == DType::kPred || !attributes.window) return {};
  std::vector<PhasedDimension> dimensions;
  bool dilates = false;
  for (size_t s = 0; s < attributes.window->size(); ++s) {
    const WindowDimension& window = (*attributes.window)[s];
    if (window.lhs_dilate > 1 && window.rhs_dilate != 1) return {};
    dilates |= window.lhs_dilate > 1;
    // Features of several phases would be of several groups.
    const bool joins = attributes.feature_group_count.value_or(1) == 1;
    dimensions.push_back(phases_of(window, result.dims[attributes.dim_labels->output_spatial[s]], joins));
  }
  if (!dilates) dimensions.clear();
  const bool joins = attributes.feature_group_count.value_or(1) == 1;
  if (!joins || dimensions.empty() || !are_better_joined(convolution, dimensions, any_size)) return dimensions;
  for (PhasedDimension& dimension : dimensions) {
    dimension.joined = true;
    dimension.runs = {all_phases(dimension)};
  }
  return dimensions;
}

// What convolutions multiply in a microsecond, of an h200: tiles of f32 and of narrower floats; threads, and threads of
// groups whose features run fastest, which have several of them; bytes of results that are put side by side, and what a
// launch takes.
constexpr double kTiledProducts = 32e6, kNarrowProducts = 250e6, kThreadProducts = 2.5e6, kGroupedProducts = 6e6;
constexpr double kBytesJoined = 2e6, kLaunchTime = 3;
// Terms of a result, below which tiles do not multiply.
constexpr int64_t kShortSum = 16;
// Convolutions in place of one, and slices of its kernel, which are all written out.
constexpr int64_t kMostConvolutions = 16, kMostPhases = 64;

bool are_few(const std::vector<PhasedDimension>& dimensions) {
  int64_t convolutions = 1, phases = 1;
  for (const PhasedDimension& dimension : dimensions) {
    convolutions *= static_cast<int64_t>(dimension.runs.size());
    phases *= dimension.phases;
    if (convolutions > kMostConvolutions || phases > kMostPhases) return false;
  }
  return true;
}

// Takes fewer microseconds by phases, with what puts these side by side.
bool is_less_time(const Instruction& convolution, const std::vector<PhasedDimension>& dimensions) {
  const Attributes& attributes = convolution.attributes;
  const ConvolutionDims& labels = *attributes.dim_labels;
  const Shape& kernel = convolution.operand(1)->shape;
  const int64_t features = kernel.dims[labels.rhs_input_feature];
  const bool tiled = is_contraction(convolution);
  const bool grouped =
      attributes.feature_group_count.value_or(1) > 1 && labels.output_feature == convolution.shape.rank() - 1;
  const auto time_of = [&](double results, double terms, bool in_tiles) {
    const bool narrow = dtype_bytes(convolution.operand(0)->shape.dtype) < dtype_bytes(DType::kF32);
    const double of_tiles = narrow ? kNarrowProducts : kTiledProducts;
    const double of_threads = grouped ? kGroupedProducts : kThreadProducts;
    return results * terms / (in_tiles && terms >= static_cast<double>(kShortSum) ? of_tiles : of_threads);
  };
  // Of each choice of a run for each dimension: its results, and the terms of one of them.
  struct Choice {
    double results = 1, terms = 1;
  };
  const int64_t rows = convolution.shape.dims[labels.output_batch] * convolution.shape.dims[labels.output_feature];
  std::vector<Choice> choices = {{static_cast<double>(rows), static_cast<double>(features)}};
  double terms = static_cast<double>(features);
  for (size_t s = 0; s < dimensions.size(); ++s) {
    terms *= static_cast<double>((*attributes.window)[s].size);
    std::vector<Choice> longer;
    for (const Choice& choice : choices) {
      for (const PhaseRun& run : dimensions[s].runs) {
        longer.push_back({choice.results * static_cast<double>(dimensions[s].steps * run.count),
                          choice.terms * static_cast<double>(run.taps)});
      }
    }
    choices = std::move(longer);
  }
  const auto results = static_cast<double>(convolution.shape.element_count());
  double time = kLaunchTime + results * static_cast<double>(dtype_bytes(convolution.shape.dtype)) / kBytesJoined;
  for (const Choice& choice : choices) {
    if (choice.terms > 0) time += kLaunchTime + time_of(choice.results, choice.terms, tiled || dimensions[0].joined);
  }
  return time < kLaunchTime + time_of(results, terms, tiled);
}

class Phases {
 public:
  Phases(Instruction& convolution, const std::vector<PhasedDimension>& dimensions)
      : convolution_(convolution),
        labels_(*convolution.attributes->dim_labels),
        window_(*convolution.attributes->window),
        dimensions_(dimensions),
        build_(convolution),
        phase_at_(dimensions.size()),
        runs_(dimensions.size()) {
    // Side by side: a spatial dimension's steps, then its phases.
    for (int64_t d = 0; d < convolution.shape.rank(); ++d) {
      const size_t s = spatial_at(d);
      apart_.push_back(s < dimensions.size() ? dimensions[s].steps : convolution.shape.dims[d]);
      joined_.push_back(apart_.back());
      if (s == dimensions.size()) continue;
      phase_at_[s] = static_cast<int64_t>(apart_.size());
      apart_.push_back(dimensions[s].phases);
      joined_.back() *= dimensions[s].phases;
    }
  }

  GraphBuilder::Value make() {
    GraphBuilder::Value value = build_.reshape(side_by_side(0), joined_);
    for (size_t s = 0; s < dimensions_.size(); ++s) {
      const int64_t d = labels_.output_spatial[s], kept = convolution_.shape.dims[d];
      if (kept < joined_[d]) value = build_.slice(value, d, 0, kept);
    }
    return value;
  }

 private:
  // Which spatial dimension one of the result's is; of another one their number.
  size_t spatial_at(int64_t dimension) const {
    const auto& spatial = labels_.output_spatial;
    return static_cast<size_t>(std::find(spatial.begin(), spatial.end(), dimension) - spatial.begin());
  }

  // All runs from this dimension on, of the runs that are chosen for those before it.
  GraphBuilder::Value side_by_side(size_t s) {
    if (s == dimensions_.size()) return convolved();
    std::vector<GraphBuilder::Value> pieces;
    for (const PhaseRun& run : dimensions_[s].runs) {
      runs_[s] = run;
      pieces.push_back(run.taps > 0 ? side_by_side(s + 1) : zeros(s));
    }
    return pieces.size() == 1 ? pieces[0] : build_.concatenate(pieces, phase_at_[s]);
  }

  // The chosen runs up to this dimension, and all phases of those behind it.
  GraphBuilder::Value zeros(size_t s) {
    const DType dtype = convolution_.shape.dtype;
    GraphBuilder::Dims dims = apart_;
    for (size_t before = 0; before <= s; ++before) dims[phase_at_[before]] = runs_[before].count;
    if (zero_ == nullptr) {
      zero_ = is_float(dtype) ? build_.real(dtype, 0) : build_.convert(build_.integer(DType::kS32, 0), dtype);
    }
    return build_.splat(zero_, dims);
  }

  // The chosen runs, with as many phases as these have.
  GraphBuilder::Value convolved() {
    GraphBuilder::Dims dims = apart_;
    int64_t phases = 1;
    for (size_t s = 0; s < runs_.size(); ++s) {
      dims[phase_at_[s]] = runs_[s].count;
      phases *= runs_[s].count;
    }
    Attributes attributes = *convolution_.attributes;
    std::vector<WindowDimension> window = window_;
    Shape shape = convolution_.shape;
    for (size_t s = 0; s < runs_.size(); ++s) {
      if (!dimensions_[s].dilated) continue;
      const int64_t extent = convolution_.operand(0)->shape.dims[labels_.lhs_spatial[s]];
      WindowDimension& own = window[s];
      own = {
          .size = runs_[s].taps, .stride = dimensions_[s].stride, .pad_low = -runs_[s].begin, .reversal = own.reversal};
      own.pad_high = (dimensions_[s].steps - 1) * own.stride + own.size - extent - own.pad_low;
      shape.dims[labels_.output_spatial[s]] = dimensions_[s].steps;
    }
    attributes.window = std::move(window);
    shape.dims[labels_.output_feature] *= phases;
    const GraphBuilder::Value kernel = kernel_of_runs();
    const GraphBuilder::Value value = insert_like(convolution_, Opcode::kConvolution, std::move(shape),
                                                  {convolution_.operand(0), kernel}, std::move(attributes));
    return with_phases_in_place(value, dims);
  }

  // The taps of the chosen runs, the phases one after the other along the output features.
  GraphBuilder::Value kernel_of_runs() {
    const GraphBuilder::Value kernel = convolution_.operand(1);
    std::vector<int64_t> phase(runs_.size());
    std::vector<GraphBuilder::Value> slices;
    while (true) {
      Attributes attributes;
      std::vector<SliceBounds> bounds;
      std::vector<PadBounds> zeros(kernel->shape.dims.size());
      for (const int64_t extent : kernel->shape.dims) bounds.push_back({0, extent, 1});
      for (size_t s = 0; s < runs_.size(); ++s) {
        if (!dimensions_[s].dilated) continue;
        const WindowDimension& window = window_[s];
        const int64_t at = (runs_[s].first + phase[s]) * window.stride - window.pad_low;
        const int64_t first = runs_[s].begin * window.lhs_dilate - at;  // of all phases; this one may lack it
        const int64_t before = first < 0 ? ceil_div(-first, window.lhs_dilate) : 0;
        const int64_t tap = first + before * window.lhs_dilate;
        const int64_t taps = std::min(runs_[s].taps - before, (window.size - 1 - tap) / window.lhs_dilate + 1);
        const int64_t reach = (taps - 1) * window.lhs_dilate;
        const int64_t start = window.reversal ? window.size - 1 - tap - reach : tap;
        bounds[labels_.rhs_spatial[s]] = {start, start + reach + 1, reach == 0 ? 1 : window.lhs_dilate};
        PadBounds& beside = zeros[labels_.rhs_spatial[s]];
        beside = {.low = before, .high = runs_[s].taps - before - taps};
        if (window.reversal) std::swap(beside.low, beside.high);
      }
      bool whole = true;
      for (size_t d = 0; d < bounds.size(); ++d) whole &= bounds[d] == SliceBounds{0, kernel->shape.dims[d], 1};
      attributes.slice = std::move(bounds);
      const GraphBuilder::Value of_phase =
          whole ? kernel : build_.make(Opcode::kSlice, {kernel}, std::move(attributes));
      slices.push_back(build_.pad(of_phase, zeros));
      size_t s = runs_.size();
      while (s > 0 && ++phase[s - 1] == runs_[s - 1].count) phase[--s] = 0;
      if (s == 0) break;
    }
    return slices.size() == 1 ? slices[0] : build_.concatenate(slices, labels_.rhs_output_feature);
  }

  // A convolution's result has the phases along its features: each behind its dimension's steps.
  GraphBuilder::Value with_phases_in_place(GraphBuilder::Value value, const GraphBuilder::Dims& dims) {
    GraphBuilder::Dims split, order;
    std::vector<int64_t> at(convolution_.shape.dims.size()), phase_at(runs_.size());
    for (int64_t d = 0; d < convolution_.shape.rank(); ++d) {
      for (size_t s = 0; d == labels_.output_feature && s < runs_.size(); ++s) {
        phase_at[s] = static_cast<int64_t>(split.size());
        split.push_back(runs_[s].count);
      }
      at[d] = static_cast<int64_t>(split.size());
      split.push_back(d == labels_.output_feature ? convolution_.shape.dims[d] : value->shape.dims[d]);
    }
    for (int64_t d = 0; d < convolution_.shape.rank(); ++d) {
      order.push_back(at[d]);
      if (spatial_at(d) < runs_.size()) order.push_back(phase_at[spatial_at(d)]);
    }
    if (value->shape.dims[labels_.output_feature] == convolution_.shape.dims[labels_.output_feature]) {
      return build_.reshape(value, dims);  // one phase
    }
    return build_.transpose(build_.reshape(value, split), order);
  }

  Instruction& convolution_;
  const ConvolutionDims& labels_;
  const std::vector<WindowDimension>& window_;
  const std::vector<PhasedDimension>& dimensions_;
  GraphBuilder build_;
  // The results with phases in dimensions of their own, and without; where those are.
  GraphBuilder::Dims apart_, joined_, phase_at_;
  std::vector<PhaseRun> runs_;          // chosen, one for each dimension
  GraphBuilder::Value zero_ = nullptr;  // made where it is first asked for
};

}  // namespace

bool split_phases(Module& module, const GraphPassOptions& options) {
  const bool pinned = is_pinned(options, "split_phases");
  bool changed = false;
  for (Instruction* convolution : instructions_of(module, Opcode::kConvolution)) {
    const std::vector<PhasedDimension> dimensions = phased_dimensions(*convolution, pinned);
    if (dimensions.empty() || !are_few(dimensions)) continue;
    if (!pinned && !is_less_time(*convolution, dimensions)) continue;
    convolution->replace_all_uses_with(Phases(*convolution, dimensions).make());
    changed = true;
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
