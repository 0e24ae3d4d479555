// sinter compile: HLO text to a folder of CUDA C++.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "driver/commands/command.h"
#include "driver/commands/line/help_format.h"
#include "driver/commands/pass_log.h"
#include "driver/commands/progress.h"
#include "driver/commands/several_programs.h"
#include "driver/compile/keep_kernels.h"
#include "driver/compile/plan_report.h"
#include "driver/compile/slow_kernels.h"
#include "driver/compile/stage_clock.h"
#include "driver/page/plan_page.h"
#include "driver/system/files.h"
#include "driver/system/parallel.h"
#include "driver/tensors/non_negative.h"
#include "review/verify/verify_emitted.h"

namespace sinter {
namespace {

struct CompileCommand {
  std::vector<std::string> files;
  std::string output;
  std::string print_prefix;
  CompileFlags flags;
  PassLogOptions log;
  std::string depfile;
  std::string report;
  bool force = false;
  bool fresh = false;
  bool verify = false, no_verify = false;
  int64_t max_launches = -1;
  int64_t max_bytes = -1;
  std::vector<std::string> require_fused;
};

// Every budget that the plan does not meet, one line each; empty if all are met.
std::string broken_budgets(const CompileCommand& options, const PlanReport& report) {
  std::string broken;
  const auto over = [](std::optional<int64_t> count, int64_t limit) {
    return limit >= 0 && (!count || *count > limit);
  };
  const auto text = [](std::optional<int64_t> count) {
    return count ? std::to_string(*count) : std::string("unknown");
  };
  if (over(report.launches, options.max_launches)) {
    broken += "\n  launches: " + text(report.launches) + ", --max-launches=" + std::to_string(options.max_launches);
  }
  const std::optional<int64_t> bytes = report.bytes_read && report.bytes_written
                                           ? std::optional<int64_t>(*report.bytes_read + *report.bytes_written)
                                           : std::nullopt;
  if (over(bytes, options.max_bytes)) {
    broken += "\n  bytes: " + text(bytes) + ", --max-bytes=" + std::to_string(options.max_bytes);
  }
  for (const std::string& value : options.require_fused) {
    for (const PlanReport::Boundary& boundary : report.boundaries) {
      if (boundary.value == value) broken += "\n  " + value + " goes through device memory: " + boundary.reason;
    }
  }
  return broken;
}

// The first required name that no instruction has, or empty.
std::string unknown_value(const CompileCommand& options, const Module& module) {
  for (const std::string& value : options.require_fused) {
    bool known = false;
    for (const auto& computation : module.computations()) {
      for (const Instruction& instruction : computation->instructions()) known = known || instruction.name == value;
    }
    if (!known) return value;
  }
  return "";
}

// False if no path starts so.
bool print_files(const FileSet& files, const std::string& prefix) {
  bool any = false;
  for (const auto& [path, text] : files) {
    if (!path.starts_with(prefix)) continue;
    std::cout << "// ==== " << path << "\n" << text;
    any = true;
  }
  return any;
}

// What clang does not take is a bug of ours. Where it only warns, what is emitted can be used all the same.
void verify_files(const FileSet& files, bool strict, const StageObserver& observer) {
  StageClock clock(observer);
  std::string report, errors;
  const bool good = verify_cuda(files, report, for_each_parallel);
  clock.end("verify emitted code");
  if (good) return;
  const bool is_usable = !strict && verify_cuda(files, errors, for_each_parallel, Complaints::kErrors);
  check(is_usable, "verify emitted code", report);
  std::cerr << "sinter: warning: clang warns of what is emitted; please report it\n" << report;
}

// "a b" -> "a\ b", as make and ninja read it.
std::string make_word(const std::string& path) {
  std::string word;
  for (const char c : path) {
    if (c == ' ' || c == '#' || c == '\\') word += '\\';
    if (c == '$') word += '$';
    word += c;
  }
  return word;
}

// What the output was made of, for a build system: "DIR/manifest.json: FILE ...".
bool write_depfile(const CompileCommand& options, const std::vector<std::string>& sources, std::string& error) {
  std::vector<std::string> read = options.files;
  if (!options.flags.plan_file.empty()) read.push_back(options.flags.plan_file);
  read.insert(read.end(), options.flags.weights_of.begin(), options.flags.weights_of.end());
  if (options.flags.gpu.ends_with(".json")) read.push_back(options.flags.gpu);
  for (const std::string& path : sources) {
    if (std::find(read.begin(), read.end(), path) == read.end()) read.push_back(path);
  }
  std::string text = make_word(options.output + "/manifest.json") + ":";
  for (const std::string& path : read) text += " " + make_word(path);
  return write_file(options.depfile, text + "\n", error);
}

// The files that a folder does not hold as they are emitted now.
int check_fresh(const std::string& folder, const FileSet& files) {
  std::string stale;
  for (const auto& [path, text] : files) {
    std::string error;
    if (read_file(folder + "/" + path, error) != text) stale += "\n  " + path;
  }
  if (stale.empty()) return kOk;
  return fail(folder + " is not what is emitted now:" + stale, kInputWrong);
}

// What one call writes: a program, or several.
struct Output {
  FileSet files;
  std::vector<std::string> read;  // files, besides those that the command line names
};

// What is emitted is read by clang, unless the user does without. False if a log could not be written.
bool verify_programs(const CompileCommand& options, const std::vector<PlannedProgram>& programs,
                     const FileSet& folder) {
  if (options.no_verify) return true;
  PassLog log(options.log);
  const StageObserver observer = log.observer().stage;
  for (const PlannedProgram& program : programs) {
    if (program.artifact.headers.is_known) verify_files(files_and_headers(program.artifact), options.verify, observer);
  }
  verify_files(files_over(folder), options.verify, observer);
  return log.finish();
}

// Compiles the one program that the flags name; plans it, if it is one of several.
int compile_program(const CompileCommand& options, const CompileFlags& flags, bool is_alone, PlannedProgram& made,
                    std::vector<std::string>& read) {
  CompileOptions& compile_options = made.options;
  const Source& source = made.source;
  if (!to_options(flags, compile_options)) return kCallWrong;
  compile_options.plan_only = !is_alone;
  std::vector<Source> model = {source};  // the files of the model, as far as they were read
  if (const FindSources find = compile_options.sources) {
    compile_options.sources = [&, find](const std::vector<std::string>& paths) {
      std::vector<Source> found = find(paths);
      model.insert(model.end(), found.begin(), found.end());
      for (const Source& file : found) {
        if (!file.name.empty()) read.push_back(flags.sources + "/" + file.name);
      }
      return found;
    };
  }
  Diagnostics diagnostics(source);
  PassLog log(options.log);
  Progress progress(STDERR_FILENO);
  CompileObserver observer = log.observer();
  observer.begins = [&](std::string_view stage) { progress.begin(stage); };
  std::optional<Artifact> artifact = compile(compile_options, diagnostics, observer);
  const std::optional<PlanReport> plan = artifact ? std::optional(report_plan(*artifact)) : std::nullopt;
  if (plan) warn_of_slow_kernels(*artifact, *plan, diagnostics);
  progress.end();
  print_diagnostics(diagnostics);
  if (!artifact) return kInputWrong;
  if (is_alone && !options.no_verify && artifact->headers.is_known)
    verify_files(files_and_headers(*artifact), options.verify, log.observer().stage);
  if (!log.finish()) return kCallWrong;

  std::string error;
  model.insert(model.end(), artifact->imports.begin(), artifact->imports.end());
  if (!options.report.empty() && !write_file(options.report, plan_html(*artifact, *plan, model), error)) {
    return fail(error);
  }
  const std::string unknown = unknown_value(options, *artifact->module);
  if (!unknown.empty())
    return fail("--require-fused: no value is called " + unknown +
                " (see sinter opt; --without roll_repeats where steps have become a loop)");
  const std::string broken = broken_budgets(options, *plan);
  if (!broken.empty()) return fail("the plan is over budget:" + broken, kInputWrong);
  const std::string folder = source.name.substr(0, source.name.rfind('/') + 1);
  for (const Source& import : artifact->imports) read.push_back(folder + import.name);
  for (const Source& file : compile_options.function_files) read.push_back(file.name);
  for (const std::string& path : artifact->headers.opened) {
    std::error_code ignored;
    read.push_back(std::filesystem::absolute(path, ignored).lexically_normal().string());
  }
  made.artifact = std::move(*artifact);
  return kOk;
}

// Compiles every program that the command line names into a folder of its own, in one that joins them.
int compile_programs(const CompileCommand& options, Output& output) {
  if (options.output == "-")
    return fail("several texts, --entry or --dims are several programs: compile them to -o DIR");
  if (!options.report.empty()) return fail("--report is about one program; several texts, --entry or --dims are more");
  const std::optional<std::vector<ProgramCall>> each = calls_of_each(options.flags, options.files);
  if (!each) return kCallWrong;
  std::vector<PlannedProgram> programs(each->size());
  for (size_t i = 0; i < each->size(); ++i) {
    const ProgramCall& call = (*each)[i];
    programs[i].entry = call.entry;
    if (!read_source(call.file, programs[i].source)) return kCallWrong;
    const int status = compile_program(options, call.flags, /*is_alone=*/false, programs[i], output.read);
    if (status != kOk) return status;
  }
  std::optional<FileSet> files = joined_folder(options.flags, programs);
  if (!files) return kInputWrong;
  if (!verify_programs(options, programs, *files)) return kCallWrong;
  output.files = std::move(*files);
  return kOk;
}

// Compiles the one program of the command line.
int compile_one(const CompileCommand& options, Output& output) {
  PlannedProgram program;
  if (!read_source(options.files[0], program.source)) return kCallWrong;
  const int status = compile_program(options, options.flags, /*is_alone=*/true, program, output.read);
  output.files = std::move(program.artifact.files);
  return status;
}

int run(const CompileCommand& options) {
  if (options.output.empty() && options.print_prefix.empty()) return fail("compile needs -o DIR (or -o - to print)");
  const bool to_stdout = options.output == "-";
  if ((options.fresh || !options.depfile.empty()) && (options.output.empty() || to_stdout)) {
    return fail("--fresh and --depfile are about a folder: -o DIR");
  }
  Output output;
  const int status = are_several(options.flags, options.files.size()) ? compile_programs(options, output)
                                                                      : compile_one(options, output);
  if (status != kOk) return status;
  const std::string prefix = to_stdout && options.print_prefix.empty() ? "kernels/" : options.print_prefix;
  if (!prefix.empty() && !print_files(output.files, prefix) && !options.print_prefix.empty()) {
    std::string paths;
    for (const auto& [path, text] : output.files) paths += "\n  " + path;
    return fail("--print: no emitted file starts with " + prefix + "; they are" + paths);
  }
  if (options.output.empty() || to_stdout) return kOk;
  if (options.fresh) return check_fresh(options.output, output.files);
  std::string error;
  FileSet files = output.files;
  if (!options.force && !keep_kernels(emitted_files(options.output), &files, error)) return fail(error, kInputWrong);
  if (!options.depfile.empty() && !write_depfile(options, output.read, error)) return fail(error);
  return write_folder(options.output, files, options.force, error) ? kOk : fail(error);
}

}  // namespace

void add_compile_command(CLI::App& app, int& status) {
  auto options = std::make_shared<CompileCommand>();
  CLI::App* command = app.add_subcommand("compile", "HLO text to a folder of CUDA C++");
  command->add_option("FILE", options->files, "HLO text; - is standard input; several are programs of one artifact")
      ->required();
  command->add_option("-o,--output", options->output, "folder to write; - prints the kernels")->type_name("DIR");
  command->add_option("--print", options->print_prefix, "print the emitted files whose path starts with this")
      ->type_name("PREFIX");
  add_compile_flags(*command, options->flags);
  command
      ->add_option("--report", options->report,
                   "also write a page: graph, launches, roofline, device memory, each kernel with CUDA and HLO")
      ->type_name("FILE");
  command->option_defaults()->group("Folder");
  command->add_flag("--force", options->force, "overwrite hand edits, or a folder that sinter did not write");
  command->add_flag("--fresh", options->fresh, "write nothing: fail where DIR is not what would be written");
  command->add_option("--depfile", options->depfile, "write what DIR was made of, as a build system reads it")
      ->type_name("FILE");
  CLI::Option* no_verify = command->add_flag("--no-verify", options->no_verify,
                                             "write what is emitted without parsing it as CUDA C++ first");
  command->add_flag("--verify", options->verify, "fail where clang so much as warns of what is emitted")
      ->excludes(no_verify);
  command->option_defaults()->group("Budgets");
  command->add_option("--max-launches", options->max_launches, "fail if one run makes more launches")
      ->type_name("N")
      ->check(non_negative());
  command->add_option("--max-bytes", options->max_bytes, "fail if one run reads and writes more bytes of device memory")
      ->type_name("N")
      ->check(non_negative());
  command
      ->add_option("--require-fused", options->require_fused, "fail if one of these values goes through device memory")
      ->type_name("NAMES")
      ->delimiter(',');
  add_pass_log_flags(*command, options->log);
  add_example(*command, "sinter compile softmax.hlo -o softmax");
  add_example(*command, "sinter compile softmax.hlo --max-launches 1 -o -");
  add_example(*command, "sinter compile softmax.hlo -o softmax --report softmax.html");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace sinter
