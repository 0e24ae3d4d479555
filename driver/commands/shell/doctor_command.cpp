// sinter doctor: what this machine has for emitted code, and what is missing.
#include <CLI/CLI.hpp>
#include <iostream>

#include "driver/commands/command.h"
#include "driver/commands/line/help_format.h"
#include "driver/commands/shell/doctor.h"
#include "emitter/text/version.h"

namespace sinter {

void add_doctor_command(CLI::App& app, int& status) {
  auto architecture = std::make_shared<std::string>("90a");
  CLI::App* command = app.add_subcommand("doctor",
                                         "what this machine has to build and run emitted code, and how to get what is "
                                         "missing: exit 1 where it cannot be built for the CPU");
  command->add_option("--arch", *architecture, "what nvcc is to compile for")
      ->type_name("ARCH")
      ->capture_default_str()
      ->check([](const std::string& text) {
        return is_architecture_list(text) && text.find(',') == std::string::npos
                   ? ""
                   : "takes one compute capability such as 90a, not " + text;
      });
  add_example(*command, "sinter doctor --arch 80");
  command->callback([architecture, &status] {
    const Diagnosis diagnosis = diagnose(*architecture);
    std::cout << "sinter " << kCompilerVersion << "\n\n" << diagnosis_text(diagnosis);
    status = diagnosis.builds_for_cpu ? kOk : kInputWrong;
  });
}

}  // namespace sinter
