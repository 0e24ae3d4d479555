// A call that computes rows, along the last dimension: its function has parameters in this order:
//
//   operands, the result, numbers by name
#include <set>

#include "driver/functions/call_binder.h"
#include "emitter/text/spell_literal.h"
#include "ir/infer/called_signature.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/stages/own/row_function_stage.h"

namespace sinter {

namespace {

using Kind = HeaderType::Kind;

class RowBinder : public CallBinder {
 public:
  using CallBinder::CallBinder;

  Refusal refusal() const override { return {}; }

  std::string why_not(const HeaderFunction& function) const override {
    const size_t arrays = call_.operands().size() + 1;
    const std::vector<HeaderFunction::Parameter>& parameters = function.parameters;
    if (results().size() != 1) return "gives one array, the call's result is " + to_string(call_.shape, false);
    if (row_shape(call_, result()).rank() == 0)
      return "computes rows, the call's result is " + to_string(result(), false);
    if (row_shape(call_, result()).element_count() == 0 && result().element_count() > 0)
      return "computes rows, those of the call have no elements";
    if (is_of_elements(*call_.parent())) return "computes rows, and is called for each element";
    if (parameters.size() < arrays) {
      return "takes " + std::to_string(parameters.size()) + " parameters, the call has " + std::to_string(arrays - 1) +
             " operands and a result";
    }
    if (std::string why = why_no_arrays(function, 0); !why.empty()) return why;
    std::set<std::string> used;
    for (size_t i = arrays; i < parameters.size(); ++i) {
      if (number(function, parameters[i]).empty()) {
        if (is_half(parameters[i])) return half_text(parameters[i]);
        return why_no_number_for(parameters[i],
                                 ", which is no attribute of the call, nor the size of a row (x_size of x)");
      }
      used.insert(parameters[i].name);
    }
    if (std::string why = why_unused(used, "behind the rows"); !why.empty()) return why;
    const int64_t bytes = row_bytes(call_, result());
    if (bytes > kMostRowBytes) {
      return "is called with rows in shared memory, " + std::to_string(bytes) + " bytes; there are " +
             std::to_string(kMostRowBytes);
    }
    return "";
  }

  void bind(const HeaderFunction& function) override {
    const Shape shape = without_layout(result());
    GraphBuilder at(call_);
    const Shape rows = row_shape(call_, result());
    if (shape.element_count() == 0) {
      Literal zero(Shape::scalar(shape.dtype));
      return give(at.splat(at.constant(std::move(zero)), shape.dims));
    }
    std::vector<Instruction*> operands;
    for (Instruction* operand : call_.operands()) operands.push_back(spread(call_, operand, rows));
    Instruction* call = insert_call(shape, operands, call_.name);
    call->attributes.edit().custom_call_target = call_.attributes->custom_call_target;
    auto& marks = call->annotations.edit().frontend_attributes;
    marks[kRowFunctionAttribute] = to_string(bound_.name);
    if (function.is_template) marks[kRowTemplateAttribute] = "threads";
    std::string numbers;
    for (size_t i = operands.size() + 1; i < function.parameters.size(); ++i) {
      const HeaderFunction::Parameter& parameter = function.parameters[i];
      numbers += (numbers.empty() ? "/*" : ", /*") + parameter.name + "=*/" + number(function, parameter);
    }
    if (!numbers.empty()) marks[kRowNumbersAttribute] = numbers;
    give(call);
  }

 private:
  const Shape& result() const { return call_.shape.is_tuple() ? call_.shape.elements[0] : call_.shape; }

  void give(Instruction* value) {
    if (gives_tuple_of_one()) return become_tuple_of(value);
    become(value);
  }

  // How kernels spell what they pass for a parameter; empty where there is no number of that type.
  std::string number(const HeaderFunction& function, const HeaderFunction::Parameter& parameter) const {
    if (parameter.type.kind != Kind::kElement) return "";
    const DType dtype = *parameter.type.element;
    if (find(parameter.name) != nullptr) {
      const Literal* value = number_for(parameter);
      if (value == nullptr) return "";
      // What needs a header of ours: of 16 bits, or a NaN that says more.
      const LiteralText literal = typed_literal(*value);
      return literal.headers.empty() ? literal.text : "";
    }
    const bool counts = is_integer(dtype) && dtype_bits(dtype) >= 32;
    for (size_t i = 0; counts && i <= call_.operands().size(); ++i) {
      if (function.parameters[i].name + kSize != parameter.name) continue;
      const bool is_one = i == call_.operands().size() && row_shape(call_, result()).rank() != result().rank();
      return is_one ? "1" : "kColumns";
    }
    return "";
  }
};

}  // namespace

std::unique_ptr<CallBinder> row_binder(Instruction& call, const FunctionBinding& bound,
                                       std::vector<CallAttribute> attributes) {
  return std::make_unique<RowBinder>(call, bound, std::move(attributes));
}

}  // namespace sinter
