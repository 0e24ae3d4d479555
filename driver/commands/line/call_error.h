// What is wrong with a command line, in one line: "explain has no option --plna; did you mean --plan?".
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace sinter {

// Of a call that `app` could not parse.
std::string call_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace sinter
