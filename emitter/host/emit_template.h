// Filling of a host template (templates/host/*.mustache).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

// What a template's tags stand for: {{name}} a text, {{#flag}}...{{/flag}} text kept if set, {{#lines}}{{.}}{{/lines}}
// a text for each entry.
struct TemplateValues {
  std::map<std::string, std::string> texts;
  std::map<std::string, bool> flags;
  std::map<std::string, std::vector<std::string>> lists;
};

// Nothing is escaped: values are C++ text that the emitter made. A tag that has no value is an InternalError.
std::string fill_template(std::string_view path, const TemplateValues& values);

}  // namespace sinter
