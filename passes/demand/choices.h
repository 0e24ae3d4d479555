// What a demand graph decides where several ways are right: each gives another kernel, none another value. The files
// beside this one know how; what is better stands here.
#pragma once

#include <cstdint>
#include <set>

#include "passes/demand/demand.h"

namespace sinter {

// Whether a reduction over so many elements is written out, term by term, in place of a loop. `terms_differ`: with
// their index, so that a loop would choose each (registers of a loop's state, parts put together), or no loop may stand
// there.
bool is_written_out(int64_t elements, bool terms_differ);
// The same of a row of a matrix that a thread carries through a loop, an element a register.
bool is_row_written_out(int64_t elements);
// The same of a window of so many taps, none of which needs a test; `read` is what they read.
bool is_window_written_out(int64_t taps, const Instruction& read, const std::set<const Instruction*>& computed);

// Whether the kernel computes the value, or what it is made of, from parts that are put together.
bool is_made_of_parts(const Instruction& value, const std::set<const Instruction*>& computed);

// Whether a concatenation of so many pieces of one array reads it at an index that is computed; more are chosen from.
bool is_read_at_computed_index(size_t pieces);
// Whether the one of so many pieces that an index falls into is found by asking one after the other, and not by halves.
bool is_asked_in_turn(size_t pieces);

// Whether a thread had better not compute another thread's element of the value: on the way to it a step of a loop has
// a long reduction, or operations that are dear together, whose results are as many as the block's threads.
// `reads_row`: each thread reads element after element, the same as the others.
bool is_dear_for_another_thread(const Instruction& value, const Instruction& loop, int64_t threads, bool reads_row);

// Whether an element of a layer that a node gives is better read than computed again: it costs much, or loops, to
// compute the node from its operands.
bool is_dear_in_layer(const DemandGraph& graph, NodeId id);
// Elements that a thread may hold of one layer.
inline constexpr int64_t kLargestLayer = 1024;

}  // namespace sinter
