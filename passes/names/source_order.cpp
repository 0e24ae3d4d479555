#include "passes/names/source_order.h"

#include <algorithm>

namespace sinter {

namespace {

// The last component of a qualified name that is a name of its own: "Dense" for "Dense.__call__".
std::string plain_function(const std::string& qualified) {
  size_t end = qualified.size();
  while (end > 0) {
    const size_t dot = qualified.rfind('.', end - 1);
    const size_t begin = dot == std::string::npos ? 0 : dot + 1;
    const std::string part = qualified.substr(begin, end - begin);
    const bool special = part.size() > 4 && part.starts_with("__") && part.ends_with("__");
    if (!part.empty() && part.front() != '<' && !special) return part;
    if (dot == std::string::npos) break;
    end = dot;
  }
  return "";
}

}  // namespace

SourcePlace source_place(const Module& module, const Instruction& instruction) {
  SourcePlace place;
  const SourceTables& tables = module.tables;
  int64_t frame = instruction.metadata->stack_frame_id;
  std::vector<int64_t> chain;
  while (frame > 0 && frame <= static_cast<int64_t>(tables.frames.size()) && chain.size() < 256) {
    chain.push_back(frame);
    // The printed parent is stored plus one.
    const int64_t parent = tables.frames[frame - 1].parent - 1;
    if (parent <= 0 || parent == frame) break;
    frame = parent;
  }
  std::reverse(chain.begin(), chain.end());
  for (const int64_t id : chain) {
    const int64_t location_id = tables.frames[id - 1].location;
    if (location_id < 1 || location_id > static_cast<int64_t>(tables.locations.size())) continue;
    const SourceTables::Location& location = tables.locations[location_id - 1];
    place.path.emplace_back(location.line, location.column);
    if (location.function < 1 || location.function > static_cast<int64_t>(tables.functions.size())) continue;
    const std::string name = plain_function(tables.functions[location.function - 1]);
    if (!name.empty()) place.functions.push_back(name);
  }
  if (!place.functions.empty()) place.function = place.functions.back();
  return place;
}

}  // namespace sinter
