#include "driver/compile/keep_kernels.h"

#include "driver/system/files.h"
#include "review/modules/joined_programs.h"
#include "review/modules/module_changes.h"
#include "review/modules/program_alone.h"

namespace sinter {

namespace {

// What kernels.h says of a kernel: its namespace.
std::string interface_of(const FileSet& files, const std::string& kernel) {
  const auto header = files.find("kernels.h");
  if (header == files.end()) return "";
  const std::string& text = header->second;
  const std::string begin = "namespace " + kernel + " {", end = "}  // namespace " + kernel + "\n";
  const size_t at = text.find(begin);
  return at == std::string::npos ? "" : text.substr(at, text.find(end, at) - at);
}

// Why the kernel may not stay, in lines; empty if it may.
std::string objection(const FileSet& folder, const FileSet& files, const std::optional<ModulePair>& modules,
                      const std::string& kernel) {
  if (!files.contains("kernels/" + kernel + ".cu")) return "\n  there is no such kernel any more";
  const std::string interface = interface_of(folder, kernel), now = interface_of(files, kernel);
  if (interface != now) return "\n  it is called with other arrays\n" + interface + "\n" + now;
  const std::optional<ModuleChanges> changes =
      modules ? kernel_changes(*modules, {kernel}, {kernel}) : std::optional<ModuleChanges>();
  if (!changes) return "\n  the folder does not say what it computed";
  std::string lines = changes->shapes ? "\n  it computes arrays of other shapes" : "";
  for (const std::string& line : changes->lines) lines += "\n  " + line;
  return lines;
}

// Kept kernels of a folder that holds one program, by their paths, and why others may not stay.
struct Kept {
  FileSet files;
  std::string refused;
};

// `prefix`: the program's folder in one that joins several, "blur/".
void keep_program(const FileSet& folder, const FileSet& files, const std::string& prefix, Kept* kept) {
  const auto manifest = folder.find("manifest.json");
  const std::map<std::string, TakenKernel> taken =
      manifest == folder.end() ? std::map<std::string, TakenKernel>() : taken_kernels(manifest->second);
  std::optional<ModulePair> modules;
  for (const auto& [path, text] : folder) {
    if (!is_kept(path, text)) continue;
    if (!modules) modules = read_module_pair(folder, files);
    const std::string kernel = path.substr(8, path.size() - 11);
    if (taken.contains(kernel)) continue;  // the owner's to keep
    const std::string why = objection(folder, files, modules, kernel);
    if (why.empty()) {
      kept->files[prefix + path] = text;
    } else {
      kept->refused += "\n" + prefix + path + why;
    }
  }
}

}  // namespace

bool keep_kernels(const FileSet& folder, FileSet* files, std::string& error) {
  Kept kept;
  const std::map<std::string, FileSet> programs = joined_programs(folder), now = joined_programs(*files);
  if (programs.empty()) keep_program(folder, *files, "", &kept);
  for (const auto& [name, program] : programs) {
    const auto found = now.find(name);
    keep_program(program, found == now.end() ? FileSet() : found->second, name + "/", &kept);
  }
  for (const auto& [path, text] : kept.files) {
    const std::string before = launched_by(programs, path), after = launched_by(now, path);
    if (before != after) kept.refused += "\n" + path + "\n  " + before + " launch it, and now " + after;
  }
  if (!kept.refused.empty()) {
    error = "what these kept files are to compute has changed (sinter merge makes the new ones with their edits):" +
            kept.refused;
    return false;
  }
  for (auto& [path, text] : kept.files) (*files)[path] = std::move(text);
  return true;
}

}  // namespace sinter
