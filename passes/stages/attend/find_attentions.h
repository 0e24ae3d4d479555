// Attentions of a program for which one kernel is predicted to be faster than several: what `attend` makes one
// instruction of (passes/graph/finish/attend.cpp), and what passes before it leave as it is.
#pragma once

#include <optional>
#include <set>

#include "passes/stages/attend/attention.h"

namespace sinter {

struct FoundAttention {
  Attention attention;
  std::set<const Instruction*> instructions;  // what its kernel computes
};

// The attention that gives `results`; nullopt: there is none, or it is left to kernels of its products.
std::optional<FoundAttention> attention_of(const Instruction& results);

// What all of them compute.
std::set<const Instruction*> parts_of_attentions(const Module& module);

}  // namespace sinter
