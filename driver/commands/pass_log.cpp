// Numbered HLO after each pass (01-after-inline_calls.hlo, ...) and a table of times.
#include "driver/commands/pass_log.h"

#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "driver/commands/command.h"
#include "driver/system/files.h"
#include "ir/text/print.h"

namespace sinter {

void add_pass_log_flags(CLI::App& command, PassLogOptions& options) {
  command.option_defaults()->group("Log");
  command.add_option("--dump", options.dump_folder, "write the HLO after each pass into this folder")->type_name("DIR");
  command.add_flag("--time", options.time, "print what each stage and graph pass took");
  command.option_defaults()->group("Options");
}

PassLog::PassLog(const PassLogOptions& options) : options_(options) {
  if (options_.dump_folder.empty()) return;
  std::error_code status;
  std::filesystem::create_directories(options_.dump_folder, status);
  if (status) error_ = "cannot create " + options_.dump_folder + ": " + status.message();
}

CompileObserver PassLog::observer() {
  CompileObserver observer;
  observer.stage = [this](std::string_view name, double seconds) { entries_.push_back({std::string(name), seconds}); };
  observer.passes.after = [this](std::string_view name, bool changed, double seconds, const Module& module) {
    entries_.push_back({std::string(name), seconds, true, changed});
    ++passes_;
    if (options_.dump_folder.empty() || !error_.empty()) return;
    char number[16];
    std::snprintf(number, sizeof number, "%02zu-after-", passes_);
    const std::filesystem::path path =
        std::filesystem::path(options_.dump_folder) / (number + std::string(name) + ".hlo");
    write_file(path.string(), print(module), error_);
  };
  return observer;
}

bool PassLog::finish() {
  if (options_.time) {
    double total = 0;
    for (const Entry& entry : entries_) {
      const char* note = !entry.is_pass ? "" : entry.changed ? " (pass)" : " (pass, nothing changed)";
      std::fprintf(stderr, "%10.3f ms  %s%s\n", entry.seconds * 1e3, entry.name.c_str(), note);
      total += entry.seconds;
    }
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    std::fprintf(stderr, "%10.3f ms  in all, %ld MiB of memory\n", total * 1e3, usage.ru_maxrss / 1024);
  }
  if (!error_.empty()) fail(error_);
  return error_.empty();
}

}  // namespace sinter
