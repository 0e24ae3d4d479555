// What products of f32 are made in: what the program says of a dot (operand_precision, algorithm), and
// --dot-precision where it leaves that open.
#pragma once

#include <string>
#include <string_view>

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace sinter {

// Refuses algorithms of dots that no kernel is as exact as, and names that are none. False if there is one.
bool check_dot_algorithms(const Module& module, Diagnostics& diagnostics);

// "tf32": one term of TF32; "f32": one fmaf a term. A dot or convolution of f32 that names no algorithm and asks for no
// precision above the default gets the annotation `sinter_dot_precision`, which tensor_core_form.cpp reads.
void set_dot_precision(Module& module, const std::string& precision);

// Of a dot or convolution of f32: what it is to be made in, "tf32", "3xtf32" or "f32", by its algorithm, its
// operand_precision or that annotation, whichever speaks first; empty: none does.
std::string dot_precision(const Instruction& dot);

}  // namespace sinter
