#include <algorithm>
#include <set>

#include "driver/page/dataflow.h"
#include "driver/page/svg.h"
#include "review/modules/module_changes.h"
#include "review/modules/recorded_module.h"

namespace sinter {
namespace {

// "M1,2C5,2 6,3 9,3": from one place to another to its right, level at both ends.
std::string curve(double from_x, double from_y, double to_x, double to_y) {
  if (from_y == to_y) return "M" + pixels(from_x) + "," + pixels(from_y) + "H" + pixels(to_x);
  const std::string middle = pixels((from_x + to_x) / 2);
  return "M" + pixels(from_x) + "," + pixels(from_y) + "C" + middle + "," + pixels(from_y) + " " + middle + "," +
         pixels(to_y) + " " + pixels(to_x) + "," + pixels(to_y);
}

// "add f32[8,4]", without the layout.
std::string operation(const Instruction& instruction) {
  const std::string shape = instruction.shape.is_array() ? to_string(instruction.shape) : "";
  return std::string(opcode_name(instruction.opcode)) + (shape.empty() ? "" : " " + shape.substr(0, shape.find('{')));
}

bool is_constant(const Instruction& instruction) { return instruction.opcode == Opcode::kConstant; }

}  // namespace

// More layers than stand beside each other go on below, as lines of a text do: an edge leaves at the end of one line,
// and enters at the begin of another.
Drawn draw_dots(const Dataflow& dataflow) {
  constexpr double kPitch = 13, kRadius = 4, kBetweenLines = 10;
  constexpr size_t kMostLayers = 88;
  const size_t shown = std::min(dataflow.layers, kMostLayers);
  const double width = static_cast<double>(shown) * kPitch, height = dataflow.rows * kPitch + kBetweenLines;
  const auto line = [&](const Dataflow::Node& node) { return node.layer / kMostLayers; };
  const auto x = [&](const Dataflow::Node& node) {
    return (static_cast<double>(node.layer % kMostLayers) + 0.5) * kPitch;
  };
  const auto y = [&](const Dataflow::Node& node) {
    return static_cast<double>(line(node)) * height + (node.row + 0.5) * kPitch;
  };
  std::string lines, dots;
  std::set<size_t> constants;
  for (const auto& [from, to] : dataflow.edges) {
    const Dataflow::Node &a = dataflow.nodes[from], &b = dataflow.nodes[to];
    // A constant that all use would be a line to all.
    if (is_constant(*a.instruction) && !constants.insert(from).second) continue;
    lines += "M" + pixels(x(a)) + "," + pixels(y(a));
    if (line(a) == line(b)) {
      lines += "L" + pixels(x(b)) + "," + pixels(y(b));
    } else {
      lines += "H" + pixels(width) + "M0," + pixels(y(b)) + "H" + pixels(x(b));
    }
  }
  for (const Dataflow::Node& node : dataflow.nodes) {
    const Instruction& instruction = *node.instruction;
    const std::string python = python_line(instruction);
    dots += element("circle",
                    {{"cx", pixels(x(node))},
                     {"cy", pixels(y(node))},
                     {"r", pixels(kRadius)},
                     {"class", is_constant(instruction) ? "given" : ""}},
                    tooltip(instruction.name + " = " + operation(instruction) + (python.empty() ? "" : "  " + python)));
  }
  if (!lines.empty()) lines = element("path", {{"class", "use"}, {"d", lines}});
  const size_t count = (dataflow.layers + kMostLayers - 1) / kMostLayers;
  return {width, static_cast<double>(count) * height - kBetweenLines, lines + dots};
}

Drawn draw_labelled(const Dataflow& dataflow) {
  constexpr size_t kMostCharacters = 26;
  constexpr double kCharacter = 6.7, kInside = 6, kBetween = 26, kHeight = 30, kPitch = 38;
  const auto name = [&](const Instruction& instruction) { return shortened(instruction.name, kMostCharacters); };
  const auto what = [&](const Instruction& instruction) { return shortened(operation(instruction), kMostCharacters); };
  const auto width_of = [&](const Dataflow::Node& node) {
    if (node.instruction == nullptr) return 0.0;
    const size_t characters = std::max(name(*node.instruction).size(), what(*node.instruction).size());
    return static_cast<double>(characters) * kCharacter + 2 * kInside;
  };
  std::vector<double> widths(dataflow.layers), begins(dataflow.layers);
  for (const Dataflow::Node& node : dataflow.nodes) widths[node.layer] = std::max(widths[node.layer], width_of(node));
  double end = 0;
  for (size_t layer = 0; layer < dataflow.layers; ++layer) {
    begins[layer] = end;
    end += widths[layer] + kBetween;
  }
  const auto middle = [&](const Dataflow::Node& node) { return node.row * kPitch + kHeight / 2; };
  std::string lines, boxes;
  for (const auto& [from, to] : dataflow.edges) {
    const Dataflow::Node &a = dataflow.nodes[from], &b = dataflow.nodes[to];
    // A place of an edge is as wide as its layer.
    const double begin = begins[a.layer] + (a.instruction == nullptr ? widths[a.layer] : width_of(a));
    if (a.instruction == nullptr) {
      lines += "M" + pixels(begins[a.layer]) + "," + pixels(middle(a)) + "H" + pixels(begin);
    }
    // What is narrower than its layer leaves it at the end of it.
    const double leaves = begins[a.layer] + widths[a.layer];
    if (leaves > begin) lines += "M" + pixels(begin) + "," + pixels(middle(a)) + "H" + pixels(leaves);
    lines += curve(leaves, middle(a), begins[b.layer], middle(b));
  }
  for (const Dataflow::Node& node : dataflow.nodes) {
    if (node.instruction == nullptr) continue;
    const double x = begins[node.layer], y = node.row * kPitch;
    const bool given = node.is_read || is_constant(*node.instruction);
    boxes += element("g", {{"class", given ? "node given" : "node"}},
                     tooltip(instruction_line(*node.instruction)) +
                         element("rect", {{"x", pixels(x)},
                                          {"y", pixels(y)},
                                          {"width", pixels(width_of(node))},
                                          {"height", pixels(kHeight)},
                                          {"rx", "4"}}) +
                         text_at(x + kInside, y + 12, name(*node.instruction), "label") +
                         text_at(x + kInside, y + 25, what(*node.instruction), "small"));
  }
  if (!lines.empty()) lines = element("path", {{"class", "use"}, {"d", lines}});
  const double height = dataflow.rows == 0 ? 0 : (dataflow.rows - 1) * kPitch + kHeight;
  return {std::max(0.0, end - kBetween), height, lines + boxes};
}

}  // namespace sinter
