// Names in a sentence.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sinter {

// "a, b and c"; `last` is what stands before the last. Of more than `most` names it is how many others there are: "a, b
// and 4 others".
std::string listed(const std::vector<std::string>& names, const std::string& last = "and", size_t most = SIZE_MAX);

}  // namespace sinter
