// Grain text to Module: the language of docs/grain.md.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"
#include "ir/values/literal.h"

namespace sinter {

// A tensor that a file has to hold.
struct NamedShape {
  std::string name;
  Shape shape;
};

// A name in the text that is compiled, and what it stands for.
struct GrainName {
  Loc loc;
  size_t length = 0;
  std::string text;  // lines: "y: f32[rows, columns]", "f32[64, 97]", "a definition"
  std::string file;  // where it is defined: the text's own, or one that it imports
  LineColumn definition;
};

struct GrainOptions {
  std::map<std::string, int64_t> dims;  // --dims: the file's dims
  std::string entry;                    // --entry; empty: the file's only one
  // The text of a file named relative to the one that is compiled; nullopt with `error` set.
  std::function<std::optional<std::string>(const std::string& path, std::string& error)> read_file;
  // The tensors of a file, by their names, or by "0", "1", ...
  std::function<std::optional<std::vector<Literal>>(const std::string& path, const std::vector<NamedShape>& tensors,
                                                    std::string& error)>
      read_tensors;
  std::vector<GrainName>* names = nullptr;  // receives what the names stand for, as far as that was found out
};

// Reads diagnostics.source(). nullptr after an error (up to Diagnostics::kMaxErrors are collected). The module is what
// the HLO text of the same program gives; it is not verified.
std::unique_ptr<Module> parse_grain(Diagnostics& diagnostics, const GrainOptions& options);

// An entry of a file, and where its name stands.
struct GrainEntry {
  std::string name;
  Loc loc;
};
// Those of a text, as far as it can be parsed.
std::vector<GrainEntry> grain_entries(const Source& source);

}  // namespace sinter
