#include "passes/lower/stages/products/convolution_numbers.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace sinter {

namespace {

// Smaller numbers are read as they are.
constexpr int64_t kLeastNamed = 3;

constexpr size_t kMostSpatial = 3;
// By the number of spatial dimensions: what their places are called.
const char* const kPlaces[kMostSpatial][kMostSpatial] = {
    {"positions"}, {"rows", "columns"}, {"planes", "rows", "columns"}};

// What constants of an array are called: extents, the innermost last, and how far apart neighbours along a dimension
// are.
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

class Numbers {
 public:
  Numbers(const Instruction& convolution, const ConvolutionMatrices& matrices, bool reads_input)
      : labels_(*convolution.attributes->dim_labels),
        spatial_(labels_.output_spatial.size()),
        input_(convolution.operand(0)->shape),
        weights_(convolution.operand(1)->shape),
        output_(convolution.shape) {
    for (const WindowDimension& window : convolution.attributes->window.value_or(std::vector<WindowDimension>{})) {
      for (const int64_t step : {window.stride, window.lhs_dilate, window.rhs_dilate}) steps_.insert(step);
    }
    add("kChannels", weights_.dims[labels_.rhs_input_feature], "of the input, of a result");
    const bool same = std::ranges::equal(labels_.lhs_spatial, labels_.output_spatial,
                                         [&](int64_t in, int64_t out) { return input_.dims[in] == output_.dims[out]; });
    add_extents(same ? kImages : kInput, input_, labels_.lhs_spatial, same ? "of images" : "of the input");
    if (!same) add_extents(kResults, output_, labels_.output_spatial, "of the results");
    add_extents(kOfWindow, weights_, labels_.rhs_spatial, "of the window");
    if (reads_input) {
      add_strides(kInput, input_, strides_of_array(), labels_.lhs_batch, labels_.lhs_feature, labels_.lhs_spatial,
                  "elements", " of the input");
    }
    add_strides(kOfWindow, weights_, strides_among(weights_, matrices.taps), -1, labels_.rhs_input_feature,
                labels_.rhs_spatial, "terms", " of the window");
    const std::vector<int64_t>& places = matrices.kernel_rows ? matrices.columns : matrices.rows;
    add_strides(kResults, output_, strides_among(output_, places), labels_.output_batch, labels_.output_feature,
                labels_.output_spatial, "results", "");
  }

  std::map<int64_t, NamedConstant> result() const {
    std::map<int64_t, NamedConstant> found;
    for (const auto& [value, names] : names_) {
      if (steps_.contains(value) || value < kLeastNamed || value > std::numeric_limits<int>::max()) continue;
      if (names.size() == 1) found.emplace(value, names.front());
    }
    return found;
  }

 private:
  void add(const std::string& name, int64_t value, const std::string& comment) {
    names_[value].push_back({name, "int", std::to_string(value), comment});
  }

  // Height and width, or one size where these are the same.
  void add_extents(const ArrayNames& names, const Shape& shape, const std::vector<int64_t>& dims,
                   const std::string& comment) {
    if (spatial_ == 0 || spatial_ > kMostSpatial) return;
    const int64_t first = shape.dims[dims[0]];
    const bool all_same = std::ranges::all_of(dims, [&](int64_t d) { return shape.dims[d] == first; });
    if (all_same && spatial_ > 1) {
      add(names.size, first, (spatial_ == 2 ? "rows and columns " : "each side ") + comment);
      return;
    }
    for (size_t i = 0; i < spatial_; ++i) {
      const bool alone = spatial_ == 1;
      add(alone ? names.length : names.extents[kMostSpatial - spatial_ + i], shape.dims[dims[i]],
          (alone ? "" : std::string(kPlaces[spatial_ - 1][i]) + " ") + comment);
    }
  }

  std::vector<int64_t> strides_of_array() const {
    std::vector<int64_t> strides(input_.dims.size(), 1);
    for (size_t d = strides.size() - 1; d-- > 0;) strides[d] = strides[d + 1] * input_.dims[d + 1];
    return strides;
  }
  // As if these dimensions alone were an array's, in this order; 0 of all others.
  static std::vector<int64_t> strides_among(const Shape& shape, const std::vector<int64_t>& dims) {
    std::vector<int64_t> strides(shape.dims.size(), 0);
    int64_t stride = 1;
    for (auto d = dims.rbegin(); d != dims.rend(); ++d) {
      strides[*d] = stride;
      stride *= shape.dims[*d];
    }
    return strides;
  }

  // From one image, plane or row to the next; what is as large as one of the extents goes by that.
  void add_strides(const ArrayNames& names, const Shape& shape, const std::vector<int64_t>& strides, int64_t batch,
                   int64_t feature, const std::vector<int64_t>& dims, const std::string& what,
                   const std::string& of_what) {
    if (spatial_ == 0 || spatial_ > kMostSpatial) return;
    const auto add_stride = [&](const char* name, int64_t d, const std::string& comment) {
      if (d < 0 || strides[d] <= 1 || names_.contains(strides[d]) || shape.dims[d] == 1) return;
      add(name, strides[d], what + " " + comment + of_what);
    };
    for (size_t i = spatial_; i-- > 0;) {
      const bool is_column = i + 1 == spatial_, is_row = i + 2 == spatial_;
      add_stride(names.strides[kMostSpatial - spatial_ + i], dims[i],
                 is_column ? "at a position"
                 : is_row  ? "in a row"
                           : "in a plane");
    }
    add_stride(names.channel, feature, "in a channel");
    add_stride(names.image, batch, "in an image");
  }

  const ConvolutionDims& labels_;
  const size_t spatial_;
  const Shape &input_, &weights_, &output_;
  std::set<int64_t> steps_;  // strides and dilations
  std::map<int64_t, std::vector<NamedConstant>> names_;
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
  std::string text;
  for (size_t i = 0; i < list.size(); ++i) text += (i == 0 ? "" : i + 1 == list.size() ? " and " : ", ") + list[i];
  return text.empty() ? "" : text + " (" + sizes + ")";
}

}  // namespace

std::map<int64_t, NamedConstant> convolution_numbers(const Instruction& convolution,
                                                     const ConvolutionMatrices& matrices, bool reads_input) {
  return Numbers(convolution, matrices, reads_input).result();
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
