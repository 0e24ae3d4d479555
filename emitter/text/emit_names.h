// Names and words of the host files. Whatever came from the user's text passes through here before it is emitted: a
// name becomes a C identifier that no language or header has taken, a comment stays on its line.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace sinter {

// A C identifier without leading underscore that is no keyword or common macro of C, C++ or CUDA, at most 100
// characters long. Identifiers that already are so stay as they are.
std::string safe_identifier(std::string_view text);

// safe_identifier, and usable as the stem of the folder's files and as CMake target ("test" becomes "test_model").
std::string safe_project_name(std::string_view text);

// The namespace of a program that has such a name ("time" becomes "time_model", "policy_run" too).
std::string safe_namespace(std::string_view project_name);

// "cartpole_soa" -> "CartpoleSoa".
std::string upper_camel(std::string_view identifier);

// "cartpole_soa" -> "CARTPOLE_SOA".
std::string upper_snake(std::string_view identifier);

// Text that can stand behind `//`: printable ASCII on one line, without what could splice lines.
std::string comment_text(std::string_view text);

// Hands out names that differ from each other: "x", then "x_2".
class NameScope {
 public:
  NameScope() = default;
  explicit NameScope(std::set<std::string> taken) : taken_(std::move(taken)) {}
  std::string unique(const std::string& name);
  void release(const std::string& name) { taken_.erase(name); }

 private:
  std::set<std::string> taken_;
};

}  // namespace sinter
