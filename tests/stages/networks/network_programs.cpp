// network_programs: networks in all forms, compared with the evaluator.
#include "tests/stages/networks/network_text.h"

int main() {
  int status = 0;
  for (const sinter::NetworkGroup& group : sinter::network_groups())
    status |= sinter::run_stage_programs(group.programs, group.tolerance);
  return status;
}
