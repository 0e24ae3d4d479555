// What each stage of the compiler takes on real and on generated programs, in seconds for 1,000 instructions of the
// input: parse, verify, print, graph passes, schedule, lower, emit, and the whole compile. A generated program is there
// in several sizes: time for 1,000 instructions that grows with the size is not linear.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>

#include "driver/compile/compile.h"
#include "frontend/hlo/parse_hlo.h"
#include "ir/text/print.h"
#include "ir/verify/verify.h"
#include "passes/lower/lower.h"

namespace sinter {
namespace {

// A small, a loop-heavy, a random-number and a wide program; graphs of one long path and of no order.
constexpr const char* kPrograms[] = {"softmax",     "cartpole_soa", "cartpole_rng", "adamw_update", "chain_1000",
                                     "chain_10000", "chain_100000", "random_1000",  "random_10000", "random_100000"};

Source read_sample(const std::string& name) {
  std::ifstream in(std::string(SINTER_SOURCE_DIR) + "/samples/" + name + "/" + name + ".hlo");
  std::ostringstream text;
  text << in.rdbuf();
  return {.name = name + ".hlo", .text = text.str()};
}

// `length` elementwise operations, each of the one before.
std::string chain(int length) {
  constexpr const char* kOpcodes[] = {"multiply", "add", "maximum"};
  std::ostringstream text;
  text << "HloModule chain\n\nENTRY main {\n  y.0 = f32[64] parameter(0)\n  x = f32[64] parameter(1)\n";
  for (int i = 1; i <= length; ++i) {
    text << (i == length ? "  ROOT y." : "  y.") << i << " = f32[64] " << kOpcodes[i % 3] << "(y." << i - 1 << ", x)\n";
  }
  text << "}\n";
  return text.str();
}

// `length` operations of values that are up to 200 back, all of them needed for the result.
std::string random_graph(int length) {
  std::mt19937 bits(1);
  const auto below = [&](int limit) { return static_cast<int>(bits() % static_cast<unsigned>(limit)); };
  std::ostringstream text;
  text << "HloModule graph\n\nENTRY main {\n  y.0 = f32[64] parameter(0)\n";
  for (int i = 1; i <= length; ++i) {
    const std::string last = "y." + std::to_string(i - 1);
    text << (i == length ? "  ROOT y." : "  y.") << i << " = f32[64] ";
    switch (below(5)) {
      case 0:
        text << "sine(" << last << ")\n";
        break;
      case 1:
        text << "reverse(" << last << "), dimensions={0}\n";
        break;
      case 2:
        text << "maximum(" << last << ", y." << std::max(0, i - 1 - below(200)) << ")\n";
        break;
      case 3:
        text << "multiply(" << last << ", y." << std::max(0, i - 1 - below(20)) << ")\n";
        break;
      default:
        text << "add(" << last << ", y." << std::max(0, i - 1 - below(20)) << ")\n";
        break;
    }
  }
  text << "}\n";
  return text.str();
}

// "chain_1000", "random_1000", or a sample's name.
Source read_program(const std::string& name) {
  const size_t number = name.find_last_of('_') + 1;
  if (name.starts_with("chain_")) return {.name = name, .text = chain(std::stoi(name.substr(number)))};
  if (name.starts_with("random_")) return {.name = name, .text = random_graph(std::stoi(name.substr(number)))};
  return read_sample(name);
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

  explicit Prepared(const std::string& name) : source(read_program(name)), diagnostics(source) {
    module = parse_hlo(diagnostics);
    if (!module) return;
    for (const auto& computation : module->computations()) {
      instructions += static_cast<double>(computation->instructions().size());
    }
    optimised = module->clone();
    run_graph_passes(*optimised, {}, {.verify = false});
    schedule = choose_homes(*optimised, "program", {}, diagnostics);
    if (schedule) program = lower(*optimised, &schedule->tree, "program", diagnostics);
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
  benchmark::DoNotOptimize(lower(*p.optimised, &p.schedule->tree, "program", p.diagnostics));
}
void emit_files(Prepared& p) { benchmark::DoNotOptimize(emit_project(*p.program, {}, {})); }
void whole_compile(Prepared& p) {
  Diagnostics diagnostics(p.source);
  benchmark::DoNotOptimize(compile({}, diagnostics));
}

void run(benchmark::State& state, const std::string& program, Stage stage) {
  Prepared prepared(program);
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
      {"emit", sinter::emit_files},    {"compile", sinter::whole_compile}};
  for (const auto& [name, stage] : stages) {
    for (const std::string program : sinter::kPrograms) {
      benchmark::RegisterBenchmark((std::string(name) + "/" + program).c_str(), sinter::run, program, stage)
          ->Unit(benchmark::kMillisecond);
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
