// Arrays of which a kernel writes a part and leaves the rest as it is: carries of a host loop, `stack =
// dynamic-update-slice(stack, row, t)`, and donated parameters of the program whose result is the parameter updated.
// The kernel stores the update where it belongs.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

// Of the body of `loop`: updates of a carry, or of what a scatter of rows has made, one after the other, that become
// the same carry, where nothing else in the body reads what they update. Whoever reads the update's result reads the
// updated array, from memory.
std::set<const Instruction*> updates_in_place(const Instruction& loop);

// Of the body of `loop`: small updates of large carries likewise, where other operations of the body read elements of
// what the carry held. The kernel that stores the update has to come after those: the tree says which are in place. So
// it does of scatters that bring one window to each lane, whether the body reads the carry besides or not.
std::set<const Instruction*> updates_after_reads(const Instruction& loop);

// The scatters of rows that an update begins with: the last of them, those before it that have one reader each. They
// write where the update does.
std::vector<const Instruction*> rows_written_before(const Instruction& update);

// Of the program: small updates of large donated parameters that become the result which takes the parameter's memory,
// one alone or several one after the other, and those of what a scatter of rows has made, which is where the result
// will be. Kernels may read what lies between, before the next update (update_versions.h), if `read_between`; such
// updates may also be of a parameter that is not donated, which is copied once.
struct DonatedUpdates {
  std::map<const Instruction*, const Instruction*> array;  // by update: what it updates
  std::map<const Instruction*, const Instruction*> next;   // by update, scatter of rows or parameter: what updates it
};
DonatedUpdates donated_updates(const Module& module, bool read_between);

// Whether a map that stores some of these updates may read an element of `array`, which one of them updates, that
// another thread stores.
bool reads_beside(const DemandGraph& graph, const std::set<const Instruction*>& updates, const Instruction* array);

// What the first of such updates one after the other is made of: the parameter or carry.
const Instruction* updated_array(const std::set<const Instruction*>& updates, const Instruction* update);

}  // namespace sinter
