#include "passes/lower/host/wait_reason.h"

#include <algorithm>
#include <set>
#include <vector>

namespace sinter {

std::string wait_reason(const HostPlan& plan, const WaitCause& cause, const HostStep& step,
                        const std::function<bool(size_t argument)>& writes,
                        const std::function<std::string(size_t buffer)>& name_of) {
  // "product and sum are stored": of the arrays that the step reads, or writes, those that may be one of `places`.
  const auto names_of = [&](bool written, const std::set<size_t>& places, const std::string& what) -> std::string {
    constexpr size_t kMostNamed = 2;
    std::vector<std::string> names;
    for (size_t i = 0; i < step.buffers.size(); ++i) {
      const size_t buffer = step.buffers[i];
      if (writes(i) != written) continue;
      std::set<size_t> of_buffer = places_of(plan, buffer);
      of_buffer.insert(buffer);  // one that takes turns stands for itself
      const bool meets = std::ranges::any_of(of_buffer, [&](size_t place) { return places.count(place) > 0; });
      if (meets && std::ranges::find(names, name_of(buffer)) == names.end()) names.push_back(name_of(buffer));
    }
    if (names.empty()) return "";
    if (names.size() == 1) return names[0] + " is " + what;
    const std::string last = names.size() > kMostNamed ? "others" : names[1];
    return names[0] + " and " + last + " are " + what;
  };
  std::string stored = names_of(false, cause.stored, "stored");
  const std::string read = names_of(true, cause.read, "read");
  // What it changes, not reads.
  if (stored.empty() && read.empty()) stored = names_of(true, cause.stored, "stored");
  return stored + (stored.empty() || read.empty() ? "" : ", ") + read;
}

}  // namespace sinter
