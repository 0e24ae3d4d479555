// Calling a program of a library (build_library.h) in a process of its own.
#pragma once

#include <string>
#include <vector>

#include "ir/values/literal.h"

namespace sinter {

struct LibraryCall {
  std::string library, program;
  const std::vector<Literal>* inputs = nullptr;
  std::vector<size_t> sizes = {};  // those of them that are numbers, which stand where others have pointers
  std::vector<Shape> outputs;
  // By input, the output that is given the same array, or -1; empty: none.
  std::vector<int64_t> given_as = {};
  std::string order;     // SINTER_CPU_ORDER: the order in which threads take turns; empty: as the environment has it
  unsigned seconds = 0;  // that it may take; 0: any time
};

// The outputs; nullopt with `error` set if the program crashed, failed, or wrote where it must not: its arrays end
// where memory ends.
std::optional<std::vector<Literal>> run_in_child(const LibraryCall& call, std::string& error);

}  // namespace sinter
