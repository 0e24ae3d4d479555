#include "driver/page/graph_layout.h"

#include <algorithm>

namespace sinter {
namespace {

constexpr double kWidest = 1200;  // of a line with several boxes
constexpr double kBetweenBoxes = 20, kBetweenLines = 40;
constexpr double kLane = 6;        // from one lane to the next
constexpr size_t kMostLanes = 40;  // more share them

class BoxLayout {
 public:
  BoxLayout(const KernelGraph& graph, const std::vector<std::pair<double, double>>& sizes)
      : graph_(graph), sizes_(sizes), ends_(graph.nodes.size()) {}

  GraphLayout lay_out() {
    const size_t count = graph_.nodes.size();
    layout_.boxes.resize(count);
    layout_.wires.resize(count);
    place_boxes();
    lay_wires();
    return std::move(layout_);
  }

 private:
  std::vector<std::vector<size_t>> layers() const {
    std::vector<size_t> layer(graph_.nodes.size());
    std::vector<std::vector<size_t>> sources(graph_.nodes.size());
    for (const KernelGraph::Edge& edge : graph_.edges) {
      if (edge.from < edge.to) sources[edge.to].push_back(edge.from);
    }
    std::vector<std::vector<size_t>> result;
    for (size_t node = 0; node < layer.size(); ++node) {
      for (const size_t source : sources[node]) layer[node] = std::max(layer[node], layer[source] + 1);
      if (layer[node] >= result.size()) result.resize(layer[node] + 1);
      result[layer[node]].push_back(node);
    }
    return result;
  }

  // The middle of what a box reads from, where that is placed.
  double wanted_x(size_t node, const std::vector<std::vector<size_t>>& sources) const {
    double sum = 0;
    for (const size_t source : sources[node]) sum += layout_.boxes[source].x + layout_.boxes[source].width / 2;
    return sources[node].empty() ? 0 : sum / static_cast<double>(sources[node].size());
  }

  void place_boxes() {
    std::vector<std::vector<size_t>> sources(graph_.nodes.size());
    for (const KernelGraph::Edge& edge : graph_.edges) {
      if (edge.from < edge.to) sources[edge.to].push_back(edge.from);
    }
    double y = kBetweenLines / 2;
    for (std::vector<size_t> layer : layers()) {
      std::stable_sort(layer.begin(), layer.end(),
                       [&](size_t a, size_t b) { return wanted_x(a, sources) < wanted_x(b, sources); });
      double x = 0, height = 0;
      const auto end_line = [&] {
        y += height + kBetweenLines;
        x = height = 0;
        ++lines_;
      };
      for (const size_t node : layer) {
        const auto& [box_width, box_height] = sizes_[node];
        if (x > 0 && x + box_width > kWidest) end_line();
        layout_.boxes[node] = {x, y, box_width, box_height, lines_};
        layout_.width = std::max(layout_.width, x + box_width);
        x += box_width + kBetweenBoxes;
        height = std::max(height, box_height);
        if (tops_.size() <= lines_) tops_.push_back(y);
      }
      end_line();
    }
    layout_.height = y - kBetweenLines / 2;
  }

  // Where the next wire leaves a box, or enters it: they stand beside each other.
  double place_on(size_t node, bool enters) {
    constexpr double kFirst = 14, kPitch = 9;
    size_t& used = enters ? ends_[node].entered : ends_[node].left;
    const double room = layout_.boxes[node].width - 2 * kFirst;
    const auto places = static_cast<size_t>(std::max(1.0, room / kPitch));
    const double along = kFirst + static_cast<double>(used++ % places) * kPitch;
    return layout_.boxes[node].x + along;
  }

  // Height in the gap above a line: a lane has its own, as far as there is room.
  double run_above(size_t line, size_t lane) const {
    constexpr double kRoom = kBetweenLines - 20;
    return tops_[line] - 12 - static_cast<double>(lane % 7) * kRoom / 7;
  }

  void lay_wires() {
    std::vector<std::vector<size_t>> far(graph_.nodes.size());
    for (const KernelGraph::Edge& edge : graph_.edges) {
      if (edge.from == edge.to) continue;
      const Box &from = layout_.boxes[edge.from], &to = layout_.boxes[edge.to];
      if (to.line != from.line + 1) {
        far[edge.from].push_back(edge.to);
        continue;
      }
      Wires::Direct wire = {.to = edge.to, .from_x = place_on(edge.from, false), .from_y = from.y + from.height};
      wire.to_x = place_on(edge.to, true);
      wire.to_y = to.y;
      layout_.wires[edge.from].direct.push_back(wire);
    }
    std::vector<size_t> free_from;  // by lane: the first line that it is free in
    for (size_t node = 0; node < far.size(); ++node) {
      if (!far[node].empty()) lay_lane(node, far[node], &free_from);
    }
    shift(static_cast<double>(std::min(free_from.size(), kMostLanes) + 2) * kLane);
  }

  void lay_lane(size_t node, const std::vector<size_t>& targets, std::vector<size_t>* free_from) {
    const Box& box = layout_.boxes[node];
    size_t first = box.line + 1, last = box.line + 1;
    for (const size_t to : targets) {
      first = std::min(first, layout_.boxes[to].line);
      last = std::max(last, layout_.boxes[to].line);
    }
    size_t lane = 0;
    while (lane < free_from->size() && (*free_from)[lane] > first) ++lane;
    if (lane == free_from->size()) free_from->push_back(0);
    (*free_from)[lane] = std::max((*free_from)[lane], last + 1);
    Wires& wires = layout_.wires[node];
    wires.lane_x = -static_cast<double>(lane % kMostLanes + 2) * kLane;
    wires.from_x = place_on(node, false);
    wires.from_y = box.y + box.height;
    wires.run_y = box.line + 1 < tops_.size() ? run_above(box.line + 1, lane) : wires.from_y + kBetweenLines / 2 - 4;
    // A box that is not the highest of its line ends above the gap.
    for (const size_t to : targets) {
      const Box& target = layout_.boxes[to];
      wires.branches.push_back({to, place_on(to, true), target.y, run_above(target.line, lane), to < node});
    }
  }

  void shift(double by) {
    layout_.width += by;
    for (Box& box : layout_.boxes) box.x += by;
    for (Wires& wires : layout_.wires) {
      wires.lane_x += by;
      wires.from_x += by;
      for (Wires::Branch& branch : wires.branches) branch.x += by;
      for (Wires::Direct& direct : wires.direct) {
        direct.from_x += by;
        direct.to_x += by;
      }
    }
  }

  struct Ends {
    size_t entered = 0, left = 0;
  };
  const KernelGraph& graph_;
  const std::vector<std::pair<double, double>>& sizes_;
  GraphLayout layout_;
  size_t lines_ = 0;
  std::vector<double> tops_;  // by line
  std::vector<Ends> ends_;    // by node
};

}  // namespace

GraphLayout lay_out(const KernelGraph& graph, const std::vector<std::pair<double, double>>& sizes) {
  return BoxLayout(graph, sizes).lay_out();
}

}  // namespace sinter
