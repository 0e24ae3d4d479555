// Building an emitted project in a cache folder.
#pragma once

#include <optional>
#include <string>

#include "driver/build/engine.h"

namespace sinter {

// The path of the built runner, `<name>_cli`; nullopt with `error` holding what the compiler said. The same files,
// compiler and flags are built once.
std::optional<std::string> build_emitted(const FileSet& files, const std::string& name,
                                         const std::string& architectures, Device device, std::string& error);

}  // namespace sinter
