// What each stage of the compiler takes on real programs, in milliseconds for 1,000 instructions of the input:
// parse, print, graph passes, schedule, lower, emit, and the whole compile.
#include <benchmark/benchmark.h>

#include <fstream>
#include <sstream>

#include "driver/compile.h"
#include "frontend/parse_hlo.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "passes/lower/lower.h"

namespace sinter {
namespace {

// A small, a loop-heavy, a random-number and a wide program.
constexpr const char* kSamples[] = {"softmax", "cartpole_soa", "cartpole_rng", "adamw_update"};

Source read_sample(const std::string& name) {
  std::ifstream in(std::string(SINTER_SOURCE_DIR) + "/samples/" + name + "/" + name + ".hlo");
  std::ostringstream text;
  text << in.rdbuf();
  return {.name = name + ".hlo", .text = text.str()};
}

// Everything up to a stage, made once; each benchmark repeats one stage.
struct Prepared {
  Source source;
  Diagnostics diagnostics;
  std::unique_ptr<Module> module;     // as parsed
  std::unique_ptr<Module> optimised;  // after graph passes
  std::optional<Schedule> schedule;
  std::optional<Program> program;
  double instructions = 0;

  explicit Prepared(const std::string& name) : source(read_sample(name)), diagnostics(source) {
    module = parse_hlo(diagnostics);
    if (!module) return;
    for (const auto& computation : module->computations()) {
      instructions += static_cast<double>(computation->instructions().size());
    }
    optimised = module->clone();
    run_graph_passes(*optimised, {}, {.verify = false});
    schedule = choose_homes(*optimised, "program", {}, diagnostics);
    if (schedule) program = lower(*optimised, schedule->tree, "program", diagnostics);
  }
};

using Stage = void (*)(Prepared&);

void parse(Prepared& p) {
  Diagnostics diagnostics(p.source);
  benchmark::DoNotOptimize(parse_hlo(diagnostics));
}
void verify_module(Prepared& p) { benchmark::DoNotOptimize(verify(*p.module, p.diagnostics)); }
void print_module(Prepared& p) { benchmark::DoNotOptimize(print(*p.module)); }
void graph_passes_of_a_copy(Prepared& p) {
  const std::unique_ptr<Module> copy = p.module->clone();
  run_graph_passes(*copy, {}, {.verify = false});
}
void schedule(Prepared& p) { benchmark::DoNotOptimize(choose_homes(*p.optimised, "program", {}, p.diagnostics)); }
void lower_tree(Prepared& p) {
  benchmark::DoNotOptimize(lower(*p.optimised, p.schedule->tree, "program", p.diagnostics));
}
void emit(Prepared& p) { benchmark::DoNotOptimize(emit_project(*p.program, {}, {})); }
void whole_compile(Prepared& p) {
  Diagnostics diagnostics(p.source);
  benchmark::DoNotOptimize(compile({}, diagnostics));
}

void run(benchmark::State& state, const std::string& sample, Stage stage) {
  Prepared prepared(sample);
  if (!prepared.program) {
    state.SkipWithError("does not compile");
    return;
  }
  for (auto _ : state) stage(prepared);
  // Seconds for 1,000 instructions: Google Benchmark prints an inverted rate as seconds, "850us".
  state.counters["per_1000"] = benchmark::Counter(
      prepared.instructions / 1000, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

}  // namespace
}  // namespace sinter

int main(int argc, char** argv) {
  const std::pair<const char*, sinter::Stage> stages[] = {
      {"parse", sinter::parse},        {"verify", sinter::verify_module},
      {"print", sinter::print_module}, {"passes", sinter::graph_passes_of_a_copy},
      {"schedule", sinter::schedule},  {"lower", sinter::lower_tree},
      {"emit", sinter::emit},          {"compile", sinter::whole_compile}};
  for (const auto& [name, stage] : stages) {
    for (const std::string sample : sinter::kSamples) {
      benchmark::RegisterBenchmark((std::string(name) + "/" + sample).c_str(), sinter::run, sample, stage)
          ->Unit(benchmark::kMillisecond);
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
