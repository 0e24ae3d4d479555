#include "passes/names/value_names.h"

#include <cctype>

#include "ir/module/taken_names.h"
#include "ir/module/variable.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/functions/known_functions.h"
#include "passes/analysis/values/constants.h"

namespace sinter {

bool is_index_name(const std::string& name) { return is_index_word(name); }

bool is_function(const std::string& name) { return is_c_function_name(name) || is_helper_name(name); }

bool is_c_function(const std::string& name) { return is_c_function_name(name); }

std::string identifier(const std::string& text) {
  std::string result;
  const size_t slash = text.rfind('/');
  for (const char c : slash == std::string::npos ? text : text.substr(slash + 1)) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      result += c;
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  while (!result.empty() && result.back() == '_') result.pop_back();
  if (result.empty()) return "value";
  if (std::isdigit(static_cast<unsigned char>(result.front())) != 0) result = "v" + result;
  if (result.size() > 40) result.resize(40);
  if (has_macro_form(result) || has_kernel_form(result)) return "value_" + result;
  return is_reserved_word(result) || is_kernel_word(result) ? result + "_" : result;
}

std::string number_of(const std::string& name) {
  const size_t end = name.find_last_not_of("0123456789");
  return end != std::string::npos && end + 1 < name.size() && name[end] == '_' ? name.substr(end) : "";
}

std::string without_number(const std::string& name) { return name.substr(0, name.size() - number_of(name).size()); }

std::string function_name(const std::string& text) {
  std::string name = text;
  // ".5" is the module's numbering, "_2" what JAX tells its own functions of one name apart by.
  for (const char separator : {'.', '_'}) {
    const size_t last = name.find_last_not_of("0123456789");
    if (last != std::string::npos && last > 0 && last + 1 < name.size() && name[last] == separator) name.resize(last);
  }
  name = identifier(name);
  return is_function(name) ? name + "_function" : name;
}

std::string called_name(const Computation& callee) {
  const KnownFunction* known = known_function(callee);
  return known != nullptr ? known->name : function_name(callee.name);
}

namespace {

// True of a combiner that gives one of its two sides, by comparing them.
bool chooses(const Computation& combiner) {
  for (const Instruction& instruction : combiner.instructions()) {
    switch (instruction.opcode) {
      case Opcode::kParameter:
      case Opcode::kConstant:
      case Opcode::kTuple:
      case Opcode::kCompare:
      case Opcode::kSelect:
      case Opcode::kAnd:
      case Opcode::kOr:
      case Opcode::kNot:
        break;
      default:
        return false;
    }
  }
  return true;
}

// What is so where the comparison holds.
std::string comparison_name(const Instruction& compare) {
  const std::string& direction = *compare.attributes->direction;
  const Instruction& right = *compare.operand(1);
  const bool with_zero = right.shape.dtype != DType::kPred && (splat_integer(right) == 0 || splat_real(right) == 0.0);
  if (direction == "NE") return compare.operand(0) == compare.operand(1) ? "is_nan" : "is_different";
  if (direction == "EQ") return with_zero ? "is_zero" : "is_equal";
  if (direction == "LT") return with_zero ? "is_negative" : "is_less";
  if (direction == "GT") return with_zero ? "is_positive" : "is_greater";
  return direction == "LE" ? "is_at_most" : "is_at_least";
}

// Empty where the variable's name is a function's: the value goes by what it is.
std::string as_name(const std::string& variable) {
  if (variable.empty()) return "";
  const std::string name = identifier(variable);
  if (is_function(name)) return "";
  return is_index_name(name) ? name + "_value" : name;
}

}  // namespace

std::string variable_name(const Instruction& instruction) {
  const std::string variable = variable_of(instruction);
  return variable.empty() || is_part_of_variable(instruction) ? "" : as_name(variable);
}

std::string carried_name(const Instruction& instruction) { return as_name(carried_variable_of(instruction)); }

std::string value_name(const Instruction& instruction) {
  if (std::string name = variable_name(instruction); !name.empty()) return name;
  if (instruction.opcode == Opcode::kCall) {
    // The Python function it is part of says more than the function called: "jit(f)/jit(_uniform)" -> "uniform".
    const std::string& op_name = instruction.metadata->op_name;
    const size_t jit = op_name.rfind("jit(");
    const bool part = jit != std::string::npos && op_name.back() == ')' && op_name.find('/', jit) == std::string::npos;
    if (part) return function_name(op_name.substr(jit + 4, op_name.size() - jit - 5));
    const Computation& callee = **instruction.attributes->to_apply;
    const KnownFunction* known = known_function(callee);
    return known != nullptr ? known->value : function_name(callee.name);
  }
  if (instruction.opcode == Opcode::kSelect) return "select";
  if (instruction.opcode == Opcode::kCompare) return comparison_name(instruction);
  if (instruction.opcode == Opcode::kDot) return "dot";
  if (instruction.opcode == Opcode::kConvolution) return "conv";
  if (instruction.opcode == Opcode::kSelectAndScatter) return "scattered";
  if (instruction.opcode == Opcode::kReduce || instruction.opcode == Opcode::kReduceWindow) {
    const std::optional<Opcode> simple = simple_combiner(**instruction.attributes->to_apply);
    if (!simple) return chooses(**instruction.attributes->to_apply) ? "best" : "reduce";
    switch (*simple) {
      case Opcode::kAdd:
        return "sum";
      case Opcode::kMaximum:
        return "max";
      case Opcode::kMinimum:
        return "min";
      case Opcode::kMultiply:
        return "product";
      case Opcode::kAnd:
        return "all";
      case Opcode::kOr:
        return "any";
      default:
        return "parity";
    }
  }
  const std::string& op_name = instruction.metadata->op_name;
  std::string name = op_name.empty() ? "" : identifier(op_name);
  // "jit(_where)" and the like name a call, not the value.
  const bool useful = !name.empty() && name != "value" && op_name.find("jit(") == std::string::npos;
  const bool last_part_is_call =
      op_name.rfind('/') != std::string::npos && op_name.find('(', op_name.rfind('/')) != std::string::npos;
  if (!useful && op_name.rfind('/') != std::string::npos && !last_part_is_call)
    return is_c_function(name) ? identifier(std::string(opcode_name(instruction.opcode))) : name;
  // A step of a reduction or loop is none itself.
  const bool is_step = name == "reduce" || name == "while";
  if (!useful || is_step || is_c_function(name)) name = identifier(std::string(opcode_name(instruction.opcode)));
  // C++ has words for the operators.
  if (name == "and_" || name == "or_" || name == "xor_") {
    if (instruction.shape.is_array() && instruction.shape.dtype != DType::kPred) return "bits";
    if (name != "xor_") return name == "and_" ? "both" : "either";
  }
  // The functions that compute them are called so for every type.
  if (name == "maximum" || name == "minimum") name.resize(3);
  // The f64 functions have the plain names: a variable must not hide them.
  const bool is_double = instruction.shape.is_array() && instruction.shape.dtype == DType::kF64;
  return is_double && is_c_function(name) ? name + "_value" : name;
}

}  // namespace sinter
