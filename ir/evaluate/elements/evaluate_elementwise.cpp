// Elementwise ops: which kernel an instruction runs, and running it over whole arrays. select and clamp, whose
// operands may be scalars beside arrays, have their kernels here.
#include "ir/evaluate/elements/evaluate_elementwise.h"

#include <array>
#include <string_view>

#include "ir/evaluate/elements/evaluate_elements.h"
#include "ir/ops/evaluate_ops.h"
#include "ir/ops/op_table.h"

namespace sinter::elements {
namespace {

template <class Storage>
void run_select(const Kernel&, const KernelArguments& a) {
  const auto* choose = reinterpret_cast<const uint8_t*>(a.operands[0]);
  const auto* x = reinterpret_cast<const Storage*>(a.operands[1]);
  const auto* y = reinterpret_cast<const Storage*>(a.operands[2]);
  auto* result = reinterpret_cast<Storage*>(a.result);
  for (int64_t i = 0; i < a.count; ++i) {
    result[i] = choose[i * a.steps[0]] != 0 ? x[i * a.steps[1]] : y[i * a.steps[2]];
  }
}

// min(max(x, low), high)
template <class Element>
void run_clamp(const Kernel& kernel, const KernelArguments& a) {
  using Storage = typename Element::Storage;
  const Element element(kernel.operand);
  const auto* low = reinterpret_cast<const Storage*>(a.operands[0]);
  const auto* x = reinterpret_cast<const Storage*>(a.operands[1]);
  const auto* high = reinterpret_cast<const Storage*>(a.operands[2]);
  auto* result = reinterpret_cast<Storage*>(a.result);
  for (int64_t i = 0; i < a.count; ++i) {
    const auto raised = nan_maximum(element.load(x[i * a.steps[1]]), element.load(low[i * a.steps[0]]));
    result[i] = element.store(nan_minimum(raised, element.load(high[i * a.steps[2]])));
  }
}

KernelFunction find_select(DType dtype) {
  switch (dtype_bytes(dtype)) {
    case 1:
      return &run_select<uint8_t>;
    case 2:
      return &run_select<uint16_t>;
    case 4:
      return &run_select<uint32_t>;
    case 8:
      return &run_select<uint64_t>;
    case 16:
      return &run_select<std::complex<double>>;
    default:
      return nullptr;
  }
}

KernelFunction find_clamp(DType dtype) {
  return visit_element(dtype, []<class Element>(const Element&) -> KernelFunction {
    if constexpr (kIsComplex<Element>) {
      return nullptr;
    } else {
      return &run_clamp<Element>;
    }
  });
}

int64_t direction_number(std::string_view direction) {
  constexpr std::array<std::string_view, 6> kNames = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == direction) return static_cast<int64_t>(i);
  }
  return -1;
}

Kernel find_compare_kernel(const Instruction& instruction, DType dtype) {
  const int64_t direction = direction_number(instruction.attributes->direction.value_or(""));
  const bool total_order = instruction.attributes->comparison_type.value_or("") == "TOTALORDER";
  return {.function = find_compare(direction, total_order, dtype), .operand = dtype, .result = DType::kPred};
}

}  // namespace

Kernel find_kernel(const Instruction& instruction) {
  if (opcode_family(instruction.opcode) != Family::kElementwise || !instruction.shape.is_array()) return {};
  for (const Instruction* operand : instruction.operands()) {
    if (!operand->shape.is_array()) return {};
  }
  const size_t arity = instruction.operands().size();
  if (arity == 0 || arity > 3) return {};
  const Attributes& attributes = instruction.attributes;
  Kernel kernel;
  kernel.operand = instruction.operand(0)->shape.dtype;
  kernel.result = instruction.shape.dtype;
  switch (instruction.opcode) {
    case Opcode::kCompare:
      return find_compare_kernel(instruction, kernel.operand);
    case Opcode::kConvert:
      kernel.function = find_convert(kernel.operand);
      return kernel;
    case Opcode::kStochasticConvert:
      if (arity == 2) kernel.function = find_stochastic_convert(kernel.operand, instruction.operand(1)->shape.dtype);
      return kernel;
    case Opcode::kReducePrecision:
      kernel.parameters[0] = attributes.exponent_bits.value_or(11);
      kernel.parameters[1] = attributes.mantissa_bits.value_or(52);
      kernel.function = find_reduce_precision(kernel.operand);
      return kernel;
    case Opcode::kSelect:
      kernel.operand = kernel.result;
      kernel.function = find_select(kernel.result);
      return kernel;
    case Opcode::kClamp:
      kernel.function = find_clamp(kernel.operand);
      return kernel;
    default:
      break;
  }
  if (arity == 2) {
    kernel.function = find_binary(instruction.opcode, kernel.operand);
    return kernel;
  }
  const OpDef& def = op_def(instruction.opcode);
  kernel.real = def.real;
  kernel.complex = def.complex;
  if (def.real != nullptr && is_float(kernel.operand)) {
    kernel.function = find_real_function(kernel.operand);
  } else if (def.complex != nullptr && is_complex(kernel.operand)) {
    kernel.function = find_complex_function(kernel.operand);
  } else {
    kernel.function = find_basic_unary(instruction.opcode, kernel.operand);
  }
  return kernel;
}

}  // namespace sinter::elements

namespace sinter {

Literal evaluate_elementwise(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext&) {
  const elements::Kernel kernel = elements::find_kernel(instruction);
  check(kernel.function != nullptr, "evaluate", "no kernel for " + instruction.name);
  Literal result(instruction.shape);
  elements::KernelArguments arguments;
  arguments.count = result.element_count();
  arguments.result = result.mutable_bytes().data();
  for (size_t i = 0; i < operands.size(); ++i) {
    arguments.operands[i] = operands[i].bytes().data();
    arguments.steps[i] = operands[i].shape().is_scalar() ? 0 : 1;
  }
  kernel(arguments);
  return result;
}

// The shape's layout may differ; values are kept in logical order, so they stay where they are.
Literal evaluate_copy(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context) {
  Literal result = context.take(operands, 0);
  result.set_layout(instruction.shape.layout);
  return result;
}

}  // namespace sinter
