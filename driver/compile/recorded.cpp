#include "driver/compile/recorded.h"

#include <llvm/Support/JSON.h>

#include <algorithm>

namespace sinter {

namespace {

constexpr std::string_view kHash = ":sha256:";
constexpr size_t kDigits = 64;

// "--arch=90a --import=my file:sha256:6b0c...": a word begins where a blank and two dashes stand.
std::vector<std::string> words_of(const std::string& options) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin < options.size();) {
    const size_t end = std::min(options.find(" --", begin), options.size());
    words.push_back(options.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

bool is_file_of(const std::string& word, size_t hash) {
  return hash != std::string::npos && hash + kHash.size() + kDigits == word.size();
}

std::string value_of(const Recorded& recorded, const std::string& option) {
  for (const std::string& word : recorded.options) {
    if (word.starts_with(option + "=")) return word.substr(option.size() + 1);
  }
  return "";
}

}  // namespace

Recorded recorded_in(const std::string& manifest) {
  Recorded recorded;
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(manifest);
  if (!value) {
    llvm::consumeError(value.takeError());
    return recorded;
  }
  const llvm::json::Object* fields = value->getAsObject();
  if (fields == nullptr) return recorded;
  const auto text = [&](llvm::StringRef key) { return fields->getString(key).value_or("").str(); };
  recorded.generator = text("generator");
  recorded.program = text("program");
  recorded.input_hash = text("input_sha256");
  for (const std::string& word : words_of(text("options"))) {
    const size_t equals = word.find('='), hash = word.rfind(kHash);
    if (equals == std::string::npos || !is_file_of(word, hash)) {
      recorded.options.push_back(word);
      continue;
    }
    const std::string option = word.substr(0, equals);
    recorded.inputs.push_back({.option = option,
                               .name = word.substr(equals + 1, hash - equals - 1),
                               .hash = word.substr(hash + kHash.size())});
    // What a program imports is its own matter.
    const bool known = std::find(recorded.options.begin(), recorded.options.end(), option) != recorded.options.end();
    if (option != "--import" && !known) recorded.options.push_back(option);
  }
  return recorded;
}

GrainChoice recorded_choice(const Recorded& recorded) {
  const std::string entry = value_of(recorded, "--entry"), dims = value_of(recorded, "--dims");
  GrainFlags flags;
  if (!entry.empty()) flags.entries = {entry};
  if (!dims.empty()) flags.dims = {dims};
  GrainChoice choice;
  to_choice(flags, choice);
  return choice;
}

std::string options_text(const Recorded& recorded) {
  std::string text;
  for (const std::string& option : recorded.options) text += (text.empty() ? "" : " ") + option;
  return text;
}

std::string joined_option_text(const std::string& name, const std::vector<Recorded>& programs) {
  std::vector<std::string> words;
  const auto add = [&](std::string word) {
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(std::move(word));
  };
  const auto is_file = [](const Recorded& program, const std::string& word) {
    return std::any_of(program.inputs.begin(), program.inputs.end(),
                       [&](const RecordedInput& input) { return input.option == word; });
  };
  const auto is_own = [](const std::string& word) {
    return word.starts_with("--name=") || word.starts_with("--entry=") || word.starts_with("--dims=");
  };
  for (const Recorded& program : programs) {
    for (const std::string& word : program.options) {
      if (!is_own(word) && !is_file(program, word)) add(word);
    }
  }
  add("--name=" + name);
  for (const Recorded& program : programs) {
    for (const std::string& word : program.options) {
      if (is_own(word) && !word.starts_with("--name=")) add(word);
    }
  }
  for (const Recorded& program : programs) {
    for (const RecordedInput& input : program.inputs) {
      add(input.option + "=" + input.name + std::string(kHash) + input.hash);
    }
  }
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace sinter
