// Headers of the user's own (emitter/text/user_header.h) are no part of an emitted folder, but whoever reads or builds
// its files needs them beside these, at the paths by which they are included.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "emitter/host/emit_project.h"

namespace sinter {

// The text of a header by the path by which kernels include it; nullopt: there is none.
using HeaderReader = std::function<std::optional<std::string>(const std::string& path)>;

// The header, and what it includes: relative to its own folder, where that is in quotes, or as kernels include it. What
// cannot be read is left to who compiles it.
void add_user_header(const std::string& path, const HeaderReader& read, FileSet* headers);

// The headers that the folder's kernels and launcher include.
FileSet user_headers_of(const FileSet& files, const HeaderReader& read);

}  // namespace sinter
