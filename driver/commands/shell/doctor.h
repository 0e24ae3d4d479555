// What this machine has for building and running emitted code, what is missing, and how to get it.
#pragma once

#include <string>
#include <vector>

namespace sinter {

struct Finding {
  enum class State {
    kThere,
    kMissing,
    kUnusable,  // there, but not as it is needed
  };
  State state = State::kThere;
  std::string what;                 // "C++ compiler"
  std::string found;                // a version, or what is wrong
  std::vector<std::string> advice;  // a line each
};

struct Diagnosis {
  std::vector<Finding> findings;
  bool builds_for_cpu = false, builds_for_gpu = false, runs_on_gpu = false;
};

// Asks the programs on PATH, those of CXX and CUDACXX, and the GPU's driver. `architecture` is what nvcc is to compile
// for ("90a"), `driver` the library of the driver.
Diagnosis diagnose(const std::string& architecture, const std::string& driver = "libcuda.so.1");

std::string diagnosis_text(const Diagnosis& diagnosis);

}  // namespace sinter
