#include "driver/page/svg.h"

#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

#include <kainjow/mustache.hpp>

#include "review/report/page.h"

namespace sinter {

std::string escaped(const std::string& text) { return kainjow::mustache::html_escape(shown(text)); }

std::string pixels(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.1f", number);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string element(std::string_view tag, const SvgAttributes& attributes, const std::string& content) {
  std::string text = "<" + std::string(tag);
  for (const auto& [name, value] : attributes) {
    if (!value.empty()) text += " " + std::string(name) + "=\"" + escaped(value) + "\"";
  }
  return content.empty() ? text + "/>" : text + ">" + content + "</" + std::string(tag) + ">";
}

std::string tooltip(const std::string& text) { return element("title", {}, escaped(text)); }

std::string text_at(double x, double y, const std::string& text, const std::string& style_class,
                    const std::string& anchor) {
  return element(
      "text",
      {{"x", pixels(x)}, {"y", pixels(y)}, {"class", style_class}, {"text-anchor", anchor == "start" ? "" : anchor}},
      escaped(text));
}

std::string ground(double x, double y, double width, double height) {
  return element(
      "rect",
      {{"class", "ground"}, {"x", pixels(x)}, {"y", pixels(y)}, {"width", pixels(width)}, {"height", pixels(height)}});
}

std::string shortened(const std::string& text, size_t most) {
  if (text.size() <= most) return text;
  size_t end = most - 1;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // no part of a character
  return text.substr(0, end) + "\xe2\x80\xa6";
}

std::string colour_class(size_t kernel) {
  constexpr size_t kColours = 7;
  return "c" + std::to_string(kernel % kColours);
}

std::string drawing(double width, double height, const std::string& label, const std::string& content) {
  return element("svg",
                 {{"width", pixels(width)},
                  {"height", pixels(height)},
                  {"viewBox", "0 0 " + pixels(width) + " " + pixels(height)},
                  {"role", "group"},
                  {"aria-label", label}},
                 content);
}

}  // namespace sinter
