// Which arrays each step of a run writes: by these the kernel is found that gives a wrong number (trace.h).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "passes/lower/host/host_plan.h"

namespace sinter {

// Of the arena, from byte `place` on, or result number `place`.
struct WrittenArray {
  bool of_arena = false;
  int64_t place = 0;
  const Buffer* buffer = nullptr;
};

// By the name that a launcher tells a step with (launcher/steps.cuh). All that it may write: a pointer of a loop's
// state may point to several arrays.
std::map<std::string, std::vector<WrittenArray>> written_arrays(const Program& program);

}  // namespace sinter
