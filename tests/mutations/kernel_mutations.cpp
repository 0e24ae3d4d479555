// kernel_mutations: random edits of one token in emitted kernels, with the verdict of `sinter diff` on each. What is
// called `text` must give the same bits in the CPU build.
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>
#include <map>

#include "driver/build/build_library.h"
#include "driver/build/run_library.h"
#include "driver/compile/read_module.h"
#include "driver/system/files.h"
#include "driver/system/parallel.h"
#include "driver/system/python_sources.h"
#include "driver/tensors/tensors.h"
#include "review/diff/compare_builds.h"
#include "review/read/read_code.h"
#include "tests/mutations/mutate.h"

namespace sinter {
namespace {

constexpr unsigned kSeconds = 120;  // that a run may take: an edit may make a loop endless
constexpr int kTries = 60;          // edits that clang does not take, before a mutation is given up

struct Options {
  std::vector<std::string> samples;
  int64_t count = 100;
  int64_t share = 0;  // of those that are not called `text`, each of so many is run too; 0: none
  uint64_t seed = 1;
};

struct Sample {
  std::string name, folder;
  Source source;
  FileSet files;
  std::vector<std::string> kernels;  // paths
  std::map<std::string, Code> codes;
  std::vector<Literal> inputs;
  std::vector<Shape> outputs;
  std::vector<std::vector<Literal>> results;  // one for each order of threads
};

const std::vector<std::string>& orders() {
  static const std::vector<std::string> orders = {"forward", "7"};
  return orders;
}

struct Mutant {
  const Sample* sample = nullptr;
  std::string kernel, name;
  uint64_t seed = 0;
  Mutation mutation;
  Verdict verdict = Verdict::kUnknown;
  FileSet files;
};

enum class Outcome : uint8_t { kSame, kOther, kNotBuilt };

std::optional<FileSet> compiled(const Sample& sample, const std::string& name) {
  Diagnostics diagnostics(sample.source);
  CompileOptions options;
  options.name = name;
  options.sources = sources_in(sample.folder + "/..");
  std::optional<Artifact> artifact = compile(options, diagnostics);
  if (!artifact) return std::nullopt;
  return std::move(artifact->files);
}

bool same_bits(const Literal& a, const Literal& b) {
  const auto one = a.bytes(), two = b.bytes();
  if (std::equal(one.begin(), one.end(), two.begin(), two.end())) return true;
  if (!is_float(a.shape().dtype)) return false;
  // What a NaN carries is not specified.
  for (int64_t i = 0; i < a.element_count(); ++i) {
    const double x = a.real_at(i), y = b.real_at(i);
    if (std::isnan(x) && std::isnan(y)) continue;
    if (x != y || std::signbit(x) != std::signbit(y)) return false;
  }
  return true;
}

bool same_results(const std::vector<Literal>& a, const std::vector<Literal>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_bits);
}

std::optional<std::vector<Literal>> run(const Sample& sample, const std::string& library, const std::string& program,
                                        const std::string& order) {
  std::string error;
  return run_in_child({.library = library,
                       .program = program,
                       .inputs = &sample.inputs,
                       .outputs = sample.outputs,
                       .order = order,
                       .seconds = kSeconds},
                      error);
}

// False, having said why, where the sample cannot be run here.
bool prepare(const std::string& folder, Sample* sample) {
  sample->folder = folder.substr(0, folder.find_last_not_of('/') + 1);
  sample->name = sample->folder.substr(sample->folder.rfind('/') + 1);
  const std::string stem = sample->folder + "/" + sample->name;
  std::string error;
  const std::optional<std::string> text = read_file(stem + ".hlo", error);
  if (!text) {
    std::printf("%s: %s\n", sample->name.c_str(), error.c_str());
    return false;
  }
  sample->source = {.name = stem + ".hlo", .text = *text};
  Diagnostics diagnostics(sample->source);
  const std::unique_ptr<Module> module = read_module(diagnostics);
  if (!module) return false;
  std::optional<std::vector<Literal>> inputs =
      read_tensors({stem + ".inputs.safetensors"}, input_shapes(*module), "input", error);
  std::optional<FileSet> files = compiled(*sample, sample->name);
  if (!inputs || !files) {
    std::printf("%s: %s\n", sample->name.c_str(), error.c_str());
    return false;
  }
  sample->inputs = std::move(*inputs);
  sample->outputs = output_shapes(*module);
  sample->files = std::move(*files);
  const FolderReader reader(sample->files);
  for (const auto& [path, content] : sample->files) {
    if (!path.starts_with("kernels/")) continue;
    std::optional<Code> code = reader.read(path, error);
    if (!code || !code->not_followed.empty()) continue;
    sample->kernels.push_back(path);
    sample->codes.emplace(path, std::move(*code));
  }
  const BuiltProgram built = build_libraries({{sample->name, &sample->files}}, "90a", Device::kCpu)[0];
  for (const std::string& order : orders()) {
    std::optional<std::vector<Literal>> results = run(*sample, built.library, sample->name, order);
    if (!results) {
      std::printf("%s: takes more than %u s\n", sample->name.c_str(), kSeconds);
      return false;
    }
    sample->results.push_back(std::move(*results));
  }
  return !sample->kernels.empty();
}

// An edit that clang takes, with its verdict; false where none was found.
bool judge(const std::vector<Sample>& samples, const Options& options, size_t number, Mutant* mutant) {
  for (uint64_t attempt = 0; attempt < kTries; ++attempt) {
    mutant->seed = options.seed * 1'000'000'007 + number * kTries + attempt;
    Random random(mutant->seed);
    mutant->sample = &samples[number % samples.size()];
    mutant->kernel = random.pick(mutant->sample->kernels);
    const std::string& text = mutant->sample->files.at(mutant->kernel);
    std::optional<Mutation> mutation = mutate(text, random);
    if (!mutation) continue;
    FileSet files = mutant->sample->files;
    files[mutant->kernel] = mutation->text;
    std::string error;
    const FolderReader reader(files);
    const std::optional<Code> code = reader.read(mutant->kernel, error);
    if (!code) continue;
    mutant->mutation = std::move(*mutation);
    const Code& before = mutant->sample->codes.at(mutant->kernel);
    const Sample& sample = *mutant->sample;
    const FolderReader reader_before(sample.files);
    mutant->verdict =
        compare_builds({sample.files, reader_before, mutant->kernel, before}, {files, reader, mutant->kernel, *code})
            .verdict;
    // What is called otherwise does not link (judge_kernel.cpp).
    if (exported_names(*code) != exported_names(before)) mutant->verdict = Verdict::kUnknown;
    return true;
  }
  return false;
}

// The same edit in a program of its own name, as a library of many needs it.
void write_program(Mutant* mutant) {
  std::optional<FileSet> files = compiled(*mutant->sample, mutant->name);
  Random random(mutant->seed);
  random.pick(mutant->sample->kernels);
  if (!files) return;
  // A kernel may be called as its program is.
  const std::string kernel = files->contains(mutant->kernel) ? mutant->kernel : "kernels/" + mutant->name + ".cu";
  if (!files->contains(kernel)) return;
  const std::optional<Mutation> mutation = mutate(files->at(kernel), random);
  if (!mutation) return;
  (*files)[kernel] = mutation->text;
  mutant->files = std::move(*files);
}

std::vector<Outcome> outcomes(std::vector<Mutant*>& mutants) {
  for_each_parallel(mutants.size(), [&](size_t i) { write_program(mutants[i]); });
  std::vector<LibraryProgram> programs;
  std::vector<size_t> asked;
  for (size_t i = 0; i < mutants.size(); ++i) {
    if (mutants[i]->files.empty()) continue;
    programs.push_back({mutants[i]->name, &mutants[i]->files});
    asked.push_back(i);
  }
  const std::vector<BuiltProgram> built = build_libraries(programs, "90a", Device::kCpu);
  std::vector<Outcome> result(mutants.size(), Outcome::kNotBuilt);
  for_each_parallel(programs.size(), [&](size_t i) {
    if (built[i].library.empty()) {
      std::printf("%s\n", built[i].error.substr(0, 600).c_str());
      return;
    }
    const Mutant& mutant = *mutants[asked[i]];
    Outcome outcome = Outcome::kSame;
    for (size_t order = 0; order < orders().size() && outcome == Outcome::kSame; ++order) {
      const auto results = run(*mutant.sample, built[i].library, mutant.name, orders()[order]);
      if (!results || !same_results(*results, mutant.sample->results[order])) outcome = Outcome::kOther;
    }
    result[asked[i]] = outcome;
  });
  return result;
}

int check_mutations(const Options& options) {
  std::vector<Sample> samples;
  for (const std::string& folder : options.samples) {
    Sample sample;
    if (prepare(folder, &sample)) samples.push_back(std::move(sample));
  }
  if (samples.empty()) return 2;
  std::vector<Mutant> mutants(static_cast<size_t>(options.count));
  std::vector<char> found(mutants.size());
  for_each_parallel(mutants.size(), [&](size_t i) {
    mutants[i].name = "m" + std::to_string(i);
    found[i] = judge(samples, options, i, &mutants[i]) ? 1 : 0;
  });
  std::map<Verdict, int> verdicts;
  std::vector<Mutant*> asked;
  int others = 0;
  for (size_t i = 0; i < mutants.size(); ++i) {
    if (found[i] == 0) continue;
    ++verdicts[mutants[i].verdict];
    const bool is_text = mutants[i].verdict <= Verdict::kText;
    if (mutants[i].verdict == Verdict::kUnknown) continue;
    if (is_text || (options.share > 0 && others++ % options.share == 0)) asked.push_back(&mutants[i]);
  }
  const std::vector<Outcome> results = outcomes(asked);
  int wrong = 0, called = 0, run = 0, harmless = 0, not_built = 0;
  std::map<Verdict, int> harmless_verdicts;
  for (size_t i = 0; i < asked.size(); ++i) {
    const Mutant& mutant = *asked[i];
    const bool is_text = mutant.verdict <= Verdict::kText;
    // What does not build with the rest of its folder, since it has another name there, gives no results.
    if (results[i] == Outcome::kNotBuilt) {
      ++not_built;
      continue;
    }
    const bool bad = is_text && results[i] != Outcome::kSame;
    if (is_text) ++called;
    if (!is_text) ++run;
    if (!is_text && results[i] == Outcome::kSame) {
      ++harmless;
      ++harmless_verdicts[mutant.verdict];
    }
    if (!bad && (is_text || results[i] != Outcome::kSame)) continue;
    if (bad) ++wrong;
    std::printf("%s %s/%s:%d: %s: %s\n", bad ? "WRONG" : "harmless", mutant.sample->name.c_str(), mutant.kernel.c_str(),
                mutant.mutation.line, mutant.mutation.what.c_str(), verdict_name(mutant.verdict));
  }
  std::string list;
  int judged = 0;
  for (const auto& [verdict, count] : verdicts) {
    list += (list.empty() ? "" : ", ") + std::to_string(count) + " " + verdict_name(verdict);
    judged += count;
  }
  std::printf("%d mutations of %zu samples: %s\n", judged, samples.size(), list.c_str());
  std::printf("%d called text were run, of which %d give other results; %d do not build\n", called, wrong, not_built);
  if (run > 0) {
    const double all = static_cast<double>(harmless) * (judged - called) / run;
    std::printf("of %d others that were run %d changed nothing: of those that change nothing here %.0f %% are text\n",
                run, harmless, 100 * called / (called + all));
  }
  return wrong == 0 && judged > 0 ? 0 : 1;
}

}  // namespace
}  // namespace sinter

int main(int argc, char** argv) {
  sinter::Options options;
  CLI::App app("random edits of one token in emitted kernels, judged and run");
  app.add_option("FOLDERS", options.samples, "folders of samples")->required();
  app.add_option("--count", options.count, "mutations");
  app.add_option("--run-share", options.share, "run one in so many of those that are not called text");
  app.add_option("--seed", options.seed, "of the random numbers");
  CLI11_PARSE(app, argc, argv);
  return sinter::check_mutations(options);
}
