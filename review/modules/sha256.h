// SHA-256, in hexadecimal.
#pragma once

#include <string>

namespace sinter {

std::string sha256(const std::string& content);

}  // namespace sinter
