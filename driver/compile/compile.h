// From HLO text to a folder of CUDA C++: the main line.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/compile/gpus.h"
#include "driver/compile/read_module.h"
#include "driver/compile/stage_clock.h"
#include "driver/functions/bind_functions.h"
#include "driver/tensors/elided.h"
#include "driver/weights/weights.h"
#include "emitter/host/emit_project.h"
#include "ir/support/diagnostics.h"
#include "passes/graph/pipeline.h"
#include "passes/schedule/schedule.h"

namespace sinter {

// The Python files of these paths, as a text's FileNames table has them: one each, without name where there is none.
using FindSources = std::function<std::vector<Source>(const std::vector<std::string>& paths)>;

struct CompileOptions {
  std::string name;  // C identifier for files and functions; empty: from the module's name ("jit_softmax" -> "softmax")
  std::string license;  // of what is emitted, an SPDX expression; empty: none is stated
  GrainChoice grain;    // of a Grain file
  std::string architectures = "90a";
  Gpu gpu = default_gpu("90a");    // that predictions are made for
  std::optional<Source> gpu_file;  // which says what that is, if one does
  GraphPassOptions graph;
  ScheduleOptions schedule;
  Elided elided = Elided::kRefuse;
  FindSources sources;                     // that values are named after; empty: none
  std::vector<FunctionBinding> functions;  // that custom calls stand for
  std::vector<Source> function_files;      // those among them that are of files
  std::string dot_precision;               // --dot-precision: "tf32" or "f32"; empty: at least as exact as f32
  std::string forms;                       // --forms: "wgmma" or "tma"; empty: those that a run on a GPU is recorded of
  WeightOptions weights;
  bool plan_only = false;  // nothing is emitted: Artifact::files stays empty
};

struct CompileObserver {
  PassObserver passes;
  StageObserver stage;                                 // for the other stages
  std::function<void(std::string_view stage)> begins;  // when one begins, all graph passes as one; may be empty
};

struct Artifact {
  FileSet files;
  std::unique_ptr<Module> module;  // after graph passes; the program's instructions point into it
  Schedule schedule;
  Program program;
  Gpu gpu = default_gpu("90a");
  std::vector<Source> imports;             // files that a Grain file names, by their paths from its folder
  UserHeaders headers;                     // of functions that are called
  std::string elided_note;                 // which constants have made-up values (settle_elided); empty if none
  std::vector<FunctionBinding> functions;  // of the options, those that are called
  std::vector<Source> sources;             // Python files that values were named after
  std::vector<WeightValue> weights;
};

// The files, and the headers of the user's own that they include: what reads or builds them.
FileSet files_and_headers(const Artifact& artifact);

// Compiles diagnostics.source(). nullopt if diagnostics has errors.
std::optional<Artifact> compile(const CompileOptions& options, Diagnostics& diagnostics,
                                const CompileObserver& observer = {});

// What a program has of the artifact that it is one of several of (emitter/joined/join_projects.h).
struct Share {
  std::string build;    // what the artifact's files of weights call it
  int64_t kept_at = 0;  // EmitOptions::kept_at
  SharedKernels shared = {};
};

// Fills in the files of what was planned (plan_only) of this text. Weights are the artifact's, if there is a share.
void emit(const CompileOptions& options, const Source& source, Artifact& artifact, const Share* share = nullptr);

// The same for a library that is run on all inputs, and on the values that the text has.
CompileOptions to_be_tried(CompileOptions options);

// "jit_softmax" -> "softmax": a name for files, functions and types made of a module's name.
std::string program_name(const std::string& module_name);

// True for what --name may give: a C identifier that nothing else in an emitted folder is called.
bool is_program_name(const std::string& text);

// The options that shape the output, as the manifest records them: "--arch=90a --no-fma".
std::string option_text(const CompileOptions& options);
// As an option has a licence: "MIT_OR_Apache-2.0"; and the expression that an option means.
std::string license_word(std::string license);
std::string license_of_word(std::string word);

// Files that were read besides, as the manifest records them: " --sources=model.py:sha256:6b0c...".
std::string source_text(const std::string& option, const std::vector<Source>& sources);

}  // namespace sinter
