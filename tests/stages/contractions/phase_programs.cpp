// phase_programs: convolutions of dilated inputs, which are made by phases: windows that overlap and that leave gaps,
// any padding, steps over the results, windows read backwards, some dimensions dilated and others not, groups, any
// order of labels; and those that stay.
#include <algorithm>

#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct Window {
  int64_t extent, size, low, high, dilation, stride = 1;
  bool reversal = false;
  int64_t rhs_dilation = 1;
};

struct Labels {
  std::string input, kernel, output;
};

StageProgram convolution(const std::string& name, const std::vector<Window>& windows, const Labels& labels,
                         DType dtype = DType::kF32, int64_t groups = 1) {
  constexpr int64_t kBatch = 2, kFeatures = 3, kOutputs = 5;
  std::string size, stride, pad, base, dilation, reversal;
  std::vector<int64_t> results;
  for (const Window& window : windows) {
    const std::string x = size.empty() ? "" : "x";
    size += x + std::to_string(window.size);
    stride += x + std::to_string(window.stride);
    pad += x + std::to_string(window.low) + "_" + std::to_string(window.high);
    base += x + std::to_string(window.dilation);
    dilation += x + std::to_string(window.rhs_dilation);
    reversal += x + std::to_string(static_cast<int>(window.reversal));
    const int64_t padded = (window.extent - 1) * window.dilation + 1 + window.low + window.high;
    results.push_back((padded - (window.size - 1) * window.rhs_dilation - 1) / window.stride + 1);
  }
  const auto dims_of = [&](const std::string& label, auto extent) {
    std::vector<int64_t> dims;
    for (const char c : label) dims.push_back(extent(c));
    return shape_text(dtype, dims);
  };
  const std::string input = dims_of(labels.input, [&](char c) {
    return c == 'b' ? kBatch : c == 'f' ? kFeatures * groups : windows[c - '0'].extent;
  });
  const std::string kernel = dims_of(labels.kernel, [&](char c) {
    return c == 'i' ? kFeatures : c == 'o' ? kOutputs * groups : windows[c - '0'].size;
  });
  const std::string output = dims_of(labels.output, [&](char c) {
    return c == 'b' ? kBatch : c == 'f' ? kOutputs * groups : results[c - '0'];
  });
  return {name,
          "HloModule " + name + "\n\nENTRY main {\n  x = " + input + " parameter(0)\n  w = " + kernel +
              " parameter(1)\n  ROOT y = " + output + " convolution(x, w), window={size=" + size + " stride=" + stride +
              " pad=" + pad + " lhs_dilate=" + base + " rhs_dilate=" + dilation + " rhs_reversal=" + reversal +
              "}, dim_labels=" + labels.input + "_" + labels.kernel + "->" + labels.output +
              (groups > 1 ? ", feature_group_count=" + std::to_string(groups) : "") + "\n}\n",
          few_values(10, false)};
}

const Labels kLine = {"b0f", "0io", "b0f"}, kPlane = {"b01f", "01io", "b01f"}, kPlanes = {"bf01", "oi01", "bf01"},
             kTurned = {"1bf0", "0o1i", "f0b1"}, kVolume = {"b012f", "012io", "b012f"};

std::vector<StageProgram> programs() {
  std::vector<StageProgram> result;
  // Every place at which a window may begin, of windows shorter and longer than what lies between elements.
  for (const int64_t dilation : {2, 3, 4}) {
    for (const int64_t size : {1, 2, 3, 5, 8}) {
      for (const int64_t low : {-2, 0, 1, 4, 7}) {
        const std::string name =
            "line_" + std::to_string(dilation) + "_" + std::to_string(size) + "_" + std::to_string(low + 2);
        result.push_back(convolution(name, {{7, size, low, size, dilation}}, kLine));
      }
    }
  }
  // Steps over the results: with and without a divisor in common, longer than what lies between.
  for (const int64_t stride : {2, 3, 4, 6}) {
    for (const int64_t dilation : {3, 4}) {
      const std::string name = "steps_" + std::to_string(stride) + "_" + std::to_string(dilation);
      result.push_back(convolution(name, {{9, 7, 3, 5, dilation, stride}}, kLine));
      result.push_back(convolution(name + "_back", {{9, 7, 3, 5, dilation, stride, true}}, kLine));
    }
  }
  for (const auto& [name, labels] : {std::pair{"plane", kPlane}, {"planes", kPlanes}, {"turned", kTurned}}) {
    const std::string n = name;
    result.push_back(convolution(n + "_3", {{5, 3, 2, 1, 2}, {7, 3, 2, 1, 2}}, labels));
    result.push_back(convolution(n + "_4", {{5, 4, 2, 2, 2}, {7, 4, 2, 2, 2}}, labels));
    result.push_back(convolution(n + "_4_together", {{5, 4, 3, 3, 2}, {7, 4, 3, 2, 2}}, labels));
    result.push_back(convolution(n + "_back", {{5, 5, 1, 3, 3, 1, true}, {4, 3, 0, 2, 2}}, labels));
    result.push_back(convolution(n + "_gaps", {{5, 1, 0, 1, 2}, {4, 1, 0, 1, 2}}, labels));
    result.push_back(convolution(n + "_one_dilated", {{5, 3, 1, 1, 1}, {4, 5, 3, 2, 2}}, labels));
    result.push_back(convolution(n + "_beside", {{6, 3, 0, 0, 1, 2, true, 2}, {4, 6, 5, 2, 3}}, labels));
    result.push_back(convolution(n + "_groups", {{5, 3, 2, 1, 2}, {4, 4, 2, 2, 2}}, labels, DType::kF32, 3));
    result.push_back(convolution(n + "_stays", {{6, 3, 4, 0, 2, 1, false, 2}, {4, 3, 2, 2, 2}}, labels));
  }
  result.push_back(convolution("half", {{5, 3, 2, 1, 2}, {7, 3, 2, 1, 2}}, kPlane, DType::kBF16));
  result.push_back(convolution("whole_numbers", {{5, 3, 2, 1, 2}, {7, 3, 2, 1, 2}}, kPlane, DType::kS32));
  result.push_back(convolution("complex", {{5, 3, 2, 1, 2}, {7, 1, 0, 1, 2}}, kPlane, DType::kC64));
  result.push_back(convolution("volume_3", {{3, 3, 2, 1, 2}, {4, 3, 1, 1, 2}, {2, 3, 2, 2, 2}}, kVolume));
  result.push_back(convolution("volume_4", {{3, 4, 2, 2, 2}, {4, 3, 1, 1, 1}, {2, 2, 0, 1, 3}}, kVolume));
  return result;
}

double tolerance(DType type) { return type == DType::kBF16 ? 1e-2 : is_float(type) ? 1e-6 : 0; }

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs(), sinter::tolerance, {}, {"split_phases"}); }
