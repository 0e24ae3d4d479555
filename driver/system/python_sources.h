// The Python files of a folder, found by the paths that an HLO text has of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/support/source.h"

namespace sinter {

// Finds for each path the file in or below `folder` that has most of its last parts in common with it: the file's own
// name, its folder's, and so on. None where two have equally many, or where there is none of that name.
std::function<std::vector<Source>(const std::vector<std::string>& paths)> sources_in(const std::string& folder);

}  // namespace sinter
