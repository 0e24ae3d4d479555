// loop_programs: loops that threads run, since rings turn with the steps and terms are recorded; the programs of the
// folder beside this, compared with the evaluator.
#include "tests/stages/base/planned_programs.h"

int main(int, char** argv) {  // the folder
  return sinter::run_planned_programs(argv[1], "scope thread", [](sinter::DType) { return 1e-6; });
}
