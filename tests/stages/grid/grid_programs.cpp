// grid_programs: loops of grid scope, the programs of the folder beside this, compared with the evaluator. CTest runs
// them with several numbers of resident blocks.
#include "tests/stages/base/planned_programs.h"

int main(int, char** argv) {  // the folder
  // Steps of stencils are to wait for one another, too.
  const std::vector<std::string> without = {"tile_loops"};
  return sinter::run_planned_programs(argv[1], "scope grid", [](sinter::DType) { return 1e-5; }, without);
}
