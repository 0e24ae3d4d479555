// What options with a number from 0 up check; the message of CLI11's own spells the largest double.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace sinter {

inline CLI::Validator non_negative() {
  const auto check = [](std::string& text) {
    double value = 0;
    const bool good = CLI::detail::lexical_cast(text, value) && value >= 0;
    return good ? std::string() : "needs a number from 0 up, not " + text;
  };
  return CLI::Validator(check, "NONNEGATIVE");
}

}  // namespace sinter
