// CLI11 keeps no such list: it stands in the description of a validator of this name, as `--help` shows it. A validator
// that is not active neither checks nor shows.
#include "driver/commands/line/choices.h"

#include <llvm/ADT/StringExtras.h>
#include <CLI/CLI.hpp>
#include <sstream>

#include "ir/support/nearest_word.h"

namespace sinter {
namespace {

constexpr const char* kName = "choices";

// In three letters, one that is wrong makes another word: "gpu" is not "cpu".
std::string suggestion(const std::string& word, const std::vector<std::string>& words) {
  constexpr size_t kShort = 3;
  const std::string nearest = nearest_word(word, {words.begin(), words.end()});
  return nearest.empty() || word.size() <= kShort ? "" : "; did you mean " + nearest + "?";
}

CLI::Validator validator_of(const std::vector<std::string>& words) {
  const auto check = [words](const std::string& word) {
    for (const std::string& one : words) {
      if (word == one) return std::string();
    }
    return "'" + word + "' is none of " + llvm::join(words, ", ") + suggestion(word, words);
  };
  return CLI::Validator(check, "{" + llvm::join(words, ",") + "}", kName);
}

}  // namespace

CLI::Option* takes_one_of(CLI::Option* option, const std::vector<std::string>& words) {
  return option->check(validator_of(words));
}

CLI::Option* offers(CLI::Option* option, const std::vector<std::string>& words) {
  return option->check(validator_of(words).active(false));
}

std::vector<std::string> choices_of(CLI::Option& option) {
  std::vector<std::string> choices;
  try {
    const CLI::Validator validator = *option.get_validator(kName);
    const std::string braced = validator.active(true).get_description();
    std::istringstream words(braced.substr(1, braced.size() - 2));
    for (std::string word; std::getline(words, word, ',');) choices.push_back(word);
  } catch (const CLI::OptionNotFound&) {  // the only way in which CLI11 says that there is none
  }
  return choices;
}

}  // namespace sinter
