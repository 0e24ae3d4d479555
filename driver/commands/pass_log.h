// --dump and --time: what the graph passes did, and what each stage of the compiler took.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/compile/compile.h"

namespace CLI {
class App;
}

namespace sinter {

struct PassLogOptions {
  std::string dump_folder;
  bool time = false;
};
void add_pass_log_flags(CLI::App& command, PassLogOptions& options);

class PassLog {
 public:
  explicit PassLog(const PassLogOptions& options);

  CompileObserver observer();

  // Prints the times; false, having said why, if a dump could not be written.
  bool finish();

 private:
  struct Entry {
    std::string name;
    double seconds = 0;
    bool is_pass = false;
    bool changed = false;
  };
  PassLogOptions options_;
  std::vector<Entry> entries_;
  size_t passes_ = 0;
  std::string error_;
};

}  // namespace sinter
