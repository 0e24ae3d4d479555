// Text of the user's as a literal of C: names of tensors in files may hold any bytes.
#pragma once

#include <string>
#include <string_view>

namespace sinter {

// "layer.w" in quotes; quotes, backslashes and what is no printable ASCII are escaped.
std::string string_literal(std::string_view text);

}  // namespace sinter
