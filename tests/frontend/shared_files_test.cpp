// Every HLO text of SINTER_SHARED_DIR (samples, large, conformance) parses without a warning and round-trips.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "parse_text.h"
#include "tests/shared_folder.h"

namespace sinter {
namespace {

std::vector<std::filesystem::path> hlo_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".hlo") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string read_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(SharedFiles, EveryFileRoundTrips) {
  const std::optional<std::string> folder = shared_folder();
  if (!folder) GTEST_SKIP() << "SINTER_SHARED_DIR does not name the folder with shared HLO files";
  const std::vector<std::filesystem::path> files = hlo_files(*folder);
  EXPECT_GE(files.size(), 41u);
  int failures = 0;
  for (const auto& path : files) {
    SCOPED_TRACE(path.string());
    const std::string text = read_file(path);
    const Parsed parsed(text);
    EXPECT_EQ(parsed.diagnostics.render(), "");
    expect_round_trip(text);
    if (HasFailure() && ++failures == 10) break;
  }
}

}  // namespace
}  // namespace sinter
