#include "driver/commands/line/help_format.h"

namespace sinter {

std::string HelpFormat::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  return CLI::detail::find_and_replace(CLI::Formatter::make_help(app, name, mode), "\n\n\n", "\n\n");
}

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  // An argument's name says what it is, and the line of usage whether there must be one.
  if (option->get_positional()) return "";
  return CLI::Formatter::make_option_opts(option);
}

void add_example(CLI::App& command, const std::string& line) {
  const std::string before = command.get_footer();
  command.footer((before.empty() ? "Example:" : before) + "\n  " + line);
}

}  // namespace sinter
