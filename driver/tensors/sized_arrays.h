// Arrays of a run whose program has bounded dimensions (passes/analysis/shapes/extents.h): as whoever runs it has them,
// of the sizes of this run, and as the module has them, of its bounds, with the sizes as inputs of their own. Of other
// programs they are the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/module/module.h"
#include "ir/values/literal.h"

namespace sinter {

// What an array of each input may be: a dimension with a run's size is dynamic. No sizes are among them.
std::vector<Shape> given_shapes(const Module& module);

// The place among these of the module's input `input`, which is no size.
size_t given_place(const Module& module, size_t input);

// The module's inputs. What is beyond the sizes is NaN, or all bits: no result may depend on it. nullopt with `error`
// set where sizes contradict each other.
std::optional<std::vector<Literal>> with_sizes(const Module& module, const std::vector<Literal>& given,
                                               std::string& error);

// Of the module's inputs, those that were given.
std::vector<Literal> without_sizes(const Module& module, const std::vector<Literal>& inputs);

// Of the module's results, for these inputs, what is there.
std::vector<Literal> results_there(const Module& module, const std::vector<Literal>& inputs,
                                   const std::vector<Literal>& results);
// Their shapes.
std::vector<Shape> result_shapes(const Module& module, const std::vector<Literal>& inputs);

}  // namespace sinter
