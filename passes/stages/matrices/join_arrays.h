// Arrays of a thread program that can be one.
#pragma once

#include <set>

namespace sinter {

struct ThreadProgram;
struct ThreadUnit;

// The arrays that a unit reads, with those of a loop's units.
std::set<int> arrays_read(const ThreadProgram& program, const ThreadUnit& unit);

// The arrays that units, or copies of memory, fill.
std::set<int> arrays_used(const ThreadProgram& program);

// What a step leaves in a loop's state is computed there, where nothing reads any more what was there before; and what
// is solved in an array that nothing else reads, in that array.
void join_arrays(ThreadProgram* program);

}  // namespace sinter
