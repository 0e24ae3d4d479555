#include "ir/support/sha256.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

#include <array>

namespace sinter {

std::string sha256_hex(const std::string& text) {
  const auto* data = reinterpret_cast<const uint8_t*>(text.data());
  const std::array<uint8_t, 32> digest = llvm::SHA256::hash(llvm::ArrayRef<uint8_t>(data, text.size()));
  return llvm::toHex(llvm::ArrayRef<uint8_t>(digest), /*LowerCase=*/true);
}

}  // namespace sinter
