// sinter: HLO text to readable, standalone CUDA C++. One file a subcommand; see command.h.
#include <CLI/CLI.hpp>
#include <iostream>
#include <new>

#include "driver/commands/command.h"
#include "driver/commands/line/call_error.h"
#include "driver/commands/line/colour.h"
#include "driver/commands/line/help_format.h"
#include "driver/commands/reproducer.h"
#include "emitter/text/version.h"
#include "ir/support/diagnostics.h"

int main(int argc, char** argv) {
  sinter::watch_for_bugs(argc, argv);
  CLI::App app("sinter compiles HLO text, as JAX prints it, to readable, standalone CUDA C++.", "sinter");
  app.require_subcommand(1);
  app.formatter(std::make_shared<sinter::HelpFormat>());
  app.set_version_flag("--version", "sinter " + std::string(sinter::kCompilerVersion));
  int status = sinter::kOk;
  app.group("Programs");  // of the commands that follow
  sinter::add_compile_command(app, status);
  sinter::add_explain_command(app, status);
  sinter::add_run_command(app, status);
  sinter::add_bench_command(app, status);
  sinter::add_eval_command(app, status);
  sinter::add_opt_command(app, status);
  app.group("Emitted folders");
  sinter::add_diff_command(app, status);
  sinter::add_git_diff_command(app, status);
  sinter::add_check_command(app, status);
  sinter::add_merge_command(app, status);
  sinter::add_verify_command(app, status);
  app.group("Grain");
  sinter::add_fmt_command(app, status);
  sinter::add_new_command(app, status);
  sinter::add_lsp_command(app, status);
  app.group("Sinter itself");
  sinter::add_doctor_command(app, status);
  sinter::add_completion_command(app, status);
  sinter::add_man_command(app, status);
  sinter::add_help_command(app, status);
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) sinter::add_colour_option(*command);
  app.footer(
      "Exit status:\n"
      "  0  ok\n"
      "  1  the program is wrong, or a comparison failed\n"
      "  2  the call is wrong: options, or files that cannot be read or written\n"
      "  3  a bug of ours; what makes it happen again was saved");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return sinter::fail(sinter::call_error(app, error));
    app.exit(error);  // --help, --version
    return sinter::kOk;
  } catch (const std::bad_alloc&) {
    return sinter::fail("out of memory", sinter::kInputWrong);
  } catch (const std::exception& error) {  // InternalError, and what nobody expected
    sinter::report_bug(error.what());
    return sinter::kOurBug;
  }
  std::cout.flush();
  if (!std::cout && status == sinter::kOk) return sinter::fail("cannot write to standard output");
  return status;
}
