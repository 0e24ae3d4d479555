// Random numbers for generators: the same sequence for a seed on every machine.
#pragma once

#include <cstdint>
#include <vector>

namespace sinter {

// xorshift64*, seeded through a mixing step so that neighbouring seeds differ.
class Random {
 public:
  explicit Random(uint64_t seed) {
    state_ = (seed + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
    state_ ^= state_ >> 31;
    if (state_ == 0) state_ = 1;
    for (int i = 0; i < 8; ++i) next();
  }
  uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1d;
  }
  // 0 <= result < n.
  int64_t below(int64_t n) { return static_cast<int64_t>((next() >> 11) % static_cast<uint64_t>(n)); }
  // low <= result <= high.
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }
  template <class T>
  const T& pick(const std::vector<T>& values) {
    return values[static_cast<size_t>(below(static_cast<int64_t>(values.size())))];
  }

 private:
  uint64_t state_ = 1;
};

}  // namespace sinter
