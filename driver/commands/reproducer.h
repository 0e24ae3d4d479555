// Exit status 3: what is left behind of a bug of ours.
#pragma once

#include <string>

namespace sinter {

// Remembers the command line, and from now on reports crashes (signals) too.
void watch_for_bugs(int argc, char** argv);

// Says on standard error what happened and saves command line and input beside the temporary files.
void report_bug(const std::string& what);

}  // namespace sinter
