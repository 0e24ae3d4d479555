// Which kernels of two folders are one, before and after a change.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "review/diff/folder_side.h"
#include "review/modules/module_changes.h"

namespace sinter {

struct KernelPairs {
  std::map<std::string, std::string> after_of, before_of;  // by the kernel's name before, and after

  void pair(const std::string& before, const std::string& after) {
    after_of[before] = after;
    before_of[after] = before;
  }
  bool is_free_before(const std::string& name) const { return after_of.count(name) == 0; }
  bool is_free_after(const std::string& name) const { return before_of.count(name) == 0; }
};

// By their code, then by what they compute, then by name. `modules` is nullptr where a folder does not say what it
// computes. A kernel whose values several of the other side compute, which compute nothing else, is split or merged:
// it and they are none of the pairs.
KernelPairs pair_kernels(const Side& before, const Side& after, const ModulePair* modules,
                         std::vector<KernelDiff>* split_and_merged);

}  // namespace sinter
