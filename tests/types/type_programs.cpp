// type_programs: every op on every element type, compiled and built into one library, compared with the evaluator:
// integers, bits and what rounds once exactly, functions within the op's bound (ulp_bound), sums within a few
// roundings.
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>

#include "driver/build/engine.h"
#include "driver/system/files.h"
#include "driver/tensors/tensors.h"
#include "frontend/hlo/parse_hlo.h"
#include "ir/evaluate/evaluate.h"
#include "ir/ops/op_table.h"
#include "ir/verify/verify.h"
#include "tests/types/generate.h"

namespace sinter {
namespace {

struct Checked {
  TypeProgram program;
  Source source;
  std::unique_ptr<Module> module;  // as written
  std::vector<const Instruction*> results;
  std::vector<Literal> expected;
};

// Parses and evaluates. What went wrong, or empty.
std::string prepare(Checked& checked) {
  checked.source = {.name = checked.program.name + ".hlo", .text = checked.program.text};
  Diagnostics diagnostics(checked.source);
  checked.module = parse_hlo(diagnostics);
  if (!checked.module || !verify(*checked.module, diagnostics)) return diagnostics.render();
  const Instruction* root = checked.module->entry()->root();
  checked.results.assign(root->operands().begin(), root->operands().end());
  const std::optional<Literal> expected =
      evaluate(*checked.module, pack_arguments(*checked.module, checked.program.inputs), diagnostics);
  if (!expected) return diagnostics.render();
  checked.expected = flatten(*expected);
  return "";
}

// ---- comparison ----

struct Bound {
  uint64_t ulp = 0;     // representable numbers of the result's type
  double relative = 0;  // of complex numbers: of the number's size; of sums: of the sum of the terms' sizes, at most
  double absolute = 0;
};

Bound bound_of(const Instruction& result) {
  const DType dtype = result.shape.dtype;
  const bool sum = result.opcode == Opcode::kReduce || result.opcode == Opcode::kDot;
  if (!sum && !is_complex(result.operand(0)->shape.dtype)) {
    return {.ulp = static_cast<uint64_t>(ulp_bound(result)), .relative = 0, .absolute = 0};
  }
  if (is_integer(dtype) || dtype == DType::kPred) return {};
  if (!sum) {
    const DType part = result.operand(0)->shape.dtype == DType::kC64 ? DType::kF32 : DType::kF64;
    const double unit = part == DType::kF32 ? 0x1p-24 : 0x1p-53;
    return {.ulp = 0, .relative = 2 * ulp_bound(result) * unit, .absolute = 0};
  }
  // Of up to 240 terms or products of size below 100, summed in f32 or f64 and rounded once.
  const bool wide = dtype == DType::kF64 || dtype == DType::kC128;
  return {.ulp = 1, .relative = 0, .absolute = 24000 * (wide ? 0x1p-53 : 0x1p-24)};
}

// How many representable numbers lie between two floats of one type.
uint64_t distance(const Literal& a, const Literal& b, int64_t index) {
  const DType dtype = a.shape().dtype;
  const auto key = [&](const Literal& literal) {
    const uint64_t bits = float_to_bits(dtype, literal.real_at(index));
    const uint64_t sign = uint64_t{1} << (dtype_bits(dtype) - 1);
    if (dtype == DType::kF8E8M0FNU) return static_cast<int64_t>(bits);
    return (bits & sign) != 0 ? -static_cast<int64_t>(bits & (sign - 1)) : static_cast<int64_t>(bits);
  };
  const int64_t x = key(a), y = key(b);
  return x > y ? static_cast<uint64_t>(x) - static_cast<uint64_t>(y)
               : static_cast<uint64_t>(y) - static_cast<uint64_t>(x);
}

bool is_right(const Literal& got, const Literal& expected, int64_t i, const Bound& bound, double size) {
  const double x = got.real_at(i), y = expected.real_at(i);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  if (x == y) return true;
  if (distance(got, expected, i) <= bound.ulp) return true;
  return std::isfinite(x) && std::isfinite(y) && std::abs(x - y) <= bound.relative * size + bound.absolute;
}

Literal as_parts(const Literal& literal) {
  const DType dtype = literal.shape().dtype;
  if (!is_complex(dtype)) return literal;
  return literal.with_shape(
      Shape::array(dtype == DType::kC64 ? DType::kF32 : DType::kF64, {2 * literal.element_count()}));
}

std::string operands_at(const Checked& checked, const Instruction& result, int64_t index) {
  std::string text;
  for (const Instruction* operand : result.operands()) {
    if (operand->opcode != Opcode::kParameter) continue;
    const Literal& input = checked.program.inputs[static_cast<size_t>(operand->parameter_number)];
    if (input.element_count() <= index) continue;
    const Literal parts = as_parts(input);
    const int64_t width = parts.element_count() / input.element_count();
    char digits[100];
    for (int64_t part = 0; part < width; ++part) {
      std::snprintf(digits, sizeof digits, "%s%.9g", part > 0 ? " + i " : ", ",
                    is_float(parts.shape().dtype) ? parts.real_at(width * index + part)
                                                  : static_cast<double>(parts.integer_at(index)));
      text += digits;
    }
  }
  return text.empty() ? "" : "(" + text.substr(2) + ")";
}

// A line a result that differs.
std::string differences(const Checked& checked, const std::vector<Literal>& outputs) {
  std::string text;
  for (size_t r = 0; r < outputs.size(); ++r) {
    const Instruction& result = *checked.results[r];
    const Literal got = as_parts(outputs[r]), expected = as_parts(checked.expected[r]);
    const int64_t width = got.element_count() / std::max<int64_t>(1, outputs[r].element_count());
    const Bound bound = bound_of(result);
    const bool real = is_float(got.shape().dtype);
    int64_t wrong = 0, first = -1;
    for (int64_t i = 0; i < got.element_count(); ++i) {
      double size = real ? std::abs(expected.real_at(i)) : 0;
      if (width == 2) size = std::hypot(expected.real_at(i / 2 * 2), expected.real_at(i / 2 * 2 + 1));
      if (real ? is_right(got, expected, i, bound, size) : got.integer_at(i) == expected.integer_at(i)) continue;
      if (wrong++ == 0) first = i;
    }
    if (wrong == 0) continue;
    char digits[200];
    const auto number = [&](const Literal& literal) {
      return real ? literal.real_at(first) : static_cast<double>(literal.integer_at(first));
    };
    std::snprintf(digits, sizeof digits, ": %lld of %lld are wrong; first is %.9g, not %.9g, at %lld",
                  static_cast<long long>(wrong), static_cast<long long>(got.element_count()), number(got),
                  number(expected), static_cast<long long>(first));
    text += "  " + result.name + digits + " " + operands_at(checked, result, first / width) + "\n";
  }
  return text;
}

int run(const std::string& filter, const std::string& save) {
  int wrong = 0, results = 0;
  const auto fail = [&](const std::string& name, const std::string& why) {
    std::printf("FAIL %s\n%s\n", name.c_str(), why.c_str());
    ++wrong;
  };
  std::vector<std::unique_ptr<Checked>> all;  // requests point into them
  std::vector<RunRequest> requests;
  for (TypeProgram& program : type_programs()) {
    if (program.name.find(filter) == std::string::npos) continue;
    std::string error;
    if (!save.empty() && !write_file(save + "/" + program.name + ".hlo", program.text, error)) fail(save, error);
    auto checked = std::make_unique<Checked>();
    checked->program = std::move(program);
    error = prepare(*checked);
    if (!error.empty()) {
      fail(checked->program.name, error);
      continue;
    }
    requests.push_back({checked->source, *checked->module, checked->program.inputs});
    all.push_back(std::move(checked));
  }
  EmittedOptions options;
  options.compile.graph.fma = false;
  const std::vector<RunResult> run = run_emitted_batch(requests, options);
  for (size_t i = 0; i < run.size(); ++i) {
    results += static_cast<int>(run[i].outputs.size());
    const std::string text =
        run[i].status == RunResult::Status::kOk ? differences(*all[i], run[i].outputs) : run[i].error;
    if (!text.empty()) fail(all[i]->program.name, text);
  }
  std::printf("%zu programs with %d results, %d programs are wrong\n", all.size(), results, wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace sinter

int main(int argc, char** argv) {
  CLI::App app("every op on every element type, compiled and compared with the evaluator");
  std::string filter, save;
  app.add_option("filter", filter, "only programs whose name holds this");
  app.add_option("--save", save, "folder for the programs")->check(CLI::ExistingDirectory);
  CLI11_PARSE(app, argc, argv);
  return sinter::run(filter, save);
}
