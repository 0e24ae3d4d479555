// Why a value goes through device memory, or a loop is run by the host. What each reason says is declared in
// reasons.def; `sinter help CODE` prints it, and the table of docs/reasons.md is made of it.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sinter {

struct Reason {
  std::string_view code;  // "domain-mismatch"
  std::string_view what;  // what it says
  std::string_view help;  // what may help
};

inline constexpr Reason kReasons[] = {
#define REASON(code, what, help) {code, what, help},
#include "passes/reasons/reasons.def"
#undef REASON
};

// nullptr: there is no such reason.
constexpr const Reason* find_reason(std::string_view code) {
  for (const Reason& reason : kReasons) {
    if (reason.code == code) return &reason;
  }
  return nullptr;
}

// The code of a reason, made of a literal; one that is not declared does not compile.
class ReasonCode {
 public:
  ReasonCode() = default;  // none
  template <size_t size>
  consteval ReasonCode(const char (&code)[size]) : text_(code) {
    if (find_reason(text_) == nullptr) throw "declare the reason in reasons.def";
  }

  bool empty() const { return text_.empty(); }
  std::string_view text() const { return text_; }
  operator std::string() const { return std::string(text_); }
  bool operator==(const ReasonCode&) const = default;

 private:
  std::string_view text_;
};

}  // namespace sinter
