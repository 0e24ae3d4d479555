#include "driver/commands/review/emitted_side.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "driver/commands/several_programs.h"
#include "driver/system/added_code.h"
#include "driver/system/files.h"
#include "driver/system/read_folder.h"

namespace sinter {

namespace {

// nullopt, having said why.
std::optional<Artifact> artifact_of(const Source& source, CompileOptions options, const FileReader& read) {
  options.grain.read_file = read;
  Diagnostics diagnostics(source);
  std::optional<Artifact> artifact = compile(options, diagnostics);
  if (!artifact) print_diagnostics(diagnostics);
  return artifact;
}

// What compile would write of one program; nullopt, having said why.
std::optional<FileSet> compiled_one(const Source& source, const CompileFlags& flags, const FileReader& read) {
  CompileOptions options;
  if (!to_options(flags, options)) return std::nullopt;
  const std::optional<Artifact> artifact = artifact_of(source, std::move(options), read);
  return artifact ? std::optional(files_and_headers(*artifact)) : std::nullopt;
}

// What compile would write of these texts; nullopt, having said why.
std::optional<FileSet> compiled(const std::vector<Source>& sources, const CompileFlags& flags, const FileReader& read) {
  if (!are_several(flags, sources.size())) return compiled_one(sources[0], flags, read);
  std::vector<std::string> names;
  for (const Source& source : sources) names.push_back(source.name);
  const std::optional<std::vector<ProgramCall>> each = calls_of_each(flags, names);
  if (!each) return std::nullopt;
  std::vector<PlannedProgram> programs;
  for (const ProgramCall& call : *each) {
    CompileOptions options;
    if (!to_options(call.flags, options)) return std::nullopt;
    options.plan_only = true;
    const size_t text = static_cast<size_t>(std::find(names.begin(), names.end(), call.file) - names.begin());
    std::optional<Artifact> artifact = artifact_of(sources[text], options, read);
    if (!artifact) return std::nullopt;
    programs.push_back({.entry = call.entry,
                        .source = sources[text],
                        .options = std::move(options),
                        .artifact = std::move(*artifact)});
  }
  std::optional<FileSet> files = joined_folder(flags, programs);
  if (!files) return std::nullopt;
  for (const PlannedProgram& program : programs) {
    const FileSet& headers = program.artifact.headers.files;
    for (const auto& [path, text] : headers) files->emplace(program.artifact.program.name + "/" + path, text);
  }
  return files;
}

// The files that a text in git names are those of its revision.
FileReader files_of_revision(const std::string& revision) {
  return [revision](const std::string& path, std::string& error) -> std::optional<std::string> {
    std::optional<FileSet> files = git_files({revision, path}, error);
    if (!files) return std::nullopt;
    if (files->count("") != 0) return std::move(files->at(""));
    error = "cannot read " + revision + ":" + path + ": it is a directory";
    return std::nullopt;
  };
}

// Without what is no part of the folder (added_code.h).
FileSet without_others(FileSet files) {
  const std::map<std::string, std::string> hashes = hashes_in(files.at("manifest.json"));
  if (hashes.empty()) return files;
  const std::set<std::string> ours = emitted_folders(hashes);
  std::erase_if(files, [&](const auto& file) {
    const std::string& path = file.first;
    const bool is_listed = path == "manifest.json" || hashes.contains(path);
    return !is_listed && !ours.contains(path.substr(0, path.find('/'))) && !is_code(path);
  });
  return files;
}

// The same, of paths from the root of the file system on.
FileReader files_anywhere(const std::string& revision) {
  return [read = files_of_revision(revision)](const std::string& path, std::string& error) {
    return read(std::filesystem::path(path).lexically_relative(std::filesystem::current_path()).generic_string(),
                error);
  };
}

// They lie beside the folder or above it, above the current folder, too.
FileSet with_headers_at(const GitPlace& place, FileSet files) {
  const std::filesystem::path folder = (std::filesystem::current_path() / place.path).lexically_normal();
  return with_outside_files(std::move(files), folder.generic_string(), files_anywhere(place.revision));
}

}  // namespace

std::optional<FileSet> emitted_at(const GitPlace& place, const std::function<bool(const std::string&)>& wanted,
                                  std::string& error) {
  std::optional<FileSet> files = git_files(place, error, wanted);
  if (!files) return std::nullopt;
  return with_headers_at(place, std::move(*files));
}

std::optional<FileSet> read_emitted(const std::string& what, const CompileFlags& flags, int& status) {
  std::string error;
  std::optional<FileSet> files;
  status = kCallWrong;
  const std::optional<GitPlace> place = git_place(what);
  if (place) {
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
    if (!place) return compiled({{.name = what, .text = text->second}}, flags, read_file);
    // Called as it is today: what is emitted names the file.
    std::optional<FileSet> emitted =
        compiled({{.name = place->path, .text = text->second}}, flags, files_of_revision(place->revision));
    if (!emitted) fail("so it is in " + place->revision);
    return emitted;
  }
  if (files->count("manifest.json") == 0) {
    fail(what + " is no folder that sinter compile wrote: it has no manifest.json");
    return std::nullopt;
  }
  files = without_others(std::move(*files));
  return place ? with_headers_at(*place, std::move(*files)) : with_outside_files(std::move(*files), what);
}

std::optional<FileSet> read_emitted(const std::vector<std::string>& texts, const std::string& name, CompileFlags flags,
                                    int& status) {
  if (texts.size() == 1) return read_emitted(texts[0], flags, status);
  status = kCallWrong;
  if (flags.name.empty()) flags.name = name;
  std::vector<Source> sources;
  for (const std::string& text : texts) {
    if (git_place(text) || std::filesystem::is_directory(text)) {
      fail(text +
           ": several texts are programs of one artifact, and are files as they are now; of what is in git, give " +
           "the folder, REV:DIR");
      return std::nullopt;
    }
    sources.emplace_back();
    if (!read_source(text, sources.back())) return std::nullopt;
  }
  status = kInputWrong;
  return compiled(sources, flags, read_file);
}

FileSet only_emitted(FileSet files) {
  const auto manifest = files.find("manifest.json");
  if (manifest == files.end()) return files;
  const std::map<std::string, std::string> hashes = hashes_in(manifest->second);
  std::erase_if(files, [&](const auto& file) { return file.first != "manifest.json" && !hashes.contains(file.first); });
  return files;
}

}  // namespace sinter
