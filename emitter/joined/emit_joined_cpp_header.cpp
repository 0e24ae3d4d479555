// include/<name>/<name>.hpp of several programs. Its text is templates/host/joined.hpp.mustache.
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

#include "emitter/host/cpp_header.h"
#include "emitter/host/emit_template.h"
#include "emitter/joined/joined_host.h"
#include "emitter/text/emit_names.h"

namespace sinter {

namespace {

std::vector<std::string> example(const JoinedHost& host, const std::string& space,
                                 const std::vector<std::string>& methods) {
  std::vector<std::string> lines = {space + "::Instance model;  // throws " + space + "::Error"};
  if (host.sizes) {
    lines.push_back("const auto* entry = " + space + "::fit(" + llvm::join(host.sizes->names, ", ") + ");");
    lines.push_back("model.run(entry, in, out, stream);");
    return lines;
  }
  for (size_t i = 0; i < methods.size(); ++i) {
    const bool takes = !host.programs[i].inputs.empty(), gives = !host.programs[i].outputs.empty();
    lines.push_back("model." + methods[i] + "(" + (takes ? "in, " : "") + (gives ? "out, " : "") + "stream);");
  }
  return lines;
}

}  // namespace

std::string emit_joined_cpp_header(const JoinedHost& host) {
  const std::string space = safe_namespace(host.all.name);
  NameScope taken({"run", "try_run", "get", "reset"});
  std::vector<std::string> programs, methods, runs, try_runs, parameters;
  for (size_t i = 0; i < host.programs.size(); ++i) {
    const HostProgram& program = host.programs[i];
    programs.push_back(program.name);
    methods.push_back(taken.unique(host.members[i]));
    const std::vector<std::string> texts = emit_member_runs(program, host.members[i], methods[i], host.all.type);
    runs.push_back(texts[0]);
    try_runs.push_back(texts[1]);
  }
  std::sort(programs.begin(), programs.end());
  std::vector<std::string> names;
  if (host.sizes) names = host.sizes->names;
  for (const std::string& name : names) parameters.push_back("std::int64_t " + name);
  return fill_template("host/joined.hpp.mustache",
                       {.texts = {{"name", host.all.name},
                                  {"Name", host.all.type},
                                  {"NAME", host.all.macro},
                                  {"namespace", space},
                                  {"interface_hash", host.all.interface_hash},
                                  {"size_parameters", llvm::join(parameters, ", ")},
                                  {"size_arguments", llvm::join(names, ", ")}},
                        .flags = {{"has_weights", !host.all.weights.empty()}, {"has_sizes", host.sizes.has_value()}},
                        .lists = {{"example", example(host, space, methods)},
                                  {"programs", programs},
                                  {"runs", runs},
                                  {"try_runs", try_runs}}});
}

}  // namespace sinter
