// scan_programs: cumulative windows along rows, across neighbouring rows, and in tiles of long rows, compared with the
// evaluator bit for bit: sums are exact.
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

struct ScanSpec {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<int64_t> dims;
  size_t dimension = 0;
  bool reverse = false;
  std::string combiner = "add", initial = "0";
  bool computed = false;  // the operand is computed where it is read, the result where it is stored
};

StageProgram scan_program(const ScanSpec& spec) {
  const std::string scalar = shape_text(spec.dtype, {}), shape = shape_text(spec.dtype, spec.dims);
  std::string sizes, pads;
  for (size_t d = 0; d < spec.dims.size(); ++d) {
    const bool along = d == spec.dimension;
    const std::string size = along ? std::to_string(spec.dims[d]) : "1";
    const std::string pad = along ? std::to_string(spec.dims[d] - 1) : "0";
    sizes += (d == 0 ? "" : "x") + size;
    pads += (d == 0 ? "" : "x") + (spec.reverse ? "0_" + pad : pad + "_0");
  }
  std::string text = "HloModule " + spec.name + "\n\ncombine {\n  a = " + scalar + " parameter(0)\n  b = " + scalar +
                     " parameter(1)\n  ROOT c = " + scalar + " " + spec.combiner + "(a, b)\n}\n\nENTRY main {\n";
  text += "  x = " + shape + " parameter(0)\n  first = " + scalar + " constant(" + spec.initial + ")\n";
  if (spec.computed) text += "  twice = " + shape + " add(x, x)\n";
  text += std::string("  ") + (spec.computed ? "" : "ROOT ") + "s = " + shape + " reduce-window(" +
          (spec.computed ? "twice" : "x") + ", first), window={size=" + sizes + " pad=" + pads +
          "}, to_apply=combine\n";
  if (spec.computed) text += "  ROOT r = " + shape + " subtract(s, x)\n";
  return {spec.name, text + "}\n", few_values(10, false)};
}

std::vector<StageProgram> programs() {
  constexpr DType f16 = DType::kF16, s32 = DType::kS32, u8 = DType::kU8;
  const std::vector<ScanSpec> scans = {
      {.name = "along_rows", .dims = {5, 1000}, .dimension = 1, .reverse = true, .computed = true},
      {.name = "across_rows", .dims = {200, 70}, .computed = true},
      {.name = "across_whole_rows",
       .dims = {4, 96, 64},
       .dimension = 1,
       .reverse = true,
       .combiner = "maximum",
       .initial = "-inf"},
      {.name = "across_few_rows", .dtype = f16, .dims = {3, 100, 9}, .dimension = 1},
      {.name = "across_integers",
       .dtype = s32,
       .dims = {2, 50, 33},
       .dimension = 1,
       .reverse = true,
       .combiner = "multiply",
       .initial = "1"},
      {.name = "tiles_across", .dims = {4100, 16}, .computed = true},
      {.name = "whole_tiles_across", .dims = {2, 2048, 32}, .dimension = 1, .reverse = true},
      {.name = "tiles_across_integers",
       .dtype = s32,
       .dims = {1030, 40},
       .reverse = true,
       .combiner = "maximum",
       .initial = "-5"},
      {.name = "tiles_across_narrow", .dtype = f16, .dims = {3000, 9}},
      {.name = "tiles", .dims = {2, 16500}, .dimension = 1, .reverse = true, .computed = true},
      {.name = "tiles_of_one_row", .dtype = s32, .dims = {20000}},
      {.name = "tiles_of_columns", .dtype = u8, .dims = {17000, 2}, .combiner = "xor"},
  };
  std::vector<StageProgram> result;
  for (const ScanSpec& spec : scans) result.push_back(scan_program(spec));
  return result;
}

}  // namespace
}  // namespace sinter

int main() { return sinter::run_stage_programs(sinter::programs()); }
