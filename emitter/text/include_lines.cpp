#include "emitter/text/include_lines.h"

#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <tuple>

namespace sinter {

std::vector<IncludeLine> include_lines(const std::string& text) {
  std::vector<IncludeLine> lines;
  for (llvm::StringRef rest = text; !rest.empty();) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    line = line.ltrim();
    if (!line.consume_front("#")) continue;
    line = line.ltrim();
    if (!line.consume_front("include")) continue;
    line = line.ltrim();
    const bool quoted = line.starts_with("\"");
    const char end = quoted ? '"' : '>';
    lines.push_back({line.drop_front(std::min<size_t>(1, line.size())).split(end).first.str(), quoted});
  }
  return lines;
}

}  // namespace sinter
