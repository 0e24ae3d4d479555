// A bug is an exception or a signal. Both leave a file that holds the command line, as comments, and the input.
#include "driver/commands/reproducer.h"

#include <llvm/Support/Signals.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "driver/commands/command.h"
#include "driver/system/files.h"
#include "ir/support/sha256.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SINTER_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SINTER_SANITIZED 1
#endif
#endif

namespace sinter {
namespace {

std::string command_line;

[[maybe_unused]] void on_crash(void*) {
  alarm(10);  // if the crash left the heap locked, reporting may never end
  report_bug("crash");
  _exit(kOurBug);
}

}  // namespace

void watch_for_bugs(int argc, char** argv) {
  command_line = "sinter";
  for (int i = 1; i < argc; ++i) command_line += std::string(" ") + argv[i];
#ifndef SINTER_SANITIZED
  llvm::sys::AddSignalHandler(on_crash, nullptr);
#endif
}

void report_bug(const std::string& what) {
  std::string header = "// sinter failed: " + what + "\n" + command_line;
  for (size_t at = 0; (at = header.find('\n', at)) != std::string::npos; at += 4) header.replace(at, 1, "\n// ");
  const std::string text = header + "\n" + last_source().text;
  std::error_code status;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(status);
  const std::string path = (folder / ("sinter-bug-" + sha256_hex(text).substr(0, 12) + ".hlo")).string();
  std::string error;
  std::cerr << "sinter: internal error: " << what << "\n";
  if (write_file(path, text, error)) {
    std::cerr << "This is a bug in sinter. " << path << " reproduces it; please send it along with your report.\n";
  } else {
    std::cerr << "This is a bug in sinter. (" << error << ")\n";
  }
}

}  // namespace sinter
