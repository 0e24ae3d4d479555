// tiled_programs: loops whose steps are stencils, several steps a launch; the programs of the folder beside this,
// compared with the evaluator.
#include "tests/stages/base/planned_programs.h"

int main(int, char** argv) {  // the folder
  return sinter::run_planned_programs(argv[1], "stage stencil", [](sinter::DType) { return 1e-6; });
}
