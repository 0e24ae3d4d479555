// What must be so of every page that is written.
#pragma once

#include <string>
#include <vector>

namespace sinter {

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The tags that are open where the page ends, or the first that closes another: empty if all is well.
inline std::string unbalanced(const std::string& page) {
  std::vector<std::string> open;
  for (size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    const bool closes = page[at + 1] == '/';
    if (page[at + 1] == '!') continue;
    const size_t begin = at + (closes ? 2 : 1);
    const std::string tag = page.substr(begin, page.find_first_of(" >", begin) - begin);
    if (tag == "meta" || tag == "col" || tag == "input") continue;
    if (!closes && page[page.find('>', begin) - 1] == '/') continue;
    if (!closes) {
      open.push_back(tag);
    } else if (open.empty() || open.back() != tag) {
      return "</" + tag + ">";
    } else {
      open.pop_back();
    }
  }
  std::string tags;
  for (const std::string& tag : open) tags += "<" + tag + ">";
  return tags;
}

// What a browser would fetch or run for the page; empty if nothing.
inline std::string needed_besides(const std::string& page) {
  for (const char* part : {"http:", "https:", "<script", "src=", "@import", "url("}) {
    if (has(page, part)) return part;
  }
  return "";
}

}  // namespace sinter
