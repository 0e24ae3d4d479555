// The conditions by which #if, #ifdef and #elif choose what a build takes of a text, and the text as builds take it
// where they hold or do not.
#pragma once

#include <map>
#include <set>
#include <string>

namespace sinter {

// The macros that a text defines.
std::set<std::string> defined_macros(const std::string& text);

struct BuildConditions {
  // What a build decides: tokens with blanks between them, "NDEBUG" of #ifdef NDEBUG, #if !defined(NDEBUG).
  std::set<std::string> open;
  // One with macros of which the code defines some and a build others; empty if there is none.
  std::string mixed;
};
// `own`: macros that the code defines. Conditions of these alone, and of numbers, are no build's.
BuildConditions build_conditions(const std::string& text, const std::set<std::string>& own);

// The text with these conditions decided. Lines keep their numbers.
std::string with_decided(const std::string& text, const std::map<std::string, bool>& conditions);

}  // namespace sinter
