// What products of f32 are made in where the program leaves it open (--dot-precision).
#pragma once

#include <string>
#include <string_view>

#include "ir/module/module.h"

namespace sinter {

// "tf32": one term of TF32; "f32": one fmaf a term. A dot or convolution of f32 that names no algorithm and asks for no
// precision above the default gets the annotation `sinter_dot_precision`, which tensor_core_form.cpp reads.
void set_dot_precision(Module& module, const std::string& precision);

// Of a dot or convolution of f32: what its algorithm or that annotation says, "tf32" or "f32"; empty: neither.
std::string dot_precision(const Instruction& dot);

}  // namespace sinter
