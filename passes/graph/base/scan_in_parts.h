// Scans by an associative function, written as loops of which each element makes one step.
//
//   %ends = a loop of 31 steps over the elements of each of 64 parts: what a part comes to
//   %before = a loop of 63 steps over these: what those before a part come to
//   %r = a loop of 32 steps over the elements of each part, which goes on from there
//
// So threads are many and their loops short; where the other dimensions have threads enough, one loop goes along all
// elements.
#pragma once

#include <vector>

#include "passes/graph/base/graph_builder.h"

namespace sinter {

struct PartedScan {
  const Computation* function = nullptr;  // (before, own) -> both; of several arrays all before come first
  std::vector<Instruction*> arrays;       // of the same dimensions
  size_t along = 0;                       // dimension
  std::vector<size_t> results;            // by array
  // Scalars that change nothing where they are combined, which elements then begin with; without any, the first element
  // is the first state.
  std::vector<Instruction*> neutral;
  // From the last element to the first: `own` stands before what comes after it.
  bool reverse = false;
  // One loop along all elements: of functions that are not associative.
  bool in_order = false;
};

// The results, in their order. The module has to be sorted afterwards.
std::vector<Instruction*> scan_in_parts(GraphBuilder& build, const PartedScan& scan);

}  // namespace sinter
