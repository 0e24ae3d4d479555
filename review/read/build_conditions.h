// The conditions by which #if, #ifdef and #elif choose what a build takes of a text, and the text as builds take it
// where they hold or do not.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sinter {

// What a build decides: a condition that the text alone does not. Macros that the text defines before, whatever a build
// says, decide no such one, nor do numbers; an #ifndef around a whole header is none.
struct BuildCondition {
  // Tokens with blanks between them: "NDEBUG" of #ifdef NDEBUG and #if !defined(NDEBUG), "if N > 4". Behind a new line
  // stands how often its macros were defined or undefined before, if they were.
  std::string key;
  std::set<std::string> macros;
};
std::vector<BuildCondition> build_conditions(const std::string& text);

// By macro: what the directives of a text say of it, and which words that names.
struct MacroDefinitions {
  std::vector<std::string> said;  // "define FAST ( __CUDA_ARCH__ >= 800 )", "undef FAST"
  std::set<std::string> words;
};
void add_definitions(const std::string& text, std::map<std::string, MacroDefinitions>* definitions);

// The text with these conditions decided, by their keys. Lines keep their numbers.
std::string with_decided(const std::string& text, const std::map<std::string, bool>& conditions);

}  // namespace sinter
