// A call that is given whole arrays: the host makes it between launches. Its function has parameters in this order:
//
//   stream, operands, results, a workspace if it takes one, numbers by name
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <limits>
#include <set>

#include "driver/functions/call_binder.h"
#include "emitter/text/spell_literal.h"
#include "ir/module/host_functions.h"

namespace sinter {

namespace {

using Kind = HeaderType::Kind;

// The attribute of a call that says how large the workspace is.
constexpr const char* kWorkspaceBytes = "workspace_bytes";

bool is_row_major(const std::vector<int64_t>& minor_to_major) {
  for (size_t d = 0; d < minor_to_major.size(); ++d) {
    if (minor_to_major[d] != static_cast<int64_t>(minor_to_major.size() - 1 - d)) return false;
  }
  return true;
}

// Of constraints as HLO text has them, `{f32[8,4]{1,0}, f32[]}`: whether all layouts are row by row.
bool are_row_major(llvm::StringRef constraints) {
  for (size_t at = 0; (at = constraints.find("]{", at)) != llvm::StringRef::npos; at += 2) {
    llvm::SmallVector<llvm::StringRef, 8> numbers;
    constraints.substr(at + 2).take_until([](char c) { return c == '}' || c == ':'; }).split(numbers, ',');
    std::vector<int64_t> order;
    for (const llvm::StringRef number : numbers) {
      if (int64_t dimension = 0; !number.trim().getAsInteger(10, dimension)) order.push_back(dimension);
    }
    if (!is_row_major(order)) return false;
  }
  return true;
}

Shape without_layouts(Shape shape) {
  shape.layout.reset();
  for (Shape& element : shape.elements) element = without_layouts(std::move(element));
  return shape;
}

class ArrayBinder : public CallBinder {
 public:
  using CallBinder::CallBinder;

  Refusal refusal() const override {
    for (const Shape& result : results()) {
      if (!result.is_array()) return {"gives " + to_string(result, false) + ", which is no array", ""};
      if (result.layout && !is_row_major(result.layout->minor_to_major))
        return layout_refusal("a result of " + to_string(result));
    }
    for (const Instruction* operand : call_.operands()) {
      if (!operand->shape.is_array()) return {"has an operand %" + operand->name + ", which is no array", ""};
    }
    const auto& constraints = call_.attributes->operand_layout_constraints;
    if (constraints && !are_row_major(*constraints)) return layout_refusal("an operand of " + *constraints);
    if (call_.attributes->output_to_operand_aliasing)
      return {"has operands that are its results",
              "take input_output_aliases away: a host function writes arrays anew"};
    if (is_of_elements(*call_.parent()))
      return {"is called for each element", "threads make that call: --device-function"};
    return {};
  }

  std::string why_not(const HeaderFunction& function) const override {
    const size_t operands = call_.operands().size(), arrays = operands + results().size();
    const std::vector<HeaderFunction::Parameter>& parameters = function.parameters;
    if (parameters.size() < 1 + arrays) {
      return "takes " + std::to_string(parameters.size() - 1) + " parameters behind the stream, the call has " +
             std::to_string(operands) + " operands and " + std::to_string(results().size()) + " results";
    }
    if (std::string why = why_no_arrays(function, 1); !why.empty()) return why;
    std::set<std::string> used;
    for (size_t i = 1 + arrays; i < parameters.size(); ++i) {
      if (i == 1 + arrays && parameters[i].type.kind == Kind::kWorkspace) {
        if (!workspace_bytes())
          return std::string("takes a workspace, the call has no attribute '") + kWorkspaceBytes +
                 "', a number of bytes";
        used.insert(kWorkspaceBytes);
        continue;
      }
      if (std::string why = why_no_number(function, parameters[i]); !why.empty()) return why;
      used.insert(parameters[i].name);
    }
    return why_unused(used, "behind the arrays");
  }

  void bind(const HeaderFunction& function) override {
    const Shape shape = without_layouts(gives_tuple_of_one() ? call_.shape.elements[0] : call_.shape);
    Instruction* call = insert_call(shape, call_.operands(), plain_name(bound_.name));
    call->attributes.edit().custom_call_target = call_.attributes->custom_call_target;
    // Calls with other attributes are other values.
    call->annotations.edit().backend_config = call_.annotations->backend_config;
    auto& marks = call->annotations.edit().frontend_attributes;
    marks[kHostFunctionAttribute] = to_string(bound_.name);
    std::string numbers;
    for (size_t i = 1 + call_.operands().size() + results().size(); i < function.parameters.size(); ++i) {
      const HeaderFunction::Parameter& parameter = function.parameters[i];
      if (parameter.type.kind == Kind::kWorkspace) {
        marks[kHostWorkspaceAttribute] = std::to_string(*workspace_bytes());
        continue;
      }
      const std::string text = typed_literal(*number(function, parameter)).text;
      numbers += (numbers.empty() ? "/*" : ", /*") + parameter.name + "=*/" + text;
    }
    if (!numbers.empty()) marks[kHostNumbersAttribute] = numbers;
    if (gives_tuple_of_one()) return become_tuple_of(call);
    become(call);
  }

 private:
  static Refusal layout_refusal(const std::string& what) {
    return {"has " + what + ", which is not row by row", "host functions have arrays row by row: give no layouts"};
  }

  std::optional<int64_t> workspace_bytes() const {
    const CallAttribute* attribute = find(kWorkspaceBytes);
    if (attribute == nullptr || !attribute->value || !is_integer(attribute->value->shape().dtype)) return std::nullopt;
    const int64_t bytes = attribute->value->integer_at(0);
    return bytes <= 0 ? std::nullopt : std::optional(bytes);
  }

  // The elements of the array parameter that `name` is the size of: "x_size".
  std::optional<int64_t> size_of(const HeaderFunction& function, const std::string& name) const {
    for (size_t i = 0; i < call_.operands().size() + results().size(); ++i) {
      if (function.parameters[1 + i].name + kSize != name) continue;
      const size_t operands = call_.operands().size();
      return i < operands ? call_.operand(i)->shape.element_count() : results()[i - operands].element_count();
    }
    return std::nullopt;
  }

  // What the host passes for a parameter; nullopt where it has no number of that type.
  std::optional<Literal> number(const HeaderFunction& function, const HeaderFunction::Parameter& parameter) const {
    const DType dtype = *parameter.type.element;
    if (find(parameter.name) != nullptr) {
      const Literal* value = number_for(parameter);
      return value == nullptr ? std::nullopt : std::optional(*value);
    }
    const std::optional<int64_t> size = size_of(function, parameter.name);
    const bool counts = is_integer(dtype) && dtype_bits(dtype) >= 32;
    if (!size || !counts || (dtype == DType::kS32 && *size > std::numeric_limits<int32_t>::max())) return std::nullopt;
    return integer_literal(dtype, *size);
  }

  std::string why_no_number(const HeaderFunction& function, const HeaderFunction::Parameter& parameter) const {
    if (parameter.type.kind != Kind::kElement)
      return "takes " + parameter.type.text + " " + parameter.name + ", for which the call has no array";
    if (is_half(parameter)) return half_text(parameter);
    if (number(function, parameter)) return "";
    const std::optional<int64_t> size = size_of(function, parameter.name);
    return why_no_number_for(parameter,
                             size ? ", which does not hold the size " + std::to_string(*size)
                                  : ", which is no attribute of the call, nor the size of an array (x_size of x)");
  }
};

}  // namespace

std::unique_ptr<CallBinder> array_binder(Instruction& call, const FunctionBinding& bound,
                                         std::vector<CallAttribute> attributes) {
  return std::make_unique<ArrayBinder>(call, bound, std::move(attributes));
}

}  // namespace sinter
