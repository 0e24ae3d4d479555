// SINTER_GPU_FAULT, "wrong:NAME", "fail:NAME", "crash:NAME" or "hang:NAME", or several joined by commas, makes a fake
// device: NAME is a program, or PROGRAM/KERNEL for a fault in that step.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <set>
#include <sstream>
#include <string>

#include "device/launch.cuh"

inline bool has_fault(const std::string& kind, const std::string& name) {
  static const std::set<std::string> faults = [] {
    const char* text = std::getenv("SINTER_GPU_FAULT");
    std::set<std::string> words;
    std::istringstream list(text == nullptr ? "" : text);
    for (std::string word; std::getline(list, word, ',');) words.insert(word);
    return words;
  }();
  return faults.contains(kind + ":" + name);
}

inline cudaError_t commit_fault(const std::string& name) {
  if (has_fault("hang", name)) {
    for (;;) sleep(1);
  }
  if (has_fault("crash", name)) std::abort();
  return has_fault("fail", name) ? cudaErrorLaunchFailure : cudaSuccess;
}
