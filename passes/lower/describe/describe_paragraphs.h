// What each paragraph of a kernel's text gives the others, for the comment that opens the file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/kernel/kernel.h"

namespace sinter {

// The statements under one comment, of one loop or of none.
struct Paragraph {
  std::string title;               // the comment: a Python function
  int loop = -1;                   // position in Paragraphs::loops
  std::vector<std::string> names;  // variables that other paragraphs read, carries and arrays it sets, in their order
};

// A loop over steps that lies in no other.
struct StepLoop {
  const Instruction* loop = nullptr;  // the while
  std::vector<std::string> carries;   // variables from before it that it sets
};

struct Paragraphs {
  std::vector<Paragraph> all;   // one a title and loop, in the order of the text
  std::vector<StepLoop> loops;  // in the order of the text
};

Paragraphs paragraphs(const Module& module, const Kernel& kernel);

// Runs of three or more names that differ in a number only, as "a_0 .. a_3"; `same(i, j)` says whether two may be one
// run.
struct NameRun {
  std::string text;
  size_t first = 0;  // position of the run's first name
};
std::vector<NameRun> name_runs(const std::vector<std::string>& names,
                               const std::function<bool(size_t, size_t)>& same = nullptr);

// "a, b_0 .. b_3": at most `most` runs.
std::string name_list(const std::vector<std::string>& names, size_t most);

}  // namespace sinter
