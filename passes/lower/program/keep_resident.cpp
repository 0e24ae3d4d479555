#include "passes/lower/program/keep_resident.h"

#include <algorithm>

#include "passes/lower/host/traffic.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/stages/gemv/gemv_text.h"

namespace sinter {

namespace {

constexpr const char* kParameter = "loads_weights";

bool is_choice(const NamedConstant& constant) { return constant.name == kLoadsWeights; }

const Statement* loading(const Block& block) {
  for (const Statement& statement : block) {
    const bool is_test = statement.kind == Statement::Kind::kIf && statement.value->kind == Expr::Kind::kName;
    if (is_test && statement.value->text == kLoadsWeights) return &statement;
  }
  return nullptr;
}

}  // namespace

std::vector<size_t> kept_parameters(const Kernel& kernel) {
  std::vector<size_t> kept;
  if (std::ranges::none_of(kernel.constants, is_choice)) return kept;
  const Statement* load = loading(kernel.body);
  if (load == nullptr) return kept;
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    if (mentions(load->body, kernel.parameters[i].variable)) kept.push_back(i);
  }
  return kept;
}

std::string refuse_kept(const Kernel& kernel, bool shares, const std::function<bool(size_t)>& changes) {
  const std::vector<size_t> kept = kept_parameters(kernel);
  if (kept.empty()) return "";
  constexpr int64_t kFewBlocks = 2;  // that one block may do, and not the same in each step
  if (kernel.launch.blocks() <= kFewBlocks) return "has too few blocks to keep weights";
  if (shares) return "keeps weights where others have shared memory";
  return std::ranges::any_of(kept, changes) ? "keeps weights that the steps change" : "";
}

int64_t bytes_kept(const HostStep& step, const HostPlan& plan, const Kernel& part, const std::vector<size_t>& kept) {
  HostStep load = {.kind = HostStep::Kind::kLaunch};
  std::vector<Parameter> parameters;
  for (const size_t position : kept) {
    load.buffers.push_back(step.buffers[position]);
    parameters.push_back(part.parameters[position]);
  }
  return traffic_of(load, plan, parameters).read;
}

void ask_whether_to_load(Kernel* part) {
  std::erase_if(part->constants, is_choice);
  part->rename(kLoadsWeights, kParameter);
  part->parameters.push_back({part->variable(kParameter, CType::value(DType::kPred))});
}

}  // namespace sinter
