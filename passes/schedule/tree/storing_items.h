// Which of a level's items stores a value that others read, where several compute it: the one that says so, `:stored`;
// else the first that does not read it itself; else the first.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "passes/stages/stage_kind.h"

namespace sinter {

struct ItemValues {
  std::set<const Instruction*> computed;
  std::set<const Instruction*> read;    // of these, by others of them
  std::set<const Instruction*> stored;  // of these, as the text says
  const StageKind* kind = nullptr;      // nullptr: no kernel
};

struct StoringItems {
  std::map<const Instruction*, size_t> item;  // the number of it, by values of kernels
  std::set<const Instruction*> given;         // those that an item computes for others only
};
StoringItems storing_items(const std::vector<ItemValues>& items);

}  // namespace sinter
