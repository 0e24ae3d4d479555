// The version of Sinter: in manifests and `sinter --version`.
#pragma once

#include <string_view>

namespace sinter {

inline constexpr std::string_view kCompilerVersion = "0.1.0";

}  // namespace sinter
