// The ledger: what went through device memory, and why (reasons.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "passes/reasons/reasons.h"

namespace sinter {

// One decision that left a value in device memory or a loop outside its cheapest home.
struct LedgerEntry {
  std::string value;  // instruction name
  ReasonCode reason;
  std::string blocked_by;  // instruction name, may be empty
  int64_t bytes = 0;
};

}  // namespace sinter
