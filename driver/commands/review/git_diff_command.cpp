// sinter git-diff: what git calls for a kernel that changed, in the place of its own diff (docs/review.md).
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>

#include "driver/commands/command.h"
#include "driver/system/files.h"
#include "driver/system/read_folder.h"
#include "driver/system/subprocess.h"
#include "review/diff/compare_builds.h"
#include "review/report/diff_report.h"

namespace sinter {
namespace {

// In the order in which git gives them.
struct Options {
  std::string path;
  std::string before, hash_before, mode_before;
  std::string after, hash_after, mode_after;
  std::vector<std::string> renamed;  // the other name, and what git says of it
};

// The folder as it is now, with this text of the kernel: helpers and kernels.h are those that are there.
std::optional<FileSet> folder_with(FileSet folder, const std::string& name, const std::string& file) {
  std::string error;
  std::optional<std::string> text = read_file(file, error);
  if (!text) return std::nullopt;
  folder[name] = std::move(*text);
  return folder;
}

std::string verdict_line(const Options& options) {
  namespace fs = std::filesystem;
  const fs::path path(options.path);
  const fs::path folder = path.parent_path().parent_path();
  const std::string name = path.lexically_relative(folder.empty() ? "." : folder).generic_string();
  if (options.before == "/dev/null") return options.path + ": added";
  if (options.after == "/dev/null") return options.path + ": removed";
  std::string error;
  const std::optional<FileSet> files = read_folder(folder.empty() ? "." : folder.string(), error);
  if (!files) return options.path + ": unknown  " + error;
  const std::optional<FileSet> old = folder_with(*files, name, options.before);
  const std::optional<FileSet> now = folder_with(*files, name, options.after);
  if (!old || !now) return options.path + ": unknown  git gave no text of it";
  const FolderReader reader(*old), reader_after(*now);
  const std::optional<Code> before = reader.read(name, error), after = reader_after.read(name, error);
  if (!before || !after) return options.path + ": unknown  clang does not take it with what is beside it now";
  const CodeComparison comparison = compare_builds({*old, reader, name, *before}, {*now, reader_after, name, *after});
  if (comparison.verdict == Verdict::kComputation) {
    const std::string place = folder.empty() ? "." : folder.generic_string();
    return options.path + ": its code differs; sinter diff HEAD:" + place + " " + place + " says what of it";
  }
  const KernelDiff diff = {.verdict = comparison.verdict,
                           .numbers = comparison.numbers,
                           .renames = comparison.renames,
                           .reason = comparison.reason};
  const std::string details = details_text(diff);
  return options.path + ": " + verdict_name(diff.verdict) + (details.empty() ? "" : "  " + details);
}

int run(const Options& options) {
  std::cout << verdict_line(options) << "\n";
  const ProcessResult lines =
      run_process({"git", "diff", "--no-index", "--no-ext-diff", options.before, options.after}, ".");
  // From the first hunk: the files before that are temporary ones.
  const size_t hunk = lines.output.find("\n@@ ");
  if (hunk != std::string::npos) std::cout << lines.output.substr(hunk + 1);
  return kOk;
}

}  // namespace

void add_git_diff_command(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("git-diff", "what git calls for a kernel that changed (docs/review.md)");
  command->add_option("PATH", options->path)->required();
  command->add_option("OLD", options->before)->required();
  command->add_option("OLD_HEX", options->hash_before)->required();
  command->add_option("OLD_MODE", options->mode_before)->required();
  command->add_option("NEW", options->after)->required();
  command->add_option("NEW_HEX", options->hash_after)->required();
  command->add_option("NEW_MODE", options->mode_after)->required();
  command->add_option("RENAMED", options->renamed);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace sinter
