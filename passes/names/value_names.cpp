#include "passes/names/value_names.h"

#include <algorithm>
#include <cctype>

#include "ir/module/device_functions.h"
#include "ir/module/host_functions.h"
#include "ir/module/taken_names.h"
#include "ir/module/variable.h"
#include "ir/ops/op_table.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/functions/known_functions.h"
#include "passes/analysis/functions/network.h"
#include "passes/analysis/functions/pairs.h"
#include "passes/analysis/functions/small_matrices.h"
#include "passes/analysis/functions/stencil_levels.h"
#include "passes/analysis/functions/stencil_steps.h"
#include "passes/analysis/values/constants.h"
#include "passes/analysis/values/fixed_module.h"
#include "passes/names/meaning.h"
#include "passes/names/meaning_pattern.h"

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

std::string without_number(const std::string& name) {
  const size_t end = name.find_last_not_of("0123456789");
  return end != std::string::npos && end + 1 < name.size() && name[end] == '_' ? name.substr(0, end) : name;
}

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
  const std::optional<KnownFunction> known = known_function(callee);
  if (!known) return function_name(callee.name);
  return known->name.starts_with("::") ? known->name.substr(2) : known->name;
}

std::string member_of_call(const Instruction& element) {
  if (element.opcode != Opcode::kGetTupleElement || element.operand(0)->opcode != Opcode::kCall) return "";
  const Computation& callee = **element.operand(0)->attributes->to_apply;
  if (!is_user_function(callee)) return "";
  return known_function(callee)->members[static_cast<size_t>(*element.attributes->tuple_index)];
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
      case Opcode::kMaximum:
      case Opcode::kMinimum:
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

// Operations of HLO and JAX, as the last part of an op_name has them: they say how a value is made, not what it is.
constexpr std::string_view kOperations =
    "abs add add_any and and_ atan2 bitcast_convert_type broadcast broadcast_in_dim cbrt ceil clamp concatenate conv "
    "conv_general_dilated convert convert_element_type copy copy_p cos cosh digamma div dot dot_general dynamic_slice "
    "dynamic_update_slice eq erf erf_inv erfc exp exp2 expand_dims expm1 floor gather ge gt imag integer_pow iota "
    "is_finite le lgamma log log1p logistic lt max maximum min minimum mul multiply ne neg not not_ or or_ pad pow "
    "real reduce reduce_and reduce_max reduce_min reduce_or reduce_prod reduce_sum reduce_window rem reshape rev round "
    "rsqrt scatter scatter_add select select_and_scatter_add select_n shift_left shift_right_arithmetic "
    "shift_right_logical sign sin sinh slice split sqrt square squeeze stack stop_gradient sub tan tanh transpose "
    "value "
    "while while_ xor xor_";

bool is_operation(const std::string& name) {
  static const llvm::StringSet<> operations = [] {
    llvm::SmallVector<llvm::StringRef> words;
    llvm::StringRef(kOperations).split(words, ' ');
    llvm::StringSet<> result;
    for (const llvm::StringRef word : words) result.insert(word);
    return result;
  }();
  return operations.contains(name);
}

bool is_opcode(const std::string& name) {
  static const llvm::StringSet<> opcodes = [] {
    llvm::StringSet<> result;
    for (int i = 0; i < kOpcodeCount; ++i) result.insert(identifier(std::string(opcode_name(static_cast<Opcode>(i)))));
    return result;
  }();
  return opcodes.contains(name);
}

// What an op_name calls the value, other than its operation: `argmax`, or a name that another frontend gives.
std::string said_name(const Instruction& instruction) {
  const std::string& op_name = instruction.metadata->op_name;
  if (op_name.empty()) return "";
  // "jit(_where)" and the like name a call, not the value.
  const size_t slash = op_name.rfind('/');
  if (op_name.find('(', slash == std::string::npos ? 0 : slash) != std::string::npos) return "";
  std::string name = identifier(op_name);
  std::string opcode(opcode_name(instruction.opcode));
  std::replace(opcode.begin(), opcode.end(), '-', '_');
  return name == opcode || is_operation(name) || is_c_function(name) ? "" : name;
}

std::string call_name(const Instruction& call) {
  // The Python function it is part of says more than the function called: "jit(f)/jit(_uniform)" -> "uniform".
  const std::string& op_name = call.metadata->op_name;
  const size_t jit = op_name.rfind("jit(");
  const bool part = jit != std::string::npos && op_name.back() == ')' && op_name.find('/', jit) == std::string::npos;
  if (part) return function_name(op_name.substr(jit + 4, op_name.size() - jit - 5));
  const Computation& callee = **call.attributes->to_apply;
  const std::optional<KnownFunction> known = known_function(callee);
  return known ? known->value : function_name(callee.name);
}

// Of a reduction that no row of meanings.def knows: over windows, or of several arrays.
std::string reduction_name(const Computation& combiner) {
  const std::optional<Opcode> simple = simple_combiner(combiner);
  if (!simple) return chooses(combiner) ? "best" : "combined";
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

// Whether each window begins where the array does, or ends where it does.
bool is_cumulative(const Instruction& windows) {
  const std::vector<WindowDimension>& window = *windows.attributes->window;
  const std::vector<int64_t>& dims = windows.operand(0)->shape.dims;
  for (size_t d = 0; d < dims.size(); ++d) {
    const WindowDimension& along = window[d];
    if (along.size == 1) continue;
    if (along.size != dims[d] || along.pad_low + along.pad_high != along.size - 1) return false;
    if (along.pad_low != 0 && along.pad_high != 0) return false;
  }
  return true;
}

bool moves_elements(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kBitcast:
    case Opcode::kBroadcast:
    case Opcode::kConvert:
    case Opcode::kCopy:
    case Opcode::kDynamicSlice:
    case Opcode::kReshape:
    case Opcode::kSlice:
    case Opcode::kTranspose:
      return &element_source(instruction) != &instruction;
    default:
      return false;
  }
}

// What an operand is of an operation that a variable's expression has, `{}` being the variable: "{}_numerator"; empty
// where there is no word for it.
std::string role_of(const Instruction& operand, const Instruction& reader) {
  switch (reader.opcode) {
    case Opcode::kAdd:
    case Opcode::kSubtract:
      return "{}_term";
    case Opcode::kMultiply: {
      const Instruction& other = *reader.operand(reader.operand(0) == &operand ? 1 : 0);
      return splat_real(other) ? "unscaled_{}" : "{}_factor";
    }
    case Opcode::kDivide:
      return reader.operand(0) == &operand ? "{}_numerator" : "{}_denominator";
    default:
      return "";
  }
}

bool is_scaled_by_number(const Instruction& value, const Instruction& reader) {
  const bool is_first = reader.operand(0) == &value;
  if (reader.opcode == Opcode::kDivide) return is_first && splat_real(*reader.operand(1));
  return reader.opcode == Opcode::kMultiply && splat_real(*reader.operand(is_first ? 1 : 0));
}

// The same of a reduction: `loss_sum` of a mean, `norm_square` of a root. What stands deeper in the expression says
// more by itself.
std::string role_of_reduction(const Instruction& reduce, const std::string& role, const Instruction& value,
                              const Instruction& reader) {
  const bool adds = simple_combiner(**reduce.attributes->to_apply) == Opcode::kAdd;
  if (adds && is_scaled_by_number(value, reader) && (role.empty() || role == "{}_sum")) return "{}_sum";
  if (adds && reader.opcode == Opcode::kSqrt && role.empty()) return "{}_square";
  return role.empty() ? role_of(value, reader) : "";
}

// True of what says little by its operation alone.
bool is_arithmetic(Opcode opcode) {
  return opcode == Opcode::kAdd || opcode == Opcode::kSubtract || opcode == Opcode::kMultiply ||
         opcode == Opcode::kDivide || opcode == Opcode::kSelect || opcode == Opcode::kDot || opcode == Opcode::kReduce;
}

// A part of a variable's expression that is read once: of `x = a * b + c` the product is x_term, and what stands deeper
// in it x_part.
std::string part_name(const Instruction& instruction) {
  constexpr int kMostSteps = 4;
  constexpr size_t kLongest = 24;
  if (!is_arithmetic(instruction.opcode)) return "";
  std::string role;
  const Instruction* part = &instruction;
  for (int step = 0; step < kMostSteps && part->users().size() == 1; ++step) {
    const Instruction& user = *part->users()[0];
    const bool keeps_role = moves_elements(user) || user.opcode == Opcode::kSelect;
    if (!keeps_role) {
      if (family_of(user) != Family::kElementwise) return "";
      if (instruction.opcode == Opcode::kReduce) {
        role = role_of_reduction(instruction, role, *part, user);
        if (role.empty()) return "";
      } else {
        const std::string here = role_of(*part, user);
        role = role.empty() || role == here ? here : "{}_part";
        if (role.empty()) role = "{}_part";
      }
    }
    if (const std::string variable = variable_name(user); !variable.empty() && !role.empty()) {
      const std::string name = role.replace(role.find("{}"), 2, variable);
      return name.size() <= kLongest ? name : "";
    }
    part = &user;
  }
  return "";
}

// Whether the step and places alone decide it: of loops that begin otherwise.
bool is_of_places(const Instruction& predicate) {
  std::vector<const Instruction*> open = {&predicate};
  for (size_t next = 0; next < open.size(); ++next) {
    const Instruction& value = *open[next];
    const bool counts = value.opcode == Opcode::kGetTupleElement && value.shape.is_scalar() &&
                        is_integer(value.shape.dtype) && value.operand(0)->opcode == Opcode::kParameter;
    const bool moves = value.opcode == Opcode::kBroadcast || value.opcode == Opcode::kReshape;
    const bool tests = value.opcode == Opcode::kCompare || value.opcode == Opcode::kAnd;
    if (counts || value.opcode == Opcode::kConstant || value.opcode == Opcode::kIota) continue;
    if (!moves && !tests) return false;
    open.insert(open.end(), value.operands().begin(), value.operands().end());
  }
  return true;
}

// What a loop makes of an element of its state: the rows that it stacks up, or what its last step leaves.
std::string left_by_loop(const Instruction& element) {
  const Instruction& loop = *element.operand(0);
  const auto number = static_cast<size_t>(*element.attributes->tuple_index);
  const Instruction* root = (*loop.attributes->body)->root();
  if (root->opcode != Opcode::kTuple) return "state";
  const Instruction& next = *root->operand(number);
  if (std::string name = carried_name(next); !name.empty()) return name;
  // Lanes that have ended keep what they have.
  for (size_t side = 1; next.opcode == Opcode::kSelect && side <= 2; ++side) {
    if (std::string name = carried_name(*next.operand(side)); !name.empty()) return name;
  }
  const Instruction& made = next.opcode == Opcode::kDynamicUpdateSlice ? element_source(*next.operand(1)) : next;
  if (made.opcode == Opcode::kSelect && is_of_places(*made.operand(0))) return value_name(*made.operand(2));
  if (made.opcode != Opcode::kGetTupleElement) return value_name(made);
  const std::string said = said_name(made);
  return said.empty() ? "state" : said;
}

// What parts of a reduction come to: "partial_" and what it is of all of them.
std::string partial_name(const Instruction& parts) {
  constexpr size_t kLongest = 24;
  const std::string whole = value_name(*parts.users()[0]);
  if (whole.starts_with("partial_")) return whole;
  const std::string name = "partial_" + whole;
  return name.size() <= kLongest ? name : "partial_" + reduction_name(**parts.attributes->to_apply);
}

// Of a result of what a thread makes of small matrices: what it is there.
const Instruction* result_inside(const Instruction& instruction) {
  const bool is_element = instruction.opcode == Opcode::kGetTupleElement;
  const Instruction& fusion = is_element ? *instruction.operand(0) : instruction;
  if (!is_small_matrices(fusion) && !is_network(fusion) && !is_chain(fusion) && !is_pairs(fusion) &&
      !is_stencil_levels(fusion))
    return nullptr;
  const Instruction* root = (*fusion.attributes->calls)->root();
  if (!is_element) return root->opcode == Opcode::kTuple ? root->operand(0) : root;
  return root->operand(static_cast<size_t>(*instruction.attributes->tuple_index));
}

}  // namespace

std::string variable_name(const Instruction& instruction) {
  const std::string variable = variable_of(instruction);
  return variable.empty() || is_part_of_variable(instruction) ? "" : as_name(variable);
}

std::string carried_name(const Instruction& instruction) { return as_name(carried_variable_of(instruction)); }

std::string constant_name(const Instruction& constant) {
  const std::string said = said_name(constant);
  // What was folded bears the name of its operation.
  return said.empty() || opcode_from_name(said) ? "constant" : said;
}

namespace {

std::string found_name(const Instruction& instruction) {
  if (std::string name = variable_name(instruction); !name.empty()) return name;
  if (instruction.opcode == Opcode::kCall) return call_name(instruction);
  if (const std::string member = member_of_call(instruction); !member.empty()) return identifier(member);
  if (const auto result = device_result(instruction)) return identifier(result->member);
  if (calls_device_function(instruction)) return identifier(plain_name(device_function(instruction)));
  if (calls_row_function(instruction)) return identifier(plain_name(row_function(instruction).name));
  if (calls_host_function(instruction)) return identifier(plain_name(host_function(instruction).name));
  if (is_attention(instruction)) return "attention";
  if (is_stencil_steps(instruction)) return "steps";
  if (const Instruction* inside = result_inside(instruction)) return value_name(*inside);
  if (instruction.opcode == Opcode::kReduceWindow) {
    return (is_cumulative(instruction) ? "running_" : "window_") + reduction_name(**instruction.attributes->to_apply);
  }
  if (instruction.opcode == Opcode::kSelectAndScatter) return "scattered";
  if (std::string name = said_name(instruction); !name.empty()) return name;
  if (is_partial(instruction)) return partial_name(instruction);
  if (std::string name = meaning_name(instruction); !name.empty()) return name;
  if (instruction.opcode == Opcode::kCompare) return comparison_name(instruction);
  if (std::string name = part_name(instruction); !name.empty()) return name;
  if (std::string name = noun_name(instruction); !name.empty()) return name;
  if (instruction.opcode == Opcode::kReduce) return reduction_name(**instruction.attributes->to_apply);
  const bool is_left =
      instruction.opcode == Opcode::kGetTupleElement && instruction.operand(0)->opcode == Opcode::kWhile;
  if (is_left) return left_by_loop(instruction);
  if (instruction.opcode == Opcode::kWhile) return "loop";
  if (moves_elements(instruction)) {
    const Instruction& source = element_source(instruction);
    if (source.opcode == Opcode::kGetTupleElement && source.operand(0)->opcode == Opcode::kWhile)
      return value_name(source);
    const bool is_part = source.opcode == Opcode::kParameter || source.opcode == Opcode::kGetTupleElement;
    return is_part && said_name(source).empty() ? "part" : value_name(source);
  }
  // The f64 functions have the plain names: a variable must not hide them.
  const std::string name = identifier(std::string(opcode_name(instruction.opcode)));
  const bool is_double = instruction.shape.is_array() && instruction.shape.dtype == DType::kF64;
  return is_double && is_c_function(name) ? name + "_value" : name;
}

}  // namespace

std::string value_name(const Instruction& instruction) {
  // Every tree that is tried asks for the names of its values.
  struct Kept {
    uint64_t number = 0;
    llvm::DenseMap<const Instruction*, std::string> names;
  };
  static thread_local Kept kept;
  const uint64_t number = FixedModule::number_of(instruction);
  if (number == 0) return found_name(instruction);
  if (kept.number != number) kept.names.clear();
  kept.number = number;
  if (const auto known = kept.names.find(&instruction); known != kept.names.end()) return known->second;
  std::string name = found_name(instruction);
  kept.names[&instruction] = name;
  return name;
}

bool is_operation_name(const std::string& name) {
  return is_noun_of_numbers(name) || is_operation(name) || is_opcode(name);
}

}  // namespace sinter
