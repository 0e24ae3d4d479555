// grid_programs: loops of grid scope, the programs of the folder beside this, compared with the evaluator. CTest runs
// them with several numbers of resident blocks.
#include "tests/stages/base/planned_programs.h"

int main(int count, char** argv) {  // the folder; what their plans have, too
  // Steps of stencils are to wait for one another, too.
  const std::vector<std::string> without = {"tile_loops"};
  const char* planned = count > 2 ? argv[2] : "scope grid";
  return sinter::run_planned_programs(argv[1], planned, [](sinter::DType) { return 1e-5; }, without);
}
