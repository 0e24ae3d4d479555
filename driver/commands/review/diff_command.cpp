// sinter diff: what a change did to emitted kernels (docs/review.md).
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <sstream>

#include "driver/commands/command.h"
#include "driver/commands/review/emitted_side.h"
#include "driver/system/parallel.h"
#include "review/diff/diff_report.h"

namespace sinter {
namespace {

struct Options {
  std::string before, after;
  std::string fail_on;
  std::string colour = "auto";
  bool json = false, all = false, exit_code = false;
  CompileFlags flags;
};

// "computation,interface,slower=5%": what the change does of it, as text; nullopt where the list is wrong.
std::optional<std::string> failures(const std::string& list, const FolderDiff& diff) {
  std::string failures, entry;
  std::istringstream entries(list);
  const auto add = [&](const std::string& text) { failures += (failures.empty() ? "" : ", ") + text; };
  while (std::getline(entries, entry, ',')) {
    if (entry.starts_with("slower=")) {
      double limit = 0;
      const char* end = entry.data() + entry.size() - (entry.ends_with("%") ? 1 : 0);
      const auto [stop, status] = std::from_chars(entry.data() + 7, end, limit);
      if (status != std::errc() || stop != end) return std::nullopt;
      if (slower_by(diff) * 100 > limit) add(entry);
      continue;
    }
    bool known = false;
    for (int i = 0; i <= static_cast<int>(Verdict::kUnknown); ++i) {
      const auto verdict = static_cast<Verdict>(i);
      if (entry != verdict_name(verdict)) continue;
      known = true;
      // Where it cannot be decided whether the computation is another, it may be.
      const auto is = [&](Verdict found) {
        return found == verdict || (verdict == Verdict::kComputation && found >= Verdict::kHandEdited);
      };
      const bool any =
          std::any_of(diff.kernels.begin(), diff.kernels.end(),
                      [&](const auto& kernel) { return is(kernel.verdict); }) ||
          std::any_of(diff.files.begin(), diff.files.end(), [&](const auto& file) { return is(file.verdict); });
      if (any) add(entry);
    }
    if (!known) return std::nullopt;
  }
  return failures;
}

int run(const Options& options) {
  int status = kOk;
  const std::optional<FileSet> before = read_emitted(options.before, options.flags, status);
  if (!before) return status;
  const std::optional<FileSet> after = read_emitted(options.after, options.flags, status);
  if (!after) return status;
  const FolderDiff diff = diff_folders(*before, *after, for_each_parallel);
  const std::optional<std::string> failed = failures(options.fail_on, diff);
  if (!failed) return fail("--fail-on takes verdicts and slower=N%, separated by commas: " + options.fail_on);
  const bool colour = options.colour == "always" || (options.colour == "auto" && isatty(STDOUT_FILENO) == 1);
  std::cout << (options.json ? diff_json(diff) : diff_text(diff, colour, options.all));
  if (!failed->empty()) return fail("--fail-on: " + *failed, kInputWrong);
  return options.exit_code && diff.verdict != Verdict::kIdentical ? kInputWrong : kOk;
}

}  // namespace

void add_diff_command(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("diff", "what a change did to emitted kernels: a verdict for each");
  const char* side = "a folder that sinter compile wrote, HLO text, or REV:PATH of either in git";
  command->add_option("BEFORE", options->before, side)->required();
  command->add_option("AFTER", options->after, "the same")->required();
  command->add_option("--fail-on", options->fail_on, "exit with 1 on these verdicts, and slower=N%")->type_name("LIST");
  command->add_flag("--exit-code", options->exit_code, "exit with 1 if anything differs");
  command->add_flag("--json", options->json, "as JSON with stable names (docs/review.md)");
  command->add_flag("--all", options->all, "identical kernels too, and the lines that differ of all others");
  command->add_option("--colour", options->colour, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  add_compile_flags(*command, options->flags);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace sinter
