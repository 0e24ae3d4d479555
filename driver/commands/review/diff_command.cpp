// sinter diff: what a change did to emitted kernels (docs/review.md).
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "driver/build/assemble_kernel.h"
#include "driver/commands/command.h"
#include "driver/commands/line/choices.h"
#include "driver/commands/line/colour.h"
#include "driver/commands/line/help_format.h"
#include "driver/commands/review/emitted_side.h"
#include "driver/compile/recorded.h"
#include "driver/system/files.h"
#include "driver/system/parallel.h"
#include "review/modules/joined_programs.h"
#include "review/report/diff_html.h"
#include "review/report/diff_report.h"

namespace sinter {
namespace {

struct DiffCommand {
  std::string before;
  std::vector<std::string> after;
  std::string fail_on;
  std::string html;
  bool json = false, all = false, exit_code = false, registers = false;
  CompileFlags flags;
};

// "computation,interface,slower=5%": what the change does of it, as text; nullopt where the list is wrong.
std::optional<std::string> failures(const std::string& list, const std::vector<ProgramDiff>& programs) {
  std::string failures, entry;
  std::istringstream entries(list);
  const auto add = [&](const std::string& text) { failures += (failures.empty() ? "" : ", ") + text; };
  while (std::getline(entries, entry, ',')) {
    entry.erase(0, entry.find_first_not_of(' '));
    entry.erase(entry.find_last_not_of(' ') + 1);
    if (entry.starts_with("slower=")) {
      double limit = 0;
      const char* end = entry.data() + entry.size() - (entry.ends_with("%") ? 1 : 0);
      const auto [stop, status] = std::from_chars(entry.data() + 7, end, limit);
      if (status != std::errc() || stop != end) return std::nullopt;
      const bool is_slower = std::any_of(programs.begin(), programs.end(), [&](const ProgramDiff& program) {
        return slower_by(program.diff) * 100 > limit;
      });
      if (is_slower) add(entry);
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
      const bool any = std::any_of(programs.begin(), programs.end(), [&](const ProgramDiff& program) {
        const FolderDiff& diff = program.diff;
        return is(diff.program_verdict) || (verdict == Verdict::kInterface && diff.interface_breaks) ||
               std::any_of(diff.kernels.begin(), diff.kernels.end(), [&](const auto& k) { return is(k.verdict); }) ||
               std::any_of(diff.files.begin(), diff.files.end(), [&](const auto& file) { return is(file.verdict); });
      });
      if (any) add(entry);
    }
    if (!known) return std::nullopt;
  }
  return failures;
}

// Why a text cannot be compared with a folder of several programs, of which it is one at most; empty if it can.
std::string one_of_several(const FileSet& before, const FileSet& after, const std::vector<std::string>& texts) {
  const std::map<std::string, FileSet> programs = joined_programs(before);
  if (programs.empty() || !joined_programs(after).empty() || !std::filesystem::is_regular_file(texts[0])) return "";
  std::string names;
  for (const auto& [name, files] : programs) names += (names.empty() ? "" : ", ") + name;
  return "joins " + names + "; " + texts[0] + " is one program: give the texts of all, or compare the folder of one";
}

int run(const DiffCommand& options) {
  int status = kOk;
  std::optional<FileSet> before = read_emitted(options.before, options.flags, status);
  if (!before) return status;
  std::optional<FileSet> after =
      read_emitted(options.after, recorded_in(before->at("manifest.json")).program, options.flags, status);
  if (!after) return status;
  if (const std::string one = one_of_several(*before, *after, options.after); !one.empty())
    return fail(options.before + " " + one);
  std::vector<ProgramDiff> programs = diff_programs(std::move(*before), std::move(*after), for_each_parallel);
  const std::optional<std::string> failed = failures(options.fail_on, programs);
  if (!failed) return fail("--fail-on takes verdicts and slower=N%, separated by commas: " + options.fail_on);
  if (options.registers) {
    const std::string& architectures = options.flags.architectures;
    const std::string first = architectures.substr(0, architectures.find(','));
    for (ProgramDiff& program : programs) assemble_changed(&program, first);
  }
  std::string error;
  if (!options.html.empty() && !write_file(options.html, diff_html(programs), error)) return fail(error);
  if (options.html != "-") {
    std::cout << (options.json ? diff_json(programs) : diff_text(programs, is_coloured(STDOUT_FILENO), options.all));
  }
  if (!failed->empty()) return fail("--fail-on: " + *failed, kInputWrong);
  return options.exit_code && verdict_of(programs) != Verdict::kIdentical ? kInputWrong : kOk;
}

}  // namespace

void add_diff_command(CLI::App& app, int& status) {
  auto options = std::make_shared<DiffCommand>();
  CLI::App* command = app.add_subcommand("diff", "what a change did to emitted kernels: a verdict for each");
  const char* side = "a folder that sinter compile wrote, HLO text, or REV:PATH of either in git";
  command->add_option("BEFORE", options->before, side)->type_name("SIDE")->required();
  command->add_option("AFTER", options->after, "the same; or several texts, which are programs of one artifact")
      ->type_name("SIDE")
      ->required();
  std::vector<std::string> verdicts;
  for (int i = 0; i <= static_cast<int>(Verdict::kUnknown); ++i) {
    verdicts.emplace_back(verdict_name(static_cast<Verdict>(i)));
  }
  offers(command->add_option("--fail-on", options->fail_on, "exit with 1 on these verdicts, and slower=N%"), verdicts)
      ->type_name("LIST");
  command->add_flag("--exit-code", options->exit_code, "exit with 1 if anything differs");
  command->add_flag("--json", options->json, "as JSON with stable names (docs/review.md)");
  command->add_option("--html", options->html, "also as a page: kernels side by side, HLO and Python lines beside them")
      ->type_name("FILE");
  command->add_flag("--registers", options->registers,
                    "build kernels that differ, and say their registers, before and after; nothing without nvcc");
  command->add_flag("--all", options->all, "identical kernels too, and the lines that differ of all others");
  add_compile_flags(*command, options->flags);
  add_example(*command, "sinter diff HEAD:softmax softmax");
  add_example(*command, "sinter diff softmax softmax.hlo --fail-on computation,slower=5%");
  add_example(*command, "sinter diff policy n1.hlo n8.hlo");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace sinter
