// Boxes of kernels in layers, each below those that it reads from, and the wires between them.
#pragma once

#include <cstddef>
#include <vector>

#include "driver/page/kernel_graph.h"

namespace sinter {

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
  size_t line = 0;  // of boxes, from the top: a layer is one, or several if it is wide
};

// What leads from a box to those that read from it: straight to the next line, else through a lane to the left of all
// boxes, which all of these wires share.
struct Wires {
  struct Direct {
    size_t to = 0;
    double from_x = 0, from_y = 0, to_x = 0, to_y = 0;
  };
  std::vector<Direct> direct;
  struct Branch {
    size_t to = 0;
    double x = 0, y = 0;   // where it enters the box
    double run_y = 0;      // how high it leaves the lane
    bool is_back = false;  // to a kernel that was launched before
  };
  std::vector<Branch> branches;  // none: no lane
  double lane_x = 0, from_x = 0, from_y = 0, run_y = 0;
};

struct GraphLayout {
  std::vector<Box> boxes;    // by node
  std::vector<Wires> wires;  // by node
  double width = 0, height = 0;
};

// `sizes`: width and height of each node's box.
GraphLayout lay_out(const KernelGraph& graph, const std::vector<std::pair<double, double>>& sizes);

}  // namespace sinter
