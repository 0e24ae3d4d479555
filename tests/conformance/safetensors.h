// Tensors "0", "1", ... of a safetensors file.
#pragma once

#include <string>
#include <vector>

#include "ir/values/literal.h"

namespace sinter {

// Throws std::runtime_error if the file cannot be read.
std::vector<Literal> read_safetensors(const std::string& path);

// The whole file.
std::string read_text(const std::string& path);

}  // namespace sinter
