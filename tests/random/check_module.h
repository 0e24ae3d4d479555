// Checks of one module in process: what is printed is read back, and every graph pass keeps what the module means.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

// Its results, tuples flattened; nullopt with `error` set if the module is not valid or cannot be evaluated.
std::optional<std::vector<Literal>> results_of(const Module& module, const std::vector<Literal>& inputs,
                                               std::string& error);

// Where two results differ in a bit, a line for each array; empty where they do not. A NaN is as good as any other.
std::string bit_differences(const std::vector<Literal>& got, const std::vector<Literal>& expected);

// What is wrong, or empty. A problem begins with one word that says of what kind it is: the name of the pass, or of the
// check.
std::string check_round_trip(const Module& module);
// CUDA C++ is emitted for it.
std::string check_compiles(const Module& module);
std::string check_passes(const Module& module, const std::vector<Literal>& inputs,
                         const std::vector<Literal>& expected);

}  // namespace sinter
