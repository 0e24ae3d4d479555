#include "driver/page/arena_chart.h"

#include <algorithm>
#include <tuple>

#include "driver/page/draw_graph.h"
#include "driver/page/kernel_graph.h"
#include "driver/page/svg.h"
#include "emitter/host/emit_host.h"
#include "passes/lower/host/arena.h"

namespace sinter {
namespace {

// What stands above a step's column.
std::string step_label(const HostStep& step) {
  switch (step.kind) {
    case HostStep::Kind::kLaunch:
      return kernel_number(step.kernel);
    case HostStep::Kind::kLoop:
      return std::to_string(step.trip) + "\xc3\x97";
    case HostStep::Kind::kWhile:
      return "while";
    case HostStep::Kind::kBranch:
      return "if";
    case HostStep::Kind::kFork:
      return "fork";
    case HostStep::Kind::kCopy:
      return "copy";
    case HostStep::Kind::kClear:
      return "clear";
    case HostStep::Kind::kCall:
      return "call";
    case HostStep::Kind::kSwap:
    case HostStep::Kind::kPoint:
    case HostStep::Kind::kTogether:
      break;
  }
  return "";
}

class ArenaDrawing {
 public:
  ArenaDrawing(const Program& program, const PlanReport& report)
      : plan_(program.plan), report_(report), bars_(arena_bars(program)), peak_(live_peak(plan_, arena_lives(plan_))) {}

  std::string draw() const {
    if (bars_.empty()) return "";
    std::string content = axes();
    for (const ArenaBar& bar : bars_) content += draw_bar(bar);
    content += peak();
    return drawing(kLeft + kWidth + 8, kTop + kHeight + kBottom, "the arena over the steps of a run", content);
  }

 private:
  static constexpr double kLeft = 80, kTop = 30, kWidth = 1150, kHeight = 340, kBottom = 26;
  static constexpr double kCharacter = 6.7;

  double x(size_t step) const {
    return kLeft + kWidth * static_cast<double>(step) / static_cast<double>(plan_.steps.size());
  }
  // Offset 0 is at the bottom.
  double y(int64_t offset) const {
    return kTop + kHeight * (1 - static_cast<double>(offset) / static_cast<double>(plan_.arena_bytes));
  }

  std::string axes() const {
    std::string text = ground(kLeft, kTop, kWidth, kHeight);
    for (const int64_t quarter : {0, 1, 2, 3, 4}) {
      const int64_t bytes = plan_.arena_bytes / 4 * quarter;
      text += element("path",
                      {{"class", "grid"}, {"d", "M" + pixels(kLeft) + "," + pixels(y(bytes)) + "h" + pixels(kWidth)}});
      text += text_at(kLeft - 6, y(bytes) + 4, bytes_text(bytes), "small", "end");
    }
    const double column = x(1) - x(0);
    double free_from = kLeft;
    for (size_t step = 0; step < plan_.steps.size(); ++step) {
      const std::string label = step_label(plan_.steps[step]);
      const double width = static_cast<double>(label.size()) * kCharacter, middle = x(step) + column / 2;
      if (label.empty() || middle - width / 2 < free_from) continue;
      free_from = middle + width / 2 + 4;
      text += text_at(middle, kTop - 8, label, "small", "middle");
    }
    return text;
  }

  std::string draw_bar(const ArenaBar& bar) const {
    const Buffer& buffer = plan_.buffers[bar.buffer];
    const double left = x(bar.first), width = x(bar.last + 1) - left;
    const double top = y(bar.offset + bar.bytes), height = std::max(1.0, y(bar.offset) - top);
    const std::string maker = bar.kernel ? ", first written by " + report_.kernels[*bar.kernel].name : "";
    std::string content = tooltip(buffer.name + " " + to_string(buffer.shape) + ": " + bytes_text(bar.bytes) + " at " +
                                  std::to_string(bar.offset) + ", " + steps_text(bar.first, bar.last) + maker);
    content += element("rect",
                       {{"x", pixels(left)}, {"y", pixels(top)}, {"width", pixels(width)}, {"height", pixels(height)}});
    const auto room = static_cast<size_t>(std::max(0.0, width - 8) / kCharacter);
    if (height >= 13 && room >= 4)
      content += text_at(left + 4, top + height / 2 + 4, shortened(buffer.name, room), "small");
    const std::string style = "bar " + (bar.kernel ? colour_class(*bar.kernel) : std::string("call"));
    // By keyboard the same is reached in the table, and the kernel in its own list.
    if (!bar.kernel) return element("g", {{"class", style}}, content);
    return element("a", {{"class", style}, {"href", "#" + kernel_id(*bar.kernel)}, {"tabindex", "-1"}}, content);
  }

  std::string peak() const {
    const size_t step = peak_.step;
    const double middle = (x(step) + x(step + 1)) / 2;
    const bool left = middle > kLeft + kWidth / 2;
    const std::string text = "peak: " + bytes_text(peak_.bytes) + " live in step " + std::to_string(step + 1);
    return element("path",
                   {{"class", "peak"}, {"d", "M" + pixels(middle) + "," + pixels(kTop) + "v" + pixels(kHeight + 6)}}) +
           text_at(middle + (left ? -5 : 5), kTop + kHeight + 18, text, "label", left ? "end" : "start");
  }

  const HostPlan& plan_;
  const PlanReport& report_;
  const std::vector<ArenaBar> bars_;
  const LivePeak peak_;
};

}  // namespace

std::vector<ArenaBar> arena_bars(const Program& program) {
  const std::vector<std::optional<size_t>> writers = first_writers(program);
  std::vector<ArenaBar> bars;
  for (const ArenaLife& life : arena_lives(program.plan)) {
    const Buffer& buffer = program.plan.buffers[life.buffer];
    bars.push_back({life.buffer, life.first, life.last, buffer.offset, buffer.shape.bytes(), writers[life.buffer]});
  }
  std::sort(bars.begin(), bars.end(), [](const ArenaBar& a, const ArenaBar& b) {
    return std::tie(a.offset, a.first, a.buffer) < std::tie(b.offset, b.first, b.buffer);
  });
  return bars;
}

std::string draw_arena(const Program& program, const PlanReport& report) {
  return program.plan.arena_bytes > 0 ? ArenaDrawing(program, report).draw() : "";
}

std::string steps_text(size_t first, size_t last) {
  return first == last ? "step " + std::to_string(first + 1)
                       : "steps " + std::to_string(first + 1) + " to " + std::to_string(last + 1);
}

}  // namespace sinter
