#include "bench/gpu/programs.h"

#include <llvm/Support/JSON.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "driver/system/files.h"
#include "driver/tensors/tensors.h"
#include "frontend/hlo/parse_hlo.h"
#include "ir/text/print.h"
#include "passes/names/value_names.h"
#include "passes/stages/products/asked_forms.h"
#include "tests/conformance/corpus.h"
#include "tests/conformance/safetensors.h"
#include "tests/random/batch.h"
#include "tests/random/check_module.h"
#include "tests/random/generate.h"
#include "tests/random/generate_modules.h"
#include "tests/stages/attention_text.h"
#include "tests/stages/chains/chain_text.h"
#include "tests/stages/contractions/contraction_case.h"

namespace sinter {
namespace {

void add_case(const CorpusCase& one, const std::string& group, std::vector<GpuProgram>& programs) {
  if (one.is_refused) return;
  GpuProgram program = {.group = group, .name = one.group + "_" + one.name, .source = one.source};
  try {
    program.inputs = one.read_inputs();
    program.expected = one.read_expected();
  } catch (const std::exception& problem) {
    std::cerr << one.name << " is left out: " << problem.what() << "\n";
    return;
  }
  for (size_t i = 0; i < program.expected.size(); ++i) {
    program.checks.push_back(one.checks.empty() ? one.every : one.checks[i]);
  }
  programs.push_back(std::move(program));
}

// The repository's samples, which a user's clone has, too.
void add_samples(const std::string& folder, std::vector<GpuProgram>& programs) {
  const llvm::json::Value manifest = llvm::cantFail(llvm::json::parse(read_text(folder + "/manifest.json")));
  std::vector<std::string> names;
  for (const auto& entry : *manifest.getAsObject()) names.push_back(entry.first.str());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    const llvm::json::Object& item = *manifest.getAsObject()->getObject(name);
    const std::string base = folder + "/" + name + "/" + name;
    CorpusCase one{.group = "sample",
                   .name = name,
                   .source = {base + ".hlo", read_text(base + ".hlo")},
                   .inputs = base + ".inputs.safetensors",
                   .expected = base + ".expected.safetensors"};
    one.every.relative = item.getNumber("rtol").value_or(0);
    one.every.absolute = item.getNumber("atol").value_or(0);
    add_case(one, "sample", programs);
  }
}

void add_modules(const std::string& kind, int count, std::vector<GpuProgram>& programs) {
  for (int seed = 1; seed <= count; ++seed) {
    RandomModule generated = generate_module(static_cast<uint64_t>(seed), module_kinds().at(kind));
    std::string error;
    std::optional<std::vector<Literal>> results = results_of(*generated.module, generated.inputs, error);
    if (!results) continue;
    GpuProgram program = {.group = "module",
                          .name = kind + "_" + std::to_string(seed),
                          .source = {"module.hlo", print(*generated.module)},
                          .inputs = std::move(generated.inputs),
                          .expected = std::move(*results)};
    program.options.graph.fma = false;
    program.checks.resize(program.expected.size());
    programs.push_back(std::move(program));
  }
}

void add_loops(int count, std::vector<GpuProgram>& programs) {
  for (int i = 0; i < count; ++i) {
    const auto seed = static_cast<uint64_t>(i / 2 + 1);
    const bool exact = i % 2 == 0;
    const RandomProgram loop = generate_loop(seed, exact);
    GpuProgram program = {.group = "loop",
                          .name = "loop_" + std::to_string(seed) + (exact ? "_exact" : ""),
                          .source = {"loop.hlo", loop.text}};
    program.options.graph.fma = !exact;
    Diagnostics diagnostics(program.source);
    const std::unique_ptr<Module> module = parse_hlo(diagnostics);
    program.inputs = draw_inputs(loop, seed);
    std::string error;
    std::optional<std::vector<Literal>> results = module ? results_of(*module, program.inputs, error) : std::nullopt;
    if (!results) continue;
    program.expected = std::move(*results);
    for (const Literal& value : program.expected) {
      const bool narrow = value.shape().dtype == DType::kBF16;
      const double bound = narrow ? loop.narrow_tolerance : loop.tolerance;
      program.checks.push_back(
          exact ? ValueCheck{} : ValueCheck{.absolute = std::max(1e-5, bound), .relative = narrow ? 0x1p-7 : 1e-4});
    }
    programs.push_back(std::move(program));
  }
}

void add_contractions(int count, const std::string& form, std::vector<GpuProgram>& programs) {
  int left = count;
  for (uint64_t seed = 1; left > 0; ++seed) {
    ContractionCase item;
    const std::string error = draw_contraction(seed, form, item);
    check(error.empty(), "programs", error);
    const std::string wanted = form == kTma ? ", tma)" : "contract(" + form;
    if (!form.empty() && item.compiled.plan.find(wanted) == std::string::npos) continue;
    // TF32 has the digits of small integers alone.
    if (item.options.dot_precision == "tf32" && !item.program.exact) continue;
    --left;
    GpuProgram program = {.group = "contraction",
                          .name = "contraction_" + (form.empty() ? "" : identifier(form) + "_") + std::to_string(seed),
                          .source = {"contraction.hlo", item.program.text},
                          .options = item.options};
    for (size_t i = 0; i < item.expected.size(); ++i) program.checks.push_back({.absolute = distance_allowed(item, i)});
    program.inputs = std::move(item.inputs);
    program.expected = std::move(item.expected);
    programs.push_back(std::move(program));
  }
}

// Attention or chains, in all forms. `pinned`: passes that are.
template <class Groups>
void add_stages(const Groups& groups, const std::string& kind, const std::vector<std::string>& pinned,
                std::vector<GpuProgram>& programs) {
  for (const auto& group : groups) {
    for (const StageProgram& one : group.programs) {
      GpuProgram program = {.group = kind, .name = kind + "_" + one.name, .source = {one.name + ".hlo", one.text}};
      program.options.graph.pinned = pinned;
      Diagnostics diagnostics(program.source);
      const std::unique_ptr<Module> module = parse_hlo(diagnostics);
      check(module != nullptr, "programs", one.name + " is no program");
      for (const Instruction* parameter : module->entry()->parameters())
        program.inputs.push_back(one.input(parameter->shape, program.inputs.size()));
      std::string error;
      std::optional<std::vector<Literal>> results = results_of(*module, program.inputs, error);
      check(results.has_value(), "programs", error);
      program.expected = std::move(*results);
      for (const Literal& value : program.expected)
        program.checks.push_back({.absolute = group.tolerance(value.shape().dtype) * largest_of(value)});
      programs.push_back(std::move(program));
    }
  }
}

// FOLDER/*.hlo, or FOLDER/NAME/NAME.hlo, with the plan NAME.plan where there is one; products of f32 in TF32 where
// the folder is called so; constants that the text leaves out are made up.
void add_timed(const std::string& folder, const std::string& group, std::vector<GpuProgram>& programs) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".hlo") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  const std::string stem = std::filesystem::path(folder).filename().string();
  for (const std::filesystem::path& path : paths) {
    GpuProgram program = {.group = group,
                          .name = (group == "micro" ? "" : stem + "_") + path.stem().string(),
                          .source = {path.string(), read_text(path.string())}};
    program.options.elided = Elided::kRandom;
    if (group == "micro") program.options.graph.without = {"roll_repeats"};  // what is written out is to stay so
    if (stem.ends_with("_tf32")) program.options.dot_precision = "tf32";
    const std::string plan = std::filesystem::path(path).replace_extension(".plan").string();
    if (std::filesystem::exists(plan)) {
      program.options.name = "t_" + program.name;  // as the plan has it
      program.options.schedule.plan = std::make_shared<Source>(Source{.name = plan, .text = read_text(plan)});
    }
    programs.push_back(std::move(program));
  }
}

}  // namespace

std::vector<GpuProgram> choose_programs(const ProgramChoice& choice) {
  std::vector<GpuProgram> programs;
  if (!choice.samples.empty()) add_samples(choice.samples, programs);
  const auto add_every = [&](const std::vector<CorpusCase>& cases, const std::string& group) {
    for (size_t i = 0; i < cases.size(); i += static_cast<size_t>(choice.every)) add_case(cases[i], group, programs);
  };
  if (!choice.op_tests.empty()) add_every(read_op_tests(choice.op_tests, {}), "op");
  if (choice.conformance) {
    if (const auto cases = read_corpus({})) add_every(*cases, "conformance");
  }
  add_modules("small", choice.modules, programs);
  add_modules("mixed", choice.mixed, programs);
  add_modules("rows", choice.rows, programs);
  add_loops(choice.loops, programs);
  if (choice.forms.empty()) add_contractions(choice.contractions, "", programs);
  for (const std::string& form : choice.forms) add_contractions(choice.contractions, form, programs);
  if (choice.attention) add_stages(attention_groups(), "attention", {}, programs);
  if (choice.chains) add_stages(chain_groups(), "chain", {"chain"}, programs);
  for (const std::string& folder : choice.timed) add_timed(folder, "time", programs);
  for (const std::string& folder : choice.micro) add_timed(folder, "micro", programs);
  return programs;
}

}  // namespace sinter
