// What the drawings of the page of `sinter compile --report` show: the plan's own numbers, each in its place.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <set>

#include "driver/page/arena_chart.h"
#include "driver/page/dataflow.h"
#include "driver/page/graph_layout.h"
#include "driver/page/kernel_graph.h"
#include "driver/page/roofline.h"
#include "driver/page/svg.h"
#include "driver/system/files.h"
#include "passes/lower/host/arena.h"
#include "passes/schedule/cost/roofs.h"
#include "tests/driver/h200.h"

namespace sinter {
namespace {

std::optional<Artifact> artifact_of(const std::string& name, const std::string& text, bool grid_loops = true) {
  const Source source = {.name = name, .text = text};
  Diagnostics diagnostics(source);
  CompileOptions options;
  options.schedule.moves.grid_loops = grid_loops;
  std::optional<Artifact> artifact = compile(options, diagnostics);
  EXPECT_TRUE(artifact) << diagnostics.render();
  return artifact;
}

std::optional<Artifact> sample(const std::string& name, bool grid_loops = true) {
  std::string error;
  const std::string file = std::string(SINTER_SOURCE_DIR) + "/samples/" + name + "/" + name + ".hlo";
  return artifact_of(file, read_file(file, error).value_or(""), grid_loops);
}

constexpr const char* kSamples[] = {"softmax", "cartpole_soa", "kmeans", "gpt2_block"};

// The numbers of an element's attribute in a drawing, in order.
std::vector<double> numbers(const std::string& svg, const std::string& element, const std::string& attribute) {
  std::vector<double> found;
  const std::regex pattern("<" + element + "[^>]* " + attribute + "=\"([-0-9.]+)\"");
  for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at)
    found.push_back(std::stod((*at)[1]));
  return found;
}

std::string edges_text(const Program& program) {
  const KernelGraph graph = kernel_graph(program);
  const auto name = [&](size_t node) {
    return graph.nodes[node].kernel ? program.kernels[*graph.nodes[node].kernel].name : "call";
  };
  std::string text;
  for (const KernelGraph::Edge& edge : graph.edges) {
    text += name(edge.from) + " -> " + name(edge.to) + ":";
    for (const size_t buffer : edge.buffers) text += " " + program.plan.buffers[buffer].name;
    text += "\n";
  }
  return text;
}

TEST(KernelGraph, HasWhatOneKernelReadsOfAnother) {
  const std::optional<Artifact> artifact = sample("gpt2_block");
  ASSERT_TRUE(artifact);
  const std::string edges = edges_text(artifact->program);
  EXPECT_NE(edges.find("dense -> attention:"), std::string::npos) << edges;
  EXPECT_NE(edges.find("dense_2 -> dense_4:"), std::string::npos) << edges;  // past another kernel
  EXPECT_EQ(edges.find("dense_4 -> "), std::string::npos) << edges;          // the last
}

// A launch of a loop reads what a launch behind it wrote a step before; what stands behind the loop is not read in it.
TEST(KernelGraph, OfALoop) {
  const std::optional<Artifact> artifact = sample("kmeans", /*grid_loops=*/false);
  ASSERT_TRUE(artifact);
  const KernelGraph graph = kernel_graph(artifact->program);
  size_t back = 0;
  for (const KernelGraph::Edge& edge : graph.edges) back += edge.to <= edge.from;
  EXPECT_GT(back, 0u) << edges_text(artifact->program);
  const std::optional<Artifact> straight = sample("gpt2_block");
  ASSERT_TRUE(straight);
  for (const KernelGraph::Edge& edge : kernel_graph(straight->program).edges) EXPECT_LT(edge.from, edge.to);
}

TEST(Dataflow, PutsEachInstructionBehindWhatItUses) {
  const std::optional<Artifact> artifact = sample("softmax");
  ASSERT_TRUE(artifact);
  std::vector<const Instruction*> computed;
  for (const Instruction& instruction : artifact->module->entry()->instructions()) {
    if (instruction.opcode != Opcode::kParameter) computed.push_back(&instruction);
  }
  for (const Detail detail : {Detail::kDots, Detail::kLabelled}) {
    const Dataflow flow = dataflow_of(computed, order_of(*artifact->module), detail);
    std::set<std::pair<size_t, double>> places;
    size_t drawn = 0;
    for (const Dataflow::Node& node : flow.nodes) {
      drawn += node.instruction != nullptr && !node.is_read;
      EXPECT_TRUE(places.emplace(node.layer, node.row).second);
      EXPECT_LT(node.layer, flow.layers);
      EXPECT_LE(node.row, flow.rows - 1);
    }
    EXPECT_EQ(drawn, computed.size());
    for (const auto& [from, to] : flow.edges) {
      EXPECT_LT(flow.nodes[from].layer, flow.nodes[to].layer);
      EXPECT_TRUE(detail == Detail::kDots || flow.nodes[from].layer + 1 == flow.nodes[to].layer);
    }
  }
}

// Chains are long, pages are not wide: a drawing has lines, as a text has.
TEST(Dataflow, OfALongChainHasLines) {
  std::string text = "HloModule m\nENTRY e {\n  x0 = f32[8] parameter(0)\n";
  for (int i = 0; i < 200; ++i) {
    text += "  x" + std::to_string(i + 1) + " = f32[8] sine(x" + std::to_string(i) + ")\n";
  }
  text += "  ROOT r = f32[8] negate(x200)\n}\n";
  const Source source = {.name = "chain.hlo", .text = text};
  Diagnostics diagnostics(source);
  const std::unique_ptr<Module> module = read_module(diagnostics);
  ASSERT_TRUE(module) << diagnostics.render();
  std::vector<const Instruction*> computed;
  for (const Instruction& instruction : module->entry()->instructions()) computed.push_back(&instruction);
  const Dataflow flow = dataflow_of(computed, order_of(*module), Detail::kDots);
  EXPECT_EQ(flow.layers, 202u);
  const Drawn drawn = draw_dots(flow);
  EXPECT_LE(drawn.width, 1200);
  const std::vector<double> x = numbers(drawn.content, "circle", "cx"), y = numbers(drawn.content, "circle", "cy");
  ASSERT_EQ(x.size(), 202u);
  std::set<std::pair<double, double>> places;
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_LE(x[i], drawn.width);
    EXPECT_LE(y[i], drawn.height);
    EXPECT_TRUE(places.emplace(x[i], y[i]).second);
  }
  EXPECT_EQ(std::set<double>(y.begin(), y.end()).size(), 3u);
}

TEST(GraphLayout, BoxesAreApartAndBelowWhatTheyRead) {
  for (const char* name : kSamples) {
    const std::optional<Artifact> artifact = sample(name);
    ASSERT_TRUE(artifact);
    const KernelGraph graph = kernel_graph(artifact->program);
    const std::vector<std::pair<double, double>> sizes(graph.nodes.size(), {500, 80});
    const GraphLayout layout = lay_out(graph, sizes);
    for (size_t i = 0; i < layout.boxes.size(); ++i) {
      const Box& box = layout.boxes[i];
      EXPECT_GE(box.x, 0);
      EXPECT_LE(box.x + box.width, layout.width);
      EXPECT_LE(box.y + box.height, layout.height);
      for (size_t k = 0; k < i; ++k) {
        const Box& other = layout.boxes[k];
        const bool apart = box.x >= other.x + other.width || other.x >= box.x + box.width ||
                           box.y >= other.y + other.height || other.y >= box.y + box.height;
        EXPECT_TRUE(apart) << name << " " << k << " " << i;
      }
    }
    size_t wires = 0, wanted = 0;
    for (const KernelGraph::Edge& edge : graph.edges) {
      wanted += edge.from != edge.to;
      EXPECT_TRUE(edge.from >= edge.to || layout.boxes[edge.to].y > layout.boxes[edge.from].y) << name;
    }
    for (const Wires& of : layout.wires) wires += of.direct.size() + of.branches.size();
    EXPECT_EQ(wires, wanted) << name;
  }
}

TEST(ArenaBars, AreWhereThePlanHasThem) {
  for (const char* name : kSamples) {
    const std::optional<Artifact> artifact = sample(name);
    ASSERT_TRUE(artifact);
    const HostPlan& plan = artifact->program.plan;
    const std::vector<ArenaBar> bars = arena_bars(artifact->program);
    for (size_t i = 0; i < bars.size(); ++i) {
      const Buffer& buffer = plan.buffers[bars[i].buffer];
      EXPECT_EQ(bars[i].offset, buffer.offset);
      EXPECT_EQ(bars[i].bytes, buffer.shape.bytes());
      EXPECT_LE(bars[i].offset + bars[i].bytes, plan.arena_bytes);
      EXPECT_LT(bars[i].last, plan.steps.size());
      for (size_t k = 0; k < i; ++k) {
        const bool apart = bars[i].first > bars[k].last || bars[k].first > bars[i].last ||
                           bars[i].offset >= bars[k].offset + bars[k].bytes ||
                           bars[k].offset >= bars[i].offset + bars[i].bytes;
        EXPECT_TRUE(apart) << name << " " << buffer.name << " " << plan.buffers[bars[k].buffer].name;
      }
    }
    EXPECT_EQ(live_peak(plan, arena_lives(plan)).bytes, plan.live_bytes) << name;
  }
}

TEST(ArenaDrawing, IsToScale) {
  const std::optional<Artifact> artifact = sample("gpt2_block");
  ASSERT_TRUE(artifact);
  const HostPlan& plan = artifact->program.plan;
  const std::vector<ArenaBar> bars = arena_bars(artifact->program);
  const std::string svg = draw_arena(artifact->program, report_plan(*artifact));
  const std::vector<double> x = numbers(svg, "rect", "x"), y = numbers(svg, "rect", "y"),
                            width = numbers(svg, "rect", "width"), height = numbers(svg, "rect", "height");
  ASSERT_EQ(x.size(), bars.size() + 1);  // the first is the ground
  constexpr double kRounding = 0.11;
  const double column = width[0] / static_cast<double>(plan.steps.size());
  const double byte = height[0] / static_cast<double>(plan.arena_bytes);
  for (size_t i = 0; i < bars.size(); ++i) {
    EXPECT_NEAR(x[i + 1], x[0] + column * static_cast<double>(bars[i].first), kRounding);
    EXPECT_NEAR(width[i + 1], column * static_cast<double>(bars[i].last - bars[i].first + 1), kRounding);
    const auto end = static_cast<double>(bars[i].offset + bars[i].bytes);
    EXPECT_NEAR(y[i + 1], y[0] + height[0] - byte * end, kRounding);
    EXPECT_NEAR(height[i + 1], std::max(1.0, byte * static_cast<double>(bars[i].bytes)), kRounding);
  }
}

// By the model no launch moves bytes or computes faster than the roofs say.
TEST(Roofline, PointsAreThoseOfTheReportAndUnderTheRoofs) {
  for (const char* name : kSamples) {
    const std::optional<Artifact> artifact = sample(name);
    ASSERT_TRUE(artifact);
    const PlanReport report = report_plan(*artifact);
    double share = 0;
    for (const RooflinePoint& point : roofline_points(report)) {
      const PlanReport::KernelReport& kernel = report.kernels[point.kernel];
      const auto bytes = static_cast<double>(kernel.bytes_read + kernel.bytes_written);
      EXPECT_DOUBLE_EQ(point.flops_a_byte * bytes, static_cast<double>(kernel.flops));
      EXPECT_DOUBLE_EQ(point.gflops_a_second * 1e3 * kernel.predicted_us, static_cast<double>(kernel.flops));
      double slope = 0, flat = 0;
      for (const Roof& roof : roofs(report, artifact->gpu)) (roof.is_flat ? flat : slope) = roof.rate;
      EXPECT_LE(point.gflops_a_second, std::min(flat, slope * point.flops_a_byte)) << name;
      share += point.share;
    }
    EXPECT_LE(share, 1 + 1e-9) << name;
  }
}

TEST(Roofline, RoofsAreTheModels) {
  PlanReport report;
  const Gpu gpu = h200();
  const std::vector<Roof> all = roofs(report, gpu);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].rate, gpu.memory_gb_per_s);
  EXPECT_EQ(all[1].rate, gpu.l2_gb_per_s);
  EXPECT_EQ(all[2].rate, most_flops_a_us(Bound::kF32, gpu) / 1e3);
  EXPECT_EQ(all[2].name, "f32 units 66.9 TFLOP/s");
  EXPECT_EQ(all[3].rate, most_flops_a_us(Bound::kTensor, gpu) / 1e3);
  report.kernels.push_back({.bound = std::string(bound_name(Bound::kF64))});
  EXPECT_EQ(roofs(report, gpu)[2].name, "tensor cores, doubles 66.9 TFLOP/s");
}

// Both axes are logarithmic: ten times as much is as far everywhere.
TEST(RooflineDrawing, IsLogarithmic) {
  PlanReport report;
  for (const int64_t flops : {1000, 10000, 100000}) {
    report.kernels.push_back({.name = "k", .count = 1, .bytes_read = 1000, .flops = flops, .predicted_us = 10});
  }
  const std::string svg = draw_roofline(report, h200());
  const std::vector<double> x = numbers(svg, "circle", "cx"), y = numbers(svg, "circle", "cy");
  ASSERT_EQ(x.size(), 3u);
  EXPECT_GT(x[1], x[0]);
  EXPECT_LT(y[1], y[0]);
  EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.2);
  EXPECT_NEAR(y[1] - y[0], y[2] - y[1], 0.2);
  EXPECT_EQ(draw_roofline({}, h200()), "");
}

TEST(Svg, IsSafe) {
  EXPECT_EQ(element("rect", {{"x", "\"><script>"}, {"class", ""}}), "<rect x=\"&quot;&gt;&lt;script&gt;\"/>");
  EXPECT_EQ(tooltip("</title>&"), "<title>&lt;/title&gt;&amp;</title>");
  EXPECT_EQ(text_at(1.25, -0.01, "<b>"), "<text x=\"1.2\" y=\"0\">&lt;b&gt;</text>");
  EXPECT_EQ(shortened("abcdef", 4), "abc\xe2\x80\xa6");
  EXPECT_EQ(shortened("ab\xc3\xa4"
                      "def",
                      4),
            "ab\xe2\x80\xa6");  // no half of a character
}

// In a run without loops the boxes are all of the time.
TEST(LaunchBoxes, AreAsLongAsTheRun) {
  const std::optional<Artifact> artifact = sample("gpt2_block");
  ASSERT_TRUE(artifact);
  double sum = 0;
  for (const HostStep& step : artifact->program.plan.steps) {
    sum += predicted_step_us(step, artifact->program, artifact->gpu).value_or(0);
  }
  EXPECT_NEAR(sum, report_plan(*artifact).predicted_us.value(), 1e-6);
}

}  // namespace
}  // namespace sinter
