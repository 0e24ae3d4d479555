// The reason codes of the ledger: why a value goes through device memory, or a loop is run by the host. What each says
// is declared here; `sinter help CODE` prints it, and the table of docs/reasons.md is made of it.
#pragma once

#include <span>
#include <string_view>

namespace sinter {

struct Reason {
  std::string_view code;  // "domain-mismatch"
  std::string_view what;  // what it says
  std::string_view help;  // what may help
};

std::span<const Reason> reasons();

// nullptr: there is no such reason.
const Reason* find_reason(std::string_view code);

}  // namespace sinter
