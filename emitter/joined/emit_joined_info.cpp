// info.cpp of several programs: what the library says of itself. Its text is templates/host/info.cpp.mustache.
#include "emitter/host/emit_template.h"
#include "emitter/joined/joined_host.h"
#include "emitter/text/version.h"

namespace sinter {

std::string emit_joined_info(const JoinedHost& host, const std::string& texts_hash) {
  size_t kernels = 0;  // each once
  int64_t constants = 0;
  for (const HostProgram& program : host.programs) {
    kernels += program.program->kernels.size();
    constants += std::ssize(program.program->plan.constants);
  }
  kernels -= host.shared_kernels;
  std::vector<std::string> names;
  for (const std::string& member : host.members) names.push_back("\"" + member + "\"");
  names.emplace_back("nullptr");
  const int64_t weights = host.all.weights.empty() ? constants : weights_bytes(host.all);
  return fill_template("host/info.cpp.mustache",
                       {.texts = {{"name", host.all.name},
                                  {"Name", host.all.type},
                                  {"NAME", host.all.macro},
                                  {"programs", wrap_list("  static const char* const programs[] = {", names, "};")},
                                  {"kernels", std::to_string(kernels)},
                                  {"launches", "-1"},
                                  {"generator", "sinter " + std::string(kCompilerVersion)},
                                  {"input_sha256", texts_hash},
                                  {"workspace_bytes", std::to_string(joined_workspace_bytes(host))},
                                  {"weights_bytes", std::to_string(weights)}},
                        .flags = {{"is_joined", true}},
                        .lists = {}});
}

}  // namespace sinter
