// axes_plans: reductions of the sizes that programs have, over every set of dimensions, of every combiner and with
// something before and after them, planned and not run: each is predicted to take at most a few times as long as memory
// takes for what it reads and gives. A thread that reduces alone takes hundreds of times as long.
#include <cstdio>

#include "driver/compile/compile.h"
#include "driver/compile/plan_report.h"
#include "passes/schedule/cost/estimate.h"
#include "tests/stages/axes_text.h"

namespace sinter {
namespace {

constexpr double kMostTimes = 5;  // what memory takes
// Microseconds: a few launches, one after the other; or neighbours that a thread combines in order, one at a time.
constexpr double kMostMore = 17;

std::string place_text(DType dtype, const std::vector<int64_t>& dims, uint64_t axes) {
  return shape_text(dtype, dims) + ", bits of dimensions " + std::to_string(axes) + ", ";
}

std::vector<StageProgram> programs() {
  const std::vector<std::vector<int64_t>> arrays = {
      {1000003},        {4096, 4096},      {100000, 8},          {8, 100000},
      {65537, 33},      {32, 3, 65536},    {64, 4096, 64},       {256, 1000, 40},
      {3, 65537, 5},    {4096, 4, 1024},   {32, 3, 256, 256},    {64, 64, 56, 56},
      {64, 56, 56, 64}, {128, 7, 300, 11}, {16, 16, 16, 32, 64}, {4, 100, 7, 50, 60},
  };
  constexpr std::array kPlaces = {Place::kAlone, Place::kBefore, Place::kAfter};
  std::vector<StageProgram> result;
  size_t next = 0;
  for (const std::vector<int64_t>& dims : arrays) {
    for (uint64_t axes = 1; axes < uint64_t{1} << dims.size(); ++axes) {
      for (const Place place : kPlaces) {
        for (size_t k = 0; k < 3; ++k) {
          const Combiner& combiner = kCombiners[next++ % kCombiners.size()];
          result.push_back(
              axes_program(place_text(combiner.dtype, dims, axes) + combiner.operation, combiner, dims, axes, place));
        }
      }
      const Fold& fold = kFolds[result.size() % kFolds.size()];
      if (fold.in_parts)
        result.push_back(fold_program(place_text(fold.types[0], dims, axes) + fold.name, fold, dims, axes));
    }
  }
  return result;
}

// What a program reads and gives.
int64_t bytes_of(const Module& module) {
  const auto size = [](const Shape& shape) { return shape.element_count() * dtype_bytes(shape.dtype); };
  int64_t bytes = 0;
  for (const Instruction* parameter : module.entry()->parameters()) bytes += size(parameter->shape);
  const Shape& result = module.entry()->root()->shape;
  if (result.is_array()) return bytes + size(result);
  for (const Shape& element : result.elements) bytes += size(element);
  return bytes;
}

// What is wrong with a program's plan; empty if nothing is.
std::string complaint(const StageProgram& program) {
  std::string text = program.text;
  text.replace(0, text.find('\n'), "HloModule m");
  const Source source = {.name = program.name, .text = text};
  Diagnostics diagnostics(source);
  const std::optional<Artifact> artifact = compile({}, diagnostics);
  if (!artifact) return diagnostics.render();
  const double us = report_plan(*artifact).predicted_us.value();
  const double least = transfer_us(bytes_of(*artifact->module), artifact->gpu);
  if (us <= kMostTimes * least + kMostMore) return "";
  return std::to_string(us) + " us, where memory takes " + std::to_string(least);
}

int check_plans() {
  int wrong = 0;
  const std::vector<StageProgram> all = programs();
  for (const StageProgram& program : all) {
    const std::string text = complaint(program);
    if (text.empty()) continue;
    ++wrong;
    std::printf("%s: %s\n", program.name.c_str(), text.c_str());
  }
  std::printf("%zu programs, %d are slow\n", all.size(), wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::check_plans(); }
