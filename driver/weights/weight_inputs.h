// Inputs of a program that are weights: those that a safetensors file has tensors of (--weights-of), and those that
// were constants of the text until it was compiled.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace sinter {

struct WeightInput {
  size_t parameter = 0;  // of the program
  size_t place = 0;      // among its arrays, tuples flattened
  std::string name;      // of the tensor
  Literal value;
};

// In the order of the parameters. They are found by the numbers in the file's metadata, else by their names. nullopt,
// with an error, if the file has tensors that are no inputs. Of several programs, it may have some of others, and
// numbers are of one of them.
std::optional<std::vector<WeightInput>> weight_inputs(const Module& module, const Source& file,
                                                      Diagnostics& diagnostics, bool of_several = false);

// Of the text in an emitted folder, whose weights are inputs that say the names of their tensors: all of them. nullopt,
// with an error, if the file lacks one.
std::optional<std::vector<WeightInput>> recorded_weight_inputs(const Module& module, const Source& file,
                                                               Diagnostics& diagnostics);

}  // namespace sinter
