#include "driver/functions/call_binder.h"

#include <algorithm>
#include <utility>

namespace sinter {

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

void CallBinder::become_tuple_of(Instruction* call) {
  call_.opcode = Opcode::kTuple;
  call_.set_operands({call});
  call_.attributes = {};
  call_.annotations = {};
}

}  // namespace sinter
