#include "driver/commands/several_programs.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "driver/compile/recorded.h"
#include "driver/tensors/tensors.h"
#include "emitter/joined/join_projects.h"
#include "ir/support/sha256.h"
#include "passes/lower/program/fingerprint.h"
#include "review/modules/joined_programs.h"

namespace sinter {

namespace {

std::string stem_of(const std::string& file) { return program_name(std::filesystem::path(file).stem().string()); }

std::string joined_name(const CompileFlags& flags, const std::string& file) {
  return flags.name.empty() ? stem_of(file) : flags.name;
}

// What tells the programs of this file from those of others: "prefill", of prefill.hlo and of model_prefill.hlo.
std::string entry_of_file(const std::string& file, const std::string& name) {
  const std::string stem = stem_of(file);
  return stem.starts_with(name + "_") ? stem.substr(name.size() + 1) : stem;
}

// Files of weights: one of each text, or one of all.
std::vector<std::string> weights_of_text(const std::vector<std::string>& given, size_t text) {
  if (given.size() < 2) return given;
  return {given[text]};
}

bool can_be_joined(const CompileFlags& flags, const std::vector<std::string>& files) {
  const size_t inputs = flags.weights_of.size();
  std::string wrong;
  if (!flags.plan_file.empty()) wrong = "--plan is the plan of one program; several texts, --entry or --dims are more";
  if (files.size() > 1 && flags.name.empty()) wrong = "several texts are one artifact; --name says what it is called";
  if (inputs > 1 && inputs != files.size())
    wrong = "--weights-of: one file for all texts, or one for each, in their order; there are " +
            std::to_string(files.size()) + " texts and " + std::to_string(inputs) + " files";
  if (!wrong.empty()) fail(wrong);
  return wrong.empty();
}

// Tensors that no program has an input for.
bool all_are_inputs(const Source& file, const std::vector<Program::Weight>& weights) {
  std::vector<tensor_file::Tensor> tensors;
  std::string error;
  if (!tensor_file::parse_safetensors(file.text, tensors, error)) return true;  // refused before
  for (const tensor_file::Tensor& tensor : tensors) {
    const auto is_it = [&](const Program::Weight& weight) { return weight.tensor == tensor.name; };
    if (std::any_of(weights.begin(), weights.end(), is_it)) continue;
    fail("--weights-of " + file.name + ": tensor " + tensor.name + " is no input of any program", kInputWrong);
    return false;
  }
  return true;
}

// The values of all programs' weights, each name once; nullopt, having said why, where a name means two things.
std::optional<std::vector<WeightValue>> shared_values(const std::vector<PlannedProgram>& programs) {
  std::vector<WeightValue> values;
  std::vector<std::string> owners;
  for (const PlannedProgram& program : programs) {
    for (const WeightValue& weight : program.artifact.weights) {
      const auto found = std::find_if(values.begin(), values.end(),
                                      [&](const WeightValue& other) { return other.name == weight.name; });
      if (found == values.end()) {
        values.push_back(weight);
        owners.push_back(program.entry);
        continue;
      }
      const std::string difference = difference_of(*found, weight);
      if (difference.empty()) continue;
      fail("weight " + weight.name + " of " + program.entry + " is not that of " +
               owners[static_cast<size_t>(found - values.begin())] + ": " + difference +
               ". Programs of one artifact have one array a name; names are given by --weights-of, "
               "--weights-from leaves small constants in the programs (docs/weights.md)",
           kInputWrong);
      return std::nullopt;
    }
  }
  return values;
}

// What sha256sum says of all texts, one behind the other.
std::string hash_of_texts(const std::vector<PlannedProgram>& programs) {
  std::string texts;
  std::set<std::string> seen;
  for (const PlannedProgram& program : programs) {
    if (seen.insert(program.source.name).second) texts += program.source.text;
  }
  return sha256_hex(texts);
}

// Files beside the first text: the other ones.
std::string other_texts(const std::vector<PlannedProgram>& programs) {
  std::string text;
  const std::filesystem::path folder = std::filesystem::path(programs[0].source.name).parent_path();
  std::set<std::string> seen = {programs[0].source.name};
  for (const PlannedProgram& program : programs) {
    if (!seen.insert(program.source.name).second) continue;
    const std::filesystem::path path = std::filesystem::path(program.source.name).lexically_relative(folder);
    text += source_text("--import", {{.name = path.generic_string(), .text = program.source.text}});
  }
  return text;
}

// But for sizes and names.
bool are_alike(const Program::Tensor& one, const Program::Tensor& other) {
  return one.shape.dtype == other.shape.dtype && one.shape.rank() == other.shape.rank() &&
         one.donated_to == other.donated_to;
}

// Results that a text has no names for go by how they are computed, which may not be the same at each size: programs of
// one function (JAX calls the module by its name) that differ in sizes have those of the first one, as callers see one
// program of several sizes.
void name_results_alike(std::vector<PlannedProgram>* programs) {
  using Tensor = Program::Tensor;
  const Program& first = (*programs)[0].artifact.program;
  const std::string& function = (*programs)[0].artifact.module->name;
  for (PlannedProgram& planned : *programs) {
    Program& program = planned.artifact.program;
    const bool differ = !std::ranges::equal(first.inputs, program.inputs, {}, &Tensor::shape, &Tensor::shape);
    const bool same_inputs = std::ranges::equal(first.inputs, program.inputs, are_alike) &&
                             std::ranges::equal(first.inputs, program.inputs, {}, &Tensor::name, &Tensor::name);
    const bool same_outputs = std::ranges::equal(first.outputs, program.outputs, are_alike);
    if (planned.artifact.module->name != function || !differ || !same_inputs || !same_outputs) continue;
    const std::vector<std::string>& said = planned.artifact.module->result_names;
    std::vector<std::string> names;
    for (size_t i = 0; i < program.outputs.size(); ++i) {
      const bool has_own =
          (i < said.size() && !said[i].empty()) || std::ranges::any_of(program.inputs, [&](const Tensor& input) {
            return input.donated_to == static_cast<int64_t>(i);
          });
      names.push_back(has_own ? program.outputs[i].name : first.outputs[i].name);
    }
    if (std::set<std::string>(names.begin(), names.end()).size() < names.size()) continue;
    for (size_t i = 0; i < names.size(); ++i) program.outputs[i].name = names[i];
  }
}

}  // namespace

bool are_several(const CompileFlags& flags, size_t files) {
  return files > 1 || grain_programs(flags.grain).size() > 1;
}

std::optional<std::vector<ProgramCall>> calls_of_each(const CompileFlags& flags,
                                                      const std::vector<std::string>& files) {
  if (!can_be_joined(flags, files)) return std::nullopt;
  const std::string name = joined_name(flags, files[0]);
  std::vector<ProgramCall> each;
  std::set<std::string> names;
  for (size_t text = 0; text < files.size(); ++text) {
    for (const GrainProgram& program : grain_programs(flags.grain)) {
      ProgramCall call = {.file = files[text], .entry = "", .flags = flags};
      if (files.size() > 1) call.entry = entry_of_file(files[text], name);
      if (!program.suffix.empty()) call.entry += (call.entry.empty() ? "" : "_") + program.suffix;
      call.flags.grain = program.flags;
      call.flags.name = name + "_" + call.entry;
      call.flags.weights_of = weights_of_text(flags.weights_of, text);
      call.flags.shares_weights = flags.weights_of.size() == 1;
      if (!names.insert(call.flags.name).second) {
        fail("two programs would be called " + call.flags.name +
             (files.size() > 1 ? "; texts have names of their own" : "; give each --entry and each --dims once"));
        return std::nullopt;
      }
      if (call.entry == "weights" || call.entry == "weight") {
        fail("a program cannot be called " + call.entry + ": " + name + "_weights are those of all programs");
        return std::nullopt;
      }
      each.push_back(std::move(call));
    }
  }
  return each;
}

std::optional<FileSet> joined_folder(const CompileFlags& flags, std::vector<PlannedProgram>& programs) {
  const std::string name = joined_name(flags, programs[0].source.name);
  name_results_alike(&programs);
  std::vector<const Program*> planned;
  std::string build;
  for (const PlannedProgram& program : programs) {
    planned.push_back(&program.artifact.program);
    build += program.entry + " " + fingerprint(program.artifact.program) + "\n";
  }
  build = sha256_hex(build).substr(0, 16);
  Program shared = {.name = name, .kernels = {}, .plan = {}, .inputs = {}, .outputs = {}, .weights = {}};
  shared.weights = joined_weights(planned);
  const WeightOptions& options = programs[0].options.weights;
  const std::optional<std::vector<WeightValue>> values = shared_values(programs);
  if (!values) return std::nullopt;
  if (options.inputs && options.of_several && !all_are_inputs(*options.inputs, shared.weights)) return std::nullopt;

  const std::vector<int64_t> kept = kept_places(planned);
  const std::vector<SharedKernels> shared_of = shared_kernels(planned);
  std::vector<JoinedProgram> joined;
  std::vector<Recorded> recorded;
  for (size_t i = 0; i < programs.size(); ++i) {
    PlannedProgram& program = programs[i];
    const Share share = {.build = build, .kept_at = kept[i], .shared = shared_of[i]};
    emit(program.options, program.source, program.artifact, &share);
    recorded.push_back(recorded_in(program.artifact.files.at("manifest.json")));
    joined.push_back({.entry = program.entry,
                      .program = &program.artifact.program,
                      .sizes = program.options.grain.dims,
                      .shared = shared_of[i],
                      .files = program.artifact.files});
  }
  const WeightsHome home = options.home.value_or(WeightsHome::kFile);
  const bool has_file = !shared.weights.empty() && home != WeightsHome::kCaller;
  return join_projects(name, joined,
                       {.architectures = flags.architectures,
                        .input_hash = sha256_hex(programs[0].source.text),
                        .option_text = joined_option_text(name, recorded) + other_texts(programs),
                        .note = "",
                        .license = programs[0].options.license,
                        .weights = home,
                        .build = build,
                        .weights_file = has_file ? weights_file(shared, *values, build) : ""},
                       hash_of_texts(programs));
}

FileSet files_over(const FileSet& folder) {
  const std::map<std::string, FileSet> programs = joined_programs(folder);
  FileSet files;
  for (const auto& [path, text] : folder) {
    const size_t slash = path.find('/');
    const bool is_own = slash == std::string::npos || !programs.contains(path.substr(0, slash));
    if (is_own) files.emplace(path, text);
    if (!is_own && path.compare(slash + 1, 8, "include/") == 0) files.emplace(path.substr(slash + 1), text);
  }
  return files;
}

}  // namespace sinter
