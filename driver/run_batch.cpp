// A batch through the emitted code: all are compiled, then all are built, then each is run.
#include <set>

#include "driver/build_library.h"
#include "driver/engine.h"
#include "driver/parallel.h"
#include "driver/run_library.h"
#include "driver/tensors.h"
#include "emitter/emit_names.h"

namespace sinter {
namespace {

using Status = RunResult::Status;

struct Compiled {
  std::string name;
  FileSet files;
};

// Names that no two programs of a library share, in one style or the other: types are called "CartpoleSoa".
std::vector<std::string> unique_names(const std::vector<RunRequest>& requests, const std::string& wanted) {
  std::set<std::string> types;
  std::vector<std::string> names;
  for (const RunRequest& request : requests) {
    const std::string name = wanted.empty() ? program_name(request.module.name) : wanted;
    std::string unique = name;
    for (int number = 2; !types.insert(upper_camel(unique)).second; ++number) {
      unique = name + "_" + std::to_string(number);
    }
    names.push_back(unique);
  }
  return names;
}

RunResult compile_one(const RunRequest& request, const CompileOptions& options, Compiled& compiled) {
  try {
    Diagnostics diagnostics(request.source);
    std::optional<Artifact> artifact = compile(options, diagnostics);
    if (!artifact) return {Status::kRefused, {}, diagnostics.render()};
    compiled = {artifact->program.name, std::move(artifact->files)};
    return {};
  } catch (const std::exception& bug) {
    return {Status::kBug, {}, std::string("internal error: ") + bug.what() + "\n"};
  }
}

}  // namespace

std::vector<RunResult> run_emitted_batch(const std::vector<RunRequest>& requests, const EmittedOptions& options,
                                         unsigned seconds) {
  std::vector<RunResult> results(requests.size());
  std::vector<Compiled> compiled(requests.size());
  const std::vector<std::string> names = unique_names(requests, options.compile.name);
  for_each_parallel(requests.size(), [&](size_t i) {
    CompileOptions own = options.compile;
    own.name = names[i];
    results[i] = compile_one(requests[i], own, compiled[i]);
  });

  std::vector<LibraryProgram> programs;
  std::vector<size_t> asked;  // the request of each program
  for (size_t i = 0; i < requests.size(); ++i) {
    if (results[i].status != Status::kOk) continue;
    programs.push_back({compiled[i].name, &compiled[i].files});
    asked.push_back(i);
  }
  const std::vector<BuiltProgram> built = build_libraries(programs, options.compile.architectures, options.device);
  for_each_parallel(programs.size(), [&](size_t i) {
    RunResult& result = results[asked[i]];
    if (built[i].library.empty()) {
      result = {Status::kNotBuilt, {}, "the emitted code does not build:\n" + built[i].error};
      return;
    }
    const RunRequest& request = requests[asked[i]];
    LibraryCall call{.library = built[i].library,
                     .program = programs[i].name,
                     .inputs = &request.inputs,
                     .outputs = output_shapes(request.module),
                     .order = "",
                     .seconds = seconds};
    std::optional<std::vector<Literal>> outputs = run_in_child(call, result.error);
    if (outputs) {
      result.outputs = std::move(*outputs);
    } else {
      result = {Status::kFailed, {}, "the emitted program failed: " + result.error};
    }
  });
  return results;
}

}  // namespace sinter
