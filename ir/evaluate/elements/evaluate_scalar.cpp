// Compiling and running computations over scalars.
#include "ir/evaluate/elements/evaluate_scalar.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "ir/support/diagnostics.h"

namespace sinter::elements {
namespace {

// Lanes computed together: enough to hide the dispatch, few enough for the registers to stay in cache.
constexpr int64_t kChunk = 512;
// Calls are inlined up to this many operations; larger computations are interpreted.
constexpr size_t kMaxOperations = 10000;

std::optional<Combine> combine_of(Opcode opcode, DType dtype) {
  const bool is_pred = dtype == DType::kPred;
  switch (opcode) {
    case Opcode::kAdd:
      return is_pred ? Combine::kOr : Combine::kAdd;
    case Opcode::kMultiply:
      return is_pred ? Combine::kAnd : Combine::kMultiply;
    case Opcode::kMaximum:
      return is_pred ? Combine::kOr : Combine::kMaximum;
    case Opcode::kMinimum:
      return is_pred ? Combine::kAnd : Combine::kMinimum;
    case Opcode::kAnd:
      return Combine::kAnd;
    case Opcode::kOr:
      return Combine::kOr;
    case Opcode::kXor:
      return Combine::kXor;
    default:
      return std::nullopt;
  }
}

// A copy more or less does not change how often a sum is rounded.
const Instruction* without_copies(const Instruction* value) {
  while (value->opcode == Opcode::kCopy) value = value->operand(0);
  return value;
}

std::optional<Combine> combine_of(const Instruction& combined, const Instruction* old_value,
                                  const Instruction* new_value) {
  const Instruction& value = *without_copies(&combined);
  if (&value == new_value) return Combine::kReplace;
  if (value.operands().size() != 2 || !value.shape.is_array()) return std::nullopt;
  const Instruction* x = without_copies(value.operand(0));
  const Instruction* y = without_copies(value.operand(1));
  const bool matches = (x == old_value && y == new_value) || (x == new_value && y == old_value);
  if (!matches || old_value->shape.dtype != new_value->shape.dtype) return std::nullopt;
  return combine_of(value.opcode, value.shape.dtype);
}

bool is_scalar_like(const Shape& shape) { return shape.is_array() && shape.element_count() == 1; }

bool all_scalar_like(const Shape& shape) {
  if (shape.is_array()) return is_scalar_like(shape);
  return shape.is_tuple() && std::all_of(shape.elements.begin(), shape.elements.end(), is_scalar_like);
}

}  // namespace

std::optional<std::vector<Combine>> simple_combiners(const Computation& computation) {
  const std::vector<Instruction*> parameters = computation.parameters();
  const Instruction* root = computation.root();
  const size_t count = parameters.size() / 2;
  std::vector<const Instruction*> values = {root};
  if (root->opcode == Opcode::kTuple) values.assign(root->operands().begin(), root->operands().end());
  if (values.size() != count || parameters.size() != 2 * count) return std::nullopt;
  std::vector<Combine> combiners;
  for (size_t k = 0; k < count; ++k) {
    const std::optional<Combine> combine = combine_of(*values[k], parameters[k], parameters[count + k]);
    if (!combine) return std::nullopt;
    combiners.push_back(*combine);
  }
  return combiners;
}

ScalarFunction::ScalarFunction(const Computation& computation, EvaluateContext& context)
    : computation_(computation), context_(context) {
  std::vector<Value> arguments;
  for (const Instruction* parameter : computation.parameters()) {
    input_dtypes_.push_back(parameter->shape.dtype);
    arguments.push_back({registers_.size()});
    registers_.push_back({.dtype = parameter->shape.dtype, .data = nullptr, .step = 1, .storage = {}, .constant = {}});
  }
  const Shape& result = computation.root()->shape;
  if (result.is_tuple()) {
    for (const Shape& element : result.elements) output_dtypes_.push_back(element.dtype);
  } else {
    output_dtypes_.push_back(result.dtype);
  }
  compiled_ = compile(computation, arguments, 0, outputs_);
  for (Register& reg : registers_) {
    if (!reg.storage.empty()) reg.data = reg.storage.data();
  }
}

std::optional<ScalarFunction::Value> ScalarFunction::compile_instruction(const Instruction& instruction,
                                                                         const std::vector<Value>& operands,
                                                                         int depth) {
  if (!all_scalar_like(instruction.shape)) return std::nullopt;
  switch (instruction.opcode) {
    case Opcode::kConstant: {
      if (!instruction.shape.is_array() || instruction.literal.is_elided()) return std::nullopt;
      Register constant{
          .dtype = instruction.shape.dtype, .data = nullptr, .step = 0, .storage = {}, .constant = instruction.literal};
      constant.data = constant.constant.bytes().data();
      registers_.push_back(std::move(constant));
      return Value{registers_.size() - 1};
    }
    case Opcode::kTuple: {
      Value value;
      for (const Value& operand : operands) {
        if (operand.size() != 1) return std::nullopt;
        value.push_back(operand[0]);
      }
      return value;
    }
    case Opcode::kGetTupleElement:
      return Value{operands[0].at(static_cast<size_t>(*instruction.attributes->tuple_index))};
    case Opcode::kBroadcast:
    case Opcode::kReshape:
    case Opcode::kTranspose:
    case Opcode::kCopy:
    case Opcode::kOptBarrier:
      return operands[0];
    case Opcode::kCall: {
      Value value;
      if (!compile(**instruction.attributes->to_apply, operands, depth + 1, value)) return std::nullopt;
      return value;
    }
    default:
      break;
  }
  Operation operation;
  operation.kernel = find_kernel(instruction);
  if (operation.kernel.function == nullptr || operations_.size() >= kMaxOperations) return std::nullopt;
  operation.operand_count = operands.size();
  for (size_t i = 0; i < operands.size(); ++i) operation.operands[i] = operands[i].at(0);
  operation.result = registers_.size();
  Register result{.dtype = instruction.shape.dtype, .data = nullptr, .step = 1, .storage = {}, .constant = {}};
  result.storage.resize(static_cast<size_t>(kChunk * dtype_bytes(instruction.shape.dtype)));
  registers_.push_back(std::move(result));
  operations_.push_back(operation);
  return Value{operation.result};
}

bool ScalarFunction::compile(const Computation& computation, const std::vector<Value>& arguments, int depth,
                             Value& result) {
  if (depth > 100) return false;
  std::unordered_map<const Instruction*, Value> values;
  for (const Instruction& instruction : computation.instructions()) {
    if (instruction.opcode == Opcode::kParameter) {
      values[&instruction] = arguments.at(static_cast<size_t>(instruction.parameter_number));
      continue;
    }
    std::vector<Value> operands;
    for (const Instruction* operand : instruction.operands()) operands.push_back(values.at(operand));
    std::optional<Value> value = compile_instruction(instruction, operands, depth);
    if (!value) return false;
    values[&instruction] = std::move(*value);
  }
  result = values.at(computation.root());
  return true;
}

void ScalarFunction::run_chunk(std::span<const Input> inputs, std::span<std::byte* const> outputs, int64_t start,
                               int64_t count) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    registers_[i].data = inputs[i].data + start * inputs[i].step * dtype_bytes(registers_[i].dtype);
    registers_[i].step = inputs[i].step;
  }
  for (const Operation& operation : operations_) {
    KernelArguments arguments;
    for (size_t i = 0; i < operation.operand_count; ++i) {
      arguments.operands[i] = registers_[operation.operands[i]].data;
      arguments.steps[i] = registers_[operation.operands[i]].step;
    }
    arguments.result = registers_[operation.result].storage.data();
    arguments.count = count;
    operation.kernel(arguments);
  }
  // All values are computed before an output, which may be an input too, is written; outputs that are parameters
  // unchanged go through a copy for the same reason.
  std::vector<std::vector<std::byte>> kept;
  if (outputs_.size() > 1) kept.resize(outputs_.size());
  for (size_t k = 0; k < kept.size(); ++k) {
    const Register& source = registers_[outputs_[k]];
    if (!source.storage.empty() || source.step == 0) continue;
    const auto bytes = static_cast<size_t>(count * dtype_bytes(source.dtype));
    kept[k].assign(source.data, source.data + bytes);
  }
  for (size_t k = 0; k < outputs_.size(); ++k) {
    const Register& source = registers_[outputs_[k]];
    const auto bytes = static_cast<size_t>(dtype_bytes(source.dtype));
    std::byte* target = outputs[k] + start * static_cast<int64_t>(bytes);
    const std::byte* data = kept.empty() || kept[k].empty() ? source.data : kept[k].data();
    if (source.step == 1) {
      std::memmove(target, data, static_cast<size_t>(count) * bytes);
    } else {
      for (int64_t i = 0; i < count; ++i) std::memcpy(target + static_cast<size_t>(i) * bytes, data, bytes);
    }
  }
}

// The computation as any other, for what has no kernels.
void ScalarFunction::run_one(std::span<const Input> inputs, std::span<std::byte* const> outputs, int64_t lane) {
  std::vector<Literal> arguments;
  for (size_t i = 0; i < inputs.size(); ++i) {
    Literal argument(Shape::scalar(input_dtypes_[i]));
    const auto bytes = static_cast<size_t>(dtype_bytes(input_dtypes_[i]));
    std::memcpy(argument.mutable_bytes().data(), inputs[i].data + static_cast<size_t>(lane * inputs[i].step) * bytes,
                bytes);
    arguments.push_back(std::move(argument));
  }
  const Literal result = context_.call(computation_, std::move(arguments));
  for (size_t k = 0; k < output_dtypes_.size(); ++k) {
    const Literal& part = result.shape().is_tuple() ? result.elements()[k] : result;
    const auto bytes = static_cast<size_t>(dtype_bytes(output_dtypes_[k]));
    std::memcpy(outputs[k] + static_cast<size_t>(lane) * bytes, part.bytes().data(), bytes);
  }
}

void ScalarFunction::run(std::span<const Input> inputs, std::span<std::byte* const> outputs, int64_t count) {
  check(inputs.size() == input_dtypes_.size() && outputs.size() == output_dtypes_.size(), "evaluate",
        "wrong number of inputs or outputs of " + computation_.name);
  context_.count_steps(count);
  if (!compiled_) {
    for (int64_t lane = 0; lane < count; ++lane) run_one(inputs, outputs, lane);
    return;
  }
  for (int64_t start = 0; start < count; start += kChunk) {
    run_chunk(inputs, outputs, start, std::min(kChunk, count - start));
  }
}

}  // namespace sinter::elements
