// Numbered HLO after each pass (01-after-inline_calls.hlo, ...) and a table of times.
#include "driver/pass_log.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "driver/command.h"
#include "driver/files.h"
#include "ir/print.h"

namespace sinter {

void add_pass_log_flags(CLI::App& command, PassLogOptions& options) {
  command.add_option("--dump", options.dump_folder, "write the HLO after each pass into this folder")->type_name("DIR");
  command.add_flag("--time-passes", options.time_passes, "print what each pass took");
}

PassLog::PassLog(const PassLogOptions& options) : options_(options) {
  if (options_.dump_folder.empty()) return;
  std::error_code status;
  std::filesystem::create_directories(options_.dump_folder, status);
  if (status) error_ = "cannot create " + options_.dump_folder + ": " + status.message();
}

PassObserver PassLog::observer() {
  PassObserver observer;
  observer.after = [this](std::string_view name, bool changed, double seconds, const Module& module) {
    entries_.push_back({std::string(name), changed, seconds});
    if (options_.dump_folder.empty() || !error_.empty()) return;
    char number[16];
    std::snprintf(number, sizeof number, "%02zu-after-", entries_.size());
    const std::filesystem::path path =
        std::filesystem::path(options_.dump_folder) / (number + std::string(name) + ".hlo");
    write_file(path.string(), print(module), error_);
  };
  return observer;
}

bool PassLog::finish() {
  if (options_.time_passes) {
    double total = 0;
    for (const Entry& entry : entries_) {
      std::fprintf(stderr, "%8.3f ms  %s%s\n", entry.seconds * 1e3, entry.name.c_str(),
                   entry.changed ? "" : " (nothing changed)");
      total += entry.seconds;
    }
    std::fprintf(stderr, "%8.3f ms  in all\n", total * 1e3);
  }
  if (!error_.empty()) fail(error_);
  return error_.empty();
}

}  // namespace sinter
