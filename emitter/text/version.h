// The version of Sinter, in manifests and `sinter --version`; that of emitted C interfaces.
#pragma once

#include <string_view>

namespace sinter {

inline constexpr std::string_view kCompilerVersion = "0.1.0";

// What callers of every program are compiled against: functions, and structs but for fields at their end. Part of each
// interface's hash.
inline constexpr int kInterfaceVersion = 1;

}  // namespace sinter
