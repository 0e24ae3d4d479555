// sinter merge: edits by hand, in what is emitted now.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "driver/commands/command.h"
#include "driver/commands/line/help_format.h"
#include "driver/commands/review/emitted_side.h"
#include "driver/compile/recorded.h"
#include "driver/system/files.h"
#include "driver/system/git_revision.h"
#include "driver/system/merge_texts.h"
#include "ir/support/sha256.h"
#include "review/modules/joined_programs.h"

namespace sinter {
namespace {

struct MergeCommand {
  std::string folder, base;
  std::vector<std::string> texts;
  bool force = false;
  CompileFlags flags;
};

struct Edited {
  std::string path, base;
};

// The files that somebody edited, each with what was emitted; nullopt, having said why, where that is not known.
std::optional<std::vector<Edited>> edited_files(const MergeCommand& options, const FileSet& folder, int& status) {
  const std::map<std::string, std::string> hashes = emitted_hashes(options.folder);
  std::optional<FileSet> base;
  if (!options.base.empty()) {
    base = read_emitted(options.base, options.flags, status);
    if (!base) return std::nullopt;
  }
  std::vector<Edited> edited;
  for (const auto& [path, hash] : hashes) {
    const auto now = folder.find(path);
    if (now == folder.end() || sha256_hex(now->second) == hash) continue;
    const auto is_emitted = [&hash = hash](const std::string& text) { return sha256_hex(text) == hash; };
    std::optional<std::string> text;
    if (!base) {
      text = git_version(options.folder, path, is_emitted);
    } else if (base->contains(path) && is_emitted(base->at(path))) {
      text = base->at(path);
    }
    if (!text) {
      status = kCallWrong;
      fail("what " + path + " was before it was edited is not " +
           (base ? "in " + options.base
                 : "in git: give --base, a folder, HLO text or REV:PATH that it was emitted from"));
      return std::nullopt;
    }
    edited.push_back({path, *text});
  }
  return edited;
}

std::string names_of(const std::map<std::string, FileSet>& programs) {
  std::string names;
  for (const auto& [name, files] : programs) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "one program" : names;
}

// Which functions of a file of bindings it calls is the program's own matter.
Recorded without_bindings(Recorded recorded) {
  const bool of_file = std::ranges::find(recorded.options, "--functions") != recorded.options.end();
  std::erase_if(recorded.options, [&](const std::string& option) {
    return of_file &&
           (option == "--header" || option.starts_with("--device-function=") || option.starts_with("--host-function="));
  });
  return recorded;
}

// What is other than edits and the program's text; each line begins a new one.
std::string other_program(const MergeCommand& options, const FileSet& folder, const FileSet& files) {
  const Recorded before = recorded_in(folder.at("manifest.json")), after = recorded_in(files.at("manifest.json"));
  std::string lines;
  if (before.program != after.program) {
    lines += "\n  " + options.folder + " is " + before.program + ", " + options.texts[0] + " is " + after.program;
  }
  const std::string programs = names_of(joined_programs(folder)), now = names_of(joined_programs(files));
  if (programs != now) lines += "\n  " + options.folder + " holds " + programs + ", this makes " + now;
  const std::string made_with = options_text(without_bindings(before)), is_with = options_text(without_bindings(after));
  if (made_with != is_with) lines += "\n  " + options.folder + " was made with " + made_with + ", this with " + is_with;
  return lines;
}

int run(const MergeCommand& options) {
  std::string error;
  int status = kOk;
  const FileSet folder = emitted_files(options.folder);
  if (folder.empty()) {
    return fail(options.folder + " is no folder that sinter compile wrote: it has no manifest.json");
  }
  for (const std::string& changed : changed_files(options.folder).value_or(std::vector<std::string>())) {
    if (changed.ends_with("(added)"))
      return fail(options.folder + " holds " + changed + ": move it out first, nothing was written", kInputWrong);
  }
  std::optional<FileSet> compiled =
      read_emitted(options.texts, recorded_in(folder.at("manifest.json")).program, options.flags, status);
  if (!compiled) return status;
  FileSet files = only_emitted(std::move(*compiled));
  if (const std::string other = other_program(options, folder, files); !options.force && !other.empty()) {
    return fail(
        "this is another program, or made by other options: give the same, or --force to merge all the same; "
        "nothing was written" +
        other);
  }
  const std::optional<std::vector<Edited>> edited = edited_files(options, folder, status);
  if (!edited) return status;
  status = kOk;
  const std::map<std::string, FileSet> programs = joined_programs(folder), programs_now = joined_programs(files);
  for (const Edited& file : *edited) {
    if (!files.contains(file.path)) {
      return fail(file.path + " was edited, and is not emitted any more: nothing was written", kInputWrong);
    }
    std::string& text = files.at(file.path);
    const std::string& ours = folder.at(file.path);
    // Git would call it a conflict where the line beneath that mark is another now.
    const size_t mark = is_kept(file.path, ours) ? ours.find('\n') + 1 : 0;
    const std::optional<MergedText> merged =
        merge_texts({.ours = ours.substr(mark), .base = file.base, .theirs = text}, error);
    if (!merged) return fail(error);
    text = ours.substr(0, mark) + merged->text;
    const std::string before = launched_by(programs, file.path), after = launched_by(programs_now, file.path);
    if (before != after) std::cout << file.path << ": " << before << " launched it, and now " << after << "\n";
    std::cout << file.path
              << (merged->conflicts > 0 ? ": " + std::to_string(merged->conflicts) + " conflicts" : ": merged") << "\n";
    if (merged->conflicts > 0) status = kInputWrong;
  }
  if (!write_folder(options.folder, files, /*force=*/true, error)) return fail(error);
  return status;
}

}  // namespace

void add_merge_command(CLI::App& app, int& status) {
  auto options = std::make_shared<MergeCommand>();
  CLI::App* command =
      app.add_subcommand("merge", "compile into a folder whose files were edited by hand, and keep the edits");
  command->add_option("DIR", options->folder, "a folder that sinter compile wrote")->required();
  command->add_option("FILE", options->texts, "HLO text, as it is now; of a folder of several texts, all of them")
      ->required();
  command->add_flag("--force", options->force, "even where DIR is of another program, other entries or other options");
  command
      ->add_option(
          "--base", options->base,
          "what DIR was before it was edited: a folder, HLO text, or REV:PATH; if not given, it is looked for in git")
      ->type_name("SIDE");
  add_compile_flags(*command, options->flags);
  add_example(*command, "sinter merge softmax softmax.hlo --base softmax.hlo");
  add_example(*command, "sinter merge policy n1.hlo n8.hlo");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace sinter
