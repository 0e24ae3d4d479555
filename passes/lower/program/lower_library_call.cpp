// The call of a library becomes a step of the host: its function in templates/library, the numbers that function takes,
// and the buffers of its operands and results. So does the call of a host function of the user's own.
#include <algorithm>

#include "ir/module/host_functions.h"
#include "ir/module/solver_calls.h"
#include "ir/support/diagnostics.h"
#include "passes/lower/program/lowering.h"

namespace sinter {

namespace {

using Kind = SolverCall::Kind;

std::string flag(const std::string& name, bool value) { return "/*" + name + "=*/" + (value ? "true" : "false"); }

// What stands before `batch` and the arrays, as the comments of templates/library/*.cuh have it.
std::vector<std::string> call_numbers(const SolverCall& call, const Instruction& instruction) {
  const Shape& a = instruction.operand(0)->shape;
  const auto number = [](int64_t value) { return std::to_string(value); };
  if (call.kind == Kind::kTridiagonal) {
    return {number(a.dims.back()), number(matrix_extents(call, instruction.operand(3)->shape).columns)};
  }
  const auto [rows, columns] = matrix_extents(call, a);
  switch (call.kind) {
    case Kind::kCholesky:
    case Kind::kSymmetricEigen:
      return {flag("lower", call.lower), number(rows)};
    case Kind::kTriangularSolve: {
      const MatrixExtents x = matrix_extents(call, instruction.operand(1)->shape);
      const std::string op = call.conjugated ? "'C'" : call.transposed ? "'T'" : "'N'";
      return {flag("left", call.left), flag("lower", call.lower), op, flag("unit_diagonal", call.unit_diagonal),
              number(x.rows),          number(x.columns)};
    }
    case Kind::kHouseholder:
      return {number(rows), number(columns), number(instruction.operand(1)->shape.dims.back())};
    case Kind::kSingularValues:
      return {flag("vectors", call.wants_vectors), number(rows), number(columns),
              number(matrix_extents(call, result_shape(instruction, 2)).columns),
              number(matrix_extents(call, result_shape(instruction, 3)).rows)};
    default:
      return {number(rows), number(columns)};
  }
}

LibraryFunction library_function(const Instruction& instruction) {
  LibraryFunction result;
  if (calls_host_function(instruction)) {
    const HostFunction called = host_function(instruction);
    result.function = to_string(called.name);
    result.numbers = called.numbers;
    return result;
  }
  const SolverCall call = *solver_call(instruction);
  result.function = lapack_name(call.kind);
  result.dtype = instruction.operand(0)->shape.dtype;
  result.numbers = call_numbers(call, instruction);
  result.numbers.push_back(std::to_string(batch_count(call, instruction)));
  return result;
}

}  // namespace

bool Lowering::library_call(const LevelContext& context, const TreeNode& node, std::vector<HostStep>* steps) {
  const auto found = by_name_.find(node.name);
  const Instruction* instruction = found == by_name_.end() ? nullptr : found->second;
  if (instruction == nullptr || !is_library_call(*instruction) || instruction->parent() != context.computation) {
    plan_error(node.loc, "E0405", "no call is called '" + node.name + "'", "names are those `sinter opt` prints");
    return false;
  }
  HostStep step;
  step.kind = HostStep::Kind::kCall;
  step.call = library_function(*instruction);
  const std::string name = plain_name(parse_function_name(step.call.function));
  if (const std::optional<SolverCall> call = solver_call(*instruction))
    program_.plan.synchronises |= may_wait(call->kind);
  for (const Instruction* operand : instruction->operands()) step.buffers.push_back(buffer_of(array_value(operand)));
  step.call.operands = step.buffers.size();

  const size_t results = instruction->shape.is_tuple() ? instruction->shape.elements.size() : 1;
  for (size_t i = 0; i < results; ++i) {
    const Instruction* value = instruction->shape.is_tuple() ? nullptr : instruction;
    for (const Instruction* user : instruction->users()) {
      const bool is_read = !user->users().empty() || user->parent()->root() == user;
      const bool element = user->opcode == Opcode::kGetTupleElement && is_read &&
                           *user->attributes->tuple_index == static_cast<int64_t>(i);
      // One that has a place already: a result of the program, or what a loop carries.
      if (element && (value == nullptr || location_.count(value) == 0)) value = user;
    }
    if (value != nullptr) {
      step.buffers.push_back(buffer_of(value));
      continue;
    }
    step.buffers.push_back(add_buffer(Buffer::Kind::kArena, nullptr, name + "_unread"));
    program_.plan.buffers.back().shape = result_shape(*instruction, i);
  }
  if (calls_host_function(*instruction) && host_function(*instruction).workspace_bytes > 0) {
    step.buffers.push_back(add_buffer(Buffer::Kind::kArena, nullptr, name + "_workspace"));
    program_.plan.buffers.back().shape = Shape::array(DType::kU8, {host_function(*instruction).workspace_bytes});
  }
  step.comment = node.name;
  const std::vector<PythonFrame> frames = module_.python_frames(*instruction);
  if (!frames.empty()) step.comment += "  (" + frames[0].file + ":" + std::to_string(frames[0].line) + ")";
  steps->push_back(std::move(step));
  return true;
}

}  // namespace sinter
