// Tensors as HLO text: a module without parameters whose result is a tuple of constants.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/values/literal.h"

namespace sinter {

// Evaluates the module; its result's arrays, flattened. nullopt with `error` set.
std::optional<std::vector<Literal>> read_constant_module(const std::string& path, std::string& error);

std::string print_constant_module(const std::vector<Literal>& arrays);

}  // namespace sinter
