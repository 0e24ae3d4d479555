// The programs that `./dev gpu` runs on a device: those with results to compare, and those to time.
#pragma once

#include <string>
#include <vector>

#include "driver/compile/compile.h"
#include "ir/values/literal.h"
#include "tests/conformance/value_check.h"

namespace sinter {

struct GpuProgram {
  std::string group;  // "sample", "op", "conformance", "module", "loop", "contraction", "attention", "chain",
                      // "time", "micro"
  std::string name;
  Source source;
  CompileOptions options;
  // Of programs that are timed none of these: their inputs are made up on the device.
  std::vector<Literal> inputs, expected;
  std::vector<ValueCheck> checks;  // one a result; empty: the same bits, but for NaNs
};

struct ProgramChoice {
  std::string samples, op_tests;  // folders; empty: none
  bool conformance = false;       // of the shared folder, where there is one
  int every = 1;                  // of op tests and conformance cases, each so many-th
  // Random ones: modules of each kind, programs with loops, contractions in forms that are drawn.
  int modules = 0, mixed = 0, rows = 0, loops = 0, contractions = 0;
  std::vector<std::string> forms;         // of contractions: as many of each; empty: all
  bool attention = false;                 // all of tests/stages/attention_text.h
  bool chains = false;                    // all of tests/stages/chains/chain_text.h
  std::vector<std::string> timed, micro;  // folders of HLO text
};

// In this order of groups. Those that are refused or cannot be evaluated are left out.
std::vector<GpuProgram> choose_programs(const ProgramChoice& choice);

}  // namespace sinter
