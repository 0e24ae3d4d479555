// Whether an array of a device is what is expected (tests/conformance/value_check.h); standard C++ alone, for the
// worker runs where the compiler is not.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "tests/conformance/value_check.h"

// Reads elements of an HLO type. Narrow floats are looked up: `tables` has the worth of each of their bit patterns.
class Elements {
 public:
  Elements(std::string dtype, const std::map<std::string, std::vector<double>>& tables) : dtype_(std::move(dtype)) {
    if (dtype_ == "c64") dtype_ = "f32", parts_ = 2;
    if (dtype_ == "c128") dtype_ = "f64", parts_ = 2;
    if (const auto found = tables.find(dtype_); found != tables.end()) table_ = &found->second;
    if (table_ != nullptr)
      width_ = table_->size() > 256 ? 2 : 1;
    else if (dtype_.ends_with("64"))
      width_ = 8;
    else if (dtype_.ends_with("32"))
      width_ = 4;
    else if (dtype_.ends_with("16"))
      width_ = 2;
  }
  size_t width() const { return width_; }
  int parts() const { return parts_; }
  bool is_float() const { return table_ != nullptr || dtype_ == "f32" || dtype_ == "f64"; }
  uint64_t bits(const std::byte* at) const {
    uint64_t bits = 0;
    std::memcpy(&bits, at, width_);
    return bits;
  }
  double value(const std::byte* at) const {
    if (table_ != nullptr) return (*table_)[bits(at)];
    if (dtype_ == "f64") return read<double>(at);
    if (dtype_ == "f32") return read<float>(at);
    if (dtype_[0] == 's' && width_ == 8) return static_cast<double>(read<int64_t>(at));
    if (dtype_[0] == 's' && width_ == 4) return read<int32_t>(at);
    return static_cast<double>(bits(at));
  }
  int64_t order(const std::byte* at) const {
    return sinter::order_key(bits(at), static_cast<int>(8 * width_), dtype_ != "f8e8m0fnu");
  }

 private:
  template <class T>
  static T read(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  std::string dtype_;
  const std::vector<double>* table_ = nullptr;
  size_t width_ = 1;
  int parts_ = 1;
};

inline bool agrees(const Elements& elements, const std::byte* got, const std::byte* wanted,
                   const sinter::ValueCheck& check) {
  if (elements.bits(got) == elements.bits(wanted)) return true;
  if (!elements.is_float()) return false;
  return sinter::agrees(elements.value(got), elements.value(wanted), check,
                        [&] { return elements.order(got) - elements.order(wanted); });
}

// Empty, or how many elements differ and the first of them.
inline std::string difference(const Elements& elements, const std::vector<std::byte>& got,
                              const std::vector<std::byte>& wanted, const sinter::ValueCheck& check) {
  if (got.size() != wanted.size()) return "another number of bytes";
  size_t wrong = 0, first = 0;
  const size_t count = got.size() / elements.width();
  for (size_t i = 0; i < count; ++i) {
    if (agrees(elements, &got[i * elements.width()], &wanted[i * elements.width()], check)) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0) return "";
  char text[160];
  std::snprintf(text, sizeof text, "%zu of %zu elements differ; [%zu] is %.9g, expected %.9g", wrong, count, first,
                elements.value(&got[first * elements.width()]), elements.value(&wanted[first * elements.width()]));
  return text;
}
