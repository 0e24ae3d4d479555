// From a finished demand graph to the statements of a kernel: which nodes get a variable, in which order, in which
// paragraph, under which name.
#pragma once

#include <vector>

#include "ir/kernel.h"
#include "passes/lower/expressions.h"
#include "passes/schedule/demand.h"

namespace sinter {

struct WriteOptions {
  // Loops by while instruction: how far to unroll (1: not).
  std::map<const Instruction*, int64_t> unroll;
  int indent = 2;
};

// Everything after the coordinates: the statements that compute graph.nodes demanded by graph.stores and loops, and
// the stores. `expressions` knows coordinates and buffers; variables are added to it. Names of variables are final.
Block write_block(const Module& module, const DemandGraph& graph, Expressions& expressions, const WriteOptions& options);

// A C identifier from an HLO or op_name piece: "state[0]" -> "state_0", "jit(f)/while/body/add" -> "add".
std::string identifier(const std::string& text);

// The name an instruction's value goes by, without number: the last part of its op_name, or its opcode.
std::string value_name(const Instruction& instruction);

}  // namespace sinter
