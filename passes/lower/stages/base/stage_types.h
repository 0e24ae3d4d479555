// The types that writers of stages use most.
#pragma once

#include <string>

#include "ir/kernel/kernel.h"

namespace sinter {

inline const CType kInteger = CType::value(DType::kS32);
inline const CType kPred = CType::value(DType::kPred);
inline const CType kVoid = {.kind = CType::Kind::kVoid};

// The name of `dtype` in CUDA C++.
inline std::string cuda(DType dtype) { return std::string(dtype_cuda_name(dtype)); }

}  // namespace sinter
