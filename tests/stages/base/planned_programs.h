// Programs of a folder that are to be planned in a certain way.
#pragma once

#include <string>
#include <vector>

#include "tests/stages/stage_programs.h"

namespace sinter {

// The schedule tree of a program; empty, which is said, where it has none. `without`, `pinned`: graph passes, as
// run_stage_programs has them.
std::string plan_of(const StageProgram& program, const std::vector<std::string>& without = {},
                    const std::vector<std::string>& pinned = {});

// A plan in which one kernel of so many threads computes all of the program, in such a stage.
std::string plan_in_one_stage(const StageProgram& program, const std::string& stage, int64_t threads);

// Whether the program's plan has that text; if not, it is said.
bool has_in_plan(const StageProgram& program, const std::string& text, const std::vector<std::string>& without = {},
                 const std::vector<std::string>& pinned = {});

// run_stage_programs of the folder's, each of which must have `text` in its plan; inputs are few values, none special.
int run_planned_programs(const char* folder, const std::string& text, ToleranceOf tolerance,
                         const std::vector<std::string>& without = {}, const std::vector<std::string>& pinned = {});

}  // namespace sinter
