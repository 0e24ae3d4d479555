// Checking programs many at a time: compiled in process, all their kernels built into one library, each run in a child
// process and compared with the evaluator.
#pragma once

#include <string>
#include <vector>

#include "driver/compile/compile.h"
#include "ir/values/literal.h"
#include "tests/random/operations/scribe.h"

namespace sinter {

struct CheckedProgram {
  RandomProgram program;
  uint64_t seed = 0;  // of its inputs
  // Filled by check_batch.
  std::string problem;  // "not-compiled", "not-verified", "several-kernels", "crash", "wrong", ...; empty: right
  std::string detail;
  Artifact artifact;
  std::vector<Literal> inputs;  // drawn as the program says, unless they are given
  std::vector<Literal> expected;
};

struct BatchOptions {
  bool one_kernel = true;  // it is a problem if a value goes through device memory
  bool verify = false;     // and if clang does not take what is emitted as CUDA C++
  // Values of SINTER_CPU_ORDER to run with, "" first: the order in which threads take turns.
  std::vector<std::string> orders = {""};
  ScheduleOptions schedule;
  GraphPassOptions graph;  // but for `fma`, which the programs say
};

// Compiles the items, draws their inputs and evaluates them; then builds and runs those that have no problem.
void check_batch(std::vector<CheckedProgram>& items, const BatchOptions& options);

// Inputs for a program: integers and multiples of small powers of two in exact programs, all the bits in others.
std::vector<Literal> draw_inputs(const RandomProgram& program, uint64_t seed);

}  // namespace sinter
