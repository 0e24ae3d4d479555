#include "driver/functions/call_attributes.h"

#include <llvm/ADT/StringRef.h>

#include <bit>
#include <tuple>

namespace sinter {

namespace {

using llvm::StringRef;

// The position of the first comma that is in no brackets and no string; the end, if there is none.
size_t end_of_item(StringRef text) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (StringRef("[{(<").contains(c)) {
      ++depth;
    } else if (StringRef("]})>").contains(c)) {
      --depth;
    } else if (c == ',' && depth == 0) {
      return i;
    }
  }
  return text.size();
}

// "i32" -> s32, "ui8" -> u8, "f32".
std::optional<DType> number_type(StringRef name) {
  if (name == "i1") return DType::kPred;
  const std::string spelled = name.starts_with("ui")  ? "u" + name.drop_front(2).str()
                              : name.starts_with("i") ? "s" + name.drop_front().str()
                                                      : name.str();
  return dtype_from_name(spelled);
}

std::optional<Literal> number(StringRef text) {
  if (text == "true" || text == "false") return integer_literal(DType::kPred, text == "true" ? 1 : 0);
  StringRef digits, type_name;
  std::tie(digits, type_name) = text.rsplit(':');
  digits = digits.trim();
  const std::optional<DType> type = number_type(type_name.trim());
  if (!type || is_complex(*type)) return std::nullopt;
  if (is_float(*type)) {
    uint64_t bits = 0;
    // What decimal digits do not say: infinities, what is no number.
    if (digits.starts_with("0x")) {
      if (digits.getAsInteger(0, bits)) return std::nullopt;
      if (*type == DType::kF64) return real_literal(*type, std::bit_cast<double>(bits));
      if (*type == DType::kF32) return real_literal(*type, std::bit_cast<float>(static_cast<uint32_t>(bits)));
      return std::nullopt;
    }
    double value = 0;
    return digits.getAsDouble(value) ? std::nullopt : std::optional(real_literal(*type, value));
  }
  int64_t value = 0;
  uint64_t large = 0;
  if (!digits.getAsInteger(10, value)) return integer_literal(*type, value);
  if (!digits.getAsInteger(10, large)) return integer_literal(*type, static_cast<int64_t>(large));
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<CallAttribute>> call_attributes(const std::string& config) {
  std::vector<CallAttribute> attributes;
  StringRef rest = StringRef(config).trim();
  if (rest.empty()) return attributes;
  if (!rest.consume_front("{") || !rest.consume_back("}")) return std::nullopt;
  for (rest = rest.trim(); !rest.empty(); rest = rest.trim()) {
    const size_t end = end_of_item(rest);
    const auto [name, value] = rest.take_front(end).split('=');
    if (name.trim().empty() || value.trim().empty()) return std::nullopt;
    attributes.push_back({.name = name.trim().str(), .text = value.trim().str(), .value = number(value.trim())});
    rest = rest.drop_front(std::min(end + 1, rest.size()));
  }
  return attributes;
}

}  // namespace sinter
