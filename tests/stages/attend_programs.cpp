// attend_programs: attention in all forms, compared with the evaluator.
#include "tests/stages/attention_text.h"

int main() {
  int status = 0;
  for (const auto& groups : {sinter::attention_groups(), sinter::attention_of_rows()}) {
    for (const sinter::AttentionGroup& group : groups)
      status |= sinter::run_stage_programs(group.programs, group.tolerance);
  }
  return status;
}
