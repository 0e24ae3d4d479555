// Which arrays steps of the host read and write.
#pragma once

#include <cstddef>
#include <set>

#include "passes/lower/host/host_plan.h"

namespace sinter {

// Buffers, none of which is a pointer.
struct Accesses {
  std::set<size_t> read, written;

  void add(const Accesses& more);
  bool operator==(const Accesses&) const = default;
};

// Of a launch, copy, clear or call; of a pointer, all that it may point to.
Accesses accesses_of(const Program& program, const HostStep& step);

}  // namespace sinter
