#include "passes/lower/text/named_numbers.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "ir/module/variable.h"

namespace sinter {

namespace {

// POLE_MASS -> kPoleMass. Behind a word that kernels have constants of their own by: kLengthValue.
std::string constant_name(const std::string& variable) {
  static const std::set<std::string> own = {
#define KERNEL_CONSTANT(name) #name,
#include "passes/lower/text/kernel_constants.def"
#undef KERNEL_CONSTANT
  };
  std::string name;
  bool begins = true;
  for (const char c : variable) {
    if (c == '_') {
      begins = true;
      continue;
    }
    const auto letter = static_cast<unsigned char>(c);
    name += static_cast<char>(begins ? std::toupper(letter) : std::tolower(letter));
    begins = false;
  }
  const std::string word = name.substr(0, name.find_last_not_of("0123456789") + 1);  // kTerms2
  return "k" + name + (own.count(word) > 0 ? "Value" : "");
}

// "9.8f"
std::string spelled(const Literal& number) {
  std::string text = to_string(number);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return number.shape().dtype == DType::kF32 ? text + "f" : text;
}

bool says_nothing(double value) { return value == 0 || std::abs(value) == 1 || !std::isfinite(value); }

}  // namespace

const Expr* named_number(Kernel* kernel, const Instruction& reader, const Literal& number) {
  const DType dtype = number.shape().dtype;
  if ((dtype != DType::kF32 && dtype != DType::kF64) || says_nothing(number.real_at(0))) return nullptr;
  for (const NamedNumber& named : named_numbers_of(reader)) {
    const Literal value = real_literal(dtype, named.value);
    const Literal negative = real_literal(dtype, -named.value);
    const bool is_negative = negative.same_value(number);
    if (!is_negative && !value.same_value(number)) continue;
    const NamedConstant constant = {constant_name(named.name), dtype == DType::kF32 ? "float" : "double",
                                    spelled(value)};
    const auto known = std::find_if(kernel->constants.begin(), kernel->constants.end(),
                                    [&](const NamedConstant& other) { return other.name == constant.name; });
    if (known == kernel->constants.end()) {
      kernel->constants.push_back(constant);
    } else if (known->value != constant.value || known->type != constant.type) {
      continue;
    }
    const Expr* name = kernel->name_expr(constant.name, CType::value(dtype));
    return is_negative ? kernel->prefix("-", name, name->type) : name;
  }
  return nullptr;
}

}  // namespace sinter
