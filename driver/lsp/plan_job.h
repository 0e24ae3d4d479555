// A plan that is made beside the server: by a process of its own, so that what is typed meanwhile is answered at once,
// and a plan of what nobody sees any more ends.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "driver/lsp/document.h"

namespace sinter {

class PlanJob {
 public:
  PlanJob(const Source& source, const FileReader& read);
  ~PlanJob();
  PlanJob(const PlanJob&) = delete;
  PlanJob& operator=(const PlanJob&) = delete;

  // Readable when read() has something to do; negative if no process could be started.
  int descriptor() const { return descriptor_; }

  // Reads what is there, waiting if nothing is; true once that was the end.
  bool read();

  // What it made, after the end; nullopt if it failed.
  std::optional<std::vector<PlanLine>> result() const;

 private:
  pid_t process_ = -1;
  int descriptor_ = -1;
  std::string text_;  // of JSON
};

}  // namespace sinter
