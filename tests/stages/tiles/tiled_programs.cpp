// tiled_programs: loops whose steps are stencils, several steps a launch; the programs of the folder beside this,
// compared with the evaluator.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "driver/compile/compile.h"
#include "driver/system/files.h"
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

bool has_tiles(const StageProgram& program) {
  CompileOptions options;
  options.plan_only = true;
  const Source source = {.name = program.name + ".hlo", .text = program.text};
  Diagnostics diagnostics(source);
  const std::optional<Artifact> artifact = compile(options, diagnostics);
  if (artifact && print(artifact->schedule.tree).find("stage stencil") != std::string::npos) return true;
  std::printf("FAIL %s: no steps in tiles\n%s", program.name.c_str(), diagnostics.render().c_str());
  return false;
}

}  // namespace
}  // namespace sinter

int main(int, char** argv) {  // the folder
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<sinter::StageProgram> programs;
  int status = files.empty() ? 1 : 0;
  for (const std::filesystem::path& file : files) {
    std::string error;
    const std::optional<std::string> text = sinter::read_file(file.string(), error);
    programs.push_back({file.stem().string(), text.value_or(""), sinter::few_values(9, /*special=*/false)});
    if (!sinter::has_tiles(programs.back())) status = 1;
  }
  return status | sinter::run_stage_programs(programs, [](sinter::DType) { return 1e-6; });
}
