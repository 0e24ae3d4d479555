// A call that computes each element: an elementwise operation, of operands with the result's dimensions.
#include <set>

#include "driver/functions/call_binder.h"
#include "passes/graph/base/graph_builder.h"

namespace sinter {

namespace {

// An operand with the result's dimensions. Its own are the first of them, or 1 in their place: so a scalar is for all
// elements, and what jax.vmap makes of one for those of its lane.
bool can_spread(const Shape& operand, const Shape& result) {
  if (!operand.is_array() || operand.rank() > result.rank()) return false;
  for (size_t d = 0; d < operand.dims.size(); ++d) {
    if (operand.dims[d] != result.dims[d] && operand.dims[d] != 1) return false;
  }
  return true;
}

Instruction* spread(GraphBuilder& at, Instruction* operand, const Shape& result) {
  if (operand->shape.dims == result.dims) return operand;
  std::vector<int64_t> kept, where;
  for (size_t d = 0; d < operand->shape.dims.size(); ++d) {
    if (operand->shape.dims[d] == 1) continue;
    kept.push_back(operand->shape.dims[d]);
    where.push_back(static_cast<int64_t>(d));
  }
  if (kept != operand->shape.dims) operand = at.reshape(operand, kept);
  return at.broadcast(operand, result.dims, where);
}

class ElementBinder : public CallBinder {
 public:
  using CallBinder::CallBinder;

  Refusal refusal() const override {
    const Shape& result = this->result();
    if (!result.is_array())
      return {"gives several arrays", "a device function gives one element: a call for each, or --host-function"};
    if (call_.operands().empty()) return {"has no operands", "a device function takes an element at least"};
    for (const Instruction* operand : call_.operands()) {
      if (can_spread(operand->shape, result)) continue;
      return {"has an operand %" + operand->name + " of " + to_string(operand->shape, false) + " for a result of " +
                  to_string(result, false),
              "operands have the dimensions of the result, or the first of them; 1 stands for any"};
    }
    return {};
  }

  std::string why_not(const HeaderFunction& function) const override {
    const size_t operands = call_.operands().size();
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
      const CallAttribute* attribute = find(parameter.name);
      if (attribute == nullptr)
        return "takes '" + parameter.name + "', which is neither an operand nor an attribute of the call";
      if (!attribute->value || attribute->value->shape().dtype != parameter.type.element)
        return "takes " + parameter.type.text + " " + parameter.name + ", the attribute is " + attribute->text;
      used.insert(parameter.name);
    }
    for (const CallAttribute& attribute : attributes_) {
      if (!used.contains(attribute.name))
        return "has no parameter '" + attribute.name + "' behind the operands, for the attribute of that name";
    }
    if (function.result.element != result().dtype)
      return "gives " + function.result.text + ", the call's result is " + type_text(result().dtype);
    return "";
  }

  void bind(const HeaderFunction& function) override {
    GraphBuilder at(call_);
    const Shape result = this->result();
    std::vector<Instruction*> operands;
    for (Instruction* operand : call_.operands()) operands.push_back(spread(at, operand, result));
    for (size_t i = operands.size(); i < function.parameters.size(); ++i) {
      operands.push_back(spread(at, at.constant(*find(function.parameters[i].name)->value), result));
    }
    Attributes attributes;
    attributes.custom_call_target = call_.attributes->custom_call_target;
    Annotations annotations;
    annotations.frontend_attributes[kDeviceFunctionAttribute] = to_string(bound_.name);
    Instruction* call = &call_;
    if (call_.shape.is_tuple()) {
      call = insert_call(result, operands, call_.name);
      become_tuple_of(call);
    } else {
      call_.set_operands(operands);
    }
    call->attributes = std::move(attributes);
    call->annotations = std::move(annotations);
  }

 private:
  const Shape& result() const { return gives_tuple_of_one() ? call_.shape.elements[0] : call_.shape; }
};

}  // namespace

std::unique_ptr<CallBinder> element_binder(Instruction& call, const FunctionBinding& bound,
                                           std::vector<CallAttribute> attributes) {
  return std::make_unique<ElementBinder>(call, bound, std::move(attributes));
}

}  // namespace sinter
