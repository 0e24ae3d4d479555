#include "emitter/host/shared_kernels.h"

#include <sstream>

#include "emitter/kernels/print_kernel.h"

namespace sinter {

std::string kernel_code(const std::string& text, const std::string& program) {
  const std::string opening = "namespace " + kernel_namespace(program) + "::";
  std::istringstream lines(text);
  std::string code;
  for (std::string line; std::getline(lines, line);) {
    const size_t comment = line.find("//");
    const bool is_in_quotes = line.find('"') < comment;
    if (comment != std::string::npos && !is_in_quotes) line.erase(comment);
    line.erase(line.find_last_not_of(' ') + 1);
    if (line.starts_with(opening)) line = "namespace " + line.substr(opening.size());
    if (!line.empty()) code += line + "\n";
  }
  return code;
}

std::string path_of_taken(const std::string& program, const std::string& kernel) {
  return program + "/kernels/" + kernel + ".cu";
}

std::string alias_of_taken(const std::string& program, const std::string& kernel) {
  return "namespace " + kernel + " = " + kernel_namespace(program) + "::" + kernel + ";";
}

}  // namespace sinter
