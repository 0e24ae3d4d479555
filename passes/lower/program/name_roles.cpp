// A kernel that serves several sets of arrays, the layers of a network say, does not go by the names of the first:
// its parameters are called what the arrays of all launches have in common.
//
//   launches with params_layer0_bias, params_layer1_bias      ==>  parameter params_bias
#include <algorithm>

#include "passes/lower/program/lowering.h"

namespace sinter {

namespace {

std::vector<std::string> pieces_of(const std::string& name) {
  std::vector<std::string> pieces(1);
  for (const char c : name) {
    if (c == '_')
      pieces.emplace_back();
    else
      pieces.back() += c;
  }
  return pieces;
}

// The pieces that all names begin with, then those that all end with. Empty: there are none.
std::string common_name(const std::vector<std::string>& names) {
  const std::vector<std::string> first = pieces_of(names[0]);
  size_t front = first.size(), back = first.size(), shortest = first.size();
  for (const std::string& name : names) {
    const std::vector<std::string> pieces = pieces_of(name);
    const size_t most = std::min(first.size(), pieces.size());
    size_t same = 0;
    while (same < most && first[same] == pieces[same]) ++same;
    front = std::min(front, same);
    same = 0;
    while (same < most && first[first.size() - 1 - same] == pieces[pieces.size() - 1 - same]) ++same;
    back = std::min(back, same);
    shortest = std::min(shortest, pieces.size());
  }
  back = std::min(back, shortest - front);
  std::string result;
  for (size_t i = 0; i < first.size(); ++i) {
    if (i >= front && i + back < first.size()) continue;
    result += (result.empty() ? "" : "_") + first[i];
  }
  const bool starts_as_name = !result.empty() && std::isdigit(static_cast<unsigned char>(result[0])) == 0;
  return starts_as_name ? result : "";
}

}  // namespace

// The kernel is lowered once more, with the names of its roles. What it computes depends on no name.
void Lowering::name_roles() {
  for (auto& [number, sites] : sites_) {
    if (sites.launches.size() < 2) continue;
    BufferNames roles;
    bool several = false, other_shapes = false;
    for (size_t i = 0; i < sites.launches[0].arguments.size(); ++i) {
      if (sites.launches[0].arguments[i].kind != StageArgument::Kind::kValue) continue;
      const Instruction* first = sites.launches[0].arguments[i].value;
      std::vector<std::string> all, plain;  // plain: before an array's name had a number
      for (const StageStep& launch : sites.launches) {
        const Instruction* value = launch.arguments[i].value;
        all.push_back(names_.at(value));
        plain.push_back(plain_names_.count(value) > 0 ? plain_names_.at(value) : all.back());
        other_shapes |= launch.arguments[i].value->shape.dims != first->shape.dims;
      }
      const bool alike = std::all_of(all.begin(), all.end(), [&](const std::string& name) { return name == all[0]; });
      std::string role = alike ? all[0] : common_name(all);
      if (role.empty()) role = common_name(plain);
      if (role.empty()) role = program_.kernels[number].parameters[i].output ? "result" : "operand";
      roles[first] = role;
      several |= !alike;
    }
    if (!several) continue;
    const StageInput input = input_again(sites);
    // All else keeps its name: a kernel's graph may load what its text does not read.
    const auto exchange = [&] {
      for (auto& [value, role] : roles) std::swap(names_.at(value), role);
    };
    exchange();
    std::optional<LoweredStage> again = stage(input);
    exchange();
    if (!again) return;
    const bool alike = again->steps[0].arguments == sites.launches[0].arguments &&
                       again->steps[0].may_share == sites.launches[0].may_share;
    // A long name may have a line of its own, and move a load behind a store.
    if (!alike) continue;
    Kernel& kernel = again->kernels[0];
    // Which arrays may be one was found out when the loops around the launches were placed.
    for (size_t i = 0; i < kernel.parameters.size(); ++i) {
      kernel.parameters[i].variable->type.is_restrict =
          program_.kernels[number].parameters[i].variable->type.is_restrict;
    }
    const std::string count = std::to_string(sites.launches.size());
    kernel.description.push_back(
        (sites.part ? "So for " + count +
                          " sets of arrays, of one launch or of several; the names here stand for those of each"
                    : std::string(sites.together ? "Called" : "Launched") + " in " + count +
                          " places, on different arrays; the names here stand for those of each") +
        (other_shapes ? ", the shapes are the first's." : "."));
    program_.kernels[number] = std::move(kernel);
  }
}

}  // namespace sinter
