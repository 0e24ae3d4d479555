// main.cpp, the runner, of a program of whose kernels predictions are known: it prints them beside what it measures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "passes/lower/host/host_plan.h"

namespace sinter {

// A launch of a kernel, as the cost model has it.
struct PredictedKernel {
  std::string name;
  int64_t bytes = 0;  // read and written, each once
  int64_t flops = 0;
  double us = 0;
};

// `gpu`: that predictions are for, "h200". emit_project takes the text in `extra`; without, its runner knows of none.
std::string emit_runner(const Program& program, const std::string& gpu, const std::vector<PredictedKernel>& predicted);

}  // namespace sinter
