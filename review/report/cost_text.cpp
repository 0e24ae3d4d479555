#include "review/report/cost_text.h"

#include <cstdio>
#include <functional>

namespace sinter {

namespace {

using Number = std::function<std::optional<double>(const Cost&)>;

std::optional<double> number(std::optional<int64_t> value) {
  return value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt;
}

// A whole number is written as one.
std::string number_text(double value, bool whole) {
  return whole ? std::to_string(static_cast<int64_t>(value)) : rounded(value);
}

CostChange change(const char* key, const char* what, const Number& of, const std::optional<Cost>& before,
                  const std::optional<Cost>& after) {
  const bool whole = key != std::string("time");
  const auto text = [&](const std::optional<Cost>& cost) {
    if (!cost) return std::string();
    const std::optional<double> value = of(*cost);
    return value ? number_text(*value, whole) : "unknown";
  };
  CostChange result = {.key = key, .what = what, .before = text(before), .after = text(after)};
  if (!before || !after) return result;
  const std::optional<double> a = of(*before), b = of(*after);
  if (a && b && *a != *b && *a != 0) {
    // Without blank and brackets.
    const std::string text = percent(*a, *b);
    result.percent = text.substr(2, text.size() - 3);
  }
  return result;
}

}  // namespace

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 100 ? "%.1f" : "%.0f", value);
  return text;
}

std::string percent(double before, double after) {
  if (before == 0) return "";
  const double change = (after / before - 1) * 100;
  char text[32];
  std::snprintf(text, sizeof text, change < 10 && change > -10 ? " (%+.1f %%)" : " (%+.0f %%)", change);
  return text;
}

std::optional<int64_t> bytes_of(const Cost& cost) {
  if (!cost.bytes_read || !cost.bytes_written) return std::nullopt;
  return *cost.bytes_read + *cost.bytes_written;
}

std::string registers_change(const KernelDiff& kernel, const std::string& arrow) {
  const std::optional<Assembled>&before = kernel.assembled_before, &after = kernel.assembled_after;
  if (!before && !after) return "";
  const auto change = [&](int64_t Assembled::* number) {
    const auto text = [&](const std::optional<Assembled>& one) {
      return one ? std::to_string((*one).*number) : "unknown";
    };
    if (kernel.before.empty()) return text(after);
    if (kernel.after.empty() || text(before) == text(after)) return text(before);
    return text(before) + arrow + text(after);
  };
  const bool spills = (before && before->spilled_bytes > 0) || (after && after->spilled_bytes > 0);
  return change(&Assembled::registers) + (spills ? ", " + change(&Assembled::spilled_bytes) + " bytes spilled" : "");
}

std::vector<CostChange> run_costs(const Cost& before, const Cost& after) {
  const std::optional<Cost> a = before, b = after;
  return {
      change(
          "launches", "launches", [](const Cost& cost) { return number(cost.launches); }, a, b),
      change(
          "bytes", "bytes of device memory", [](const Cost& cost) { return number(bytes_of(cost)); }, a, b),
      change(
          "arena", "bytes of the arena", [](const Cost& cost) { return number(cost.arena_bytes); }, a, b),
      change(
          "time", "predicted time, us", [](const Cost& cost) { return cost.predicted_us; }, a, b),
  };
}

std::vector<CostChange> kernel_costs(const std::optional<Cost>& before, const std::optional<Cost>& after) {
  return {
      change(
          "launches", "launches", [](const Cost& cost) { return number(cost.launches); }, before, after),
      change(
          "bytes", "bytes of device memory", [](const Cost& cost) { return number(bytes_of(cost)); }, before, after),
      change(
          "shared", "bytes of shared memory", [](const Cost& cost) { return number(cost.shared_bytes); }, before,
          after),
      change(
          "registers", "registers", [](const Cost& cost) { return number(cost.registers); }, before, after),
      change(
          "time", "predicted time, us", [](const Cost& cost) { return cost.predicted_us; }, before, after),
  };
}

}  // namespace sinter
