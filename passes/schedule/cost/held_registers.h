// Registers that a thread needs for what a demand graph has it hold.
#pragma once

#include "passes/demand/demand.h"

namespace sinter {

// In the order in which the graph has the values.
struct HeldRegisters {
  double registers = 0;  // at most at a time
  int scope = 0;         // in which it needs so many

  // Those that there are none for: a thread has 255.
  double spilled() const;
};

// Of so many neighbouring elements.
HeldRegisters held_registers(const DemandGraph& graph, double lanes);

}  // namespace sinter
