// Three-way merges of texts, by git.
#pragma once

#include <optional>
#include <string>

namespace sinter {

struct Texts {
  std::string ours, base, theirs;  // edited, what was edited, and what it has become without the edit
};

struct MergedText {
  std::string text;  // conflicts are marked as git marks them, with the base
  int conflicts = 0;
};

// nullopt with `error` set where there is no git.
std::optional<MergedText> merge_texts(const Texts& texts, std::string& error);

}  // namespace sinter
