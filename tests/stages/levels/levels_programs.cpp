// levels_programs: chains of stencils, of arrays that are no whole tiles, or smaller than what is around one; the
// programs of the folder beside this, compared with the evaluator.
#include "tests/stages/base/planned_programs.h"

int main(int, char** argv) {  // the folder
  return sinter::run_planned_programs(argv[1], "stage levels", [](sinter::DType) { return 2e-5; }, {}, {"tile_levels"});
}
