// Host templates are mustache (kainjow), see emit_template.h.
#include "emitter/host/emit_template.h"

#include <algorithm>
#include <kainjow/mustache.hpp>

#include "ir/support/diagnostics.h"
#include "templates/templates.h"

namespace sinter {

namespace {

// Mustache reads an unknown tag as nothing; here it is a mistake in the template or its emitter.
void check_tags(std::string_view path, std::string_view text, const TemplateValues& values) {
  for (size_t at = text.find("{{"); at != std::string_view::npos; at = text.find("{{", at)) {
    const size_t end = text.find("}}", at);
    check(end != std::string_view::npos, path, "a tag does not end");
    std::string tag(text.substr(at + 2, end - at - 2));
    if (tag.starts_with('#') || tag.starts_with('^') || tag.starts_with('/')) tag.erase(0, 1);
    const bool known = tag == "." || tag.starts_with('!') || values.texts.contains(tag) || values.flags.contains(tag) ||
                       values.lists.contains(tag);
    check(known, path, "no value for the tag '" + tag + "'");
    at = end;
  }
}

// A line that holds only the end of a section is no line of the result. kainjow drops it where the section was
// rendered, but not where it was skipped; an empty section that is always rendered makes it drop both.
std::string mark_section_ends(std::string_view text) {
  constexpr std::string_view kMark = "{{#line}}{{/line}}";
  std::string marked;
  while (!text.empty()) {
    const size_t line_end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, line_end);
    marked += line;
    if (line.starts_with("{{/") && line.find("}}") + 2 == line.size()) marked += kMark;
    if (line_end < text.size()) marked += '\n';
    text.remove_prefix(std::min(line_end + 1, text.size()));
  }
  return marked;
}

}  // namespace

std::string fill_template(std::string_view path, const TemplateValues& values) {
  check(!template_text(path).empty(), path, "there is no such template");
  check_tags(path, template_text(path), values);
  kainjow::mustache::data data;
  for (const auto& [name, value] : values.texts) data.set(name, value);
  for (const auto& [name, value] : values.flags) data.set(name, value);
  for (const auto& [name, lines] : values.lists) {
    kainjow::mustache::data list{kainjow::mustache::data::type::list};
    for (const std::string& line : lines) list << kainjow::mustache::data{line};
    data.set(name, list);
  }
  data.set("line", true);
  kainjow::mustache::mustache mustache(mark_section_ends(template_text(path)));
  check(mustache.is_valid(), path, mustache.error_message());
  mustache.set_custom_escape([](const std::string& value) { return value; });
  std::string result = mustache.render(data);
  check(mustache.is_valid(), path, mustache.error_message());
  return result;
}

}  // namespace sinter
