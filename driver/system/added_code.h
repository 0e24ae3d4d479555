// Which files are an emitted folder's, though sinter did not write them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sinter {

// A file that a build may take by its name alone: a source or a header, of CUDA or of C++.
bool is_code(const std::string& path);

// The folders that hold files of a manifest: "kernels", "device".
std::set<std::string> emitted_folders(const std::map<std::string, std::string>& hashes);

// A folder that is no part of the one around it: of git, or of a build.
bool is_apart(const std::string& folder);

// Sources and headers that somebody added to an emitted folder, beside the folders that sinter writes: one at its top,
// or where the build looks for headers of the user's own, can change what is built. Other files there, notes and builds
// for example, are no part of it. Empty if there is no readable manifest.
std::vector<std::string> added_code(const std::string& folder);

}  // namespace sinter
