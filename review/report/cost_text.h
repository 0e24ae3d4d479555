// What a change costs, as text.
#pragma once

#include <string>
#include <vector>

#include "review/diff/diff_folders.h"

namespace sinter {

// "12.3".
std::string rounded(double value);

// " (+38 %)"; empty where there was nothing before.
std::string percent(double before, double after);

// Read and written.
std::optional<int64_t> bytes_of(const Cost& cost);

// What the assembler says: "40 -> 48, 0 -> 16 bytes spilled", "40"; empty where it was not asked.
std::string registers_change(const KernelDiff& kernel, const std::string& arrow);

struct CostChange {
  std::string key, what;      // "time", "predicted time, us"
  std::string before, after;  // "unknown" where it is; of a kernel that is new or gone, empty
  std::string percent;
};

std::vector<CostChange> run_costs(const Cost& before, const Cost& after);
std::vector<CostChange> kernel_costs(const std::optional<Cost>& before, const std::optional<Cost>& after);

}  // namespace sinter
