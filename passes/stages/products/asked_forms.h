// Forms of products that are taken only where they are asked for: `wgmma`, which sm_90a alone has, and `tma`, which is
// wgmma of tiles that the hardware copies (of other products than of 16-bit floats wgmma alone). A program asks, by
// `frontend_attributes={sinter_forms="wgmma"}` of a dot, or the compiler for all of its products: --forms, or a run on
// a GPU that has shown the form to be right for what is multiplied. A plan needs not. Products of a chain
// (passes/stages/chain) are asked for by themselves: weights come to wgmma through registers, as no other 16-bit floats
// do.
#pragma once

#include <string>
#include <string_view>

#include "ir/module/module.h"
#include "passes/stages/products/tensor_core_form.h"

namespace sinter {

inline constexpr std::string_view kWgmma = "wgmma", kTma = "tma";  // who asks for the latter, asks for both

// What such forms multiply: of each a form is right, or not, by itself.
inline constexpr TensorCoreForm::Product kAskedProducts[] = {
    TensorCoreForm::Product::k16Bits, TensorCoreForm::Product::k3xTf32, TensorCoreForm::Product::kTf32,
    TensorCoreForm::Product::kInt8};
// Chains by wgmma, as templates/verified.json names them.
inline constexpr std::string_view kWgmmaChain = "wgmma chain";
// "tma", "wgmma 3xtf32": the form of such products, as templates/verified.json names it; "": there is none.
std::string form_of_products(std::string_view form, TensorCoreForm::Product product);

// For each such product, but those of chains, where the program asks for no form.
void ask_for_form(Module& module, std::string_view form, TensorCoreForm::Product product);
// For chains.
void ask_for_chains(Module& module);
// Takes back what the program asks for.
void ask_for_no_form(Module& module);

bool is_asked_for(const Instruction& product, std::string_view form);
// Whether it may yet be, by the compiler: the program asks for no other form.
bool may_be_asked_for(const Instruction& product, std::string_view form);

}  // namespace sinter
