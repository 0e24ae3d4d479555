// Programs in other forms than HLO text: what they are, and how they become HLO text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/support/source.h"

namespace sinter {

// What JAX prints HLO text with.
inline constexpr std::string_view kPrintHlo =
    "JAX prints HLO text with jax.jit(f).lower(...).compiler_ir(\"hlo\").as_hlo_text(print_large_constants=True)";

struct OtherForm {
  std::string name;    // "a jaxpr"
  std::string remedy;  // what makes HLO text of it
  Loc loc;             // where the program begins; nowhere in what is no text
};

// The form that the text has; nullopt if it may be HLO text. Comments and blanks before it do not count, `#` lines of
// MLIR and Python among them.
std::optional<OtherForm> recognise_other_form(std::string_view text);

}  // namespace sinter
