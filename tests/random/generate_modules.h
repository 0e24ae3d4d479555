// Random HLO modules of arbitrary operations, types and shapes: one seed, one module with its inputs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ir/module.h"

namespace sinter {

struct RandomModule {
  std::unique_ptr<Module> module;
  std::vector<Literal> inputs;  // tuples flattened
};

// Results are equal by bits (but for the payload and sign of NaNs), in whatever order sums are taken; without fmaf.
RandomModule generate_module(uint64_t seed);

}  // namespace sinter
