#include "emitter/kernels/explain_pointers.h"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "emitter/kernels/print_statements.h"

namespace sinter {

namespace {

// Names in one sentence.
constexpr size_t kMostNames = 3;

// "a", "a and b", "a, b and 4 more".
std::string listed(const std::vector<std::string>& names) {
  const size_t shown = names.size() > kMostNames + 1 ? kMostNames : names.size();
  const size_t more = names.size() - shown;
  std::string text;
  for (size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == shown && more == 0;
    text += (i == 0 ? "" : last ? " and " : ", ") + names[i];
  }
  return more == 0 ? text : text + " and " + std::to_string(more) + " more";
}

// Names of pointers without __restrict__.
struct Meeting {
  std::vector<std::string> pairs;       // "x_in and x_out": one is written over the other
  std::vector<const Variable*> others;  // in the order of the parameters
  std::vector<std::string> scratch;     // what a part's own blocks have together
};

bool is_constant(const Variable* pointer) { return pointer->type.kind == CType::Kind::kConstPointer; }

template <class Wanted>
std::vector<std::string> names_of(const std::vector<const Variable*>& pointers, const Wanted& wanted) {
  std::vector<std::string> names;
  for (const Variable* pointer : pointers) {
    if (wanted(pointer)) names.push_back(pointer->name);
  }
  return names;
}

Meeting meeting_pointers(const Kernel& kernel) {
  std::set<std::string> meeting;
  for (const Parameter& parameter : kernel.parameters) {
    const CType& type = parameter.variable->type;
    const bool pointer = type.kind == CType::Kind::kPointer || type.kind == CType::Kind::kConstPointer;
    if (pointer && !type.is_restrict) meeting.insert(parameter.variable->name);
  }
  Meeting result;
  for (const Parameter& parameter : kernel.parameters) {
    const std::string& name = parameter.variable->name;
    if (meeting.count(name) == 0) continue;
    // An array that is written over what was read goes by one name.
    const bool in = name.ends_with("_in"), out = name.ends_with("_out");
    const std::string base = in ? name.substr(0, name.size() - 3) : out ? name.substr(0, name.size() - 4) : name;
    if (in && meeting.count(base + "_out") > 0) result.pairs.push_back(name + " and " + base + "_out");
    if ((in && meeting.count(base + "_out") > 0) || (out && meeting.count(base + "_in") > 0)) continue;
    if (parameter.scratch) {
      result.scratch.push_back(name);
    } else {
      result.others.push_back(parameter.variable);
    }
  }
  return result;
}

}  // namespace

std::string explain_pointers(const Kernel& kernel, bool is_part) {
  const auto [pairs, others, scratch] = meeting_pointers(kernel);
  std::vector<std::string> reasons;
  if (pairs.size() == 1) reasons.push_back(pairs[0] + " may be one array");
  if (pairs.size() > 1) reasons.push_back("an _in and its _out, as " + pairs[0] + ", may be one array");
  std::vector<std::string> all = names_of(others, [](const Variable*) { return true; });
  if (!is_part) all.insert(all.end(), scratch.begin(), scratch.end());
  const std::vector<std::string> read = names_of(others, is_constant),
                                 written = names_of(others, std::not_fn(is_constant));
  if (is_part && !read.empty()) reasons.push_back("other parts of the launch write " + listed(read));
  if (is_part && !written.empty()) reasons.push_back("other parts of the launch read " + listed(written));
  if (is_part && !scratch.empty()) reasons.push_back("other blocks write " + listed(scratch) + ", too");
  if (!is_part && !all.empty()) reasons.push_back("other blocks of the launch write " + listed(all) + ", too");
  if (reasons.empty()) return "";
  std::string text = is_part && !read.empty() ? "No pointer is __restrict__: " : "Not __restrict__: ";
  for (size_t i = 0; i < reasons.size(); ++i) text += (i == 0 ? "" : "; ") + reasons[i];
  return print_comment(text + ".", 0);
}

bool reads_other_parts(const Kernel& part) { return std::ranges::any_of(meeting_pointers(part).others, is_constant); }

}  // namespace sinter
