// What the subcommands share: exit statuses, options, and reading a module with its diagnostics printed.
#pragma once

#include <string>
#include <vector>

#include "driver/compile/compile.h"

namespace CLI {
class App;
}

namespace sinter {

enum ExitStatus {
  kOk = 0,
  kInputWrong = 1,  // the input is wrong, or a comparison failed
  kCallWrong = 2,   // the call is wrong: options, files that cannot be read or written
  kOurBug = 3,      // a reproducer was saved
};

// Each adds its subcommand; when chosen, it runs and sets `status`.
void add_compile_command(CLI::App& app, int& status);
void add_run_command(CLI::App& app, int& status);
void add_bench_command(CLI::App& app, int& status);
void add_eval_command(CLI::App& app, int& status);
void add_opt_command(CLI::App& app, int& status);
void add_explain_command(CLI::App& app, int& status);
void add_check_command(CLI::App& app, int& status);
void add_merge_command(CLI::App& app, int& status);
void add_verify_command(CLI::App& app, int& status);
void add_fmt_command(CLI::App& app, int& status);
void add_new_command(CLI::App& app, int& status);
void add_lsp_command(CLI::App& app, int& status);
void add_diff_command(CLI::App& app, int& status);
void add_git_diff_command(CLI::App& app, int& status);
void add_doctor_command(CLI::App& app, int& status);
void add_completion_command(CLI::App& app, int& status);
void add_man_command(CLI::App& app, int& status);
void add_help_command(CLI::App& app, int& status);

// Reads a text file to compile; false, having said why, if it cannot be read.
bool read_source(const std::string& path, Source& source);

// Writes all diagnostics to standard error, coloured as line/colour.h says.
void print_diagnostics(const Diagnostics& diagnostics);

// "sinter: error: ..." on standard error; returns `status`.
int fail(const std::string& message, ExitStatus status = kCallWrong);

// Options of compile, run and explain that shape the output, as the command line gives them.
struct CompileFlags {
  std::string name;
  std::string license;
  GrainFlags grain;
  std::string architectures = "90a";
  std::string gpu;  // that of the first architecture, if empty
  std::string plan_file;
  std::string unroll = "auto";
  std::vector<std::string> without;  // moves and passes
  std::string elided;                // empty: refused
  std::string weights;
  std::vector<std::string> weights_of;
  bool shares_weights = false;  // its file of weights is of other programs too
  int64_t weights_from = 0;
  std::string sources;  // folder of Python files; empty: none
  std::vector<std::string> device_functions, host_functions;
  std::vector<std::string> functions;  // files of such bindings
  std::string dot_precision;           // empty: at least as exact as f32
  std::string forms;                   // of products, beside those that are verified
  GraphPassOptions graph;
};
void add_compile_flags(CLI::App& command, CompileFlags& flags);

// "80,90a": compute capabilities.
bool is_architecture_list(const std::string& text);

// What stands for constants whose values the text leaves out.
void add_elided_flag(CLI::App& command, std::string& elided);

// Those of compile, run, explain and opt that shape what graph passes make of a program.
void add_graph_flags(CLI::App& command, GraphPassOptions& options);

// Checks the flags and reads the plan file; false, having said why.
bool to_options(const CompileFlags& flags, CompileOptions& options);

// The one file of --weights-of, if it is given; false, having said why.
bool read_weights_of(const CompileFlags& flags, std::optional<Source>& file);

// The last source given to read_source: what a reproducer holds.
const Source& last_source();

}  // namespace sinter
