// What a thread program takes.
#pragma once

#include "ir/kernel/work.h"
#include "passes/stages/matrices/thread_program.h"

namespace sinter {

// Of all its threads, or warps.
Work thread_work(const ThreadProgram& program);

}  // namespace sinter
