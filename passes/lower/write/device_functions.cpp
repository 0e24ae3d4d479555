#include "passes/lower/write/device_functions.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <numeric>

#include "ir/support/diagnostics.h"
#include "passes/analysis/functions/per_element.h"
#include "passes/lower/rewrite/update_in_place.h"
#include "passes/lower/text/expressions.h"
#include "passes/lower/write/write_kernel.h"
#include "passes/names/value_names.h"

namespace sinter {

namespace {

// Longer names of parameters are what JAX makes of a whole Python scope.
constexpr size_t kMaxParameterName = 16;

// One argument for all elements of an array.
bool is_shared(const Instruction& parameter, const Shape& result) {
  return parameter.shape.element_count() == 1 &&
         (result.element_count() > 1 || (parameter.shape.is_scalar() && !result.is_scalar()));
}

bool reads_any(const Expr& expr, const std::vector<Variable*>& variables) {
  if (expr.kind == Expr::Kind::kVariable) {
    return std::find(variables.begin(), variables.end(), expr.variable) != variables.end();
  }
  return std::any_of(expr.operands.begin(), expr.operands.end(),
                     [&](const Expr* operand) { return reads_any(*operand, variables); });
}

// Where arguments are updated in place, what is made of the shared ones alone is one more of these: k0, k1, then k2.
void name_shared(const Block& block, const std::vector<Variable*>& mutables, size_t shared_count) {
  std::vector<Variable*> own = mutables;
  for (const Statement& statement : block) {
    if (statement.kind != Statement::Kind::kLet) continue;
    if (reads_any(*statement.value, own)) {
      own.push_back(statement.variable);
    } else {
      statement.variable->name = "k" + std::to_string(shared_count++);
    }
  }
}

// The text's names where all of them say something; else x, x0, x1, ... for what differs from element to element and
// k, k0, k1, ... for what does not.
std::vector<std::string> parameter_names(const std::vector<Instruction*>& parameters, const Shape& result) {
  std::vector<std::string> names;
  for (const Instruction* parameter : parameters) {
    std::string name = function_name(parameter->name);
    const bool numbered = name.rfind("Arg", 0) == 0 || name.rfind("arg", 0) == 0 || name.rfind("param", 0) == 0;
    if (numbered || name.size() > kMaxParameterName || std::find(names.begin(), names.end(), name) != names.end())
      break;
    names.push_back(std::move(name));
  }
  if (names.size() == parameters.size()) return names;
  names.clear();
  const int64_t shared_count = std::count_if(parameters.begin(), parameters.end(), [&](const Instruction* parameter) {
    return is_shared(*parameter, result);
  });
  const int64_t own_count = static_cast<int64_t>(parameters.size()) - shared_count;
  int64_t next_shared = 0, next_own = 0;
  for (const Instruction* parameter : parameters) {
    const bool one = is_shared(*parameter, result);
    const int64_t number = one ? next_shared++ : next_own++;
    const bool alone = (one ? shared_count : own_count) == 1;
    names.push_back((one ? "k" : "x") + (alone ? "" : std::to_string(number)));
  }
  return names;
}

}  // namespace

std::string type_name(const std::string& function) {
  std::string result;
  bool upper = true;
  for (const char c : function) {
    if (c == '_') {
      upper = true;
      continue;
    }
    result += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = false;
  }
  return result;
}

std::vector<std::string> member_names(size_t count) {
  if (count == 2) return {"first", "second"};
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i) names.push_back("result_" + std::to_string(i));
  return names;
}

CalledFunctions DeviceFunctions::table(const Module& module, Kernel& kernel) {
  auto functions = std::make_shared<DeviceFunctions>(module, kernel);
  return [functions](const Instruction& call) -> const CalledFunction& { return functions->of(call); };
}

const CalledFunction& DeviceFunctions::of(const Instruction& call) {
  const Computation* callee = *call.attributes->to_apply;
  const CalledFunction*& known = by_computation_[callee];
  if (known != nullptr) return *known;
  const CalledFunction*& same = by_signature_[scalar_signature(*callee)];
  if (same == nullptr) {
    const std::optional<KnownFunction> in_header = known_function(*callee);
    functions_.push_back(in_header ? include(*in_header, callee->parameters().size()) : write(*callee));
    same = &functions_.back();
  }
  known = same;
  return *known;
}

CalledFunction DeviceFunctions::include(const KnownFunction& function, size_t parameters) {
  kernel_.headers.insert(function.header);
  CalledFunction called{.name = function.name,
                        .result = CType::named(function.type),
                        .members = function.members,
                        .arguments = std::vector<size_t>(parameters)};
  std::iota(called.arguments.begin(), called.arguments.end(), size_t{0});
  return called;
}

std::string DeviceFunctions::unique_name(const Computation& callee) const {
  const auto is_taken = [&](const std::string& name) {
    if (name == kernel_.name) return true;
    for (const Parameter& parameter : kernel_.parameters) {
      if (parameter.variable->name == name) return true;
    }
    for (const DeviceFunction& function : kernel_.functions) {
      if (function.name == name) return true;
    }
    return false;
  };
  const std::string base = function_name(callee.name);
  std::string name = base;
  for (int number = 1; is_taken(name); ++number) name = base + "_" + std::to_string(number);
  return name;
}

CalledFunction DeviceFunctions::write(const Computation& callee) {
  CalledFunction called;
  called.name = unique_name(callee);
  const Instruction* root = callee.root();
  std::vector<const Instruction*> results(root->operands().begin(), root->operands().end());
  if (root->opcode != Opcode::kTuple) results = {root};

  DemandContext context;
  context.level = &callee;
  for (const Instruction& instruction : callee.instructions()) context.computed.insert(&instruction);
  DemandGraph graph(context);
  Expressions expressions;
  expressions.graph = &graph;
  expressions.kernel = &kernel_;

  DeviceFunction function;
  function.name = called.name;
  const std::vector<Instruction*> parameters = callee.parameters();
  const Shape& shape = results[0]->shape;
  const std::vector<std::string> names = parameter_names(parameters, shape);
  std::vector<Variable*> mutables;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i]->users().empty()) continue;
    Variable* variable = kernel_.variable(names[i], CType::value(parameters[i]->shape.dtype));
    expressions.variables[graph.add_parameter(parameters[i])] = variable;
    function.parameters.push_back(variable);
    if (!is_shared(*parameters[i], shape)) mutables.push_back(variable);
    called.arguments.push_back(i);
  }
  // Every element is computed alike: the first one stands for all.
  for (const Instruction* result : results) {
    graph.results.push_back(graph.demand(result, std::vector<IndexExpr>(result->shape.dims.size())));
  }
  check(!graph.failure && graph.finish({}), "lower", callee.name + " is not a function on scalars");

  function.body = write_block(module_, graph, expressions, {});
  std::vector<const Expr*> values;
  for (const NodeId result : graph.results) values.push_back(expressions.value(result));
  const Expr* returned = values[0];
  if (results.size() == 1) {
    called.result = CType::value(results[0]->shape.dtype);
  } else {
    called.result = CType::named(type_name(called.name));
    called.members = member_names(results.size());
    ResultStruct type;
    type.name = *called.result.name;
    for (size_t i = 0; i < results.size(); ++i) type.members.emplace_back(called.members[i], results[i]->shape.dtype);
    kernel_.structs.push_back(std::move(type));
    returned = kernel_.braces(std::move(values), called.result);
  }
  const size_t shared_count = function.parameters.size() - mutables.size();
  if (update_in_place(kernel_, mutables, &function.body, &returned) && shared_count > 1 &&
      function.parameters[0]->name == "k0") {
    name_shared(function.body, mutables, shared_count);
  }
  function.body.push_back({.kind = Statement::Kind::kReturn, .value = returned});
  function.result = called.result;
  function.comment = {"One element of " + called.name + "."};
  kernel_.functions.push_back(std::move(function));
  return called;
}

}  // namespace sinter
