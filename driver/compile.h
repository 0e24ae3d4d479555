// From HLO text to a folder of CUDA C++: the main line.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "emitter/emit_project.h"
#include "ir/diagnostics.h"
#include "passes/graph/pipeline.h"
#include "passes/schedule/schedule.h"

namespace sinter {

struct CompileOptions {
  std::string name;  // C identifier for files and functions; empty: from the module's name ("jit_softmax" -> "softmax")
  std::string architectures = "90a";
  GraphPassOptions graph;
  ScheduleOptions schedule;
};

struct Artifact {
  FileSet files;
  std::unique_ptr<Module> module;  // after graph passes; the program's instructions point into it
  Tree tree;
  Program program;
};

// nullopt if diagnostics has errors.
std::optional<Artifact> compile(const CompileOptions& options, Diagnostics& diagnostics,
                                const PassObserver& observer = {});

}  // namespace sinter
