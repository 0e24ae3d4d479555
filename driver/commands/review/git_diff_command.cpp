// sinter git-diff: what git calls for a kernel that changed, in the place of its own diff (docs/review.md).
#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "driver/commands/command.h"
#include "driver/commands/review/emitted_side.h"
#include "driver/system/files.h"
#include "driver/system/read_folder.h"
#include "driver/system/subprocess.h"
#include "review/diff/compare_builds.h"
#include "review/diff/folder_side.h"
#include "review/diff/judge_kernel.h"
#include "review/report/diff_report.h"

namespace sinter {
namespace {

namespace fs = std::filesystem;

// In the order in which git gives them.
struct GitDiffCommand {
  std::string path;
  std::string before, hash_before, mode_before;
  std::string after, hash_after, mode_after;
  std::vector<std::string> renamed;  // the other name, and what git says of it
};

// One of the two versions: the file, and the emitted folder that it is of, as that was with it.
struct Version {
  std::string path;  // of the kernel
  std::string folder;
  std::string name;  // "kernels/softmax.cu"
  FileSet files;
  std::string place;     // as `sinter diff` takes it; empty where it has no name for that
  bool is_known = true;  // false: the folder is another one's, as it is on the disk
};

// Helpers, and what the folder says of itself.
bool says_of_kernels(const std::string& path, const std::string& kernel) {
  const bool is_said = path == "manifest.json" || path == "fusion.json" || path == "module.hlo" || path == "plan.txt";
  return is_said || path == kernel || path == "kernels.h" || path.starts_with("device/");
}

// From the folder in which the user called git, which calls us in the repository's.
std::string seen_from_user(const std::string& path) {
  const char* prefix = std::getenv("GIT_PREFIX");
  const std::string folder = prefix == nullptr ? "" : prefix;
  return folder.empty() ? path : fs::path(path).lexically_relative(fs::path(folder).parent_path()).generic_string();
}

// nullopt with `error` set.
std::optional<Version> read_version(const std::string& path, const std::string& file, const std::string& hash,
                                    std::string& error) {
  Version version = {.path = path};
  const fs::path folder = fs::path(path).parent_path().parent_path();
  version.folder = folder.empty() ? "." : folder.generic_string();
  version.name = fs::path(path).lexically_relative(version.folder).generic_string();
  std::optional<std::string> text = read_file(file, error);
  if (!text) return std::nullopt;
  const bool on_disk = file == path || hash.find_first_not_of('0') == std::string::npos;
  std::optional<FileSet> files;
  if (!on_disk) {
    const auto wanted = [&](const std::string& one) { return says_of_kernels(one, version.name); };
    const std::optional<std::string> revision = revision_of(path, hash);
    std::string ignored;
    if (revision) files = emitted_at({*revision, version.folder}, wanted, ignored);
    if (files && !revision->empty()) version.place = *revision + ":" + seen_from_user(version.folder);
    version.is_known = files.has_value();
  }
  if (!files) {
    files = read_folder(version.folder, error);
    if (!files) return std::nullopt;
    files = with_outside_files(std::move(*files), version.folder);
    if (on_disk) version.place = seen_from_user(version.folder);
  }
  (*files)[version.name] = std::move(*text);
  version.files = std::move(*files);
  return version;
}

// What a folder says that it computes, where nobody edited that.
bool says_what_it_computes(const Side& side) {
  return side.files.contains("module.hlo") && side.files.contains("plan.txt") && !side.is_edited("module.hlo") &&
         !side.is_edited("plan.txt");
}

// As `sinter diff` judges the kernel.
KernelDiff judge(const Version& version, const Version& version_after) {
  Side before(version.files), after(version_after.files);
  before.codes[version.name] = before.reader.read(version.name, before.errors[version.name]);
  after.codes[version_after.name] = after.reader.read(version_after.name, after.errors[version_after.name]);
  const auto kernel = [](const std::string& name) { return fs::path(name).stem().string(); };
  const KernelDiff names = {.before = {kernel(version.name)}, .after = {kernel(version_after.name)}};
  KernelDiff diff = names;
  judge_kernel(before, after, nullptr, &diff);
  // Reading both programs takes long, and says nothing of what is the same.
  if (diff.verdict <= Verdict::kText || !says_what_it_computes(before) || !says_what_it_computes(after)) return diff;
  const std::optional<ModulePair> modules = read_module_pair(version.files, version_after.files);
  if (!modules) return diff;
  diff = names;
  judge_kernel(before, after, &*modules, &diff);
  return diff;
}

// By its code alone; nullopt where that says no more than that it differs.
std::optional<KernelDiff> judge_code(const Version& version, const Version& version_after) {
  const FolderReader reader(version.files), reader_after(version_after.files);
  std::string error;
  const std::optional<Code> before = reader.read(version.name, error);
  const std::optional<Code> after = reader_after.read(version_after.name, error);
  if (!before || !after) {
    return KernelDiff{.verdict = Verdict::kUnknown, .reason = "clang does not take it with what is beside it now"};
  }
  const CodeComparison comparison = compare_builds({version.files, reader, version.name, *before},
                                                   {version_after.files, reader_after, version_after.name, *after});
  if (comparison.verdict == Verdict::kComputation) return std::nullopt;
  return KernelDiff{.verdict = comparison.verdict,
                    .numbers = comparison.numbers,
                    .renames = comparison.renames,
                    .reason = comparison.reason};
}

std::string verdict_lines(const GitDiffCommand& options) {
  const std::string path_after = options.renamed.empty() ? options.path : options.renamed[0];
  std::string title = options.path + (path_after == options.path ? "" : " => " + path_after) + ": ";
  if (options.before == "/dev/null") return title + "added\n";
  if (options.after == "/dev/null") return title + "removed\n";
  const std::string mode =
      options.mode_before == options.mode_after ? "" : "  mode " + options.mode_before + " -> " + options.mode_after;
  std::string error;
  const std::optional<Version> before = read_version(options.path, options.before, options.hash_before, error);
  if (!before) return title + "unknown  " + error + mode + "\n";
  const std::optional<Version> after = read_version(path_after, options.after, options.hash_after, error);
  if (!after) return title + "unknown  " + error + mode + "\n";
  const auto is_whole = [](const Version& version) {
    return version.is_known && version.files.contains("manifest.json") && version.name.starts_with("kernels/");
  };
  std::optional<KernelDiff> diff;
  if (is_whole(*before) && is_whole(*after)) {
    diff = judge(*before, *after);
  } else {
    diff = judge_code(*before, *after);
  }
  if (!diff) return title + "its code differs" + mode + "\n";
  const std::string details = details_text(*diff);
  std::string text = title + verdict_name(diff->verdict) + (details.empty() ? "" : "  " + details) + mode + "\n";
  constexpr size_t kMost = 12;  // lines that are read at a glance
  for (size_t i = 0; i < diff->computation.size() && i < kMost; ++i) text += "  " + diff->computation[i] + "\n";
  const bool is_read_further = diff->verdict >= Verdict::kComputation || diff->computation.size() > kMost;
  if (is_read_further && !before->place.empty() && !after->place.empty()) {
    text += "  more by: sinter diff " + before->place + " " + after->place + "\n";
  }
  return text;
}

// False where it cannot be written. Who reads no further (`git diff | head`) has what he wants: a signal or a status
// would have git say that we died.
bool write_out(const std::string& text) {
  std::signal(SIGPIPE, SIG_IGN);
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return written || errno == EPIPE;
}

int run(const GitDiffCommand& options) {
  std::string text = verdict_lines(options);
  const ProcessResult lines =
      run_process({"git", "diff", "--no-index", "--no-ext-diff", options.before, options.after}, ".");
  // From the first hunk: the files before that are temporary ones.
  const size_t hunk = lines.output.find("\n@@ ");
  if (hunk != std::string::npos) text += lines.output.substr(hunk + 1);
  return write_out(text) ? kOk : fail("cannot write to standard output");
}

}  // namespace

void add_git_diff_command(CLI::App& app, int& status) {
  auto options = std::make_shared<GitDiffCommand>();
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
