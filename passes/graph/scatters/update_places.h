// Scatters of which each element may have one update alone: by which dimensions it finds it.
#pragma once

#include <optional>

#include "passes/graph/scatters/scatter_dims.h"

namespace sinter {

// Where an element finds its update.
struct UpdatePlaces {
  Dims of_updates;  // by dimension of the updates' batch: the operand's that it counts; -1: none, it has one element
  Dims named;       // the operand's dimensions that indices name, ...
  Dims component;   // ... and by which component of the index vector
};

// nullopt where an element may have several updates, or windows are parts of the array.
std::optional<UpdatePlaces> update_places(const Instruction& scatter);

}  // namespace sinter
