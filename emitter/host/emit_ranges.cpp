// ranges.cpp: the names of ranges that a profiler shows of a run.
#include <algorithm>
#include <map>

#include "emitter/host/emit_host.h"
#include "emitter/host/emit_template.h"
#include "emitter/text/emit_names.h"
#include "ir/module/host_functions.h"

namespace sinter {

namespace {

// The HLO of each kernel and each function that is called, of all steps that run it.
std::map<std::string, std::vector<std::string>> words_of_steps(const HostProgram& host) {
  std::map<std::string, std::vector<std::string>> words;
  for_each_step(host.program->plan.steps, [&](const HostStep& step) {
    if (step.comment.empty()) return;
    std::string what;
    if (step.kind == HostStep::Kind::kLaunch) what = host.program->kernels[step.kernel].name;
    if (step.kind == HostStep::Kind::kCall) {
      const DeviceFunctionName called = parse_function_name(step.call.function);
      what = called.header.empty() ? step.call.function : called.function;
    }
    if (what.empty()) return;
    std::vector<std::string>& list = words[what];
    if (std::find(list.begin(), list.end(), step.comment) == list.end()) list.push_back(step.comment);
  });
  return words;
}

// As a literal of C++; comment_text leaves no backslash and no line's end.
std::string quoted(const std::string& text) {
  std::string literal = "\"";
  for (const char c : comment_text(text)) literal += (c == '"' ? "\\" : "") + std::string(1, c);
  return literal + "\"";
}

}  // namespace

std::string emit_ranges(const HostProgram& host) {
  std::vector<std::string> rows;
  for (const auto& [what, list] : words_of_steps(host)) {
    std::string range = what + ":";
    for (const std::string& words : list) range += (&words == &list.front() ? " " : "; ") + words;
    rows.push_back("{\"" + what + "\", " + quoted(range) + "},");
  }
  return fill_template("host/ranges.cpp.mustache",
                       {.texts = {{"name", host.name}, {"NAME", host.macro}}, .flags = {}, .lists = {{"rows", rows}}});
}

}  // namespace sinter
