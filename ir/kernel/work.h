// What one launch of a kernel computes: counted, not timed. passes/schedule/cost/work.h counts it; what a GPU takes for
// it is in passes/schedule/cost/estimate.h.
#pragma once

#include <cstdint>

namespace sinter {

struct Work {
  // Instructions of one lane, summed over all threads, by the unit that executes them.
  double f32 = 0, f64 = 0, integer = 0;
  double special = 0;  // the unit of rcp, rsqrt, ex2, lg2, sin and cos
  double memory = 0;   // loads, stores, shuffles
  // Of loads and stores whose warps do not find neighbours side by side: the lines of 128 bytes that a warp touches,
  // one after the other, for each of its lanes.
  double turns = 0;
  // Multiply-adds on tensor cores, as many of 16-bit floats as take as long: one of TF32 is two.
  double tensor = 0;
  // Operations on floats: an addition is one, a multiplication is one, so is an elementary function.
  double flops = 0;
  // Cycles: the longest chain of instructions of one thread that need each other.
  double chain = 0;
  double mean_chain = 0;  // of launches that parts share: on average over their blocks; 0: as `chain`
  double after = 0;       // cycles: what the last block does when all others have finished
  int registers = 32;     // of a thread
  bool of_data = false;   // a loop ends when data says so: counted as one iteration

  double instructions() const { return f32 + f64 + integer + special + memory; }
};

// `one`, so many times, but for its chain and registers.
void add(Work* sum, const Work& one, double times);

// What the blocks of a resident launch do of one part.
struct Round {
  Work work;
  int64_t blocks = 1;
  int64_t bytes_read = 0, bytes_written = 0;
  double times = 1;  // in a launch; in a loop that data ends, as if that had one step
};

}  // namespace sinter
