#include "passes/lower/text/unique_names.h"

#include <algorithm>
#include <set>

namespace sinter {

namespace {

// What names of the kernel's own scope may not be.
std::set<std::string> outer_names(const Kernel& kernel) {
  std::set<std::string> names = {"Shared"};
  for (const Parameter& parameter : kernel.parameters) names.insert(parameter.variable->name);
  for (const NamedConstant& constant : kernel.constants) names.insert(constant.name);
  for (const DeviceFunction& function : kernel.functions) names.insert(function.name);
  for (const ResultStruct& type : kernel.structs) names.insert(type.name);
  for (const FunctionObject& object : kernel.function_objects) names.insert(object.name);
  return names;
}

// Of what a body declares, beside `outer` names.
void make_names_unique(Block* body, std::set<std::string> outer) {
  struct Frame {
    Block* block;
    size_t next = 0;
    std::set<std::string> names = {};
  };
  std::vector<Frame> frames = {{body, 0, std::move(outer)}};
  while (!frames.empty()) {
    if (frames.back().next == frames.back().block->size()) {
      frames.pop_back();
      continue;
    }
    Statement& statement = (*frames.back().block)[frames.back().next++];
    Variable* variable = statement.variable;
    if (variable != nullptr) {
      const auto visible = [&](const Frame& frame) { return frame.names.count(variable->name) > 0; };
      const std::string base = variable->name;
      for (int number = 1; std::any_of(frames.begin(), frames.end(), visible); ++number) {
        variable->name = base + "_" + std::to_string(number);
      }
    }
    // A loop's counter is its body's.
    const bool loop = statement.kind == Statement::Kind::kFor;
    if (variable != nullptr && !loop) frames.back().names.insert(variable->name);
    if (!statement.other.empty()) frames.push_back({&statement.other});
    if (!statement.body.empty()) frames.push_back({&statement.body});
    if (loop) frames.back().names.insert(variable->name);
  }
}

}  // namespace

void make_names_unique(Kernel& kernel) {
  make_names_unique(&kernel.body, outer_names(kernel));
  for (FunctionObject& object : kernel.function_objects) {
    std::set<std::string> names;
    for (const Variable* member : object.members) names.insert(member->name);
    for (const Variable* parameter : object.parameters) names.insert(parameter->name);
    make_names_unique(&object.body, std::move(names));
  }
}

std::string unique_name(const std::string& base, std::set<std::string>* taken) {
  std::string name = base;
  for (int number = 2; !taken->insert(name).second; ++number) name = base + "_" + std::to_string(number);
  return name;
}

}  // namespace sinter
