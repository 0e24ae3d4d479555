// Files of a folder that are compared as text: what their compiler or CMake sees of them, without comments and layout.
#pragma once

#include <string>

namespace sinter {

// Whether both say the same; `path` tells what kind of file it is. False where the kind is not known.
bool same_plain_text(const std::string& path, const std::string& before, const std::string& after);

}  // namespace sinter
