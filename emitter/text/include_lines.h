// The lines of a C++ text that include another file.
#pragma once

#include <string>
#include <vector>

namespace sinter {

struct IncludeLine {
  std::string name;
  bool quoted = false;  // "name", else <name>
};

// In the order of the text; those that conditions or comments leave out are among them.
std::vector<IncludeLine> include_lines(const std::string& text);

}  // namespace sinter
