// Weights of a program (--weights): which of its arrays they are, what they are called, and what they hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emitter/host/emit_project.h"
#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace sinter {

struct WeightOptions {
  std::optional<WeightsHome> home;  // --weights; not given: constants are parts of the program
  int64_t smallest_bytes = 0;       // --weights-from: smaller constants are parts of the program
  std::optional<Source> inputs;     // --weights-of: a safetensors file of inputs that are weights
  bool of_several = false;          // programs: it may have tensors of others, and its numbers are of one
  bool inputs_stay = false;         // these are inputs all the same: where a program is tried
};

// "embed", "file", "caller".
std::vector<std::string> weights_homes();
std::string weights_home_name(WeightsHome home);
std::optional<WeightsHome> weights_home_by_name(const std::string& word);

// As the manifest records them: " --weights=file --weights-from=1024".
std::string weights_text(const WeightOptions& options);

// A weight, by the name of its tensor in a file.
struct WeightValue {
  std::string name;
  Literal value;  // elided where neither the text nor a file has it
};

// In which way two weights of one name are not one, "f32[8], not f32[4]"; empty if they are. What is left out may be
// the same.
std::string difference_of(const WeightValue& a, const WeightValue& b);

// Marks a program's weights (ir/module/weights.h), as it was read: constants that are arrays of floats or of integers
// of a byte, whose values are taken out, and inputs that a file has tensors of. Marks of the text itself go.
//
// A constant is called what the text says of it ("layer_0.w", of Grain), else after the first operation that reads it,
// by its path in the Python program ("MLP.Dense_0.dot_general"); a number follows where names meet. nullopt, with an
// error, where a library is to have values that are not there, or the file has other tensors.
std::optional<std::vector<WeightValue>> mark_weights(Module& module, const WeightOptions& options,
                                                     Diagnostics& diagnostics);

// False, with an error for each constant that is marked still, after graph passes.
bool all_weights_are_separate(const Module& module, Diagnostics& diagnostics);

// A safetensors file of those of a program's weights, in its order; `build` is what its library calls itself.
std::string weights_file(const Program& program, const std::vector<WeightValue>& values, const std::string& build);

}  // namespace sinter
