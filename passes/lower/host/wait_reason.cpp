#include "passes/lower/host/wait_reason.h"

#include <algorithm>
#include <set>
#include <vector>

#include "passes/names/listed.h"

namespace sinter {

namespace {

using Names = std::vector<std::string>;

constexpr size_t kMostListed = 3;

}  // namespace

std::string wait_reason(const HostPlan& plan, const WaitCauses& causes, const std::string& who,
                        const std::function<bool(const HostStep& step, size_t argument)>& writes,
                        const std::function<std::string(size_t buffer)>& name_of) {
  // Of the arrays that a step reads, or writes, those that may be one of `places`.
  const auto add_names = [&](const HostStep& step, bool written, const std::set<size_t>& places, Names* names) {
    bool any = false;
    for (size_t i = 0; i < step.buffers.size(); ++i) {
      const size_t buffer = step.buffers[i];
      if (writes(step, i) != written) continue;
      const std::set<size_t> of_buffer = arrays_of(plan, buffer);
      if (std::ranges::none_of(of_buffer, [&](size_t place) { return places.count(place) > 0; })) continue;
      any = true;
      if (std::ranges::find(*names, name_of(buffer)) == names->end()) names->push_back(name_of(buffer));
    }
    return any;
  };
  Names stored, read;
  for (const StepCause& of : causes) {
    const bool reads = add_names(*of.step, false, of.cause.stored, &stored);
    const bool overwrites = add_names(*of.step, true, of.cause.read, &read);
    // What it changes, not reads.
    if (!reads && !overwrites) add_names(*of.step, true, of.cause.stored, &stored);
  }
  std::string text = listed(stored, "and", kMostListed);
  if (!stored.empty()) text += stored.size() == 1 ? " is stored" : " are stored";
  if (read.empty()) return text;
  return text + (stored.empty() ? "" : ", and ") + "no " + who + " reads " + listed(read, "or", kMostListed) +
         " any more";
}

std::string beside_wait(const std::string& why, Block* block) {
  constexpr size_t kBeside = 49;  // letters
  if (why.empty()) return "";
  if (why.size() <= kBeside) return "  // until " + why;
  block->push_back({.kind = Statement::Kind::kNote, .text = "Until " + why + "."});
  return "";
}

}  // namespace sinter
