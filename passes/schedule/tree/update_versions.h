// Arrays that updates in place write over, one after the other. Each update leaves a version of the array; all of them
// are one place in memory, so that whoever reads a version has to run before the next update does.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

class UpdateVersions {
 public:
  UpdateVersions() = default;
  // `updates`: of this level, all in place.
  UpdateVersions(const Computation& level, const std::set<const Instruction*>& updates);

  // Whether nothing but the updates themselves reads a version.
  bool empty() const { return versions_.empty(); }
  // The update that writes over what `array` is; nullptr: none.
  const Instruction* update_over(const Instruction* array) const;

  // What a kernel of these values would read although an update that it waits for has written over it: the first
  // value that reads it; nullptr: nothing. A value that itself waits for the update is none of them: no other kernel
  // could do better.
  const Instruction* reads_too_late(const std::set<const Instruction*>& computed) const;

  // Whether a value that reads a version waits for an update of a later one itself: then there is no right order.
  bool has_late_reader(const Computation& level) const;

 private:
  struct Version {
    const Instruction* update = nullptr;  // that writes over it
    size_t chain = 0;                     // of updates one after the other
    int number = 0;                       // of that update in the chain
  };
  int waits_for(size_t chain, const Instruction* value) const;

  std::map<const Instruction*, Version> versions_;  // by array; only looked up
  // By chain and place in the text: how many of the chain's updates a value waits for.
  std::vector<std::vector<int>> waits_;
};

// Whether the memory of an array is that of what updates it: of all but parameters that the caller keeps, of which
// updates in place have a copy.
bool is_written_over(const Instruction& array);

}  // namespace sinter
