#include "tests/stages/base/planned_programs.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "driver/compile/compile.h"
#include "driver/system/files.h"

namespace sinter {

std::string plan_of(const StageProgram& program, const std::vector<std::string>& without) {
  CompileOptions options;
  options.plan_only = true;
  options.graph.without = without;
  const Source source = {.name = program.name + ".hlo", .text = program.text};
  Diagnostics diagnostics(source);
  const std::optional<Artifact> artifact = compile(options, diagnostics);
  if (artifact) return print(artifact->schedule.tree);
  std::printf("FAIL %s: no plan\n%s", program.name.c_str(), diagnostics.render().c_str());
  return "";
}

bool has_in_plan(const StageProgram& program, const std::string& text, const std::vector<std::string>& without) {
  if (plan_of(program, without).find(text) != std::string::npos) return true;
  std::printf("FAIL %s: no '%s' in its plan\n", program.name.c_str(), text.c_str());
  return false;
}

int run_planned_programs(const char* folder, const std::string& text, ToleranceOf tolerance,
                         const std::vector<std::string>& without) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<StageProgram> programs;
  int status = files.empty() ? 1 : 0;
  for (const std::filesystem::path& file : files) {
    std::string error;
    const std::optional<std::string> content = read_file(file.string(), error);
    programs.push_back({file.stem().string(), content.value_or(""), few_values(9, /*special=*/false)});
    if (!has_in_plan(programs.back(), text, without)) status = 1;
  }
  return status | run_stage_programs(programs, tolerance, without);
}

}  // namespace sinter
