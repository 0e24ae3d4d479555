// Forms of products that are taken only where they are asked for: `wgmma`, which sm_90a alone has, and `tma`, which is
// wgmma of tiles that the hardware copies. A program asks, by `frontend_attributes={sinter_forms="wgmma"}` of a dot, or
// the compiler for all of its products: --forms, or a run on a GPU that has shown the form to be right. A plan needs
// not.
#pragma once

#include <string>
#include <string_view>

#include "ir/module/module.h"

namespace sinter {

inline constexpr std::string_view kWgmma = "wgmma", kTma = "tma";  // who asks for the latter, asks for both

// For each product of 16-bit floats, which the form is of, where the program asks for none; "": for none at all.
void ask_for_form(Module& module, std::string_view form);

bool is_asked_for(const Instruction& product, std::string_view form);

}  // namespace sinter
