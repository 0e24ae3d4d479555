// Constants as C++ source text.
#pragma once

#include <string>
#include <vector>

#include "ir/values/literal.h"

namespace sinter {

struct LiteralText {
  std::string text;
  std::vector<std::string> headers;  // device helpers the text needs: "device/half.cuh"
};

// A scalar literal, exactly: 0.1f, -INFINITY, 7u, true, to_half(0.1f), {1.0f, 0.0f}. The text may be an operator
// expression (-2.5f, -9223372036854775807LL - 1); 64-bit and narrow integers have the type of their suffix, so that
// they fit into an operator but not into a call that deduces its types: typed_literal writes int64_t(5) there.
LiteralText spell_literal(const Literal& literal);
LiteralText typed_literal(const Literal& literal);

}  // namespace sinter
