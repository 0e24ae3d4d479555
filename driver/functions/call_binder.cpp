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
