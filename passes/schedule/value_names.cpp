#include "passes/schedule/value_names.h"

#include <cctype>
#include <set>

#include "passes/graph/known_functions.h"
#include "passes/graph/rewrite.h"
#include "passes/schedule/demand.h"

namespace sinter {

namespace {

// Words a variable may not be called: C++ keywords, and functions and types the kernels' text uses.
const std::set<std::string>& reserved() {
  static const std::set<std::string> words = {
      "alignas",     "alignof",    "and",          "and_eq",     "asm",      "auto",         "bitand",
      "bitor",       "bool",       "break",        "case",       "catch",    "char",         "char8_t",
      "char16_t",    "char32_t",   "class",        "compl",      "concept",  "const",        "consteval",
      "constexpr",   "constinit",  "const_cast",   "continue",   "co_await", "co_return",    "co_yield",
      "decltype",    "default",    "delete",       "do",         "double",   "dynamic_cast", "else",
      "enum",        "explicit",   "export",       "extern",     "false",    "float",        "for",
      "friend",      "goto",       "if",           "inline",     "int",      "long",         "mutable",
      "namespace",   "new",        "noexcept",     "not",        "not_eq",   "nullptr",      "operator",
      "or",          "or_eq",      "private",      "protected",  "public",   "register",     "reinterpret_cast",
      "requires",    "return",     "short",        "signed",     "sizeof",   "static",       "static_assert",
      "static_cast", "struct",     "switch",       "template",   "this",     "thread_local", "throw",
      "true",        "try",        "typedef",      "typeid",     "typename", "union",        "unsigned",
      "using",       "virtual",    "void",         "volatile",   "wchar_t",  "while",        "xor",
      "xor_eq",      "stream",     "launch",       "main",       "Shared",   "Vector",       "Complex",
      "threadIdx",   "blockIdx",   "blockDim",     "gridDim",    "warpSize", "dim3",         "int8_t",
      "int16_t",     "int32_t",    "int64_t",      "uint8_t",    "uint16_t", "uint32_t",     "uint64_t",
      "size_t",      "INFINITY",   "NAN",          "NULL",       "EOF",      "assert",       "errno",
      "stdin",       "stdout",     "stderr",       "linux",      "unix",     "complex",      "imaginary",
      "restrict",    "typeof",     "major",        "minor",      "makedev",  "noreturn",     "F4E2M1FN",
      "F6E2M3FN",    "F6E3M2FN",   "F8E3M4",       "F8E4M3",     "F8E4M3FN", "F8E4M3FNUZ",   "F8E4M3B11FNUZ",
      "F8E5M2",      "F8E5M2FNUZ", "F8E8M0FNU",    "ThreadTeam", "WarpTeam", "BlockTeam",    "PivotCandidate",
      "RealPart",    "library",    "Threefry2x32", "BlockTree",  "LaneTurns"};
  return words;
}

// Functions of templates/device, which emitted files may include.
bool is_helper(const std::string& name) {
  static const std::set<std::string> names = {"add_row",
                                              "advance",
                                              "asinh_of_special",
                                              "atomic_combine",
                                              "bit_cast",
                                              "bit_piece",
                                              "bits",
                                              "block_fft",
                                              "block_reduce",
                                              "block_scan",
                                              "block_shared",
                                              "block_sort",
                                              "butterfly",
                                              "butterfly_4",
                                              "clear_bins",
                                              "climb",
                                              "column_reduce",
                                              "column_scan",
                                              "combine_bins",
                                              "conj",
                                              "conjugate",
                                              "count_leading_zeros",
                                              "direction",
                                              "divide_slowpath",
                                              "divide_twice",
                                              "eighth_turn",
                                              "factor_cholesky",
                                              "factor_lu",
                                              "factor_qr",
                                              "fft_passes",
                                              "fft_radix",
                                              "from_lane",
                                              "from_real",
                                              "grid_sync",
                                              "imaginary_part",
                                              "infinite_product",
                                              "integer_divide",
                                              "integer_power",
                                              "integer_remainder",
                                              "is_last_block",
                                              "is_last_of",
                                              "is_own",
                                              "isinf",
                                              "join_bits",
                                              "keep_best",
                                              "lane",
                                              "load_acquire",
                                              "load_vector",
                                              "load_row",
                                              "log_abs",
                                              "lower_bound",
                                              "merge_runs",
                                              "merge_split",
                                              "multiply_high",
                                              "multiply_reflectors",
                                              "nearest_float",
                                              "offer",
                                              "one_minus",
                                              "one_plus",
                                              "permute_by_pivots",
                                              "phase",
                                              "polar",
                                              "population_count",
                                              "quarter_turn",
                                              "quick_quotient",
                                              "rank",
                                              "real_part",
                                              "reduce",
                                              "reduce_batch",
                                              "reduce_precision",
                                              "reduce_rows",
                                              "refined_quotient",
                                              "reflect_column",
                                              "reload_each_step",
                                              "resident_blocks",
                                              "root_of_unity",
                                              "rotate_left",
                                              "round_to",
                                              "round_to_odd",
                                              "saturate_cast",
                                              "shift_left",
                                              "shift_right_arithmetic",
                                              "shift_right_logical",
                                              "shuffle_up",
                                              "shuffle_xor",
                                              "sign_extend",
                                              "solve_triangular",
                                              "spin_until",
                                              "split_runs",
                                              "squared_size",
                                              "stochastic_convert",
                                              "store_bins",
                                              "store_release",
                                              "store_vector",
                                              "sync",
                                              "thread_sort",
                                              "threefry2x32",
                                              "threefry_rounds",
                                              "times_i",
                                              "times_minus_i",
                                              "to_bfloat16",
                                              "to_complex",
                                              "to_float",
                                              "to_half",
                                              "total_order_key",
                                              "turn",
                                              "warp",
                                              "warp_reduce",
                                              "warp_scan",
                                              "zero_extend"};
  return names.count(name) > 0;
}

}  // namespace

bool is_index_name(const std::string& name) {
  static const std::set<std::string> names = {"element", "row",    "column",  "lane",       "batch",  "tile",  "t",
                                              "tx",      "ty",     "lhs_row", "rhs_column", "lhs_k",  "rhs_k", "step",
                                              "shared",  "thread", "warp",    "block",      "arrays", "tree"};
  return names.count(name) > 0;
}

bool is_function(const std::string& name) { return is_c_function(name) || is_helper(name); }

bool is_c_function(const std::string& name) {
  static const std::set<std::string> names = {
      "sin",   "cos",      "tan",      "exp",     "exp2",    "expm1", "log",  "log1p", "log2",  "pow",   "sqrt",
      "rsqrt", "cbrt",     "tanh",     "sinh",    "cosh",    "asin",  "acos", "atan",  "atan2", "asinh", "acosh",
      "atanh", "erf",      "erfc",     "abs",     "fabs",    "floor", "ceil", "round", "rint",  "fma",   "fmod",
      "sign",  "logistic", "isfinite", "maximum", "minimum", "index", "y0",   "y1",    "j0",    "j1",    "gamma"};
  return names.count(name) > 0;
}

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
  return reserved().count(result) > 0 ? result + "_" : result;
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

}  // namespace

std::string value_name(const Instruction& instruction) {
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
