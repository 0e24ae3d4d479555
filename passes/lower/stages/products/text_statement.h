// Lines of a product's body that are the same whatever it computes.
#pragma once

#include <string>
#include <utility>

#include "ir/kernel/kernel.h"

namespace sinter {

inline Statement text(std::string lines) { return {.kind = Statement::Kind::kText, .text = std::move(lines)}; }

}  // namespace sinter
