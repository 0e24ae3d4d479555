// attend_programs: attention in all forms, compared with the evaluator.
#include "tests/stages/attention_text.h"

int main() {
  int status = 0;
  for (const sinter::AttentionGroup& group : sinter::attention_groups())
    status |= sinter::run_stage_programs(group.programs, group.tolerance);
  return status;
}
