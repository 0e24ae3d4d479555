// A call that computes each element: an elementwise operation, of operands with the result's dimensions.
#include <algorithm>
#include <set>

#include "driver/functions/call_binder.h"
#include "ir/infer/called_signature.h"
#include "ir/module/host_functions.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/stages/own/row_function_stage.h"

namespace sinter {

namespace {

class ElementBinder : public CallBinder {
 public:
  using CallBinder::CallBinder;

  Refusal refusal() const override {
    const Shape& result = this->result();
    for (const Shape& other : results()) {
      if (other.is_array() && other.dims == result.dims) continue;
      return {"gives " + to_string(call_.shape, false),
              "results of a device function are arrays of the same dimensions"};
    }
    if (call_.operands().empty()) return {"has no operands", "a device function takes an element at least"};
    for (const Instruction* operand : call_.operands()) {
      if (can_spread(operand->shape, row_shape(call_, result))) continue;
      return {"has an operand %" + operand->name + " of " + to_string(operand->shape, false) + " for a result of " +
                  to_string(result, false),
              "operands have the dimensions of the result, or the first of them; 1 stands for any"};
    }
    return {};
  }

  std::string why_not(const HeaderFunction& function) const override {
    if (function.of_row) return row_binder(call_, bound_, attributes_)->why_not(function);
    const size_t operands = call_.operands().size();
    if (const Shape& rows = row_shape(call_, result()); rows.rank() != result().rank()) {
      return "computes an element, the call gives " + to_string(result(), false) + " of rows of " +
             to_string(rows, false);
    }
    if (function.parameters.size() < operands) {
      return "takes " + std::to_string(function.parameters.size()) + " elements, the call has " +
             std::to_string(operands) + " operands";
    }
    for (size_t i = 0; i < operands; ++i) {
      const HeaderFunction::Parameter& parameter = function.parameters[i];
      const DType given = call_.operand(i)->shape.dtype;
      if (parameter.type.element != given) {
        return "takes " + parameter.type.text + " as its parameter " + std::to_string(i) + ", operand %" +
               call_.operand(i)->name + " is " + type_text(given);
      }
    }
    std::set<std::string> used;
    for (size_t i = operands; i < function.parameters.size(); ++i) {
      const HeaderFunction::Parameter& parameter = function.parameters[i];
      if (number_for(parameter) == nullptr)
        return why_no_number_for(parameter, ", which is neither an operand nor an attribute of the call");
      used.insert(parameter.name);
    }
    if (std::string why = why_unused(used, "behind the operands"); !why.empty()) return why;
    std::vector<DType> given;
    if (function.result.element) given = {*function.result.element};
    for (const auto& [name, dtype] : function.result.members) given.push_back(dtype);
    const std::vector<Shape> wanted = results();
    const bool same = std::equal(given.begin(), given.end(), wanted.begin(), wanted.end(),
                                 [](DType dtype, const Shape& shape) { return dtype == shape.dtype; });
    if (same) return "";
    std::string text = wanted.size() == 1 ? "result is " : "results are ";
    for (const Shape& shape : wanted) text += (&shape == wanted.data() ? "" : ", ") + type_text(shape.dtype);
    return "gives " + function.result.text + members_text(function.result) + ", the call's " + text;
  }

  void bind(const HeaderFunction& function) override {
    if (function.of_row) return row_binder(call_, bound_, attributes_)->bind(function);
    const Shape result = this->result();
    std::vector<Instruction*> operands;
    for (Instruction* operand : call_.operands()) operands.push_back(spread(call_, operand, result));
    for (size_t i = operands.size(); i < function.parameters.size(); ++i) {
      Instruction* number = GraphBuilder(call_).constant(*find(function.parameters[i].name)->value);
      operands.push_back(spread(call_, number, result));
    }
    if (!function.result.members.empty()) return bind_several(function.result, operands);
    if (!call_.shape.is_tuple()) {
      call_.set_operands(operands);
      return mark(&call_, "");
    }
    Instruction* call = insert_call(result, operands, call_.name);
    mark(call, "");
    become_tuple_of(call);
  }

 private:
  // Of all results: they have the same dimensions.
  const Shape& result() const { return call_.shape.is_tuple() ? call_.shape.elements[0] : call_.shape; }

  static std::string members_text(const HeaderType& type) {
    std::string text;
    for (const auto& [name, dtype] : type.members)
      text += (text.empty() ? " {" : " ") + std::string(dtype_cuda_name(dtype)) + " " + name + ";";
    return text + (text.empty() ? "" : "}");
  }

  // Makes it a call of the function, of which it gives a member, or all.
  void mark(Instruction* call, const std::string& member) const {
    Attributes attributes;
    attributes.custom_call_target = call_.attributes->custom_call_target;
    Annotations annotations;
    annotations.frontend_attributes[kDeviceFunctionAttribute] = to_string(bound_.name);
    if (!member.empty()) annotations.frontend_attributes[kDeviceResultAttribute] = member;
    call->attributes = std::move(attributes);
    call->annotations = std::move(annotations);
  }

  // A call for each member, in a computation that is called: kernels call such a one once for all its results. Where
  // they are elements themselves, or loops may count with them, there are the calls alone.
  void bind_several(const HeaderType& type, const std::vector<Instruction*>& operands) {
    const std::vector<Shape> shapes = results();
    const Shape& first = shapes[0];
    const bool counts = first.element_count() == 1 &&
                        std::ranges::any_of(shapes, [](const Shape& shape) { return is_signed_integer(shape.dtype); });
    const bool is_apart = first.is_static() && first.element_count() > 0 && !counts && !is_of_elements(*call_.parent());
    Module& module = *call_.parent()->parent();
    Computation* function = is_apart ? module.add_computation(plain_name(bound_.name)) : call_.parent();
    std::vector<Instruction*> arguments = operands, members;
    if (is_apart) {
      for (size_t i = 0; i < operands.size(); ++i)
        arguments[i] = GraphBuilder(*function).parameter(without_layout(operands[i]->shape), "x" + std::to_string(i));
    }
    for (size_t i = 0; i < shapes.size(); ++i) {
      const std::string& name = type.members[i].first;
      const Shape shape = without_layout(shapes[i]);
      Instruction* member =
          is_apart ? function->add(Opcode::kCustomCall, shape, arguments, name) : insert_call(shape, arguments, name);
      mark(member, to_string(DeviceResult{.type = type.name, .member = name}));
      members.push_back(member);
    }
    if (!is_apart) {
      Instruction* all = GraphBuilder(call_).tuple(members);
      return call_.shape.is_tuple() ? become(all) : become(members[0]);
    }
    function->set_root(GraphBuilder(*function).tuple(members));
    Instruction* call = GraphBuilder(call_).call(function, operands);
    call->metadata = call_.metadata;
    call->loc = call_.loc;
    become(call_.shape.is_tuple() ? call : GraphBuilder(call_).tuple_element(call, 0));
    module.sort_computations();
  }
};

}  // namespace

std::unique_ptr<CallBinder> element_binder(Instruction& call, const FunctionBinding& bound,
                                           std::vector<CallAttribute> attributes) {
  return std::make_unique<ElementBinder>(call, bound, std::move(attributes));
}

}  // namespace sinter
