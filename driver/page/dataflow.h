// What a kernel computes, laid out: instructions in layers, each to the right of those that it uses.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

struct Dataflow {
  struct Node {
    const Instruction* instruction = nullptr;  // nullptr: a place through which edges lead that skip a layer
    bool is_read = false;                      // an array that the kernel reads, and does not compute
    size_t layer = 0;
    double row = 0;  // from the top; layers are centred
  };
  std::vector<Node> nodes;
  std::vector<std::pair<size_t, size_t>> edges;  // from a layer to one behind it
  size_t layers = 0;
  double rows = 0;  // of the highest layer
};

// Where instructions stand in their module: each behind those that it uses, and behind its bodies.
using InstructionOrder = std::unordered_map<const Instruction*, size_t>;
InstructionOrder order_of(const Module& module);

enum class Detail {
  kDots,     // the kernel's own instructions, edges straight
  kLabelled  // what it reads too, and edges that lead around instructions
};
Dataflow dataflow_of(const std::vector<const Instruction*>& computed, const InstructionOrder& order, Detail detail);

// Drawings, without the element around: of dots, as wide as they need to be ...
struct Drawn {
  double width = 0, height = 0;
  std::string content;
};
Drawn draw_dots(const Dataflow& dataflow);
// ... and of boxes with names and operations.
Drawn draw_labelled(const Dataflow& dataflow);

}  // namespace sinter
