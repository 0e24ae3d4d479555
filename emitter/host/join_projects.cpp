// Several programs as one folder: <program>/ holds what emit_project makes of each; headers and a CMake file join
// them.
#include "emitter/host/cpp_header.h"
#include "emitter/host/emit_host.h"
#include "emitter/host/emit_template.h"
#include "emitter/text/emit_names.h"
#include "ir/support/diagnostics.h"

namespace sinter {

FileSet join_projects(const std::string& name, const std::map<std::string, FileSet>& projects,
                      const EmitOptions& options) {
  const std::string macro = upper_snake(name);
  TemplateValues values = {.texts = {{"name", name}, {"NAME", macro}, {"chosen", "${" + macro + "_${option}}"}},
                           .flags = {},
                           .lists = {{"programs", {}}}};
  FileSet files;
  for (const auto& [program, project] : projects) {
    check(program != name, name, "a program is called as the folder of all");
    values.lists["programs"].push_back(program);
    for (const auto& [path, content] : project) files.emplace(program + "/" + path, content);
  }
  files.emplace(header_path(name), fill_template("host/joined.h.mustache", values));
  files.emplace(cpp_header_path(name), fill_template("host/joined.hpp.mustache", values));
  files.emplace("CMakeLists.txt", fill_template("host/joined_CMakeLists.txt.mustache", values));
  files.emplace("manifest.json", emit_manifest(name, options, files));
  return files;
}

}  // namespace sinter
