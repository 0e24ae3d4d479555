#include "emitter/text/declarations.h"

#include <algorithm>

#include "emitter/text/emit_text.h"

namespace sinter {

std::string print_declarations(const std::vector<DeclaredArray>& arrays, size_t indent) {
  const size_t most = static_cast<size_t>(kLineWidth) - indent - std::string("  // ").size();
  const auto line_of = [&](const DeclaredArray& array) { return array.variable + " " + array.value; };
  const auto is_broken = [&](const DeclaredArray& array) { return line_of(array).size() + array.shape.size() > most; };
  const auto last_line_of = [&](const DeclaredArray& array) {
    return is_broken(array) ? "    " + array.value : line_of(array);
  };
  size_t width = 0, shape_width = 0;
  for (const DeclaredArray& array : arrays) {
    width = std::max(width, last_line_of(array).size());
    shape_width = std::max(shape_width, array.shape.size());
  }
  const bool is_aligned = width + shape_width <= most;
  const std::string margin(indent, ' ');
  std::string text;
  for (const DeclaredArray& array : arrays) {
    std::string last = last_line_of(array);
    if (is_aligned) last.resize(width, ' ');
    if (is_broken(array)) text += margin + array.variable + "\n";
    text += margin + last + "  // " + array.shape + "\n";
  }
  return text;
}

}  // namespace sinter
