// Random HLO modules of arbitrary operations, types and shapes: one seed, one module with its inputs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

struct RandomModule {
  std::unique_ptr<Module> module;
  std::vector<Literal> inputs;  // tuples flattened
};

enum class ModuleKind {
  kSmall,  // of all operations, on arrays of few elements
  kMixed,  // of all operations, on arrays with dimensions of up to 4,096 elements
  kRows,   // of what is met around rows of 32 to 4,096 elements
};

// "small", "mixed", "rows".
const std::map<std::string, ModuleKind>& module_kinds();

// Results are equal by bits (but for the payload and sign of NaNs), in whatever order sums are taken; without fmaf.
RandomModule generate_module(uint64_t seed, ModuleKind kind = ModuleKind::kSmall);

}  // namespace sinter
