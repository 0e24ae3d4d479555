#include "driver/commands/review/emitted_side.h"

#include <filesystem>

#include "driver/commands/several_programs.h"
#include "driver/system/files.h"
#include "driver/system/git_revision.h"
#include "driver/system/read_folder.h"

namespace sinter {

namespace {

// What compile would write of one program; nullopt, having said why.
std::optional<FileSet> compiled_one(const Source& source, const CompileFlags& flags) {
  CompileOptions options;
  if (!to_options(flags, options)) return std::nullopt;
  // What the text names is that of its revision.
  if (git_place(source.name)) {
    options.grain.read_file = [](const std::string& path, std::string& error) -> std::optional<std::string> {
      std::optional<FileSet> files = git_files(*git_place(path), error);
      if (!files) return std::nullopt;
      if (files->count("") > 0) return std::move(files->at(""));
      error = path + " is a folder";
      return std::nullopt;
    };
  }
  Diagnostics diagnostics(source);
  std::optional<Artifact> artifact = compile(options, diagnostics);
  if (!artifact) {
    print_diagnostics(diagnostics);
    return std::nullopt;
  }
  return std::move(artifact->files);
}

// What compile would write; nullopt, having said why.
std::optional<FileSet> compiled(const Source& source, const CompileFlags& flags) {
  if (!are_several(flags)) return compiled_one(source, flags);
  const std::optional<std::vector<CompileFlags>> each = flags_of_each(flags, source.name);
  if (!each) return std::nullopt;
  std::map<std::string, FileSet> projects;
  for (const CompileFlags& one : *each) {
    std::optional<FileSet> files = compiled_one(source, one);
    if (!files) return std::nullopt;
    projects.emplace(one.name, std::move(*files));
  }
  return joined_folder(flags, source, projects);
}

}  // namespace

std::optional<FileSet> read_emitted(const std::string& what, const CompileFlags& flags, int& status) {
  std::string error;
  std::optional<FileSet> files;
  status = kCallWrong;
  if (const std::optional<GitPlace> place = git_place(what)) {
    files = git_files(*place, error);
  } else if (std::filesystem::is_directory(what)) {
    files = read_folder(what, error);
  } else {
    const std::optional<std::string> text = read_file(what, error);
    if (text) files = FileSet{{"", *text}};
  }
  if (!files) {
    fail(error);
    return std::nullopt;
  }
  const auto text = files->find("");
  if (text != files->end()) {
    status = kInputWrong;
    std::string name = what;
    // What it names is beside it: "HEAD:./blur.grain".
    const std::optional<GitPlace> place = git_place(what);
    if (place && place->path.find('/') == std::string::npos) name = place->revision + ":./" + place->path;
    return compiled({.name = name, .text = text->second}, flags);
  }
  if (files->count("manifest.json") == 0) {
    fail(what + " is no folder that sinter compile wrote: it has no manifest.json");
    return std::nullopt;
  }
  return files;
}

}  // namespace sinter
