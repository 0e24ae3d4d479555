// sinter: HLO text to readable, standalone CUDA C++. One file a subcommand; see command.h.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <new>

#include "driver/command.h"
#include "driver/files.h"
#include "ir/diagnostics.h"

namespace {

// Saves what made us fail beside the temporary files, for a bug report.
void report_bug(int argc, char** argv, const std::string& what) {
  const sinter::Source& source = sinter::last_source();
  std::string text = "// sinter failed: " + what + "\n// sinter";
  for (int i = 1; i < argc; ++i) text += std::string(" ") + argv[i];
  text += "\n" + source.text;
  std::error_code status;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(status);
  const std::string path = (folder / ("sinter-bug-" + sinter::sha256_hex(text).substr(0, 12) + ".hlo")).string();
  std::string error;
  std::cerr << "sinter: internal error: " << what << "\n";
  if (sinter::write_file(path, text, error)) {
    std::cerr << "This is a bug in sinter. " << path << " reproduces it; please send it along with your report.\n";
  } else {
    std::cerr << "This is a bug in sinter. (" << error << ")\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("sinter compiles HLO text, as JAX prints it, to readable, standalone CUDA C++.", "sinter");
  app.require_subcommand(1);
  app.set_version_flag("--version", "sinter 0.1");
  int status = sinter::kOk;
  sinter::add_compile_command(app, status);
  sinter::add_run_command(app, status);
  sinter::add_eval_command(app, status);
  sinter::add_opt_command(app, status);
  sinter::add_explain_command(app, status);
  sinter::add_check_command(app, status);
  sinter::add_help_command(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? sinter::kOk : sinter::kCallWrong;
  } catch (const sinter::InternalError& error) {
    report_bug(argc, argv, error.what());
    return sinter::kOurBug;
  } catch (const std::bad_alloc&) {
    return sinter::fail("out of memory", sinter::kInputWrong);
  } catch (const std::exception& error) {
    report_bug(argc, argv, error.what());
    return sinter::kOurBug;
  }
  return status;
}
