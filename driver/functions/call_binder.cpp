#include "driver/functions/call_binder.h"

#include <algorithm>
#include <utility>

#include "passes/graph/base/graph_builder.h"

namespace sinter {

bool can_spread(const Shape& operand, const Shape& result) {
  if (!operand.is_array() || operand.rank() > result.rank()) return false;
  for (size_t d = 0; d < operand.dims.size(); ++d) {
    if (operand.dims[d] != result.dims[d] && operand.dims[d] != 1) return false;
  }
  return true;
}

Instruction* spread(Instruction& call, Instruction* operand, const Shape& result) {
  if (operand->shape.dims == result.dims) return operand;
  GraphBuilder at(call);
  std::vector<int64_t> kept, where;
  for (size_t d = 0; d < operand->shape.dims.size(); ++d) {
    if (operand->shape.dims[d] == 1) continue;
    kept.push_back(operand->shape.dims[d]);
    where.push_back(static_cast<int64_t>(d));
  }
  if (kept != operand->shape.dims) operand = at.reshape(operand, kept);
  return at.broadcast(operand, result.dims, where);
}

bool is_of_elements(const Computation& computation) {
  for (const auto& caller : computation.parent()->computations()) {
    for (const Instruction& instruction : caller->instructions()) {
      const std::vector<Computation*> called = instruction.called_computations();
      if (std::find(called.begin(), called.end(), &computation) == called.end()) continue;
      const Opcode opcode = instruction.opcode;
      const bool runs_it = opcode == Opcode::kWhile || opcode == Opcode::kConditional || opcode == Opcode::kCall ||
                           opcode == Opcode::kFusion || opcode == Opcode::kAsyncStart;
      if (!runs_it || is_of_elements(*caller)) return true;
    }
  }
  return false;
}

std::string CallBinder::type_text(DType dtype) {
  return std::string(dtype_name(dtype)) + " (" + std::string(dtype_cuda_name(dtype)) + ")";
}

const CallAttribute* CallBinder::find(const std::string& name) const {
  const auto found = std::find_if(attributes_.begin(), attributes_.end(),
                                  [&](const CallAttribute& attribute) { return attribute.name == name; });
  return found == attributes_.end() ? nullptr : &*found;
}

const Literal* CallBinder::number_for(const HeaderFunction::Parameter& parameter) const {
  const CallAttribute* attribute = find(parameter.name);
  const bool fits =
      attribute != nullptr && attribute->value && attribute->value->shape().dtype == parameter.type.element;
  return fits ? &*attribute->value : nullptr;
}

std::string CallBinder::why_no_number_for(const HeaderFunction::Parameter& parameter,
                                          const std::string& otherwise) const {
  const std::string takes = "takes " + parameter.type.text + " " + parameter.name;
  const CallAttribute* attribute = find(parameter.name);
  return takes + (attribute == nullptr ? otherwise : ", the attribute is " + attribute->text);
}

std::string CallBinder::why_unused(const std::set<std::string>& used, const std::string& place) const {
  for (const CallAttribute& attribute : attributes_) {
    if (!used.contains(attribute.name))
      return "has no parameter '" + attribute.name + "' " + place + ", for the attribute of that name";
  }
  return "";
}

std::string CallBinder::why_no_arrays(const HeaderFunction& function, size_t first) const {
  using Kind = HeaderType::Kind;
  const std::vector<Shape> results = this->results();
  const size_t operands = call_.operands().size();
  for (size_t i = 0; i < operands + results.size(); ++i) {
    const HeaderFunction::Parameter& parameter = function.parameters[first + i];
    const bool is_read = i < operands;
    const DType dtype = is_read ? call_.operand(i)->shape.dtype : results[i - operands].dtype;
    if (parameter.type.kind == (is_read ? Kind::kArray : Kind::kWritten) && parameter.type.element == dtype) continue;
    const std::string what = is_read               ? "operand %" + call_.operand(i)->name + " is const "
                             : results.size() == 1 ? "the result is "
                                                   : "result " + std::to_string(i - operands) + " is ";
    return "takes " + parameter.type.text + " " + parameter.name + ", " + what + std::string(dtype_cuda_name(dtype)) +
           "*";
  }
  return "";
}

bool CallBinder::is_half(const HeaderFunction::Parameter& parameter) {
  return parameter.type.element == DType::kF16 || parameter.type.element == DType::kBF16;
}

std::string CallBinder::half_text(const HeaderFunction::Parameter& parameter) {
  return "takes " + parameter.type.text + " " + parameter.name + ": numbers are bool, integers, float and double";
}

bool CallBinder::gives_tuple_of_one() const { return call_.shape.is_tuple() && call_.shape.elements.size() == 1; }

Instruction* CallBinder::insert_call(const Shape& shape, const std::vector<Instruction*>& operands, std::string name) {
  Instruction* call = call_.parent()->insert_before(&call_, Opcode::kCustomCall, shape, operands, std::move(name));
  call->metadata = call_.metadata;
  call->loc = call_.loc;
  return call;
}

std::vector<Shape> CallBinder::results() const {
  return call_.shape.is_tuple() ? call_.shape.elements : std::vector{call_.shape};
}

void CallBinder::become(Instruction* call) {
  Computation* computation = call_.parent();
  for (Instruction& other : computation->instructions())
    std::replace(other.control_predecessors.begin(), other.control_predecessors.end(), &call_, call);
  call_.replace_all_uses_with(call);
  computation->remove(&call_);
}

void CallBinder::become_tuple_of(Instruction* call) {
  call_.opcode = Opcode::kTuple;
  call_.set_operands({call});
  call_.attributes = {};
  call_.annotations = {};
}

}  // namespace sinter
