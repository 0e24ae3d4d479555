#include "passes/lower/host/accesses.h"

namespace sinter {

void Accesses::add(const Accesses& more) {
  read.insert(more.read.begin(), more.read.end());
  written.insert(more.written.begin(), more.written.end());
}

Accesses accesses_of(const Program& program, const HostStep& step) {
  Accesses result;
  for (size_t i = 0; i < step.buffers.size(); ++i) {
    (is_written(program, step, i) ? result.written : result.read).merge(places_of(program.plan, step.buffers[i]));
  }
  return result;
}

}  // namespace sinter
