#include "tests/stages/base/planned_programs.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "driver/compile/compile.h"
#include "driver/system/files.h"

namespace sinter {

static std::optional<Tree> tree_of(const StageProgram& program, const std::vector<std::string>& without,
                                   const std::vector<std::string>& pinned) {
  CompileOptions options;
  options.plan_only = true;
  options.graph.without = without;
  options.graph.pinned = pinned;
  const Source source = {.name = program.name + ".hlo", .text = program.text};
  Diagnostics diagnostics(source);
  const std::optional<Artifact> artifact = compile(options, diagnostics);
  if (artifact) return artifact->schedule.tree;
  std::printf("FAIL %s: no plan\n%s", program.name.c_str(), diagnostics.render().c_str());
  return std::nullopt;
}

std::string plan_of(const StageProgram& program, const std::vector<std::string>& without,
                    const std::vector<std::string>& pinned) {
  const std::optional<Tree> tree = tree_of(program, without, pinned);
  return tree ? print(*tree) : "";
}

std::string plan_in_one_stage(const StageProgram& program, const std::string& stage, int64_t threads) {
  std::optional<Tree> tree = tree_of(program, {}, {});
  if (!tree) return "";
  TreeNode kernel = tree->items.back();
  TreeNode& all = kernel.body()[0];
  all.schedule = stage;
  all.domain = {};
  all.values.clear();
  for (const TreeNode& part : tree->items) {
    for (const TreeValue& value : part.body()[0].values) {
      const auto is_it = [&](const TreeValue& other) { return other.name == value.name; };
      if (std::none_of(all.values.begin(), all.values.end(), is_it)) all.values.push_back(value);
    }
  }
  std::fill(std::begin(kernel.grid), std::end(kernel.grid), 1);
  std::fill(std::begin(kernel.block), std::end(kernel.block), 1);
  kernel.grid[0] = 0;
  kernel.block[0] = threads;
  tree->items = {kernel};
  return print(*tree);
}

bool has_in_plan(const StageProgram& program, const std::string& text, const std::vector<std::string>& without,
                 const std::vector<std::string>& pinned) {
  if (plan_of(program, without, pinned).find(text) != std::string::npos) return true;
  std::printf("FAIL %s: no '%s' in its plan\n", program.name.c_str(), text.c_str());
  return false;
}

int run_planned_programs(const char* folder, const std::string& text, ToleranceOf tolerance,
                         const std::vector<std::string>& without, const std::vector<std::string>& pinned) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<StageProgram> programs;
  int status = files.empty() ? 1 : 0;
  for (const std::filesystem::path& file : files) {
    std::string error;
    const std::optional<std::string> content = read_file(file.string(), error);
    programs.push_back({file.stem().string(), content.value_or(""), few_values(9, /*special=*/false)});
    if (!has_in_plan(programs.back(), text, without, pinned)) status = 1;
  }
  return status | run_stage_programs(programs, tolerance, without, pinned);
}

}  // namespace sinter
