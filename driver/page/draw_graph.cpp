// Instructions have names here in programs that have few, else they are dots, whose names are shown when pointed at and
// in what the kernel opens.
#include "driver/page/draw_graph.h"

#include <algorithm>

#include "driver/page/dataflow.h"
#include "driver/page/graph_layout.h"
#include "driver/page/kernel_graph.h"
#include "driver/page/svg.h"
#include "emitter/host/emit_host.h"
#include "ir/module/host_functions.h"

namespace sinter {
namespace {

constexpr size_t kMostLabelled = 150;     // instructions of a program
constexpr double kWidestLabelled = 1200;  // of a kernel's drawing

std::string at(double x, double y) { return pixels(x) + "," + pixels(y); }

std::string arrowhead(double x, double y) {
  return "M" + at(x - 3.5, y - 6) + "L" + at(x, y) + "L" + at(x + 3.5, y - 6) + "z";
}

class GraphDrawing {
 public:
  GraphDrawing(const Program& program, const PlanReport& report, const KernelInstructions& instructions,
               const InstructionOrder& order)
      : program_(program), report_(report), graph_(kernel_graph(program)), inside_(graph_.nodes.size()) {
    if (!draw_inside(instructions, order, Detail::kLabelled)) draw_inside(instructions, order, Detail::kDots);
  }

  std::string draw() {
    if (graph_.nodes.empty()) return "";
    std::vector<std::pair<double, double>> sizes;
    for (size_t node = 0; node < graph_.nodes.size(); ++node) sizes.push_back(size_of(node));
    const GraphLayout layout = lay_out(graph_, sizes);
    std::string content;
    for (size_t node = 0; node < graph_.nodes.size(); ++node) {
      const std::optional<size_t> kernel = graph_.nodes[node].kernel;
      content += element("g",
                         {{"class", "k " + (kernel ? colour_class(*kernel) : "call")},
                          {"data-kernel", kernel ? kernel_id(*kernel) : ""}},
                         wires(node, layout.wires[node]) + box(node, layout.boxes[node]));
    }
    return drawing(layout.width + 2, layout.height, "kernels, their instructions, and what each reads of others",
                   content);
  }

 private:
  // False where there is no room for that.
  bool draw_inside(const KernelInstructions& instructions, const InstructionOrder& order, Detail detail) {
    const bool labelled = detail == Detail::kLabelled;
    size_t all = 0;
    for (const auto& of_kernel : instructions) all += of_kernel.size();
    if (labelled && all > kMostLabelled) return false;
    for (size_t node = 0; node < graph_.nodes.size(); ++node) {
      const std::optional<size_t> kernel = graph_.nodes[node].kernel;
      if (!kernel || instructions[*kernel].empty()) continue;
      const Dataflow flow = dataflow_of(instructions[*kernel], order, detail);
      inside_[node] = labelled ? draw_labelled(flow) : draw_dots(flow);
      if (labelled && inside_[node].width > kWidestLabelled) return false;
    }
    return true;
  }

  static constexpr double kInside = 8, kHead = 51, kCharacter = 6.8;

  std::string name(size_t node) const {
    const KernelGraph::Node& of = graph_.nodes[node];
    if (of.kernel) return kernel_number(*of.kernel) + " " + report_.kernels[*of.kernel].name;
    const DeviceFunctionName called = parse_function_name(of.first->call.function);
    return (called.header.empty() ? "library::" : "") + called.function;
  }

  std::string what(size_t node) const {
    if (!graph_.nodes[node].kernel) return "a call";
    const PlanReport::KernelReport& kernel = report_.kernels[*graph_.nodes[node].kernel];
    std::string text = time_text(kernel.predicted_us);
    if (kernel.count != 1) text += kernel.count ? " \xc3\x97 " + std::to_string(*kernel.count) : ", often";
    return text + ", " + kernel.bound + (reads_itself(node) ? " \xe2\x86\xba" : "");
  }

  // "→ scores f32[8,16], 1 more": what its first launch writes.
  std::string results(size_t node) const {
    constexpr size_t kMost = 40;
    const HostStep& step = *graph_.nodes[node].first;
    std::string text;
    size_t more = 0;
    for (size_t i = 0; i < step.buffers.size(); ++i) {
      if (!is_written(program_, step, i)) continue;
      const Buffer& buffer = program_.plan.buffers[step.buffers[i]];
      if (text.empty()) {
        text = shortened("\xe2\x86\x92 " + buffer.name + " " + to_string(buffer.shape), kMost);
      } else {
        ++more;
      }
    }
    return text + (more == 0 ? "" : ", " + std::to_string(more) + " more");
  }

  bool reads_itself(size_t node) const {
    return std::any_of(graph_.edges.begin(), graph_.edges.end(),
                       [&](const KernelGraph::Edge& edge) { return edge.from == node && edge.to == node; });
  }

  std::pair<double, double> size_of(size_t node) const {
    const auto characters = static_cast<double>(std::max({name(node).size(), what(node).size(), results(node).size()}));
    const Drawn& inside = inside_[node];
    const double width = std::max(characters * kCharacter, inside.width) + 2 * kInside;
    return {width, inside.content.empty() ? kHead + 4 : kHead + inside.height + kInside};
  }

  std::string box(size_t node, const Box& box) const {
    std::string content = element("rect", {{"class", "box"},
                                           {"x", pixels(box.x)},
                                           {"y", pixels(box.y)},
                                           {"width", pixels(box.width)},
                                           {"height", pixels(box.height)},
                                           {"rx", "5"}});
    content += text_at(box.x + kInside, box.y + 15, name(node), "label");
    content += text_at(box.x + kInside, box.y + 29, what(node), "small");
    content += text_at(box.x + kInside, box.y + 42, results(node), "small");
    if (!inside_[node].content.empty()) {
      content +=
          element("g", {{"transform", "translate(" + pixels(box.x + kInside) + " " + pixels(box.y + kHead) + ")"}},
                  inside_[node].content);
    }
    const std::optional<size_t> kernel = graph_.nodes[node].kernel;
    return element(kernel ? "a" : "g", {{"href", kernel ? "#" + kernel_id(*kernel) : ""}}, content);
  }

  // "dense to attention: add.40 18.4 kB".
  std::string edge_text(size_t from, size_t to) const {
    constexpr size_t kMostNamed = 6;
    const auto edge = std::lower_bound(graph_.edges.begin(), graph_.edges.end(), KernelGraph::Edge{from, to, {}});
    std::string text = name(from) + " \xe2\x86\x92 " + name(to) + ": ";
    for (size_t i = 0; i < std::min(edge->buffers.size(), kMostNamed); ++i) {
      const Buffer& buffer = program_.plan.buffers[edge->buffers[i]];
      text += (i == 0 ? "" : ", ") + buffer.name + " " + bytes_text(buffer.shape.bytes());
    }
    if (edge->buffers.size() > kMostNamed)
      text += " and " + std::to_string(edge->buffers.size() - kMostNamed) + " more";
    return text;
  }

  // Of each wire its line, which says what it carries, and its head.
  std::string wires(size_t node, const Wires& wires) const {
    std::string result;
    const auto add = [&](size_t to, const std::string& line, double x, double y, bool back) {
      result += element("g", {{"class", back ? "wire back" : "wire"}},
                        tooltip(edge_text(node, to)) + element("path", {{"class", "line"}, {"d", line}}) +
                            element("path", {{"d", arrowhead(x, y)}}));
    };
    for (const Wires::Direct& wire : wires.direct) {
      const double middle = (wire.from_y + wire.to_y) / 2;
      add(wire.to,
          "M" + at(wire.from_x, wire.from_y) + "C" + at(wire.from_x, middle) + " " + at(wire.to_x, middle) + " " +
              at(wire.to_x, wire.to_y - 4),
          wire.to_x, wire.to_y, false);
    }
    for (const Wires::Branch& branch : wires.branches) {
      add(branch.to,
          "M" + at(wires.from_x, wires.from_y) + "V" + pixels(wires.run_y) + "H" + pixels(wires.lane_x) + "V" +
              pixels(branch.run_y) + "H" + pixels(branch.x) + "V" + pixels(branch.y - 4),
          branch.x, branch.y, branch.is_back);
    }
    return result;
  }

  const Program& program_;
  const PlanReport& report_;
  const KernelGraph graph_;
  std::vector<Drawn> inside_;  // by node
};

}  // namespace

std::string draw_graph(const Program& program, const PlanReport& report, const KernelInstructions& instructions,
                       const InstructionOrder& order) {
  return GraphDrawing(program, report, instructions, order).draw();
}

std::string kernel_id(size_t kernel) { return "kernel-" + kernel_number(kernel); }
std::string kernel_number(size_t kernel) { return std::to_string(kernel + 1); }

}  // namespace sinter
