#include "frontend/grain/write/places.h"

#include <algorithm>

namespace sinter::grain {
namespace {

// Rows count from 1.
template <class Key, class Entry>
int64_t row(std::map<Key, int64_t>& rows, const Key& key, std::vector<Entry>& table, const Entry& entry) {
  const auto [found, is_new] = rows.emplace(key, static_cast<int64_t>(table.size()) + 1);
  if (is_new) table.push_back(entry);
  return found->second;
}

}  // namespace

LineColumn Places::at(const Source& source, Loc loc) {
  std::vector<uint32_t>& begins = lines_[&source];
  if (begins.empty()) {
    begins.push_back(0);
    for (size_t i = 0; i < source.text.size(); ++i) {
      if (source.text[i] == '\n') begins.push_back(static_cast<uint32_t>(i + 1));
    }
  }
  const auto offset = static_cast<uint32_t>(std::min<size_t>(loc.offset, source.text.size()));
  const auto line = std::upper_bound(begins.begin(), begins.end(), offset) - 1;
  return {static_cast<int>(line - begins.begin()) + 1, static_cast<int>(offset - *line) + 1};
}

int64_t Places::frame(SourceTables& tables, const std::string& file, const std::string& function, LineColumn place,
                      int64_t parent) {
  SourceTables::Location location;
  location.file = row(files_, file, tables.files, file);
  location.function = row(functions_, function, tables.functions, function);
  location.line = location.end_line = place.line;
  location.column = location.end_column = place.column;
  const int64_t where =
      row(locations_, {location.file, location.function, location.line, location.column}, tables.locations, location);
  return row(frames_, {where, parent}, tables.frames, SourceTables::Frame{where, parent + 1});
}

}  // namespace sinter::grain
