// Fingerprints of texts.
#pragma once

#include <string>

namespace sinter {

// Lowercase hex SHA-256.
std::string sha256_hex(const std::string& text);

}  // namespace sinter
