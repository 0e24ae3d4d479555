// Files in and out. Output is always made aside and renamed into place.
#include "driver/system/files.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

namespace sinter {
namespace {

// The largest text we read: positions in it are 32 bits (Loc).
constexpr std::uintmax_t kLargestFile = 0xFFFF0000;

}  // namespace

std::optional<std::string> read_file(const std::string& path, std::string& error) {
  if (path == "-") {
    static bool taken = false;
    if (taken) {
      error = "standard input is given twice (-)";
      return std::nullopt;
    }
    taken = true;
    std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
    return text;
  }
  std::error_code status;
  if (std::filesystem::is_directory(path, status)) {
    error = "cannot read " + path + ": it is a directory";
    return std::nullopt;
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    error = "cannot read " + path + ": " + std::strerror(errno != 0 ? errno : EIO);
    return std::nullopt;
  }
  const std::uintmax_t size = std::filesystem::file_size(path, status);
  if (!status && size > kLargestFile) {
    error = "cannot read " + path + ": it is larger than 4 GB";
    return std::nullopt;
  }
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

bool write_file(const std::string& path, const std::string& text, std::string& error) {
  if (path == "-") {
    std::cout << text << std::flush;
    if (!std::cout) error = "cannot write to standard output";
    return static_cast<bool>(std::cout);
  }
  std::error_code status;
  const bool exists = std::filesystem::exists(path, status);
  // A device or a pipe is written to; a link stays one.
  const bool in_place = exists && !std::filesystem::is_regular_file(path, status);
  const std::string target = exists && !in_place ? std::filesystem::canonical(path, status).string() : path;
  const std::string aside = in_place ? target : target + ".sinter-" + std::to_string(getpid());
  status.clear();
  errno = 0;
  std::ofstream out(aside, std::ios::binary);
  out << text;
  out.close();
  if (out && !in_place) std::filesystem::rename(aside, target, status);
  if (!out || status) {
    error = "cannot write " + path + ": " + (status ? status.message() : std::strerror(errno != 0 ? errno : EIO));
    if (!in_place) std::filesystem::remove(aside, status);
    return false;
  }
  return true;
}

}  // namespace sinter
