// plan_changes FILE PATH...: whose plans another data file of the GPU that moves are made for changes: the programs
// below the paths whose schedule tree is another with FILE in place of templates/gpus/h200.json. What `./dev gpu fit`
// measured is tried so before it goes there. With --expect LIST (a name a line) the exit status is 1 where another plan
// changes.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

#include "driver/compile/compile.h"
#include "driver/compile/gpus.h"
#include "driver/system/files.h"
#include "driver/system/parallel.h"
#include "passes/schedule/tree/tree.h"

namespace sinter {
namespace {

// Empty where the program does not compile.
std::string tree_for(const std::string& path, const Gpu& gpu) {
  CompileOptions options;
  options.plan_only = true;
  options.elided = Elided::kRandom;
  options.schedule.gpu = gpu;
  std::string error;
  const std::optional<std::string> text = read_file(path, error);
  if (!text) return "";
  const Source source = {path, *text};
  Diagnostics diagnostics(source);
  const std::optional<Artifact> artifact = compile(options, diagnostics);
  return artifact ? print(artifact->schedule.tree) : "";
}

std::vector<std::string> programs_below(const std::vector<std::string>& folders) {
  std::vector<std::string> paths;
  for (const std::string& folder : folders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      // Not what emitted folders say of their program.
      const bool is_program = entry.path().extension() == ".hlo" && entry.path().filename() != "module.hlo";
      if (is_program) paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::set<std::string> names_of(const std::string& list) {
  std::ifstream file(list);
  std::set<std::string> names;
  for (std::string name; std::getline(file, name);) names.insert(name);
  return names;
}

int run(const std::string& file, const std::vector<std::string>& folders, const std::string& list) {
  std::string error;
  const std::optional<Gpu> other = find_gpu(file, error);
  if (!other) return std::cerr << error << "\n", 2;
  const Gpu own = default_gpu("90a");
  const std::vector<std::string> paths = programs_below(folders);
  std::vector<std::pair<std::string, std::string>> trees(paths.size());
  for_each_parallel(paths.size(), [&](size_t i) { trees[i] = {tree_for(paths[i], own), tree_for(paths[i], *other)}; });

  const std::set<std::string> expected = names_of(list);
  size_t compiled = 0, unexpected = 0;
  std::vector<std::string> changed;
  for (size_t i = 0; i < paths.size(); ++i) {
    compiled += trees[i].first.empty() ? 0 : 1;
    if (trees[i].first == trees[i].second) continue;
    const std::string name = std::filesystem::path(paths[i]).stem().string();
    const bool surprising = !list.empty() && !expected.contains(name);
    unexpected += surprising ? 1 : 0;
    changed.push_back(name + (surprising ? "  (not expected)" : ""));
  }
  std::cout << changed.size() << " of " << compiled << " plans change\n";
  for (const std::string& name : changed) std::cout << name << "\n";
  return unexpected == 0 && compiled > 0 ? 0 : 1;
}

}  // namespace
}  // namespace sinter

int main(int argc, char** argv) {
  CLI::App app("whose plans another data file of a GPU changes");
  std::string file, list;
  std::vector<std::string> folders;
  app.add_option("FILE", file, "like those of templates/gpus")->required()->check(CLI::ExistingFile);
  app.add_option("PATH", folders, "folders of programs")->required()->check(CLI::ExistingDirectory);
  app.add_option("--expect", list, "names whose plans may change")->check(CLI::ExistingFile);
  CLI11_PARSE(app, argc, argv);
  return sinter::run(file, folders, list);
}
