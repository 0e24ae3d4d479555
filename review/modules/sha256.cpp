#include "review/modules/sha256.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

namespace sinter {

std::string sha256(const std::string& content) {
  const auto* data = reinterpret_cast<const uint8_t*>(content.data());
  return llvm::toHex(llvm::SHA256::hash(llvm::ArrayRef<uint8_t>(data, content.size())), /*LowerCase=*/true);
}

}  // namespace sinter
