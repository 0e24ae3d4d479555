#include "driver/system/left_over.h"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <system_error>

namespace sinter {

namespace fs = std::filesystem;

std::string own_name(const std::string& stem) { return stem + std::to_string(getpid()); }

std::vector<fs::path> left_over(const fs::path& folder, const std::string& stem) {
  std::vector<fs::path> left;
  std::error_code status;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, status)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(stem)) continue;
    pid_t process = 0;
    const auto [rest, error] = std::from_chars(name.data() + stem.size(), name.data() + name.size(), process);
    if (error != std::errc() || process <= 0) continue;
    if (kill(process, 0) != 0 && errno == ESRCH) left.push_back(entry.path());
  }
  return left;
}

}  // namespace sinter
