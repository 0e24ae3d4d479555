// A batch through the emitted code: all are compiled, then all are built, then each is run.
#include <algorithm>
#include <set>

#include "driver/build/build_library.h"
#include "driver/build/engine.h"
#include "driver/build/run_library.h"
#include "driver/system/parallel.h"
#include "driver/tensors/sized_arrays.h"
#include "driver/tensors/tensors.h"
#include "emitter/text/emit_names.h"
#include "passes/analysis/shapes/extents.h"

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
    compiled = {artifact->program.name, files_and_headers(*artifact)};
    return {};
  } catch (const std::exception& bug) {
    return {Status::kBug, {}, std::string("internal error: ") + bug.what() + "\n"};
  }
}

std::vector<size_t> sizes_among(const Module& module) {
  std::vector<size_t> places;
  for (const Extent& extent : extents_of(module)) places.push_back(static_cast<size_t>(extent.size->parameter_number));
  return places;
}

// By flat input, the flat output that may be given the same array, or -1; empty if there is none.
std::vector<int64_t> donated_pairs(const Module& module) {
  const std::vector<Instruction*> parameters = module.entry()->parameters();
  const bool plain = std::all_of(parameters.begin(), parameters.end(),
                                 [](const Instruction* parameter) { return parameter->shape.is_array(); });
  const Shape& result = module.entry()->root()->shape;
  std::vector<int64_t> pairs(parameters.size(), -1);
  bool any = false;
  for (const Alias& alias : module.input_output_alias) {
    const size_t depth = alias.output_index.size();
    if (!plain || depth > 1 || (depth == 1 && !result.is_tuple())) continue;
    if (alias.parameter >= std::ssize(pairs)) continue;
    pairs[static_cast<size_t>(alias.parameter)] = depth == 0 ? 0 : alias.output_index[0];
    any = true;
  }
  const bool nested = result.is_tuple() && std::any_of(result.elements.begin(), result.elements.end(),
                                                       [](const Shape& element) { return !element.is_array(); });
  return any && !nested ? pairs : std::vector<int64_t>();
}

// Empty if the program gives the same where a donated input and its output are one array.
std::string check_one_array(LibraryCall call, const Module& module, const std::vector<Literal>& outputs) {
  call.given_as = donated_pairs(module);
  if (call.given_as.empty()) return "";
  std::string error;
  const std::optional<std::vector<Literal>> again = run_in_child(call, error);
  if (!again) return error;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const auto one = (*again)[i].bytes(), two = outputs[i].bytes();
    if (!std::equal(one.begin(), one.end(), two.begin(), two.end()))
      return "result " + std::to_string(i) + " is another where donated inputs and their results are one array\n";
  }
  return "";
}

}  // namespace

std::vector<RunResult> run_emitted_batch(const std::vector<RunRequest>& requests, const EmittedOptions& options,
                                         unsigned seconds) {
  std::vector<RunResult> results(requests.size());
  std::vector<Compiled> compiled(requests.size());
  const std::vector<std::string> names = unique_names(requests, options.compile.name);
  for_each_parallel(requests.size(), [&](size_t i) {
    CompileOptions own = options.compile;
    if (requests[i].plan != nullptr) own.schedule.plan = requests[i].plan;
    own.name = names[i];
    results[i] = compile_one(requests[i], to_be_tried(own), compiled[i]);
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
                     .sizes = sizes_among(request.module),
                     .outputs = output_shapes(request.module),
                     .order = "",
                     .seconds = seconds};
    std::optional<std::vector<Literal>> outputs = run_in_child(call, result.error);
    if (outputs) result.error = check_one_array(call, request.module, *outputs);
    if (outputs && result.error.empty()) {
      result.outputs = results_there(request.module, request.inputs, *outputs);
    } else {
      result = {Status::kFailed, {}, "the emitted program failed: " + result.error};
    }
  });
  return results;
}

}  // namespace sinter
