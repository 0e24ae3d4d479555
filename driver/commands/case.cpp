// Read, run, write, compare; alone or a batch of them.
#include "driver/commands/case.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <sstream>

#include "driver/commands/command.h"
#include "driver/commands/line/colour.h"
#include "driver/system/files.h"
#include "driver/system/parallel.h"
#include "driver/tensors/dynamic_sizes.h"
#include "driver/tensors/non_negative.h"
#include "driver/tensors/sized_arrays.h"
#include "driver/tensors/tensors.h"
#include "frontend/hlo/parse_hlo.h"

namespace sinter {
namespace {

struct CaseResult {
  int status = kOk;
  std::string out;
  std::string err;
};

CaseResult failed(int status, std::string message) { return {status, "", std::move(message)}; }
CaseResult wrong_call(const std::string& message) { return failed(kCallWrong, "sinter: error: " + message + "\n"); }

// Values on standard output where nothing else is asked for: short arrays whole, long ones by their shape.
std::string show(const std::vector<Literal>& outputs) {
  constexpr int64_t kLongest = 1000;
  std::string text;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Literal& value = outputs[i];
    text += "output " + std::to_string(i) + " " + to_string(value.shape(), false) + " ";
    text += value.element_count() <= kLongest ? to_string(value) : "{...} (-o FILE writes it)";
    text += "\n";
  }
  return text;
}

// The arrays of a program's inputs in order. Those that a file of weights has are its, whether --inputs has all or the
// others.
std::optional<std::vector<Literal>> make_inputs(const CaseOptions& options, const Module& module,
                                                std::vector<WeightInput> weights, std::string& error) {
  const std::vector<Shape> all = given_shapes(module);
  for (WeightInput& weight : weights) weight.place = given_place(module, weight.place);
  std::vector<Shape> others = all;
  for (auto weight = weights.rbegin(); weight != weights.rend(); ++weight)
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(weight->place));
  std::optional<std::vector<Literal>> inputs;
  if (options.seed) {
    inputs = random_tensors(others, *options.seed);
  } else if (!options.inputs.empty()) {
    std::string ignored;
    if (!weights.empty()) inputs = read_tensors(options.inputs, all, "input", ignored);
    if (!inputs) inputs = read_tensors(options.inputs, others, "input", error);
  } else if (others.empty()) {
    inputs.emplace();
  } else {
    error = "the module has " + std::to_string(others.size()) + (weights.empty() ? "" : " other") +
            (others.size() == 1 ? " input" : " inputs") + ": give --inputs FILE or --random SEED";
  }
  if (!inputs) return std::nullopt;
  const bool has_all = inputs->size() == all.size();
  for (WeightInput& weight : weights) {
    const auto place = inputs->begin() + static_cast<std::ptrdiff_t>(weight.place);
    if (has_all) {
      *place = std::move(weight.value);
    } else {
      inputs->insert(place, std::move(weight.value));
    }
  }
  return with_sizes(module, *inputs, error);
}

}  // namespace

std::optional<std::vector<WeightInput>> weights_in(const CaseOptions& options, const Module& module,
                                                   Diagnostics& diagnostics) {
  if (options.is_recorded) return recorded_weight_inputs(module, *options.weights_of, diagnostics);
  return weight_inputs(module, *options.weights_of, diagnostics, options.shares_weights);
}

RunResult run_without_weights(const RunRequest& request, const BuiltRunner& runner, const CaseOptions& options) {
  if (!options.weights_of) return run_built(request, runner);
  Diagnostics diagnostics(request.source);
  const std::optional<std::vector<WeightInput>> weights = weights_in(options, request.module, diagnostics);
  if (!weights) return {RunResult::Status::kRefused, {}, diagnostics.render()};
  std::vector<Literal> others;
  auto weight = weights->begin();
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    if (weight != weights->end() && weight->place == i) {
      ++weight;
    } else {
      others.push_back(request.inputs[i]);
    }
  }
  return run_built({request.source, request.module, others}, runner);
}

namespace {

// A case that is ready to be run, if `failure` is kOk.
struct PreparedCase {
  Source source;
  std::unique_ptr<Module> module;
  std::vector<Literal> inputs;
  std::string warnings;
  std::string elided_note;  // settle_elided
  CaseResult failure;

  RunRequest request() const { return {source, *module, inputs}; }
};

// `file` is where diagnostics will be written.
PreparedCase prepare(const CaseOptions& options, Source source, int file) {
  PreparedCase prepared;
  prepared.source = std::move(source);
  Diagnostics diagnostics(prepared.source);
  prepared.module = read_module(diagnostics, options.grain);
  if (!prepared.module || !verify_sizes(*prepared.module, diagnostics) ||
      !settle_elided(*prepared.module, options.elided, diagnostics, prepared.elided_note)) {
    prepared.failure = failed(kInputWrong, diagnostics.render(is_coloured(file)));
    return prepared;
  }
  std::optional<std::vector<WeightInput>> weights(std::in_place);
  if (options.weights_of) weights = weights_in(options, *prepared.module, diagnostics);
  if (!weights) {
    prepared.failure = failed(kInputWrong, diagnostics.render(is_coloured(file)));
    return prepared;
  }
  std::string error;
  std::optional<std::vector<Literal>> inputs = make_inputs(options, *prepared.module, std::move(*weights), error);
  if (!inputs) {
    prepared.failure = wrong_call(error);
    return prepared;
  }
  prepared.inputs = std::move(*inputs);
  prepared.warnings = diagnostics.render(is_coloured(file));
  return prepared;
}

CaseResult finish(const CaseOptions& options, const PreparedCase& prepared, const RunResult& run) {
  if (run.status != RunResult::Status::kOk) {
    return failed(run.status == RunResult::Status::kBug ? kOurBug : kInputWrong, run.error);
  }
  CaseResult result;
  result.err = prepared.warnings;
  std::string error;
  if (!options.output.empty() && !write_tensors(options.output, run.outputs, error)) return wrong_call(error);
  if (!options.expect.empty()) {
    const std::optional<std::vector<Literal>> expected =
        read_tensors({options.expect}, result_shapes(*prepared.module, prepared.inputs), "output", error);
    if (!expected) return wrong_call(error);
    const Comparison comparison = compare(run.outputs, *expected, options.tolerance);
    result.out = comparison.text;
    result.status = comparison.ok ? kOk : kInputWrong;
  } else if (options.output.empty()) {
    result.out = show(run.outputs);
  }
  return result;
}

CaseResult run_one(const CaseOptions& options, Source source, const Engine& engine) {
  const PreparedCase prepared = prepare(options, std::move(source), STDERR_FILENO);
  if (prepared.failure.status != kOk) return prepared.failure;
  return finish(options, prepared, engine.one(prepared.request()));
}

// The cases of a batch file: `hlo inputs expect` a line; `-` for no inputs, which are drawn where there is a seed, or
// nothing expected.
bool read_batch(const CaseOptions& options, std::vector<CaseOptions>& cases, std::string& error) {
  const std::optional<std::string> text = read_file(options.batch, error);
  if (!text) return false;
  std::istringstream lines(*text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line);
    std::string hlo, inputs, expect, more;
    if (!(words >> hlo) || hlo[0] == '#') continue;
    CaseOptions one = {.file = hlo,
                       .seed = options.seed,
                       .tolerance = options.tolerance,
                       .elided = options.elided,
                       .grain = options.grain,
                       .weights_of = options.weights_of,
                       .shares_weights = options.shares_weights};
    if (words >> inputs && inputs != "-") {
      one.inputs = {inputs};
      one.seed.reset();
    }
    if (words >> expect && expect != "-") one.expect = expect;
    if (words >> more) {
      error = options.batch + ":" + std::to_string(number) + ": a line is `hlo inputs expect`";
      return false;
    }
    cases.push_back(one);
  }
  return true;
}

// A case of a batch must not end the batch, whatever goes wrong in it.
PreparedCase prepare_guarded(const CaseOptions& options) {
  PreparedCase prepared;
  std::string error;
  std::optional<std::string> text = read_file(options.file, error);
  if (!text) {
    prepared.failure = wrong_call(error);
    return prepared;
  }
  try {
    return prepare(options, {.name = options.file, .text = std::move(*text)}, STDOUT_FILENO);
  } catch (const std::exception& bug) {
    prepared.failure = failed(kOurBug, std::string("internal error: ") + bug.what() + "\n");
    return prepared;
  }
}

int run_batch(const CaseOptions& options, const Engine& engine) {
  std::vector<CaseOptions> cases;
  std::string error;
  if (!read_batch(options, cases, error)) return fail(error);
  if (cases.empty()) return fail(options.batch + " names no program; a line is `hlo inputs expect`");
  std::vector<PreparedCase> prepared(cases.size());
  for_each_parallel(cases.size(), [&](size_t i) { prepared[i] = prepare_guarded(cases[i]); });
  std::vector<RunRequest> requests;
  std::vector<size_t> asked;  // the case of each request
  std::vector<CaseResult> results(cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    results[i] = prepared[i].failure;
    if (results[i].status != kOk) continue;
    requests.push_back(prepared[i].request());
    asked.push_back(i);
  }
  const std::vector<RunResult> runs = engine.batch(requests);
  for (size_t i = 0; i < asked.size(); ++i) results[asked[i]] = finish(cases[asked[i]], prepared[asked[i]], runs[i]);

  size_t good = 0;
  int status = kOk;
  for (size_t i = 0; i < cases.size(); ++i) {
    good += results[i].status == kOk;
    status = std::max(status, results[i].status);
    std::cout << (results[i].status == kOk ? "ok   " : "FAIL ") << cases[i].file;
    if (!prepared[i].elided_note.empty()) std::cout << ": " << prepared[i].elided_note;
    std::cout << "\n";
    if (results[i].status != kOk) std::cout << results[i].out << results[i].err;
  }
  std::cout << good << " of " << cases.size() << " programs are right\n";
  return status;
}

}  // namespace

void add_input_options(CLI::App& command, CaseOptions& options) {
  command.option_defaults()->group("Inputs");
  CLI::Option* inputs =
      command
          .add_option("--inputs", options.inputs,
                      "safetensors with tensors 0, 1, ...; .npy files in order; or .hlo with constants")
          ->type_name("FILE");
  command.add_option("--random", options.seed, "draw inputs from this seed instead (docs/numerics.md)")
      ->type_name("SEED")
      ->excludes(inputs);
  command.option_defaults()->group("Comparison");
  command.add_option("--rtol", options.tolerance.rtol, "allowed difference relative to the expected value")
      ->type_name("R")
      ->check(non_negative());
  command.add_option("--atol", options.tolerance.atol, "allowed absolute difference")
      ->type_name("A")
      ->check(non_negative());
  command.add_option("--ulp", options.tolerance.ulp, "allowed distance in representable numbers")
      ->type_name("N")
      ->check(non_negative());
  command.option_defaults()->group("Options");
}

void add_case_options(CLI::App& command, CaseOptions& options) {
  command.add_option("FILE", options.file, "HLO text; - is standard input");
  add_input_options(command, options);
  command.add_option("-o,--output", options.output, "write the outputs: .safetensors, .npy or .hlo")->type_name("FILE");
  command.add_option("--expect", options.expect, "compare the outputs with this file")
      ->type_name("FILE")
      ->group("Comparison");
  command.add_option("--batch", options.batch, "run every line of this file: hlo inputs expect (- for none)")
      ->type_name("FILE");
}

int run_case(const CaseOptions& options, const Engine& engine) {
  if (!options.batch.empty()) {
    const bool alone =
        options.file.empty() && options.inputs.empty() && options.output.empty() && options.expect.empty();
    if (!alone) return fail("--batch has files from its lines: leave out FILE, --inputs, --expect and -o");
    return run_batch(options, engine);
  }
  if (options.file.empty()) return fail("a file is needed (- is standard input)");
  Source source;
  if (!read_source(options.file, source)) return kCallWrong;
  const CaseResult result = run_one(options, std::move(source), engine);
  std::cerr << result.err;
  std::cout << result.out;
  return result.status;
}

}  // namespace sinter
