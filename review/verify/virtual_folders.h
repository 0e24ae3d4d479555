// Where clang, which reads from memory, finds emitted code and our stand-ins for headers.
#pragma once

#include <string>

namespace sinter {

inline const std::string kProjectFolder = "/sinter-project/";
inline const std::string kHeadersFolder = "/sinter-headers/";

}  // namespace sinter
