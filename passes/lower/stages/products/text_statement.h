// Lines of a product's body that are the same whatever it computes.
#pragma once

#include <string>
#include <utility>

#include "ir/kernel/kernel.h"

namespace sinter {

inline Statement text(std::string lines) { return {.kind = Statement::Kind::kText, .text = std::move(lines)}; }
// A comment, which opens a paragraph.
inline Statement note(std::string words) { return {.kind = Statement::Kind::kComment, .text = std::move(words)}; }

}  // namespace sinter
