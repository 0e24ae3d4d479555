#include "driver/page/source_lines.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <set>

namespace sinter {

SourceLines::SourceLines(const std::vector<Source>& sources) {
  std::map<std::string, const Source*> known;
  std::set<std::string> several;
  for (const Source& source : sources) {
    const std::string file = source.name.substr(source.name.rfind('/') + 1);
    const auto [other, is_new] = known.emplace(file, &source);
    if (!is_new && other->second->text != source.text) several.insert(file);
  }
  for (const auto& [file, source] : known) {
    if (several.contains(file)) continue;
    llvm::SmallVector<llvm::StringRef, 0> lines;
    llvm::StringRef(source->text).split(lines, '\n');
    for (const llvm::StringRef line : lines) files_[file].push_back(line.trim());
  }
}

std::string_view SourceLines::line(const std::string& file, int64_t number) const {
  const auto found = files_.find(file);
  if (found == files_.end() || number < 1 || number > std::ssize(found->second)) return {};
  return found->second[static_cast<size_t>(number - 1)];
}

}  // namespace sinter
