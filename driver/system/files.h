// Reading and writing the user's files. "-" is standard input or output. Nothing is left half-written.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "emitter/host/emit_project.h"

namespace sinter {

// nullopt with `error` set ("cannot read x.hlo: No such file or directory").
std::optional<std::string> read_file(const std::string& path, std::string& error);

// Written beside the target and renamed over it; into it, if it is a device or a pipe.
bool write_file(const std::string& path, const std::string& text, std::string& error);

bool is_folder(const std::string& path);

// Replaces the folder by these files in one step. Unless `force`, refuses a folder that holds something and was not
// written by Sinter, and one whose files were changed since (by the hashes of its manifest.json) and not kept. A file
// whose content stays keeps its time stamp, so that a build does nothing for it. Other things at the top of the folder,
// such as a build directory, stay.
bool write_folder(const std::string& path, const FileSet& files, bool force, std::string& error);

// A kernel that was edited and stays: its first line is `// sinter: keep`.
bool is_kept(const std::string& path, const std::string& text);

// What is there of the files that the folder's manifest lists, and the manifest; empty if there is no readable one.
FileSet emitted_files(const std::string& folder);

// By path, the hash of what was emitted; empty if there is no readable manifest.
std::map<std::string, std::string> emitted_hashes(const std::string& folder);
// As a manifest has them; empty of a text that is none.
std::map<std::string, std::string> hashes_in(const std::string& manifest);

// The files of a folder that differ from its manifest, one path each: "kernels/x.cu (changed)", "(kept)", "(missing)"
// or "(added)"; nullopt if there is no readable manifest.
std::optional<std::vector<std::string>> changed_files(const std::string& folder);

}  // namespace sinter
