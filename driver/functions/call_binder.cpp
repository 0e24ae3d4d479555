#include "driver/functions/call_binder.h"

#include <algorithm>

namespace sinter {

std::string CallBinder::type_text(DType dtype) {
  return std::string(dtype_name(dtype)) + " (" + std::string(dtype_cuda_name(dtype)) + ")";
}

const CallAttribute* CallBinder::find(const std::string& name) const {
  const auto found = std::find_if(attributes_.begin(), attributes_.end(),
                                  [&](const CallAttribute& attribute) { return attribute.name == name; });
  return found == attributes_.end() ? nullptr : &*found;
}

}  // namespace sinter
