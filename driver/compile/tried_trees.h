// Trees that the scheduler tries whole, of one module: what each of them takes, and what it is as a program.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "passes/lower/lower.h"
#include "passes/schedule/cost/gpu.h"
#include "passes/schedule/tree/tree.h"

namespace sinter {

// By which plans are compared.
struct Weight {
  double us = 0;  // of a run, each loop of an unknown number of steps counted as one
  int64_t arena_bytes = 0;
};
Weight weight_of(const Program& program, const Gpu& gpu);

// What trees that were tried became.
struct TriedTrees {
  // A tree as it was tried: filled in, and what it takes.
  struct Tried {
    std::vector<TreeNode> items;
    std::optional<double> us;
  };
  std::map<std::string, Tried> as_tried;    // by the text before
  std::map<std::string, Program> programs;  // by the text with all filled in
  std::map<std::string, Weight> weights;    // by that text without the names of kernels, on which they do not depend
  KeptStages stages;
};

std::string text_without_names(Tree tree);

// What a tree that is tried takes; nullopt: it cannot be lowered.
std::optional<double> try_tree(const Module& module, Tree* tree, const Gpu& gpu, TriedTrees* tried);

}  // namespace sinter
