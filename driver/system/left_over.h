// What killed processes leave behind. Names of temporary files and folders say which process made them (`stem`, its
// number, and what tells those of one process apart), so that a later one can remove what nobody uses any more.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sinter {

// `stem` and the number of this process.
std::string own_name(const std::string& stem);

// The entries of a folder, named by own_name(stem) and something that begins with no digit, whose process has ended.
std::vector<std::filesystem::path> left_over(const std::filesystem::path& folder, const std::string& stem);

}  // namespace sinter
