#include "tests/random/batch.h"

#include <algorithm>
#include <cmath>

#include "driver/build/build_library.h"
#include "driver/build/run_library.h"
#include "driver/compile/plan_report.h"
#include "driver/tensors/compare.h"
#include "driver/tensors/tensors.h"
#include "frontend/hlo/parse_hlo.h"
#include "ir/evaluate/evaluate.h"
#include "ir/verify/verify.h"
#include "review/verify/verify_emitted.h"
#include "tests/random/check_module.h"

namespace sinter {

std::vector<Literal> draw_inputs(const RandomProgram& program, uint64_t seed) {
  Random random(seed ^ 0x5eed);
  std::vector<Literal> result;
  for (const RandomInput& input : program.inputs) {
    Literal literal(Shape::array(input.dtype, input.dims));
    for (int64_t i = 0; i < literal.element_count(); ++i) {
      const int64_t most = static_cast<int64_t>(input.magnitude);
      if (!is_float(input.dtype)) {
        const int64_t any = static_cast<int32_t>(random.next() >> 16);
        literal.set_integer(i, input.dtype == DType::kPred ? random.below(2)
                               : most == 0                 ? any
                                                           : random.below(most + 1));
      } else if (program.exact) {
        literal.set_real(i, static_cast<double>(random.between(-most, most)));
      } else {
        const double unit = static_cast<double>(random.next() >> 40) * 0x1p-23 - 1;
        literal.set_real(i, unit * input.magnitude);
      }
    }
    result.push_back(std::move(literal));
  }
  return result;
}

namespace {

void fail(CheckedProgram& item, std::string problem, std::string detail) {
  item.problem = std::move(problem);
  item.detail = std::move(detail);
}

// Nothing goes through device memory between kernels, and every loop is inside one. Outputs that have nothing to do
// with the others may have kernels of their own, and outputs that are inputs or other outputs are copies.
bool fused(const PlanReport& report) {
  for (const PlanReport::Loop& loop : report.loops) {
    if (loop.scope == Scope::kHost) return false;
  }
  return std::all_of(report.boundaries.begin(), report.boundaries.end(),
                     [](const PlanReport::Boundary& boundary) { return boundary.reason == "result-elsewhere"; });
}

// What is in the way of one kernel: "while.3 (loop-crosses-threads)" for each value stored between kernels.
std::string reasons(const PlanReport& report) {
  std::string text = std::to_string(report.kernels.size()) + " kernels";
  for (const PlanReport::Boundary& boundary : report.boundaries) {
    text += "\n    " + boundary.value + ": " + boundary.reason +
            (boundary.blocked_by.empty() ? "" : " by " + boundary.blocked_by);
  }
  return text;
}

// Compiles, draws inputs, evaluates; and asks for one kernel.
void prepare(CheckedProgram& item, const BatchOptions& options) {
  const Source source = {.name = item.program.name + ".hlo", .text = item.program.text};
  Diagnostics diagnostics(source);
  const std::unique_ptr<Module> module = parse_hlo(diagnostics);
  if (!module || !verify(*module, diagnostics)) return fail(item, "not-valid", diagnostics.render());
  if (item.inputs.empty()) item.inputs = draw_inputs(item.program, item.seed);
  const std::optional<Literal> expected = evaluate(*module, pack_arguments(*module, item.inputs), diagnostics);
  if (!expected) return fail(item, "not-evaluated", diagnostics.render());
  item.expected = flatten(*expected);

  CompileOptions compile_options;
  compile_options.name = item.program.name;
  compile_options.graph = options.graph;
  compile_options.graph.fma = !item.program.exact;
  compile_options.schedule = options.schedule;
  std::optional<Artifact> artifact = compile(compile_options, diagnostics);
  if (!artifact) return fail(item, "not-compiled", diagnostics.render());
  item.artifact = std::move(*artifact);
  if (std::string complaints; options.verify && !verify_cuda(item.artifact.files, complaints)) {
    fail(item, "not-verified", complaints);
  }
  const PlanReport report = report_plan(item.artifact);
  if (options.one_kernel && !fused(report)) fail(item, "several-kernels", reasons(report));
}

// The tensors that differ, a line each; empty if none does.
std::string differences(const CheckedProgram& item, const std::vector<Literal>& outputs) {
  if (item.program.exact) return bit_differences(outputs, item.expected);
  std::string text;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const bool narrow = item.expected[i].shape().dtype == DType::kBF16;
    const Tolerance tolerance = {
        .rtol = narrow ? 0x1p-7 : 1e-4,
        .atol = std::max(1e-5, narrow ? item.program.narrow_tolerance : item.program.tolerance)};
    const Comparison comparison = compare({outputs[i]}, {item.expected[i]}, tolerance);
    if (!comparison.ok) text += "output " + std::to_string(i) + ": " + comparison.text;
  }
  return text;
}

void run(CheckedProgram& item, const std::string& library, const BatchOptions& options) {
  constexpr unsigned kSeconds = 60;
  LibraryCall call{.library = library,
                   .program = item.artifact.program.name,
                   .inputs = &item.inputs,
                   .outputs = {},
                   .order = "",
                   .seconds = kSeconds};
  for (const Literal& value : item.expected) call.outputs.push_back(value.shape());
  for (const std::string& order : options.orders) {
    call.order = order;
    std::string error;
    const std::optional<std::vector<Literal>> outputs = run_in_child(call, error);
    if (!outputs) return fail(item, "crash", error);
    error = differences(item, *outputs);
    if (!error.empty()) return fail(item, "wrong", (order.empty() ? "" : "order " + order + ": ") + error);
  }
}

}  // namespace

void check_batch(std::vector<CheckedProgram>& items, const BatchOptions& options) {
  std::vector<CheckedProgram*> good;
  std::vector<LibraryProgram> programs;
  for (CheckedProgram& item : items) {
    try {
      prepare(item, options);
    } catch (const std::exception& bug) {
      fail(item, "internal-error", bug.what());
    }
    // These are problems of their own: what is computed is compared all the same.
    if (!item.problem.empty() && item.problem != "several-kernels" && item.problem != "not-verified") continue;
    good.push_back(&item);
    programs.push_back({item.artifact.program.name, &item.artifact.files});
  }
  const std::vector<BuiltProgram> built = build_libraries(programs, "90a", Device::kCpu);
  for (size_t i = 0; i < good.size(); ++i) {
    if (built[i].library.empty()) {
      fail(*good[i], "not-built", built[i].error);
    } else {
      run(*good[i], built[i].library, options);
    }
  }
}

}  // namespace sinter
