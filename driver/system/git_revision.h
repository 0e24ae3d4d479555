// Files of a git repository as they were at a revision.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "emitter/host/emit_project.h"

namespace sinter {

// "HEAD~2:emitted/block": what is left and right of the first colon, if there is one and no such file or folder.
struct GitPlace {
  std::string revision, path;  // no revision: the index
};
std::optional<GitPlace> git_place(const std::string& text);

// The files below the path, under their names there; if it is a file, that alone, under the name "". The path is
// relative to the current folder. `wanted`: which files below it. nullopt with `error` set.
std::optional<FileSet> git_files(
    const GitPlace& place, std::string& error,
    const std::function<bool(const std::string&)>& wanted = [](const std::string&) { return true; });

// Where the file has that content, by git's hash of it: at HEAD, in the index (""), or at the last revision that has it
// so; nullopt without any.
std::optional<std::string> revision_of(const std::string& path, const std::string& hash);

// The last version that git has of a folder's file and that is the one; nullopt without any.
std::optional<std::string> git_version(const std::string& folder, const std::string& path,
                                       const std::function<bool(const std::string&)>& is_it);

}  // namespace sinter
