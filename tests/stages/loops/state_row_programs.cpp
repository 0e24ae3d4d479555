// state_row_programs: loops whose threads carry rows of matrices, alone or with the others of a block; the programs of
// the folder beside this, compared with the evaluator.
#include "tests/stages/base/planned_programs.h"

int main(int, char** argv) {  // the folder
  const auto tolerance = [](sinter::DType dtype) { return dtype == sinter::DType::kF64 ? 1e-12 : 1e-4; };
  return sinter::run_planned_programs(argv[1], "loop end trip 5", tolerance);
}
