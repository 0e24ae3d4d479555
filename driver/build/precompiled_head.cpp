#include "driver/build/precompiled_head.h"

#include "driver/build/build_cache.h"
#include "driver/system/subprocess.h"

namespace sinter {

// g++ finds head.h.gch beside head.h wherever both are. What clang++ makes names its own place, and is not to be moved.
std::string use_precompiled_head(const FileSet& headers, std::vector<std::string>* compiler) {
  compiler->insert(compiler->end(), {"-w", "-fPIC"});
  const auto compile = [&](const std::string& folder) -> std::string {
    const ProcessResult version = run_process({compiler->front(), "--version"}, folder);
    if (version.output.find("clang") != std::string::npos) return "not precompiled";
    std::vector<std::string> command = *compiler;
    command.insert(command.end(), {"-x", "c++-header", "head.h", "-o", "head.h.gch"});
    const ProcessResult result = run_process(command, folder);
    return result.exit_status == 0 ? "" : result.output;
  };
  std::string error;
  const std::optional<std::string> head =
      build_cached(cache_key(headers, *compiler), headers, "head.h", compile, error);
  if (!head) return "";
  compiler->push_back("-I" + head->substr(0, head->rfind('/')));
  return *head;
}

}  // namespace sinter
