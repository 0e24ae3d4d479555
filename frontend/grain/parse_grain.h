// Grain text to Module: the language of docs/grain.md.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace sinter {

struct GrainOptions {
  std::map<std::string, int64_t> dims;  // --dims: the file's dims
  std::string entry;                    // --entry; empty: the file's only one
  // The text of a file named relative to the one that is compiled; nullopt with `error` set.
  std::function<std::optional<std::string>(const std::string& path, std::string& error)> read_file;
};

// Reads diagnostics.source(). nullptr after an error (up to Diagnostics::kMaxErrors are collected). The module is what
// the HLO text of the same program gives; it is not verified.
std::unique_ptr<Module> parse_grain(Diagnostics& diagnostics, const GrainOptions& options);

}  // namespace sinter
