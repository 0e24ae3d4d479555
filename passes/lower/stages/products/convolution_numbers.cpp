#include "passes/lower/stages/products/convolution_numbers.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "passes/names/listed.h"

namespace sinter {

namespace {

// Smaller numbers are read as they are.
constexpr int64_t kLeastNamed = 3;

constexpr size_t kMostSpatial = 3;
// By the number of spatial dimensions: what their places are called.
const char* const kPlaces[kMostSpatial][kMostSpatial] = {
    {"positions"}, {"rows", "columns"}, {"planes", "rows", "columns"}};

// What constants of an array are called: extents, the innermost last, and how far apart neighbours along a dimension
// are. One over a dimension whose extent has a name goes by that.
struct ArrayNames {
  const char* size = nullptr;    // of all extents, where these are the same
  const char* length = nullptr;  // of one dimension
  const char* extents[kMostSpatial] = {};
  const char* strides[kMostSpatial] = {};
  const char* channel = nullptr;
  const char* image = nullptr;
};
const ArrayNames kInput = {
    "kInSize",    "kInLength", {"kInDepth", "kInHeight", "kInWidth"}, {"kInPlane", "kInRow", "kInColumn"},
    "kInChannel", "kInImage"};
const ArrayNames kResults = {
    "kOutSize",    "kOutLength", {"kOutDepth", "kOutHeight", "kOutWidth"}, {"kOutPlane", "kOutRow", "kOutColumn"},
    "kOutChannel", "kOutImage"};
const ArrayNames kOfWindow = {"kWindowSize",
                              "kWindowLength",
                              {"kWindowDepth", "kWindowHeight", "kWindowWidth"},
                              {"kWindowPlane", "kWindowRow", "kWindowColumn"},
                              "kWindowChannel"};
const ArrayNames kImages = {"kImageSize", "kImageLength", {"kImageDepth", "kImageHeight", "kImageWidth"}};
const ArrayNames kNameless = {};
const std::vector<int64_t> kNoDims = {};

// Some dimensions of an array, as places in them are counted: the outermost first.
struct Counted {
  const ArrayNames& names;
  const Shape& shape;
  std::vector<int64_t> dims;
  int64_t batch = -1, feature = -1;
  const std::vector<int64_t>& spatial;
  std::string what, of_what;                      // "terms", " of the window"
  std::map<int64_t, NamedConstant> extents = {};  // of dimensions, those that have names

  // How far apart neighbours along the dimension are; without a name where it is none of these.
  NamedConstant stride(int64_t dim) const {
    const char* const units[kMostSpatial] = {"in a plane", "in a row", "at a position"};
    if (dim == feature && names.channel != nullptr) return named(names.channel, "in a channel");
    if (dim == batch && names.image != nullptr) return named(names.image, "in an image");
    const auto place = std::ranges::find(spatial, dim);
    if (place == spatial.end()) return {};
    const size_t i = kMostSpatial - (spatial.end() - place);
    return named(names.strides[i], units[i]);
  }

 private:
  NamedConstant named(const char* name, const char* unit) const {
    return {name, "int", "", what + " " + unit + of_what};
  }
};

// What the numbers of one operand's indices mean. One that can mean two things has no name.
class Numbers {
 public:
  Numbers(const Instruction& convolution, const ConvolutionMatrices& matrices, const DemandGraph& graph, bool of_input)
      : labels_(*convolution.attributes->dim_labels),
        spatial_(labels_.output_spatial.size()),
        groups_(matrices.groups),
        input_(convolution.operand(0)->shape),
        weights_(convolution.operand(1)->shape),
        output_(convolution.shape) {
    if (spatial_ == 0 || spatial_ > kMostSpatial) return;
    if (convolution.attributes->window) windows_ = *convolution.attributes->window;
    for (const DemandNode& node : graph.nodes) {
      if (node.kind == DemandNode::Kind::kLoad) loaded_.insert(node.instruction);
    }
    Counted taps = {.names = kOfWindow,
                    .shape = weights_,
                    .dims = matrices.taps,
                    .feature = labels_.rhs_input_feature,
                    .spatial = labels_.rhs_spatial,
                    .what = "terms",
                    .of_what = " of the window"};
    add_channels(&taps);
    add_extents(kOfWindow, "of the window", &taps);
    add_runs(taps);
    if (of_input) {
      add_input_and_places(matrices);
    } else {
      add_strides_of_weights();
    }
    add_shapes(*convolution.operand(of_input ? 0 : 1), of_input ? input_ : weights_);
  }

  std::map<int64_t, NamedConstant> result() const {
    std::set<int64_t> steps;
    for (const WindowDimension& window : windows_) {
      for (const int64_t step : {window.stride, window.lhs_dilate, window.rhs_dilate}) steps.insert(step);
    }
    std::map<int64_t, NamedConstant> found;
    for (const auto& [value, meanings] : meanings_) {
      if (steps.contains(value) || value < kLeastNamed || value > std::numeric_limits<int>::max()) continue;
      const auto& [name, constant] = *meanings.begin();
      if (meanings.size() == 1 && !name.empty()) found.emplace(value, constant);
    }
    return found;
  }

 private:
  void add(int64_t value, NamedConstant constant) {
    constant.value = std::to_string(value);
    meanings_[value].emplace(constant.name, constant);
  }
  void add_nameless(int64_t value) { add(value, {}); }

  void add_extent(int64_t dim, const char* name, const std::string& comment, Counted* counted) {
    const NamedConstant constant = {name, "int", "", comment};
    counted->extents.emplace(dim, constant);
    add(counted->shape.dims[dim], constant);
  }

  void add_channels(Counted* counted) {
    add_extent(counted->feature, "kChannels", groups_ == 1 ? "features of the input" : "features of a group", counted);
  }

  // Height and width, or one size where these are the same.
  void add_extents(const ArrayNames& names, const std::string& comment, Counted* counted) {
    const std::vector<int64_t>& dims = counted->spatial;
    const int64_t first = counted->shape.dims[dims[0]];
    const bool all_same = std::ranges::all_of(dims, [&](int64_t d) { return counted->shape.dims[d] == first; });
    for (size_t i = 0; i < spatial_; ++i) {
      if (spatial_ == 1) {
        add_extent(dims[i], names.length, comment, counted);
      } else if (all_same) {
        add_extent(dims[i], names.size, (spatial_ == 2 ? "rows and columns " : "each side ") + comment, counted);
      } else {
        add_extent(dims[i], names.extents[kMostSpatial - spatial_ + i],
                   std::string(kPlaces[spatial_ - 1][i]) + " " + comment, counted);
      }
    }
  }

  // What places are divided by, and what the rest is of: the extents of dimensions side by side, multiplied, but for
  // those with the outermost one.
  void add_runs(const Counted& counted) {
    const auto extent = [&](int64_t d) { return counted.shape.dims[d]; };
    std::vector<int64_t> dims;
    std::ranges::copy_if(counted.dims, std::back_inserter(dims), [&](int64_t d) { return extent(d) != 1; });
    for (size_t first = 1; first < dims.size(); ++first) {
      int64_t elements = 1;
      for (size_t last = first; last < dims.size(); ++last) {
        elements *= extent(dims[last]);
        const auto named = counted.extents.find(dims[first]);
        const bool is_extent = first == last && named != counted.extents.end();
        const bool is_stride = last + 1 == dims.size();
        add(elements, is_extent ? named->second : is_stride ? counted.stride(dims[first - 1]) : NamedConstant());
      }
    }
  }

  static std::vector<int64_t> all_dims(const Shape& shape) {
    std::vector<int64_t> dims(shape.dims.size());
    std::iota(dims.begin(), dims.end(), 0);
    return dims;
  }

  void add_input_and_places(const ConvolutionMatrices& matrices) {
    Counted input = {.names = kInput,
                     .shape = input_,
                     .dims = all_dims(input_),
                     .batch = labels_.lhs_batch,
                     .feature = labels_.lhs_feature,
                     .spatial = labels_.lhs_spatial,
                     .what = "elements",
                     .of_what = " of the input"};
    Counted places = {.names = kResults,
                      .shape = output_,
                      .dims = matrices.kernel_rows ? matrices.columns : matrices.rows,
                      .batch = labels_.output_batch,
                      .feature = labels_.output_feature,
                      .spatial = labels_.output_spatial,
                      .what = "results"};
    const bool same = std::ranges::equal(labels_.lhs_spatial, labels_.output_spatial,
                                         [&](int64_t in, int64_t out) { return input_.dims[in] == output_.dims[out]; });
    add_extents(same ? kImages : kInput, same ? "of images" : "of the input", &input);
    add_extents(same ? kImages : kResults, same ? "of images" : "of the results", &places);
    add_runs(places);
    const bool is_read = std::ranges::any_of(
        loaded_, [&](const Instruction* instruction) { return instruction->shape.dims == input_.dims; });
    if (!is_read) return;
    if (groups_ == 1) add_channels(&input);
    add_strides(input);
  }

  // From one element of the array to the next along a dimension, and as far as the window takes a step.
  void add_strides(const Counted& input) {
    std::vector<int64_t> strides(input.dims.size(), 1);
    for (size_t d = strides.size() - 1; d-- > 0;) strides[d] = strides[d + 1] * input_.dims[d + 1];
    std::vector<int64_t> dims;
    std::ranges::copy_if(input.dims, std::back_inserter(dims), [&](int64_t d) { return input_.dims[d] != 1; });
    for (size_t i = 0; i + 1 < dims.size(); ++i) {
      const auto named = input.extents.find(dims[i + 1]);
      const bool is_extent = i + 2 == dims.size() && named != input.extents.end();
      add(strides[dims[i]], is_extent ? named->second : input.stride(dims[i]));
    }
    for (size_t i = 0; i < windows_.size(); ++i) {
      const int64_t stride = strides[labels_.lhs_spatial[i]];
      for (const int64_t step : {windows_[i].stride, windows_[i].rhs_dilate}) {
        if (step > 1) add_nameless(stride * step);
      }
    }
    if (groups_ == 1) return;
    for (const int64_t d : {labels_.lhs_feature, labels_.lhs_batch}) {
      if (input_.dims[d] % groups_ == 0 && strides[d] > 1) add_nameless(strides[d] * (input_.dims[d] / groups_));
    }
  }

  // Those that are more than terms of the window.
  void add_strides_of_weights() {
    if (groups_ > 1) add_nameless(weights_.dims[labels_.rhs_output_feature] / groups_);
    int64_t stride = 1;
    bool has_features = false;
    for (size_t d = weights_.dims.size(); d-- > 1;) {
      stride *= weights_.dims[d];
      has_features = has_features || static_cast<int64_t>(d) == labels_.rhs_output_feature;
      if (has_features) add_nameless(stride);
    }
  }

  // Of arrays in another shape than the operand's, from which the kernel makes it.
  void add_shapes(const Instruction& value, const Shape& operand) {
    if (!seen_.insert(&value).second) return;
    if (value.shape.dims != operand.dims)
      add_runs({.names = kNameless, .shape = value.shape, .dims = all_dims(value.shape), .spatial = kNoDims});
    if (loaded_.contains(&value)) return;
    for (const Instruction* of_value : value.operands()) add_shapes(*of_value, operand);
  }

  const ConvolutionDims& labels_;
  const size_t spatial_;
  const int64_t groups_;
  const Shape &input_, &weights_, &output_;
  std::vector<WindowDimension> windows_;
  std::set<const Instruction*> loaded_, seen_;
  std::map<int64_t, std::map<std::string, NamedConstant>> meanings_;  // of a number, by name; "": one without a name
};

// "rows, columns and channels (7 x 7 x 3)"; empty for no dimension of more than one element.
std::string counted(const Shape& shape, const std::vector<int64_t>& dims, const std::map<int64_t, std::string>& names) {
  std::vector<std::string> list;
  std::string sizes;
  for (const int64_t d : dims) {
    if (shape.dims[d] == 1) continue;
    list.push_back(names.at(d));
    sizes += (sizes.empty() ? "" : " x ") + std::to_string(shape.dims[d]);
  }
  return list.empty() ? "" : listed(list) + " (" + sizes + ")";
}

}  // namespace

std::map<int64_t, NamedConstant> convolution_numbers(const Instruction& convolution,
                                                     const ConvolutionMatrices& matrices, const DemandGraph& graph,
                                                     bool of_input) {
  return Numbers(convolution, matrices, graph, of_input).result();
}

std::string convolution_text(const Instruction& convolution, const ConvolutionMatrices& matrices) {
  const ConvolutionDims& labels = *convolution.attributes->dim_labels;
  const size_t spatial = labels.output_spatial.size();
  if (spatial == 0 || spatial > kMostSpatial) return "";
  const Shape &weights = convolution.operand(1)->shape, &output = convolution.shape;
  std::map<int64_t, std::string> of_output = {{labels.output_batch, "images"}, {labels.output_feature, "features"}};
  std::map<int64_t, std::string> of_window = {{labels.rhs_input_feature, "channels"},
                                              {labels.rhs_output_feature, "features"}};
  for (size_t i = 0; i < spatial; ++i) {
    of_output[labels.output_spatial[i]] = kPlaces[spatial - 1][i];
    of_window[labels.rhs_spatial[i]] = kPlaces[spatial - 1][i];
  }
  const std::string rows = counted(output, matrices.rows, of_output);
  const std::string columns = counted(output, matrices.columns, of_output);
  const std::string terms = counted(weights, matrices.taps, of_window);
  if (rows.empty() || columns.empty() || terms.empty()) return "";
  return " Rows of the product count the results' " + rows + ", its columns their " + columns + ", k the window's " +
         terms + ".";
}

}  // namespace sinter
