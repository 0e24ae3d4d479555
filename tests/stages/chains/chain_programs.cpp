// chain_programs: products of products in all forms, compared with the evaluator.
#include "tests/stages/base/planned_programs.h"
#include "tests/stages/chains/chain_text.h"

int main() {
  int failed = 0;
  for (const sinter::ChainGroup& group : sinter::chain_groups()) {
    for (const sinter::StageProgram& program : group.programs) {
      if (!sinter::has_in_plan(program, "stage chain", {}, {"chain"})) return 1;
    }
    failed |= sinter::run_stage_programs(group.programs, group.tolerance, {}, {"chain"});
  }
  return failed;
}
