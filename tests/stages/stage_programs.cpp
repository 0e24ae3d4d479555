#include "tests/stages/stage_programs.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "driver/build/engine.h"
#include "driver/tensors/tensors.h"
#include "frontend/hlo/parse_hlo.h"
#include "ir/evaluate/evaluate.h"
#include "ir/verify/verify.h"
#include "tests/test_part.h"

namespace sinter {
namespace {

// The first values of a float are what is special about floats.
Literal draw(const Shape& shape, int64_t values, uint64_t seed, bool with_special) {
  Literal literal(shape);
  if (is_complex(shape.dtype)) {
    const Shape parts = Shape::array(real_type(shape.dtype), {2 * literal.element_count()});
    return draw(parts, values, seed, with_special).with_shape(shape);
  }
  const std::vector<double> special = {NAN, -NAN, 0.0, -0.0, INFINITY, -INFINITY};
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto number = static_cast<int64_t>((state >> 33) % static_cast<uint64_t>(values));
    if (is_float(shape.dtype)) {
      const bool is_special = with_special && (state >> 60) == 0;
      const double value = static_cast<double>(number - values / 2) / 4;
      literal.set_real(i, is_special ? special[static_cast<size_t>(number) % special.size()] : value);
    } else {
      literal.set_integer(i, is_signed_integer(shape.dtype) ? number - values / 2 : number);
    }
  }
  return literal;
}

struct Checked {
  StageProgram program;
  Source source;
  std::unique_ptr<Module> module;
  std::vector<Literal> inputs, expected;
};

std::string prepare(Checked& checked) {
  checked.source = {.name = checked.program.name + ".hlo", .text = checked.program.text};
  Diagnostics diagnostics(checked.source);
  checked.module = parse_hlo(diagnostics);
  if (!checked.module || !verify(*checked.module, diagnostics)) return diagnostics.render();
  for (const Instruction* parameter : checked.module->entry()->parameters()) {
    checked.inputs.push_back(checked.program.input(parameter->shape, checked.inputs.size()));
  }
  const std::optional<Literal> expected =
      evaluate(*checked.module, pack_arguments(*checked.module, checked.inputs), diagnostics);
  if (!expected) return diagnostics.render();
  checked.expected = flatten(*expected);
  return "";
}

// Parts of complex numbers one after the other.
std::vector<double> numbers(const Literal& literal) {
  const DType dtype = literal.shape().dtype;
  Literal parts = literal;
  if (is_complex(dtype)) parts = literal.with_shape(Shape::array(real_type(dtype), {2 * literal.element_count()}));
  std::vector<double> result;
  for (int64_t i = 0; i < parts.element_count(); ++i) result.push_back(parts.real_at(i));
  return result;
}

// Position of the first number too far from what is expected; nullopt if there is none. A NaN is near a NaN.
std::optional<size_t> first_far(const Literal& got, const Literal& expected, double tolerance) {
  const std::vector<double> a = numbers(got), b = numbers(expected);
  const double largest = largest_of(expected);
  for (size_t i = 0; i < b.size(); ++i) {
    const bool near =
        std::isnan(b[i]) ? std::isnan(a[i]) : a[i] == b[i] || std::abs(a[i] - b[i]) <= tolerance * largest;
    if (!near) return i;
  }
  return std::nullopt;
}

std::optional<size_t> first_different(const Literal& got, const Literal& expected) {
  const auto bytes = static_cast<size_t>(dtype_bytes(got.shape().dtype));
  for (size_t at = 0; at < expected.bytes().size(); at += bytes) {
    if (std::memcmp(got.bytes().data() + at, expected.bytes().data() + at, bytes) != 0) return at / bytes;
  }
  return std::nullopt;
}

std::string differences(const Checked& checked, const std::vector<Literal>& outputs, ToleranceOf tolerance) {
  std::string text;
  for (size_t r = 0; r < outputs.size(); ++r) {
    const Literal& got = outputs[r];
    const Literal& expected = checked.expected[r];
    const std::optional<size_t> at = tolerance == nullptr
                                         ? first_different(got, expected)
                                         : first_far(got, expected, tolerance(real_type(got.shape().dtype)));
    if (at) text += "  result " + std::to_string(r) + " differs first at " + std::to_string(*at) + "\n";
  }
  return text;
}

}  // namespace

std::string shape_text(DType dtype, const std::vector<int64_t>& dims) {
  return to_string(Shape::array(dtype, dims), false);
}

DType real_type(DType dtype) {
  return dtype == DType::kC64 ? DType::kF32 : dtype == DType::kC128 ? DType::kF64 : dtype;
}

double largest_of(const Literal& result) {
  double largest = 0;
  for (const double value : numbers(result)) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

DrawInput few_values(int64_t values, bool special) {
  return [=](const Shape& shape, size_t number) { return draw(shape, values, number + 1, special); };
}

int run_stage_programs(const std::vector<StageProgram>& all_programs, ToleranceOf tolerance,
                       const std::vector<std::string>& without, const std::vector<std::string>& pinned) {
  int wrong = 0;
  const std::vector<StageProgram> programs = part_of(all_programs);
  const auto fail = [&](const std::string& name, const std::string& why) {
    std::printf("FAIL %s\n%s\n", name.c_str(), why.c_str());
    ++wrong;
  };
  std::vector<std::unique_ptr<Checked>> all;  // requests point into them
  std::vector<RunRequest> requests;
  for (const StageProgram& program : programs) {
    auto checked = std::make_unique<Checked>();
    checked->program = program;
    const std::string error = prepare(*checked);
    if (!error.empty()) {
      fail(checked->program.name, error);
      continue;
    }
    RunRequest request = {checked->source, *checked->module, checked->inputs};
    if (!program.plan.empty()) request.plan = std::make_shared<Source>(Source{.name = "plan", .text = program.plan});
    requests.push_back(std::move(request));
    all.push_back(std::move(checked));
  }
  EmittedOptions options;
  options.compile.graph.without = without;
  options.compile.graph.pinned = pinned;
  const std::vector<RunResult> results = run_emitted_batch(requests, options);
  for (size_t i = 0; i < results.size(); ++i) {
    const bool ran = results[i].status == RunResult::Status::kOk;
    const std::string text = ran ? differences(*all[i], results[i].outputs, tolerance) : results[i].error;
    if (!text.empty()) fail(all[i]->program.name, text);
  }
  std::printf("%zu programs, %d are wrong\n", all.size(), wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace sinter
