// grid_programs: loops of grid scope, the programs of the folder beside this, compared with the evaluator. CTest runs
// them with several numbers of resident blocks.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "driver/compile/compile.h"
#include "driver/system/files.h"
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

// Steps of stencils are to wait for one another, too.
const std::vector<std::string> kWithout = {"tile_loops"};

// Whether the scheduler has made one launch of the program's loop.
bool has_grid_loop(const StageProgram& program) {
  CompileOptions options;
  options.plan_only = true;
  options.graph.without = kWithout;
  const Source source = {.name = program.name + ".hlo", .text = program.text};
  Diagnostics diagnostics(source);
  const std::optional<Artifact> artifact = compile(options, diagnostics);
  if (artifact && print(artifact->schedule.tree).find("scope grid") != std::string::npos) return true;
  std::printf("FAIL %s: no loop of grid scope\n%s", program.name.c_str(), diagnostics.render().c_str());
  return false;
}

double tolerance(DType) { return 1e-5; }

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
    if (!sinter::has_grid_loop(programs.back())) status = 1;
  }
  return status | sinter::run_stage_programs(programs, sinter::tolerance, sinter::kWithout);
}
