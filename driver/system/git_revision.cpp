#include "driver/system/git_revision.h"

#include <filesystem>
#include <sstream>

#include "driver/system/subprocess.h"

namespace sinter {

std::optional<GitPlace> git_place(const std::string& text) {
  const size_t colon = text.find(':');
  std::error_code ignored;
  if (colon == std::string::npos || colon == 0 || std::filesystem::exists(text, ignored)) return std::nullopt;
  return GitPlace{text.substr(0, colon), text.substr(colon + 1)};
}

namespace {

ProcessResult git(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {"git"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_process(command, ".");
}

}  // namespace

std::optional<FileSet> git_files(const GitPlace& place, std::string& error,
                                 const std::function<bool(const std::string&)>& wanted) {
  // What begins with a dash would be an option.
  if (place.revision.starts_with("-")) {
    error = "git knows no revision " + place.revision;
    return std::nullopt;
  }
  std::string path = place.path.empty() ? "." : place.path;
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  const std::string object = place.revision + ":./" + path;
  const bool in_index = place.revision.empty();
  const ProcessResult type = git({"cat-file", "-t", object});
  if (type.exit_status != 0 && !in_index) {
    error = "git has no " + place.revision + ":" + place.path + ": " + type.output.substr(0, type.output.find('\n'));
    return std::nullopt;
  }
  FileSet files;
  if (type.exit_status == 0 && type.output.starts_with("blob")) {
    const ProcessResult content = git({"cat-file", "blob", object});
    files[""] = content.output;
    return files;
  }
  // Below the object and the path: else in a subfolder, git looks for that in the object.
  const ProcessResult list = in_index ? run_process({"git", "ls-files", "-z"}, path)
                                      : git({"ls-tree", "-r", "-z", "--name-only", "--full-tree", object});
  if (list.exit_status != 0) {
    error = list.output;
    return std::nullopt;
  }
  std::string name;
  std::istringstream names(list.output);
  while (std::getline(names, name, '\0')) {
    if (!wanted(name)) continue;
    const ProcessResult content = git({"cat-file", "blob", object + "/" + name});
    if (content.exit_status != 0) {
      error = content.output;
      return std::nullopt;
    }
    files[name] = content.output;
  }
  return files;
}

std::optional<std::string> revision_of(const std::string& path, const std::string& hash) {
  const auto has_it = [&](const std::string& revision) {
    const ProcessResult found = git({"rev-parse", "--verify", "--quiet", revision + ":./" + path});
    return found.exit_status == 0 && found.output.starts_with(hash);
  };
  for (const char* revision : {"HEAD", ""}) {
    if (has_it(revision)) return revision;
  }
  // A revision that brings the content or takes it away.
  const ProcessResult log = git({"log", "--all", "-1", "--format=%h", "--find-object=" + hash, "--", path});
  const std::string revision = log.output.substr(0, log.output.find('\n'));
  if (log.exit_status != 0 || revision.empty()) return std::nullopt;
  for (const std::string& one : {revision, revision + "~"}) {
    if (has_it(one)) return one;
  }
  return std::nullopt;
}

std::optional<std::string> git_version(const std::string& folder, const std::string& path,
                                       const std::function<bool(const std::string&)>& is_it) {
  const ProcessResult log = run_process({"git", "log", "--format=%H", "--", path}, folder);
  if (log.exit_status != 0) return std::nullopt;
  std::istringstream revisions(log.output);
  for (std::string revision; std::getline(revisions, revision);) {
    const ProcessResult content = run_process({"git", "cat-file", "blob", revision + ":./" + path}, folder);
    if (content.exit_status == 0 && is_it(content.output)) return content.output;
  }
  return std::nullopt;
}

}  // namespace sinter
