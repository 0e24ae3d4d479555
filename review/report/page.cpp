#include "review/report/page.h"

#include <llvm/Support/JSON.h>

#include "ir/support/diagnostics.h"
#include "templates/templates.h"

namespace sinter {

using kainjow::mustache::data;

std::string shown(const std::string& text) {
  const std::string valid = llvm::json::fixUTF8(text);
  std::string result;
  for (size_t i = 0; i < valid.size(); ++i) {
    const auto c = static_cast<unsigned char>(valid[i]);
    const auto next = [&](size_t k) { return i + k < valid.size() ? static_cast<unsigned char>(valid[i + k]) : 0; };
    // U+202A to U+202E and U+2066 to U+2069 turn the order of what follows.
    const bool turns = c == 0xe2 && ((next(1) == 0x80 && next(2) >= 0xaa && next(2) <= 0xae) ||
                                     (next(1) == 0x81 && next(2) >= 0xa6 && next(2) <= 0xa9));
    if (turns) {
      const int code = 0x2000 + ((next(1) & 0x3f) << 6) + (next(2) & 0x3f);
      constexpr const char* kDigits = "0123456789abcdef";
      result += "\\u";
      for (const int shift : {12, 8, 4, 0}) result += kDigits[(code >> shift) & 15];
      i += 2;
    } else if ((c < ' ' && c != '\t' && c != '\n') || c == 0x7f) {
      result += "\xef\xbf\xbd";
    } else {
      result += valid[i];
    }
  }
  return result;
}

data list() { return data(data::type::list); }

void set_if(data* object, const std::string& key, const std::string& text) {
  if (!text.empty()) object->set(key, shown(text));
}

void set_list(data* object, const std::string& key, const data& entries) {
  object->set("has_" + key, !entries.is_empty_list());
  object->set(key, entries);
}

// Behind "- " or "+ ", the kind is a colour.
data hlo_line(const std::string& line, const std::string& kind) {
  data object;
  const bool is_signed = line.starts_with("- ") || line.starts_with("+ ");
  const size_t python = line.rfind("  ");
  const size_t begin = is_signed ? 2 : 0;
  object.set("class", kind);
  object.set("text", shown((kind == "gone" ? "- " : kind == "new" ? "+ " : "") + line.substr(begin, python - begin)));
  object.set("python", python == std::string::npos ? std::string() : shown(line.substr(python + 2)));
  return object;
}

kainjow::mustache::mustache read_page_template(const std::string& path) {
  kainjow::mustache::mustache text{std::string(template_text(path))};
  check(text.is_valid() && !template_text(path).empty(), path, text.error_message());
  return text;
}

void set_style(data* page) { page->set("style", std::string(template_text("review/style.css"))); }

}  // namespace sinter
