#include "review/modules/joined_programs.h"

#include <llvm/Support/JSON.h>

#include <optional>

#include "review/modules/program_alone.h"

namespace sinter {

std::map<std::string, FileSet> joined_programs(const FileSet& files) {
  std::map<std::string, FileSet> programs;
  const auto text = files.find("manifest.json");
  if (text == files.end()) return programs;
  llvm::Expected<llvm::json::Value> manifest = llvm::json::parse(text->second);
  if (!manifest) {
    llvm::consumeError(manifest.takeError());
    return programs;
  }
  const llvm::json::Object* fields = manifest->getAsObject();
  const llvm::json::Object* listed = fields == nullptr ? nullptr : fields->getObject("files");
  if (listed == nullptr) return programs;
  constexpr llvm::StringRef kManifest = "/manifest.json";
  for (const auto& [path, hash] : *listed) {
    llvm::StringRef name = path;
    if (name.consume_back(kManifest) && !name.contains('/')) programs[name.str()];
  }
  for (const auto& [path, content] : files) {
    const size_t slash = path.find('/');
    const auto program = slash == std::string::npos ? programs.end() : programs.find(path.substr(0, slash));
    if (program != programs.end()) program->second[path.substr(slash + 1)] = content;
  }
  const auto read = [&](const std::string& path) {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
  for (auto& [name, program] : programs) program = program_alone(std::move(program), read);
  return programs;
}

std::string launched_by(const std::map<std::string, FileSet>& programs, const std::string& path) {
  const std::string owner = path.substr(0, path.find('/'));
  std::string names = programs.contains(owner) ? owner : "";
  for (const auto& [name, files] : programs) {
    for (const auto& [kernel, from] : taken_kernels(files.at("manifest.json"))) {
      if (from.program == owner && path_of_taken(owner, kernel) == path) names += ", " + name;
    }
  }
  return names;
}

}  // namespace sinter
