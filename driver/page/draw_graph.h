// The graph of a program, coloured by kernel: a box a kernel, its instructions inside, and what one reads of another.
#pragma once

#include <string>
#include <vector>

#include "driver/compile/plan_report.h"
#include "driver/page/dataflow.h"

namespace sinter {

// The instructions of each kernel, by its place in Program::kernels, which stand in the order that is given.
using KernelInstructions = std::vector<std::vector<const Instruction*>>;

// Inline SVG; empty where nothing is launched.
std::string draw_graph(const Program& program, const PlanReport& report, const KernelInstructions& instructions,
                       const InstructionOrder& order);

// "kernel-4", the id of what a kernel is.
std::string kernel_id(size_t kernel);
// "4": what a kernel is called where there is no room for its name.
std::string kernel_number(size_t kernel);

}  // namespace sinter
