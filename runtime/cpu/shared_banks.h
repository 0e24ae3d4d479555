// The banks of shared memory, for counting. What device/async_copy.cuh and device/ldmatrix.cuh
// include on the CPU includes this.
//
// SINTER_CPU_BANKS=checked   a copy or an ldmatrix that takes more turns than its bytes must is a
//                            failure
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

inline namespace sinter_helpers {

namespace sinter_cpu {

// Turns beyond the first that accesses of 16 bytes take, or fewer: those to other bytes of the same
// banks.
inline int bank_conflicts(const uintptr_t* address, int count, uintptr_t bytes = 16) {
  int most = 1;
  for (uintptr_t bank = 0; bank < 128 / bytes; ++bank) {
    int turns = 0;
    for (int i = 0; i < count; ++i) {
      bool counts = address[i] / bytes % (128 / bytes) == bank;
      for (int j = 0; j < i; ++j) counts = counts && address[j] != address[i];
      turns += counts ? 1 : 0;
    }
    most = turns > most ? turns : most;
  }
  return most - 1;
}

inline bool& checks_banks() {
  static bool value = [] {
    const char* text = std::getenv("SINTER_CPU_BANKS");
    return text != nullptr && std::string_view(text) == "checked";
  }();
  return value;
}

}  // namespace sinter_cpu

}  // namespace sinter_helpers
