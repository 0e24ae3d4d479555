// --dump and --time-passes: what the graph passes did.
#pragma once

#include <memory>
#include <string>

#include "passes/graph/pipeline.h"

namespace CLI {
class App;
}

namespace sinter {

struct PassLogOptions {
  std::string dump_folder;
  bool time_passes = false;
};
void add_pass_log_flags(CLI::App& command, PassLogOptions& options);

class PassLog {
 public:
  explicit PassLog(const PassLogOptions& options);

  PassObserver observer();

  // Prints the times; false, having said why, if a dump could not be written.
  bool finish();

 private:
  struct Entry {
    std::string name;
    bool changed = false;
    double seconds = 0;
  };
  PassLogOptions options_;
  std::vector<Entry> entries_;
  std::string error_;
};

}  // namespace sinter
