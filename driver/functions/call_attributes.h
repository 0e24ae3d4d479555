// The attributes that jax.ffi.ffi_call hands to a custom call: in HLO text, its backend_config.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/values/literal.h"

namespace sinter {

// `alpha = 2.500000e+00 : f32`, `n = 3 : i64`, `exact = true`.
struct CallAttribute {
  std::string name;
  std::string text;              // as written: "2.500000e+00 : f32"
  std::optional<Literal> value;  // of a number: a scalar of its type
};

// Of `{alpha = 2.500000e+00 : f32, name = "abc"}`; nullopt where the text is no such dictionary.
std::optional<std::vector<CallAttribute>> call_attributes(const std::string& config);

}  // namespace sinter
