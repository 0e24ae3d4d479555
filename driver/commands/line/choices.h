// Values of options that have names: which there are is declared where the option is, and read by whoever checks,
// completes or documents it.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class Option;
}  // namespace CLI

namespace sinter {

// The option takes one of these words; another one is refused, with the nearest of them.
CLI::Option* takes_one_of(CLI::Option* option, const std::vector<std::string>& words);

// Shells offer these words; the command itself says what is wrong with others.
CLI::Option* offers(CLI::Option* option, const std::vector<std::string>& words);

// The words that either was given; none for most options.
std::vector<std::string> choices_of(CLI::Option& option);

}  // namespace sinter
