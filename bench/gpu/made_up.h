// Inputs of programs that are timed: the same numbers on every machine, of which models make numbers of their size.
// bench/gpu/rivals/time_xla.py makes up such numbers, too.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "runtime/program_entry.h"

using Bytes = std::vector<std::byte>;

// Whether a word of the input's name is one of these.
inline bool is_called(const std::string& name, const std::set<std::string>& words) {
  for (size_t at = 0; at <= name.size();) {
    const size_t end = std::min(name.find('_', at), name.size());
    if (words.count(name.substr(at, end - at)) > 0) return true;
    at = end + 1;
  }
  return false;
}

// What has a root or a logarithm, or is divided by.
inline bool is_positive(const std::string& name) {
  return is_called(
      name, {"variance", "var", "v", "nu", "std", "sigma", "scale", "rms", "spot", "strike", "volatility", "years"});
}

// What chooses among few.
inline bool is_choice(const std::string& name) { return is_called(name, {"taken", "action", "actions", "segment"}); }

// Of a float: in [-width, width), or in [0.25, 1) where it is positive. Matrices are as wide as keeps sums of products
// with them as large as what they are multiplied with: by their number of rows.
inline double made_up_width(const EntryTensor& tensor) {
  constexpr int64_t kMostRows = 8192;
  if (tensor.rank < 2) return 1;
  int64_t rows = 1;
  for (int d = 0; d + 1 < tensor.rank; ++d) rows *= tensor.dims[d];
  return rows <= 3 ? 1 : std::sqrt(3.0 / static_cast<double>(std::min(rows, kMostRows)));
}

// Bits of a float of 16 bits, cut off; those too small are zero.
inline uint16_t half_bits(float value, bool is_bf16) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (is_bf16) return static_cast<uint16_t>(bits >> 16);
  const uint32_t sign = bits >> 16 & 0x8000, exponent = bits >> 23 & 0xff;
  if (exponent <= 112) return static_cast<uint16_t>(sign);
  return static_cast<uint16_t>(sign | (exponent - 112) << 10 | (bits >> 13 & 0x3ff));
}

// Integers are in [0, 8), choices 0 or 1.
inline Bytes made_up(const EntryTensor& tensor, uint64_t seed) {
  Bytes bytes(static_cast<size_t>(tensor.bytes));
  uint64_t state = seed;
  const auto next = [&] {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    return z ^ (z >> 31);
  };
  const auto fill = [&](auto make) {
    for (size_t at = 0; at < bytes.size(); at += sizeof(make())) {
      const auto value = make();
      std::memcpy(&bytes[at], &value, sizeof value);
    }
  };
  const std::string dtype = tensor.dtype;
  const bool positive = is_positive(tensor.name);
  const double width = made_up_width(tensor);
  const uint64_t mask = is_choice(tensor.name) ? 1 : 7;
  const auto real = [&] {
    const double unit = static_cast<double>(next() >> 11) * 0x1p-53;
    return positive ? 0.25 + 0.75 * unit : width * (2 * unit - 1);
  };
  if (dtype == "f64" || dtype == "c128")
    fill(real);
  else if (dtype == "f32" || dtype == "c64")
    fill([&] { return static_cast<float>(real()); });
  else if (dtype == "bf16" || dtype == "f16")
    fill([&] { return half_bits(static_cast<float>(real()), dtype == "bf16"); });
  else if (dtype == "pred")
    fill([&] { return static_cast<uint8_t>(next() & 1); });
  else if (dtype.ends_with("64"))
    fill([&] { return next() & mask; });
  else if (dtype.ends_with("32"))
    fill([&] { return static_cast<uint32_t>(next() & mask); });
  else if (dtype.ends_with("16"))
    fill([&] { return static_cast<uint16_t>(next() & mask); });
  else
    fill([&] { return static_cast<uint8_t>(next() & 1); });
  return bytes;
}
