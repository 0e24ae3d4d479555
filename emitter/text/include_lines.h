// The lines of a C++ text that include another file, or ask whether there is one.
#pragma once

#include <string>
#include <vector>

namespace sinter {

struct IncludeLine {
  std::string name;     // empty where it may be any: a macro says it, which another file or a build may define
  bool quoted = false;  // "name", else <name>
};

// In the order of the text; those that conditions or comments leave out are among them. Of a macro, what this text
// defines it to be, and a line without a name.
std::vector<IncludeLine> include_lines(const std::string& text);

}  // namespace sinter
