// sinter completion: the script with which a shell completes sinter's command line.
#include <CLI/CLI.hpp>
#include <iostream>

#include "driver/commands/command.h"
#include "driver/commands/line/choices.h"
#include "driver/commands/line/help_format.h"
#include "driver/commands/shell/completion.h"

namespace sinter {

void add_completion_command(CLI::App& app, int& status) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "a script with which a shell completes these commands");
  takes_one_of(command->add_option("SHELL", *shell, "bash, zsh or fish"), {"bash", "zsh", "fish"})->required();
  add_example(*command, "source <(sinter completion bash)");
  add_example(*command, "sinter completion fish >~/.config/fish/completions/sinter.fish");
  command->callback([shell, &app, &status] {
    const Outline outline = outline_of(app);
    std::cout << (*shell == "bash"  ? bash_completion(outline)
                  : *shell == "zsh" ? zsh_completion(outline)
                                    : fish_completion(outline));
    status = kOk;
  });
}

}  // namespace sinter
