// The banks of shared memory, for counting. What device/async_copy.cuh and device/ldmatrix.cuh
// include on the CPU includes this.
#pragma once

#include <cstdint>

inline namespace sinter_eb34b753 {

namespace sinter_cpu {

// Turns beyond the first that accesses of 16 bytes take: those to other bytes of the same banks.
inline int bank_conflicts(const uintptr_t* address, int count) {
  int most = 1;
  for (uintptr_t bank = 0; bank < 8; ++bank) {
    int turns = 0;
    for (int i = 0; i < count; ++i) {
      bool counts = address[i] / 16 % 8 == bank;
      for (int j = 0; j < i; ++j) counts = counts && address[j] != address[i];
      turns += counts ? 1 : 0;
    }
    most = turns > most ? turns : most;
  }
  return most - 1;
}

}  // namespace sinter_cpu

}  // namespace sinter_eb34b753
