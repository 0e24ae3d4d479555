// The GPU that tests of the cost model and of the page take as theirs.
#pragma once

#include <string>

#include "driver/compile/gpus.h"

namespace sinter {

inline Gpu h200() {
  std::string error;
  return find_gpu("h200", error).value();
}

}  // namespace sinter
