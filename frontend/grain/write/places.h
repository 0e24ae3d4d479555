// Places in Grain text: their lines and columns, and their rows in a module's source tables. Both are asked for once a
// statement, so nothing here looks through the text or the tables from the start.
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace sinter::grain {

class Places {
 public:
  LineColumn at(const Source& source, Loc loc);
  // The row of a stack frame, made where the tables do not have it yet. `parent` is the calling frame's, 0 for none.
  int64_t frame(SourceTables& tables, const std::string& file, const std::string& function, LineColumn place,
                int64_t parent);

 private:
  std::map<const Source*, std::vector<uint32_t>> lines_;  // where each begins
  std::map<std::string, int64_t> files_, functions_;
  std::map<std::array<int64_t, 4>, int64_t> locations_;  // file, function, line, column
  std::map<std::pair<int64_t, int64_t>, int64_t> frames_;
};

}  // namespace sinter::grain
