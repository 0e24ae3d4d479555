// Text of the input in JSON: names in quotes may hold any bytes.
#pragma once

#include <llvm/Support/JSON.h>

#include <string>

namespace sinter {

// `text`, with what is no UTF-8 replaced.
inline std::string json_text(const std::string& text) {
  return llvm::json::isUTF8(text) ? text : llvm::json::fixUTF8(text);
}

}  // namespace sinter
